"""How fast lookups are.

bench  one C program for each table, run in turns
games  the occupancies of played games
"""
