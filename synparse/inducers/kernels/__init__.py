"""Kernels: what makes the models fast.

Each computes what a plain formula, named in its docstring, computes (up to float rounding): by fewer or larger
operations, with a backward pass of its own, or without PyTorch. A test holds the two equal. The models in the folder
above can be read without them.
"""
