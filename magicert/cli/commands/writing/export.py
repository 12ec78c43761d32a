"""`magicert export`: a cell as a problem for solvers."""
