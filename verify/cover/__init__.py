"""Checking cover certificates, without a line of the search.

checker     is a certificate valid and complete?
joining     do the leaves of a shard cover it?
leaves      is each leaf true?
stream      the blocks of leaves in a file
file        the file, unpacked, and its header
statement   the slots and attack sets that a certificate speaks of
"""
