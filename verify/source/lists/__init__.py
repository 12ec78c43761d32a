"""The lists of a source, and what each could be in a table.

    material      what a source offers: columns, constants, shifts, misfits
    constants     numbers that have a name, and the amounts shifted by
    finder        walks over the brackets, outermost first
    misfits       lists that look like magics but cannot be
    orders        the square order, where the source lists squares by name
    assignments   lists filled in by statements, and bare rows of numbers
    roles         what a column can be: magics, masks, shifts, offsets
    columns       one number a square
    regular       what a bracket holds, with its fields
    around        the declared type of a list, and what is done to all its items
    game          what a source is asked for: a board and its pieces
    naming        the name in front of a bracket

A list that looks as if it were meant for the board's squares and cannot be used is never dropped in
silence.
"""
