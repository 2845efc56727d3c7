"""The version of synparse, which models and checkpoints record."""

__version__ = "0.2.0"
