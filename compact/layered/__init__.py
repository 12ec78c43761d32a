"""Layered tables: several squares in one entry.

squeeze       the last squares moved to the front
from_nothing  pairs on pages, rebuilt, then the rest
finish        what is on no page
rebuild       rooks taken off the pages and put back
beside        a magic annealed for a page with others
pages         pages as they are worked on
dense         rooks in few entries
pairs         libraries of pairs
ground        a layered buffer as it is worked on
place_kernel  a square annealed into it, compiled
pair_kernel   two rooks on as few columns as can be, compiled
fit_kernel    the fewest new columns beside a page, compiled
matching      which rooks are pairs
needs         what a square wants of an entry, and who gets on with whom
"""
