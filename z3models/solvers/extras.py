"""Which extra of this package brings a solver's library, for the message when it is missing."""

from magicert.problem import InputError, Problem

EXTRAS = {"z3": "z3", "pysat": "sat", "bitwuzla": "sat"}


def missing(error: ImportError) -> InputError:
    """The import error as an input error that says what to install."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        raise error
    return InputError([Problem(f"needs pip install 'magicert[{EXTRAS[library]}]'", key=library)])
