"""What every harness says, and which languages have one."""

import re
from string import Template

from magicert import __version__
from magicert.compact.emit.harness import c, go, rust
from magicert.problem import InputError, Problem, suggestion

HARNESSES = {"c": c.C, "c++": c.CPP, "rust": rust.RUST, "go": go.GO}
"""The texts by language. $heading says what they are; walk, mask and loop are their own."""
HEADING = """Checks an engine's rook and bishop lookups, whatever they look up in.
Written by magicert $version: magicert emit --check-harness --lang $language

Every occupancy of every mask (107,648) is looked up; each of them also with all squares outside
the mask occupied, with each of them alone, and with some at random. If the lookup ANDs the
occupancy with the mask, or ORs it with the mask's complement, this proves it right for all 2^64
occupancies. Squares: a1 = 0, b1 = 1, ..., h8 = 63; a board seen from another corner will do, too.
"""


FILES = {"c": "check_magics.c", "c++": "check_magics.cpp", "rust": "check_magics.rs",
         "go": "check_magics_test.go"}  # fmt: skip
"""What the files are called."""


def harness(language: str, package: str = "magics") -> str:
    """The source of a language's harness; `package` is that of the engine's lookups, for Go.

    Raises InputError where the language has none, or where no package can have that name.
    """
    if language not in HARNESSES:
        hint = suggestion(language, HARNESSES) or f"expected one of {', '.join(HARNESSES)}"
        raise InputError([Problem(f"no check harness: {hint}", key=f"--lang {language}")])
    if not re.fullmatch(r"[a-z_]\w*", package):
        raise InputError([Problem(f"{package!r}: expected a package's name", key="--package")])
    words = {"version": __version__, "language": language}
    lines = Template(HEADING).substitute(words).splitlines()
    heading = "".join(f"// {line}".rstrip() + "\n" for line in lines)
    return Template(HARNESSES[language]).substitute(heading=heading, package=package)
