"""Bit guessing: the engine "guess".

guess             the engine
bit_tables        tables of two or three bits that cannot be completed
bit_table_kernel  settles the entries of such a table
tree              one tree of guesses
kernel            the inner loop of a tree
pattern           a cell as the kernel reads it
"""
