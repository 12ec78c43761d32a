"""Commands for engine sources alone."""
