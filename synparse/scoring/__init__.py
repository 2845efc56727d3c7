"""Scores of predicted trees against gold trees: trees in, numbers out. No torch."""
