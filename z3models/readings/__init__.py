"""Readings of formulas for solvers: Z3's terms, and circuits of single bits for SAT.

wiring        which bits of the magic reach an index at all
bits          a word as one literal of a circuit for each bit
circuit       Boolean circuits and their clauses
bit_vectors   a word as a term of Z3
"""
