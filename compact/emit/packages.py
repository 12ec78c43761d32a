"""Packages to vendor: a source with manifest, licence, a page to read first, a test over all
lookups, and a bench. Each is a folder of templates in packages/, by the option that asks for it.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from magicert import __version__
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.printer import Printer
from magicert.compact.emit.template import load, render
from magicert.compact.emit.unit import make_unit
from magicert.compact.emit.ways import print_way, unit_of, ways
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
    """A package: its name, and its files by their paths in it."""

    name: str
    files: dict[str, str]


def make_package(option: str, file: TableFile, literal: bool = False) -> Made:
    """The package of a table, which is verified first.

    Raises InputError where the table is not valid, or cannot be written in that language.
    """
    chess_only(file.table, "a package", str(file.path))
    kind = PACKAGES[option]
    words = ["magicert", "emit", file.path.name, "--lang", kind.language, f"--{option}", "DIR"]
    unit = make_unit(file, shlex.join(words + ["--literal"] * literal))
    size = f"{unit.bytes / 1024:,.0f} KiB"
    description = f"Rook and bishop attacks by magic bitboards, {size}, verified exhaustively"
    lines = _lines(file, [f"- {line}" for line in unit.header])
    name, identifier = _names(Path(file.path.name).stem)
    scope = f"{identifier}_" if kind.prefixed else None
    printer = Printer(dialects()[kind.language], scope, identifier, kind.usage)
    return _made(option, name, description, lines, printer.emit(unit, literal))


def make_crate(way: str, file: TableFile | None = None) -> Made:
    """The crate of a way, and of the table whose magics it holds, if one is named."""
    given = [file.path.name] if file else []
    words = ["magicert", "emit", *given, "--way", way, "--lang", "rust", "--crate", "DIR"]
    unit = unit_of(way)
    if file is not None:
        chess_only(file.table, "a package", str(file.path))
        unit = make_unit(file, shlex.join(words))
    source = print_way(way, Printer(dialects()["rust"], None, "lib"), unit, shlex.join(words))
    head = takewhile(lambda line: line.startswith("//"), source.splitlines())
    lines = ["What the source says of itself:", "", *(f"    {line[3:]}" for line in head)]
    description = f"Rook, bishop and queen attacks of chess. {ways()[way].title}"
    name, _ = _names("-".join([*(Path(name).stem for name in given), way]))
    return _made("crate", name, description, _lines(file, lines) if file else lines, source)


def _names(title: str) -> tuple[str, str]:
    """The names of a package, and of it in a program."""
    named = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    name = f"magics-{named or 'table'}"
    return name, name.replace("-", "_")


def _made(option: str, name: str, description: str, lines: Iterable[str], source: str) -> Made:
    identifier = name.replace("-", "_")
    given = {
        "name": name,
        "identifier": identifier,
        "IDENTIFIER": identifier.upper(),
        "version": __version__,
        "description": description,
        "lines": [{"line": line} for line in lines],
    }
    folder = FOLDER / option
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {str(p.relative_to(folder)): render(load(p), given) for p in paths}
    files["LICENSE"] = (FOLDER / "LICENSE").read_text("utf-8")
    files[PACKAGES[option].source.replace("$identifier", identifier)] = source
    return Made(name, files)


def _lines(file: TableFile, header: list[str]) -> list[str]:
    """Where the numbers come from."""
    provenance = file.table.provenance
    if not provenance.licence:
        return header
    origin = provenance.repository or "elsewhere"
    return [f"The numbers come from {origin}, whose licence is {provenance.licence}.", *header]
