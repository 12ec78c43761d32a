"""Rooks of rank 1 by counting the slots that their attack sets take."""
