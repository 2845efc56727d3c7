"""From files to training batches: sentences, tokens, normalization, vocabulary, batches. All of it streams."""
