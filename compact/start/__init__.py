"""A layout from nothing.

from_nothing  rooks of 12 bits on pages, everything else by first fit
paged         pages of rooks, and rounds of refilling them
first_fit     squares one after the other, the biggest first
pools_wanted  a pool for every square
wish          what is wanted, and how to begin
"""
