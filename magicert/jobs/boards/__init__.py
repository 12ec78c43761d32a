"""A piece on any board: one magic found, the forms of tables measured.

find_one  a magic for one square
sizes     what each form of such a table takes
forms     the pieces as a table holds them: whole or as lines; which masks
"""
