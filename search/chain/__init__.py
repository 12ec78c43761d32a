"""Chains: many squares of a file taken in one step of a plan, without a table of slots.

collect     all cells that a chain leaves alive
descent     following a chain
state       its memory
lanes       one lookup for many words at once, in vector instructions
chain       a chain step as the kernel reads it
relations   how a square conflicts with those before it
squares     which squares a chain takes
tables      which shifts make two patterns of the line collide
"""
