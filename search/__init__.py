"""Searching magics: the window search by storeys, and the finders beside it.

boards      magics for any piece on any board
sets        magics for all squares, and where they come from
window      the engine "window"
guessing    the engine "guess": the magic bit by bit
ledger      finished shards, and settling a cell
planning    choosing a plan by sampling
shards      one subtree of the search, run to its end
low         the search with m's low bits first
kernel      the search with windows
chain       many squares of a file in one step
problem     a cell as products; plans
finders     the engine "trial", and what finders share
vectors     vector instructions in LLVM
words       words in compiled code
compiled    how the kernels of this room are compiled
"""
