"""The gold side: Penn-style trees, their clean-up, and their conversion to dependencies."""
