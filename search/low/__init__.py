"""Low bits first, compiled: products modulo 2^q are exact, and many values are tested at once.

descent    the nodes of the search, depth-first
explain    why a value is dead: leaves
node       which of a node's values are alive
strings    bit strings of slots
state      the memory of one search
task       what a search is about
"""
