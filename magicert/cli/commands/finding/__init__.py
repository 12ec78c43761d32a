"""What `magicert find` does besides chess.

boards  pieces of any board: one square, a set, the bytes of a table
"""
