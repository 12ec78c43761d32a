"""What is written besides a table's source.

export      magicert export
lookup      magicert emit --keys
shipping    magicert emit: packages, and tests of an engine's own lookups
"""
