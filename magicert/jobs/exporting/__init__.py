"""Export: a cell as a problem for solvers, with what is known of its answer.

export    the file, line by line
status    what the atlas says
"""
