"""The exhaustive verifier of tables: every lookup is made, written, and read back.

    verifier         a table in, a report out
    notes            what else is worth knowing
    buffer_check     all lookups of one buffer, its figures and findings
    literal          finished buffers, entry by entry
    layers           several squares in one entry
    attack_sets      whether the numbers of a two-level table suffice
    counterexample   the simplest positions that show a conflict
    occupied         a buffer, written and read back
    lookups          every occupancy of every square, in blocks
    domain           occupancies with their attack sets
    layout           where each square's indexes go
    attacks          a piece's attack sets, by a walk of its own
    relevance        which occupancy bits can change an index at all
    report           what a verification says
    budget           how many lookups it may make

It shares the words, the formula language and the table with the other rooms, nothing else.
"""
