"""A run of the parser, files in and text out: in this process, by several, or on a cluster."""
