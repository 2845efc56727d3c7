"""The tables of the papers with our rows in them: published figures, plans of runs, their results, tables."""
