"""A magic for every square: a table that is verified before it is written."""
