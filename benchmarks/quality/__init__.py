"""Scores of the trees of models that are trained over several seeds, in one table: benchmarks/quality.tsv.

`train` trains, `score` parses and scores, `table` keeps the rows, and `gold` knows the gold files. Each of the first
three is a command, run in the folder of the repository; ``python -m benchmarks.quality`` trains and scores.
"""
