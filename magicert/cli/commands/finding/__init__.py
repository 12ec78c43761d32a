"""What stands behind `magicert find` and `magicert disprove`.

settle   ask, and show the answer: about a square, keys, a set
usage    options that do not go together
boards   pieces of any board: one square, a set, the bytes of a table
wanted   the question that options ask
options  the options of both commands
"""
