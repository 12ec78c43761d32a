"""Gatherers: one 32-bit multiplication that gathers the squares of a line."""
