"""Magics for any piece on any board of up to 128 squares: covers first, then chance.

finder       a magic for one square
all_squares  a magic for every square of some pieces
kernel       the loop of random candidates
covers       candidates by construction: each square of the mask gets an index bit of its own
blockers     all occupancies of a mask with the numbers of their attack sets, in two lanes
"""
