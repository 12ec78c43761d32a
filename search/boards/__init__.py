"""Magics for any piece on any board of up to 128 squares: by construction, else by chance.

all_squares  a magic for every square of some pieces
finder       a magic for one square
kernel       the loop of random candidates
construct    magics by construction, with a proof
blockers     all occupancies of a mask with the numbers of their attack sets, in two lanes
"""
