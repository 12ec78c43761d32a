"""A crate to vendor: a source with manifest, licence, a page to read first, a test over all
lookups, and a bench. Its templates are in crate/.
"""

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from magicert import __version__
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.emitted_table import prepare_table
from magicert.compact.emit.printer import Printer
from magicert.compact.emit.template import load, render
from magicert.compact.emit.ways import print_way, unit_of, ways
from magicert.table import TableFile, chess_only

FOLDER = Path(__file__).parent / "crate"
USAGE = "usage_of_crate.txt"
SOURCE = "src/lib.rs"


@dataclass(frozen=True, slots=True)
class Crate:
    """A package: its name, and its files by their paths in it."""

    name: str
    files: dict[str, str]


def crate_of_table(file: TableFile, literal: bool = False) -> Crate:
    """The crate of a table, which is verified first.

    Raises InputError where the table is not valid, or cannot be written in Rust.
    """
    chess_only(file.table, "a package", str(file.path))
    words = ["magicert", "emit", file.path.name, "--lang", "rust", "--crate", "DIR"]
    emitted = prepare_table(file, shlex.join(words + ["--literal"] * literal))
    size = f"{emitted.bytes / 1024:,.0f} KiB"
    description = f"Rook and bishop attacks by magic bitboards, {size}, verified exhaustively"
    lines = _lines(file, [f"- {line}" for line in emitted.header])
    name, identifier = _names(Path(file.path.name).stem)
    printer = Printer(dialects()["rust"], None, identifier, USAGE)
    printer.filename = SOURCE
    return _crate(name, description, lines, printer.emit(emitted, literal))


def crate_of_way(way: str, file: TableFile | None = None) -> Crate:
    """The crate of a way, and of the table whose magics it holds, if one is named."""
    table_arguments = [file.path.name] if file else []
    words = ["magicert", "emit", *table_arguments, "--way", way, "--lang", "rust", "--crate", "DIR"]
    emitted = unit_of(way)
    if file is not None:
        chess_only(file.table, "a package", str(file.path))
        emitted = prepare_table(file, shlex.join(words))
    source = print_way(way, Printer(dialects()["rust"], None, "lib"), emitted, shlex.join(words))
    head = takewhile(lambda line: line.startswith("//"), source.splitlines())
    lines = ["What the source says of itself:", "", *(f"    {line[3:]}" for line in head)]
    description = f"Rook, bishop and queen attacks of chess. {ways()[way].title}"
    name, _ = _names("-".join([*(Path(name).stem for name in table_arguments), way]))
    return _crate(name, description, _lines(file, lines) if file else lines, source)


def _names(title: str) -> tuple[str, str]:
    """The names of a package, and of it in a program."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    name = f"magics-{words or 'table'}"
    return name, name.replace("-", "_")


def _crate(name: str, description: str, lines: Iterable[str], source: str) -> Crate:
    values = {
        "name": name,
        "identifier": name.replace("-", "_"),
        "version": __version__,
        "description": description,
        "lines": [{"line": line} for line in lines],
    }
    paths = sorted(path for path in FOLDER.rglob("*") if path.is_file())
    files = {str(path.relative_to(FOLDER)): render(load(path), values) for path in paths}
    return Crate(name, files | {SOURCE: source})


def _lines(file: TableFile, header: list[str]) -> list[str]:
    """Where the numbers come from."""
    provenance = file.table.provenance
    if not provenance.licence:
        return header
    origin = provenance.repository or "elsewhere"
    return [f"The numbers come from {origin}, whose licence is {provenance.licence}.", *header]
