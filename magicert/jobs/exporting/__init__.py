"""Export: a cell as a problem for solvers, with what is known of its answer."""
