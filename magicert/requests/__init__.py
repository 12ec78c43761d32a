"""One question a file: a dataclass whose fields carry help, range and default, and `run`.

The command line, the Python API, the `command` of a provenance and the tables of options in
docs/commands.md are made from it.
"""
