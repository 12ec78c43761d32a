"""What is written besides a table's source.

export      magicert export
shipping    magicert emit: packages, and tests of an engine's own lookups
"""
