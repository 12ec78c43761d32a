"""A magic for every square."""
