"""From data to a model: what every training shares (settings, batches, updates, saves, resumption), networks that learn
from text or trees, grammars learned by counting, and runs of several stages."""
