"""Who sits where in a buffer: as it is worked on, as a value, and as a table file."""
