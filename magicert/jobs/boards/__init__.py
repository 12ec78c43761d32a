"""Pieces of any board: magics found, tables measured.

find_one     a magic for one square
find_boards  a verified table of some pieces
sizes        what each form of such a table takes
forms        the pieces as a table holds them: whole or as lines; which masks
"""
