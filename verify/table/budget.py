"""How many lookups the verification of one table may make; free of numpy, for the help."""

MAX_LOOKUPS = 1 << 26
"""The default budget; a usual table has 107,648 lookups."""

PROBE_LOOKUPS = 1 << 20
"""A table that needs more lookups than this is tried with so many first."""
