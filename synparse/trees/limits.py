"""What is refused in files of others, because reading it would take memory or time without bound. Each limit is far
above what people and programs write; where a file is over it, the error says so, with the line where there is one."""

from __future__ import annotations

# Text and trees.

LONGEST_LINE = 100_000_000
"""Bytes of a line. A small gzip file can have a line that is larger than memory."""

LONGEST_JSON_LINE = 10_000_000
"""Characters of a parse in JSON, enough for some hundred thousand words; its value can take fifty times as much
memory."""

LONGEST_PAIR_LINE = 1_000_000
"""Characters of a line of a table of pairs."""

MOST_LINES = 1_000_000
"""Lines of a sentence in CoNLL-U, with the blank lines after it: without a limit, a file without blank lines would be
one sentence in memory."""

LARGEST_TREE = 1_000_000
"""Words and brackets of a tree, a hundred times those of the longest sentences: reading a file in which a bracket is
never closed stops here."""

# Settings: recipes, and what models say of themselves. Aliases, which make a small file a huge value, are not read.

LARGEST_SETTINGS = 1_000_000
"""Bytes of a file. Settings take three thousand."""

MOST_VALUES = 20_000
"""Values in a file."""

DEEPEST = 20
"""Mappings and lists inside each other."""

LONGEST_NUMBER = 40
"""Digits of a number."""

LARGEST_SIZE = 65_536
"""Of a layer of a network, and of the like: above any model that can be trained here, and low enough to build its
shapes at once."""

MOST_LAYERS = 1_000
"""Layers of a network."""

MOST_SLOTS = 1_000
"""Slots of an Ordered Memory. They bound memory in parsing: each level of a sentence's tree fills one slot."""

# Models.

MOST_MEMBERS = 100
"""Models, or sets of grammars, in one directory."""

LONGEST_WORD = 1000
"""Characters of a word of a vocabulary. Longer tokens are not words of any language, and unknown to every model."""

LARGEST_HEADER = 4_000_000
"""Bytes of the header of a file of weights; a tensor takes a hundred."""

LARGEST_WEIGHT = 1e6
"""Training leaves weights below ten. Bytes in the wrong order, or changed by chance, make numbers up to 1e38."""

# Patterns of `synparse search`.

LONGEST_PATTERN = 10_000
"""Characters of a pattern."""

MOST_NESTED = 50
"""Brackets of a pattern inside each other: reading them recurses."""

MOST_MATCHES = 10_000
"""Matches in one sentence. Words or nodes that nothing relates match in every combination."""

MOST_STEPS = 1_000_000
"""Words that are tried in one sentence."""
