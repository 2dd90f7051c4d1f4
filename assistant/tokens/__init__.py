"""Counting tokens: counters, what is learned of a model, and its window."""
