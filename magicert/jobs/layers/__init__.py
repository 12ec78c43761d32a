"""Layered tables: several squares in one entry.

pack  the smallest buffer
"""
