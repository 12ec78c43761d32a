"""Checking cover certificates, without a line of the search."""
