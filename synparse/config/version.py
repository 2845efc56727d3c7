"""The version of synparse, which models and checkpoints record."""

__version__ = "0.3.0"
