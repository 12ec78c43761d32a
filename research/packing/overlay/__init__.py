"""Two levels, overlaid: bytes, and words that several squares share."""
