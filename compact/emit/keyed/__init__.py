"""Lookups of keys, as source.

printers    the languages
program     what is emitted, before it is in any language
"""
