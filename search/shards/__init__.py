"""Shards of a cell: cut, run, written down."""
