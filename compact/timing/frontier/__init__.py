"""Bytes against time: many ways to get sliding attacks, in C, from one harness.

survey     the ways compiled, checked and measured in turns
lookups    what is looked up: random positions, and positions around played games
programs   one C program for each way
machine    what the figures were measured on
losing     where tables lose, in words
figures    what was measured: records, the frontier, the file
ways       the ways, and who thought of them
"""
