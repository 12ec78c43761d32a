"""How fast lookups are."""
