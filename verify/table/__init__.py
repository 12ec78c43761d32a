"""The exhaustive verifier of tables: every lookup is made, written, and read back.

It shares the words, the formula language and the table with the other rooms, nothing else.
"""
