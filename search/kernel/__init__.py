"""The window search, compiled: it knows nothing of files, bars or databases.

descent       the nodes of the search, depth-first
below_chain   the cells that a chain leaves, and a first look at each
fan           64 cells tested by one shifted word
node          what conflicts at a node, what takes a slot, what stays open
leaves        writing leaves
state         the memory of one search
task          what a search is about
"""
