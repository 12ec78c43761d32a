"""Gatherers: one 32-bit multiplication that gathers the squares of a line.

door      the search, in a process of its own
finding   find one, or prove that there is none
gatherer  what a gatherer is
lines     lines of the board
"""
