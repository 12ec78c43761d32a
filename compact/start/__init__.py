"""A layout from nothing."""
