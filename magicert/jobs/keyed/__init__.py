"""Keys: the work behind --keys."""
