"""Packing of layered tables, and of two levels that overlay: README.md."""
