"""What holds for all occupancies, all magics, or all squares of a shape.

door     the lemmas about a table, in a process of their own
lemmas   mask, bound, period, line, constant
folding  fold: the multiplicands tell all subsets of the mask apart
row      what a lemma is about, and its verdicts
period   which bits of the magic change no index
shape    one proof for all squares whose rays have the same lengths
"""
