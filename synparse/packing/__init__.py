"""Trained models made small, for parsing alone: what `synparse pack` writes."""
