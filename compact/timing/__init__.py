"""How fast lookups are.

frontier  many ways to get attacks, with and without tables, in one run
bench     one C program for each table, run in turns
games     the occupancies of played games
"""
