"""The exhaustive verifier of tables: every lookup is made, written, and read back.

It shares the words, the formula language and the table with the other packages, nothing else.
"""

MAX_LOOKUPS = 1 << 26
"""The budget unless `--max-lookups` says another; a usual table has 107,648 lookups."""

LARGEST_BUDGET = 1 << 40
"""The largest that `--max-lookups` takes: a piece whose true masks have more
occupancies cannot be verified."""

PROBE_LOOKUPS = 1 << 20
"""A table that needs more lookups than this is tried with so many first."""
