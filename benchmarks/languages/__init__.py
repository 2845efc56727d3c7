"""Thirteen languages: a parser of each from raw text, scored beside baselines: benchmarks/languages.tsv.

``python -m benchmarks.languages DATA`` is the program. `data` knows the files of a language, `steps` trains and parses,
`scores` scores, `ceiling` is the best that can be learned from trees, and `table` keeps the rows. `signs` is a program
of its own: which signs of quality, measured without gold trees, go with the scores.
"""
