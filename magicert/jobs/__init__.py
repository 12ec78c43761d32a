"""The work behind the commands, without a terminal.

A job takes a frozen dataclass or a few plain values, shows how far it is to an observer
(or each phase to whoever watches), and returns what came of it. It prints nothing.

    check_atlas     an atlas held against its files
    settle_atlas    settle open cells of the atlas
    evidence        the kind of evidence that the files hold for a cell
    exporting       a cell as a problem for solvers
    covers          cover certificates: checked, rebuilt, counted again, sampled
    packing         the smallest buffer
    prove           a solver's proof that a cell has no magic, checked and written
    check_proof     check such a proof
    keyed           keys: found, and written as a lookup
    sets            a magic for every square, as a verified table
    boards          a piece on any board: found, its tables measured
    find            ask an engine about one cell
    list_tables     the published tables, measured
    look_up         one lookup in a table
    measure         nanoseconds per lookup
    pages           tables and the atlas as pages and pictures
    any_table       a table from a table file, a source, or a folder
    fixing          the smallest edit that makes a source valid
    verify_tables   verify tables and sources
    read_sources    engine sources: which they are, and how they are judged
    watch           how a job shows its phases
"""
