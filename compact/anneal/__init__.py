"""One square at a time, annealed into a buffer in which all others are fixed."""
