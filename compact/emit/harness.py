"""Tests to link with an engine that makes its magics at start-up: its own lookups, all of them.

Each has a walk of its own, and needs nothing but a compiler.
"""

import re
from pathlib import Path
from string import Template

from magicert import __version__
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.spelling import commented
from magicert.compact.emit.template import load, render
from magicert.problem import InputError, Problem, suggestion

HEADING = """Checks an engine's rook and bishop lookups, whatever they look up in.
Written by magicert $version: magicert emit --check-harness --lang $language

Every occupancy of every mask (107,648) is looked up; each of them also with all squares outside
the mask occupied, with each of them alone, and with some at random. If the lookup ANDs the
occupancy with the mask, or ORs it with the mask's complement, this proves it right for all 2^64
occupancies. Squares: a1 = 0, b1 = 1, ..., h8 = 63; a board seen from another corner will do, too.
"""


def harnesses() -> dict[str, Path]:
    """The templates by language."""
    templates = {name: [*row.folder.glob("check_magics*")] for name, row in dialects().items()}
    return {name: paths[0] for name, paths in templates.items() if paths}


def harness(language: str, package: str = "magics") -> str:
    """The source of a language's harness; `package` is that of the engine's lookups, for Go.

    Raises InputError where the language has none, or where no package can have that name.
    """
    if language not in harnesses():
        hint = suggestion(language, harnesses()) or f"expected one of {', '.join(harnesses())}"
        raise InputError([Problem(f"no check harness: {hint}", key=f"--lang {language}")])
    if not re.fullmatch(r"[a-z_]\w*", package):
        raise InputError([Problem(f"{package!r}: expected a package's name", key="--package")])
    words = {"version": __version__, "language": language}
    lines = Template(HEADING).substitute(words).splitlines()
    heading = commented("//", lines).removesuffix("\n")
    return render(load(harnesses()[language]), {"heading": heading, "package": package})


def all_lookups() -> str:
    """The program that C's harness is, without its head."""
    return (dialects()["c"].folder / "all_lookups.c").read_text("utf-8")
