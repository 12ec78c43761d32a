"""Magics for any piece on any board of up to 128 squares: by construction, else by chance."""
