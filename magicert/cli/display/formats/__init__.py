"""Verdicts for programs that show them beside the code: on the line of the wrong number.

sarif          SARIF 2.1.0, for code scanning
github         workflow commands, for a pull request
annotations    what there is to say, and where
"""
