"""HTML pages that stand alone: no network, no script or font of others, light and dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Iterable

from synparse.drawing.markup import escaped

STYLE = """\
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --faint: #60646c; --line: #8b8d98; --rule: #d9d9e0;
  --mark: #c62a2f; --accent: #0b68b8; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --paper: #111113; --faint: #b0b4ba; --line: #7b7e86;
  --rule: #363a3f; --mark: #ff9592; --accent: #70b8ff; } }
body { margin: 2rem auto; padding: 0 1rem; max-width: 90rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1, h2, h3 { line-height: 1.2; }
"""


def page(title: str, body: Iterable[str], style: str = "", script: str = "") -> str:
    """A whole HTML page around the markup in ``body``; ``title`` is text, and its heading."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>{escaped(title)}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n",
        f"<h1>{escaped(title)}</h1>\n",
        *body,
        "</main>\n",
        f"<script>\n{script}</script>\n" if script else "",
        "</body>\n</html>\n",
    ]
    return "".join(parts)
