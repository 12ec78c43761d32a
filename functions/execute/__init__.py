"""What a function computes for all occupancies at once, as a graph of words."""
