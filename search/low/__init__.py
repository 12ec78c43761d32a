"""Low bits first, compiled: products modulo 2^q are exact, and many values are tested at once.

descent    the nodes of the search, depth-first
explain    why a value is dead: leaves
node       which of a node's values are alive
state      the memory of one search
lanes      the innermost loop, in vector instructions
strings    bit strings of slots
task       what a search is about
"""
