"""Rooks of 12 bits side by side in whole columns of a page."""
