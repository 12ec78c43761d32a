"""Layered tables: several squares in one entry."""
