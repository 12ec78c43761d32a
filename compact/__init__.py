"""Packing all 128 tables into the smallest shared buffer, and emitting it as source.

timing    how fast lookups are
emit      tables as source of many languages
pack      rounds of squeezing, for as long as wanted
overlay   bytes in a first level, words that squares share in a second one
layered   several squares in one entry
squeeze   a shorter arrangement from a given one
start     a layout from nothing
pages     rooks side by side in whole columns
layouts   seats in a buffer, and its table file
anneal    one square at a time
progress  how the work tells how far it is
compiled  how kernels are compiled
"""
