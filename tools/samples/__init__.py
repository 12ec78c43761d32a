"""Sample sources for the tests: published tables, printed as engines of many languages do.

    python -m tools.samples tests/source/samples

Every text here is our own; only the numbers are those of `tables/`. Each module holds the
samples of one family of languages, one function a file.
"""
