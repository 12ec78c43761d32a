"""Interpretations of formulas for solvers: Z3's terms, and circuits of single bits for SAT."""
