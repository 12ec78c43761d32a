"""Reading tables straight from engine source, in any language.

The way of a source file, one module a step:

    language    the file's ending tells the lexer and the forms of numbers
    lexing      Pygments tells comments from strings from code; comments go
    conditions  `#if` alternatives: each is read as a source of its own
    tokens      numbers, names, brackets, separators, with their places
    tree        the brackets nested
    values      what an item comes to: a number, a row of numbers
    lists       regular lists of numbers, with naming, assignments and finder beside it
    columns     64 numbers, one a square: what a table is made of
    roles       what a column can be: magics, masks, shifts, bits, offsets
    probe       a fast count of the squares on which a reading fails
    readings    plausible readings of the columns, pruned by the probe
    layouts     tables made of them: offsets, buffers, square orders
    judge       the readings that are left, each through the exhaustive verifier
    refusals    what is no table, or not one that can be judged

Names help, numbers decide: nothing is called valid because of what it is called.
"""
