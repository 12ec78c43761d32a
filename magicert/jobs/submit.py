"""A magic that somebody found enters the atlas, with its credit.

cell = "rook f1, 10 bits"
magic = "0x..."
finder = "who"
date = "2026-11-23"
source = "where it was first published: a page, or a repository and commit"
"""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import get_args

import msgspec

from magicert.atlas import Atlas, Entry, Range, SchemeName, entry_name, read_atlas, write_atlas
from magicert.board import Piece, parse_square
from magicert.cell import Cell, square_cell
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.valid import invalid, largest_indexes

_CELL = re.compile(r"(rook|bishop) ([a-h][1-8]),? (\d{1,2})(?: bits)?")
_MAGIC = re.compile("0x[0-9a-fA-F]{1,16}")


class _File(msgspec.Struct, forbid_unknown_fields=True):
    cell: str
    magic: str
    finder: str
    date: str
    source: str
    scheme: SchemeName = "white"


@dataclass(frozen=True, slots=True)
class Submitted:
    """What came of a submission: the entry, which is in the written atlas if it is valid and
    `reason` is empty.
    """

    entry: Entry
    valid: bool
    reason: str = ""


def submit(path: Path, atlas: Path, output: Path, today: date) -> Submitted:
    """Try the magic for all occupancies, and write the atlas with it.

    It is not entered where it is no magic, or where an older one stands there. Raises InputError
    for a file that is no submission, and for a magic that the atlas says there is none of.
    """
    given = _read(path, today)
    entry = _entry(given, path)
    cell = _cell(entry, given.scheme)
    if invalid(cell, [int(entry.magic, 16)]):
        return Submitted(entry, valid=False, reason="two occupancies with one index conflict")
    known = read_atlas(atlas)
    if known.scheme != given.scheme:
        message = f"about the scheme {given.scheme}, {atlas} about {known.scheme}"
        raise InputError([Problem(message, file=str(path), key="scheme")])
    bound = known.bound(*entry.key[:2])
    if bound is not None and bound.bits >= entry.bits:
        message = (
            f"a valid magic, but {entry_name(bound)}: {bound.certificate} says that none exists"
        )
        raise InputError([Problem(message, file=str(path), key="magic")])
    before = known.entries.get(entry.key)
    if before is not None and before.state == "exists" and not _earlier(entry, before):
        return Submitted(entry, valid=True, reason=f"known since {before.credit}")
    _enter(known, entry, before, cell)
    write_atlas(output, known)
    return Submitted(entry, valid=True)


def _read(path: Path, today: date) -> _File:
    """The file, with every problem that its texts have."""
    try:
        given = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError([Problem(f"no submission: {error}", file=str(path))]) from None
    wrong = {}
    if not _CELL.fullmatch(given.cell):
        wrong["cell"] = f'{given.cell!r}: expected such as "rook f1, 10 bits"'
    if not _MAGIC.fullmatch(given.magic):
        wrong["magic"] = f'{given.magic!r}: expected such as "0x1c00169a9b2fffd8"'
    try:
        found = date.fromisoformat(given.date)
        if len(given.date) != len("2026-11-23") or found > today:
            wrong["date"] = f"{given.date!r}: expected a day, today at the latest"
    except ValueError:
        wrong["date"] = f'{given.date!r}: expected a day such as "2026-11-23"'
    wrong |= {
        key: "expected who found it, and where it stands"
        for key in ("finder", "source")
        if not getattr(given, key).strip() or not getattr(given, key).isprintable()
    }
    if wrong:
        raise InputError(Problem(said, file=str(path), key=key) for key, said in wrong.items())
    return given


def _entry(given: _File, path: Path) -> Entry:
    found = _CELL.fullmatch(given.cell)
    assert found is not None
    piece, square, bits = found.groups()
    entry = Entry(
        piece=Piece(piece).value, square=square, bits=int(bits), state="exists",
        magic=f"{int(given.magic, 16):#x}", finder=given.finder, published=given.date,
        source=given.source,
    )  # fmt: skip
    problems = Atlas([entry]).problems()
    if problems:
        raise InputError(Problem(problem, file=str(path), key="cell") for problem in problems)
    return entry


def _cell(entry: Entry, scheme: str) -> Cell:
    assert scheme in get_args(SchemeName)
    return square_cell(SCHEMES[scheme], Piece(entry.piece), parse_square(entry.square), entry.bits)


def _earlier(entry: Entry, before: Entry) -> bool:
    """Whether it was published before what stands there: "by" a day may be any day before."""
    if before.published.startswith("by "):
        return False
    return not before.published or entry.published < before.published[: len(entry.published)]


def _enter(atlas: Atlas, entry: Entry, before: Entry | None, cell: Cell) -> None:
    """Put the entry in, keep what is known of the cell besides, and ask for one bit less."""
    if before is not None:
        entry.certificate, entry.engine, entry.date = before.certificate, before.engine, before.date
        entry.tests, entry.seconds, entry.range = before.tests, before.seconds, before.range
    atlas.put(entry)
    piece, square, _ = entry.key
    if entry.range is None and atlas.scheme == "white":
        (largest,) = largest_indexes(cell, [int(entry.magic, 16)])
        least = atlas.least_range(piece, square, entry.bits)
        entry.range = Range(largest=largest, magic=entry.magic, least=least, source=entry.source)
    fewer = Entry(piece=entry.piece, square=entry.square, bits=entry.bits - 1, state="open")
    if entry.bits > 1 and fewer.key not in atlas.entries and not atlas.bound(piece, square):
        atlas.put(fewer)
