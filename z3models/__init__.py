"""Bit-vector models of cells and schemes: find, disprove, prove lemmas."""
