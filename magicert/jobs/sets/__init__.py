"""A magic for every square: a table that is verified before it is written.

chess    rook and bishop of chess, by any engine
boards   some pieces of any board
whole    a whole set, verified and written
left     what there is of a set, and the file that keeps it
"""
