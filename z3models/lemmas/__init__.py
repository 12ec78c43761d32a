"""What holds for all occupancies, all magics, or all squares of a shape.

door    the lemmas about a table, in a process of their own
lemmas  mask, bound, period, constant
period  which bits of the magic change no index
shape   one proof for all squares whose rays have the same lengths
"""
