"""Solvers, what they are told, and the processes that they run in."""
