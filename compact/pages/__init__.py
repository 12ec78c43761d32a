"""Rooks of 12 bits side by side in whole columns of a page.

bishops            bishops in the columns that rooks leave free
band_kernel        which columns a bishop's magic claims, compiled
interleave         two rooks of one file that share columns, but no slot
interleave_kernel  which half of its columns a rook's magic uses, compiled
pairs              two rooks as one square of a page
refill             a few pages filled anew
filling            pages, filled from libraries
page_kernel        sets of columns that do not meet, compiled
columns            filling a library
library            many magics for one rook, by the columns they claim
column_kernel      which columns a rook's magic claims, compiled
lines              a rook's square as a rank and a file
"""
