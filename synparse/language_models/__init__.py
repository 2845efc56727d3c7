"""What the models know as language models: perplexity, minimal pairs, channels, similarity."""
