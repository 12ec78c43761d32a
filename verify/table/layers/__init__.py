"""Layered tables: a formula makes the attack set from the loaded word, so squares share entries.

clash      the positions that show what is wrong
entries    which bits of each entry must be one, which zero, over all lookups
wanted     which bits of its word a lookup asks for
sources    which bits of the word each bit of the result may come from
"""
