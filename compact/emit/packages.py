"""Packages to vendor: a source with manifest, licence, a page to read first, a test over all
lookups, and a bench. Each is a folder of templates in packages/, by the option that asks for it.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from magicert import __version__
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.printer import Printer
from magicert.compact.emit.template import load, render
from magicert.compact.emit.unit import Unit, make_unit
from magicert.table import TableFile, chess_only

FOLDER = Path(__file__).parent / "packages"


@dataclass(frozen=True, slots=True)
class PackageKind:
    """A package: its language, and where its source goes. `usage` is what the source says, where
    that is another thing than in a source alone; `prefixed` where names begin with the package's.
    """

    language: str
    source: str
    usage: str = "usage.txt"
    prefixed: bool = False


PACKAGES: Mapping[str, PackageKind] = {
    "crate": PackageKind("rust", "src/lib.rs", usage="usage_of_crate.txt"),
    "header-only": PackageKind("c", "$identifier.h", prefixed=True),
    "package": PackageKind("typescript", "src/$identifier.ts"),
}
"""By option."""


@dataclass(frozen=True, slots=True)
class Made:
    """A package: its name, its files by their paths in it, the entries of its table."""

    name: str
    files: dict[str, str]
    entries: int


def make_package(option: str, file: TableFile, literal: bool = False) -> Made:
    """The package of a table, which is verified first.

    Raises InputError where the table is not valid, or cannot be written in that language.
    """
    chess_only(file.table, "a package", str(file.path))
    kind = PACKAGES[option]
    words = ["magicert", "emit", file.path.name, "--lang", kind.language, f"--{option}", "DIR"]
    unit = make_unit(file, shlex.join(words + ["--literal"] * literal))
    named = re.sub(r"[^a-z0-9]+", "-", Path(file.path.name).stem.lower()).strip("-")
    name = f"magics-{named or 'table'}"
    identifier = name.replace("-", "_")
    given = {
        "name": name,
        "identifier": identifier,
        "IDENTIFIER": identifier.upper(),
        "version": __version__,
        "description": _description(unit),
        "lines": [{"line": line} for line in _lines(file, unit)],
    }
    folder = FOLDER / option
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {str(p.relative_to(folder)): render(load(p), given) for p in paths}
    files["LICENSE"] = (FOLDER / "LICENSE").read_text("utf-8")
    scope = f"{identifier}_" if kind.prefixed else None
    printer = Printer(dialects()[kind.language], scope, identifier, kind.usage)
    files[kind.source.replace("$identifier", identifier)] = printer.emit(unit, literal)
    return Made(name, files, unit.entries)


def _description(unit: Unit) -> str:
    """One line for a manifest."""
    size = f"{unit.bytes / 1024:,.0f} KiB"
    return f"Rook and bishop attacks by magic bitboards, {size}, verified exhaustively"


def _lines(file: TableFile, unit: Unit) -> list[str]:
    """Where the numbers come from."""
    provenance, header = file.table.provenance, [f"- {line}" for line in unit.header]
    if not provenance.licence:
        return header
    origin = provenance.repository or "elsewhere"
    return [f"The numbers come from {origin}, whose licence is {provenance.licence}.", *header]
