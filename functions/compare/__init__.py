"""The board's own answer, and whether any occupancy tells it from the function's."""
