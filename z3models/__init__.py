"""Bit-vector models: a scheme's formula and a cell become constraints for solvers."""
