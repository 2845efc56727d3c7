"""synparse learns the structure of language from raw text."""

__version__ = "0.2.0"
