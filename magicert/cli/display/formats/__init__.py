"""Verdicts for programs that show them beside the code: on the line of the wrong number."""
