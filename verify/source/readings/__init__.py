"""From columns to verified tables, and to the verdict of a source.

    asked            options, or a file beside a source, to what is fixed by hand
    judge            all readings of a source, each through the exhaustive verifier
    judgement        what a source is found to be
    layouts          tables made of halves: offsets, buffers, square orders
    refusals         what is no table, or not one that can be judged
    pairs            halves that can stand in one table
    contradictions   what a reading takes otherwise than the source says
    lengths          attack tables that are too short for a reading
    plausible        the plausible readings of one piece, pruned by the probe
    ways             the ways to read one column of magics
    pins             what the user fixes by hand
    probe            a fast count of the squares on which a reading fails
    counts           how many bits an index has

A half is one piece read in one way; two halves of one square order make a table.
"""
