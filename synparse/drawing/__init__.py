"""Pictures of trees: where things stand (`layout`), and the same as text, SVG and HTML pages. Trees only, no torch."""
