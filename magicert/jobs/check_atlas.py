"""Hold an atlas against its files: does it say more than they do?

Every magic is tried for all occupancies. Every certificate is read: it has to be about the cell, to
list no magic that the atlas denies, and to hold the kind of evidence that the atlas names. Whether
a certificate is true is for `magicert check` of the certificate itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from magicert.atlas import Atlas, Entry, read_atlas
from magicert.board import Piece, parse_square
from magicert.cell import Cell, square_cell
from magicert.jobs.covers.settled import settled_share
from magicert.jobs.evidence import kind_of
from magicert.jobs.watch import Watch
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.valid import invalid, largest_indexes
from magicert.verify.cover.file import MOST_LISTED, Header, read_certificate
from magicert.verify.proof.document import read_about, settles


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
        yield from _wrong_magic(_cell(atlas, entry), entry.magic, None)
    elif entry.state == "impossible":
        yield from _wrong_files(atlas, entry, folder)
    given = entry.range
    if given is None:
        return
    yield from _wrong_magic(_cell(atlas, entry), given.magic, given.largest)
    if given.certificate:
        path = folder / given.certificate
        yield from _wrong_evidence(atlas, entry, path, given.least, given.evidence)
    elif given.least > (bound := atlas.least_range(*_place(entry), entry.bits)):
        yield f"range: at least {given.least}, but without a certificate at least {bound}"


def _wrong_files(atlas: Atlas, entry: Entry, folder: Path) -> Iterator[str]:
    """What is not as an impossible cell says in its certificate and its proof."""
    every = 1 << entry.bits
    if entry.certificate:
        yield from _wrong_evidence(atlas, entry, folder / entry.certificate, every, entry.evidence)
    elif not entry.proof or entry.evidence is not Evidence.PROOF:
        yield f"impossible by {entry.evidence or 'nothing'}, and no certificate is named"
    if entry.by_leaves == 1 and entry.evidence is not Evidence.LEAVES:
        yield from _wrong_share(entry, folder / entry.certificate)
    if entry.proof:
        try:
            about = read_about(folder / entry.proof)
        except InputError as error:
            yield from map(str, error.problems)
            return
        if not settles(about, _cell(atlas, entry)):
            yield f"{entry.proof} is about {about}"


def _wrong_share(entry: Entry, certificate: Path) -> Iterator[str]:
    """Without leaves in the file all of m is proved only where the proved checker has seen them."""
    try:
        header = read_certificate(certificate).header if entry.certificate else None
        share = settled_share(certificate, header) if header else 0.0
    except InputError as error:
        yield from map(str, error.problems)
        return
    if share != 1:
        yield (
            f"by_leaves 1, but the evidence is {entry.evidence}, and the proved checker has "
            f"settled {share:.2g}"
        )


def _place(entry: Entry) -> tuple[Piece, int]:
    return Piece(entry.piece), parse_square(entry.square)


def _cell(atlas: Atlas, entry: Entry) -> Cell:
    return square_cell(SCHEMES[atlas.scheme], *_place(entry), entry.bits)


def _wrong_magic(cell: Cell, magic: str, largest: int | None) -> Iterator[str]:
    """What is wrong with a magic, and with its largest index where that is said."""
    try:
        number = int(magic, 16)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 64 or invalid(cell, [number]):
        yield f"{magic} is no magic of it"
    elif largest is not None and largest_indexes(cell, [number]) != [largest]:
        (found,) = largest_indexes(cell, [number])
        yield f"{magic} has indexes up to {found}, not {largest}"


def _wrong_evidence(
    atlas: Atlas, entry: Entry, path: Path, least: int, said: Evidence | None
) -> Iterator[str]:
    """What a certificate does not say, of the claim that no magic has a largest index below
    `least`.
    """
    try:
        certificate = read_certificate(path)
        kind = kind_of(certificate)
    except InputError as error:
        yield from map(str, error.problems)
        return
    header = certificate.header
    asked = atlas.scheme, entry.piece, entry.square, entry.bits
    about = header.scheme, header.piece, header.square, header.bits
    if asked != about or header.largest_index < least - 1:
        yield f"{path.name} is about {header}"
    else:
        yield from _magics_below(_cell(atlas, entry), header, path.name, least)
    if kind is not said:
        yield f"the evidence is {kind}, not {said or 'named'}"


def _magics_below(cell: Cell, header: Header, name: str, least: int) -> Iterator[str]:
    """What is wrong with the magics that a certificate has: each is tried."""
    count = sum(int(shard.magic_count, 16) for shard in header.shards)
    pairs = [pair for shard in header.shards for pair in shard.intervals]
    listed = sum(high - low + 1 for low, high in pairs)
    if count != listed or listed > MOST_LISTED:
        expected = f"expected all of them, and at most {MOST_LISTED:,}"
        yield f"{name} has {count:,} magics and lists {listed:,}: {expected}"
        return
    magics = [magic for low, high in pairs for magic in range(low, high + 1)]
    try:
        found = min(largest_indexes(cell, magics), default=least)
    except ValueError as error:
        yield f"{name}: {error}"
        return
    if found < least:
        yield f"{name} has a magic with indexes up to {found}: expected none below {least}"
