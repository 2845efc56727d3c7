"""Search over trees: a pattern and trees go in, the sentences come out in which it matches."""
