"""Hold an atlas against its files: does it say more than they do?

Every magic is tried for all occupancies. Every certificate is read: it has to be about the cell, to
claim no magic, and to hold the kind of evidence that the atlas names. Whether a certificate is true
is for `magicert check` of the certificate itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from magicert.atlas import Atlas, Entry, read_atlas
from magicert.board import Piece, parse_square
from magicert.cell import first_conflict, square_cell
from magicert.jobs.evidence import evidence_of
from magicert.jobs.watch import Watch
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.verify.cover.file import read_certificate
from magicert.verify.proof.document import read_proof


@dataclass(frozen=True, slots=True)
class CheckedAtlas:
    """How many magics were tried, certificates read, and what the atlas says more than they do."""

    magics: int
    certificates: int
    problems: tuple[str, ...]


def check_atlas(path: Path, watch: Watch) -> CheckedAtlas:
    """Hold every cell against its files, which lie beside the atlas. Raises InputError for no
    atlas.
    """
    atlas = read_atlas(path)
    entries = list(atlas)
    problems: list[str] = []
    with watch(f"checking {path.name}", "cells") as observer:
        for done, entry in enumerate(entries):
            observer.progress(done, len(entries))
            found = _wrong(atlas, entry, path.parent)
            name = f"{entry.piece} {entry.square}, {entry.bits} bits"
            problems += [f"{name}: {problem}" for problem in found]
    tried = [entry for entry in entries if entry.state == "exists"]
    read = [entry for entry in entries if entry.state == "impossible"]
    ranges = [entry.range for entry in entries if entry.range]
    certificates = len(read) + sum(bool(given.certificate) for given in ranges)
    return CheckedAtlas(len(tried) + len(ranges), certificates, tuple(problems))


def _wrong(atlas: Atlas, entry: Entry, folder: Path) -> Iterator[str]:
    if entry.state == "exists":
        yield from _wrong_magic(atlas, entry, entry.magic, None)
    elif entry.state == "impossible":
        yield from _wrong_files(atlas, entry, folder)
    given = entry.range
    if given is None:
        return
    yield from _wrong_magic(atlas, entry, given.magic, given.largest)
    if given.certificate:
        path = folder / given.certificate
        yield from _wrong_evidence(atlas, entry, path, given.least - 1, given.evidence)
    elif given.least > (bound := atlas.least_range(*_place(entry), entry.bits)):
        yield f"range: at least {given.least}, but without a certificate at least {bound}"


def _wrong_files(atlas: Atlas, entry: Entry, folder: Path) -> Iterator[str]:
    """What is not as an impossible cell says in its certificate and its proof."""
    last = (1 << entry.bits) - 1
    if entry.certificate:
        yield from _wrong_evidence(atlas, entry, folder / entry.certificate, last, entry.evidence)
    elif not entry.proof or entry.evidence is not Evidence.PROOF:
        yield f"impossible by {entry.evidence or 'nothing'}, and no certificate is named"
    if entry.proof:
        try:
            cell = read_proof(folder / entry.proof).cell
        except InputError as error:
            yield from map(str, error.problems)
            return
        if cell != square_cell(SCHEMES[atlas.scheme], *_place(entry), entry.bits):
            yield f"{entry.proof} is about {cell}"


def _place(entry: Entry) -> tuple[Piece, int]:
    return Piece(entry.piece), parse_square(entry.square)


def _wrong_magic(atlas: Atlas, entry: Entry, magic: str, largest: int | None) -> Iterator[str]:
    scheme = SCHEMES[atlas.scheme]
    cell = square_cell(scheme, *_place(entry), entry.bits, largest_index=largest)
    try:
        number = int(magic, 16)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 64 or first_conflict(cell, number) is not None:
        yield f"{magic} is no magic of it"


def _wrong_evidence(
    atlas: Atlas, entry: Entry, path: Path, last_index: int, said: Evidence | None
) -> Iterator[str]:
    """What a certificate does not say, of the question whether there are magics up to an index."""
    try:
        header, kind = read_certificate(path).header, evidence_of(path)
    except InputError as error:
        yield from map(str, error.problems)
        return
    asked = atlas.scheme, entry.piece, entry.square, entry.bits, last_index
    about = header.scheme, header.piece, header.square, header.bits, header.largest_index
    if asked != about:
        yield f"{path.name} is about {header}"
    elif any(int(shard.magic_count, 16) for shard in header.shards):
        yield f"{path.name} has magics of it"
    if kind is not said:
        yield f"the evidence is {kind}, not {said or 'named'}"
