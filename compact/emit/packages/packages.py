"""Which packages there are, by the option that asks for each."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from magicert.compact.emit.packages.crate import crate
from magicert.compact.emit.packages.header import header
from magicert.compact.emit.packages.npm import npm
from magicert.compact.emit.packages.parts import Files, Parcel
from magicert.compact.emit.unit import make_unit
from magicert.table import TableFile, chess_only

PACKAGES: Mapping[str, tuple[str, Callable[[Parcel], Files]]] = {
    "crate": ("rust", crate),
    "header-only": ("c", header),
    "package": ("typescript", npm),
}
"""By option: the language that it goes with, and what makes its files."""


@dataclass(frozen=True, slots=True)
class Made:
    """A package: its name, and its files by their paths in it."""

    name: str
    files: Files
    entries: int


def make_package(kind: str, file: TableFile, literal: bool = False) -> Made:
    """The package of a table, which is verified first.

    Raises InputError where the table is not valid, or cannot be written in that language.
    """
    chess_only(file.table, "a package", str(file.path))
    language, make = PACKAGES[kind]
    words = ["magicert", "emit", file.path.name, "--lang", language, f"--{kind}", "DIR"]
    unit = make_unit(file, shlex.join(words + ["--literal"] * literal))
    parcel = Parcel(unit, file.table.provenance, Path(file.path.name).stem, literal)
    return Made(parcel.name, make(parcel), unit.entries)
