"""Rooks of 12 bits side by side in whole columns of a page.

refill         a few pages filled anew
filling        pages, filled from libraries
page_kernel    sets of columns that do not meet, compiled
columns        filling a library
library        many magics for one rook, by the columns they claim
column_kernel  which columns a rook's magic claims, compiled
lines          a rook's square as a rank and a file
"""
