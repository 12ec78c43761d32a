"""Rooks of 12 bits side by side in whole columns of a page.

bishops        bishops in the columns that rooks leave free
band_kernel    which columns a bishop's magic claims, compiled
refill         a few pages filled anew
filling        pages, filled from libraries
page_kernel    sets of columns that do not meet, compiled
columns        filling a library
library        many magics for one rook, by the columns they claim
column_kernel  which columns a rook's magic claims, compiled
lines          a rook's square as a rank and a file
"""
