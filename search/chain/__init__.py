"""Chains: many squares of a file taken in one step of a plan, without a table of slots.

descent   following a chain
state     its memory
lanes     one lookup for eight words at once, in vector instructions
chain     a chain step as the kernel reads it
tables    which shifts make two patterns of the line collide
"""
