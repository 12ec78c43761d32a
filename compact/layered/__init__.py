"""Layered tables: several squares in one entry.

pages        rooks on pages, taken out and put back
pair_kernel  two rooks on as few columns as can be, compiled
fit_kernel   the fewest new columns beside a page, compiled
matching     which rooks are pairs
needs        what a square wants of an entry, and who gets on with whom
"""
