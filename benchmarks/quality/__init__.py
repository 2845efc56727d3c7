"""Scores of the trees of models that are trained over several seeds, in one table: benchmarks/quality.tsv.

``python -m benchmarks.quality`` trains and scores; `score` parses and scores, `table` keeps the rows, and `gold` knows
the gold files. The first two are commands, too, run in the folder of the repository.
"""
