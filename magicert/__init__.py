"""magicert certifies, settles and compacts magic-bitboard tables.

Three functions to start with: `certify_table` tries every occupancy of a table, `find` finds a
magic for a square, and `emit` writes a table as source.

The names in `PUBLIC` are what programs may import: they follow semantic versioning, and docs/api.md
explains them. Each is loaded when it is first used. Everything else may change.
`__init__.pyi` says the same to type checkers.
"""

__version__ = "0.2.0"

PUBLIC = {
    "Certified": "magicert.api.certify",
    "CheckedCertificate": "magicert.api.check",
    "Exists": "magicert.outcome",
    "Impossible": "magicert.outcome",
    "InputError": "magicert.problem",
    "Observer": "magicert.outcome",
    "Outcome": "magicert.outcome",
    "Packed": "magicert.api.pack",
    "Problem": "magicert.problem",
    "Table": "magicert.table",
    "TableFile": "magicert.table",
    "Unknown": "magicert.outcome",
    "certify": "magicert.api.certify",
    "certify_function": "magicert.functions.api",
    "certify_table": "magicert.api.certify",
    "check": "magicert.api.check",
    "disprove": "magicert.api.find",
    "emit": "magicert.api.emit",
    "find": "magicert.api.find",
    "find_set": "magicert.api.sets",
    "make_table": "magicert.api.numbers",
    "pack": "magicert.api.pack",
    "read_atlas": "magicert.api.atlas",
    "read_table": "magicert.api.tables",
}
"""The public names, and the modules that they come from."""

__all__ = ["__version__", *PUBLIC]  # noqa: PLE0604 - the names stand above


def __getattr__(name: str) -> object:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *PUBLIC})
