"""An overlaid two-level table: its two finished buffers as files, verified, and read back."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.seat import Key
from magicert.compact.layouts.layout import Layout, from_table, publish
from magicert.compact.overlay.parties import Party
from magicert.compact.overlay.places import Overlay, PartyPlace, words_of
from magicert.formula import parse
from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole
from magicert.table import Table, TwoLevel
from magicert.table.read import TableFile
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.layout import lay_out
from magicert.verify.table.literal import read_sidecar

RESULT = parse("word & line")
Bytes = NDArray[np.uint8]


def numbers_of(parties: Sequence[Party], overlay: Overlay, length: int) -> Bytes:
    """The bytes of the first level: 0 where nobody looks."""
    numbers = np.zeros(length, np.uint8)
    for party, place in zip(parties, overlay.places, strict=True):
        for slots, number in zip(party.slots, place.numbers.tolist(), strict=True):
            numbers[slots] = number
    return numbers


def write_overlaid(table: Table, parties: Sequence[Party], overlay: Overlay, path: Path) -> None:
    """Write a table of attack sets as one of two levels, overlaid, verified, with its certificate.

    The buffers get names of their own each time, so that the file on disk always finds those that
    belong to it. Those that it had before are removed. Raises NotValidError, and leaves everything
    as it was, where the table would not be valid.
    """
    assert table.buffer_size is not None
    numbers = numbers_of(parties, overlay, table.buffer_size).tobytes()
    words = words_of(parties, overlay).astype("<u8").tobytes()
    digest = hashlib.sha256(numbers + words).hexdigest()[:8]
    names = [f"{path.stem}.{digest}.{level}.bin" for level in ("numbers", "words")]
    before = buffers_named(path)
    bases = {
        key: int(base)
        for party, place in zip(parties, overlay.places, strict=True)
        for key, base in zip(party.keys, place.bases, strict=True)
    }
    finished = replace(
        table,
        literal=names[0],
        two_level=TwoLevel(8, overlay.words, names[1]),
        pieces={
            piece: replace(
                half,
                result=RESULT,
                set_offset=tuple(bases[half.slider, table.row_bit(row)] for row in range(64)),
            )
            for piece, half in table.pieces.items()
        },
    )
    for name, data in zip(names, (numbers, words), strict=True):
        write_whole(path.with_name(name), data)
    try:
        publish(finished, path, path.with_suffix(".certificate.json"))
    except BaseException:
        _remove(path, set(names) - before)
        raise
    _remove(path, before - set(names))


def buffers_named(path: Path) -> set[str]:
    """The buffers of an earlier run that a table file names: beside it, by names like ours."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    here = path.parent.glob(f"{path.stem}.????????.*.bin")
    return {file.name for file in here if f'"{file.name}"' in text}


def _remove(path: Path, names: set[str]) -> None:
    for name in names:
        path.with_name(name).unlink(missing_ok=True)


def layout_of(file: TableFile) -> Layout:
    """The layout of a plain table or of an overlaid one.

    Raises InputError for any other, and where plain packing could not take it.
    """
    table, where = file.table, str(file.path)
    problems: list[Problem] = []
    levels = table.two_level
    if levels is not None and (levels.entry_bits != 8 or levels.literal_words is None):
        message = "expected a table of attack sets, or bytes and words that squares share"
        problems.append(Problem(message, file=where, key="two_level"))
    for piece, half in table.pieces.items():
        if levels is not None and str(half.result) not in {"word & line", "line & word"}:
            message = f"{half.result}: expected {RESULT.text!r}"
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    if not table.shared or table.half_board:
        problems.append(Problem("expected one shared buffer for a whole board", file=where))
    if problems:
        raise InputError(problems)
    return from_table(file, layered=levels is not None, two_level=True)


def overlay_of(file: TableFile, parties: Sequence[Party]) -> Overlay:
    """The overlay that a valid overlaid table has."""
    table = file.table
    assert table.two_level is not None
    assert table.literal is not None
    folder = Path(file.path).parent
    numbers = read_sidecar(folder, table.literal, 8, table.buffer_size).numbers.astype(np.int64)
    (buffer,) = lay_out(file)
    bases: dict[Key, int] = {}
    for part in buffer.pieces:
        for row, base in enumerate(set_offsets(part)):
            bases[part.table.slider, part.bits[row]] = base
    places = []
    for party in parties:
        number = np.array([numbers[slots[0]] for slots in party.slots], np.int64)
        places.append(PartyPlace(np.array([bases[key] for key in party.keys], np.int64), number))
    return Overlay(table.two_level.words or 0, tuple(places))
