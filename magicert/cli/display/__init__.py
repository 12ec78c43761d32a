"""How results look: on a terminal, in a pipe, as JSON."""
