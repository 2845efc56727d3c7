"""From models and sentences to trees: members, their scores, decoders, ensembles, and runs over files."""
