"""From a corpus to a model: recipe, objective, loop."""
