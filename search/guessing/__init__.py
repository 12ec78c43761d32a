"""Bit guessing: the engine "guess"."""
