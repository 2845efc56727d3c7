"""Craft: agents that do subtasks in a grid world, and models that find the subtasks in what they did."""
