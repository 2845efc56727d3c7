"""Pictures of trees: their layout, and the same as text, SVG and HTML pages. No torch."""
