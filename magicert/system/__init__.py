"""What any program needs of the system; no chess in it.

None of these files needs another.
"""
