"""An atlas and its files: held against one another, added to, and what evidence a cell has."""

import re
import tomllib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import product
from pathlib import Path
from typing import get_args

import msgspec

from magicert.api.covers.counted import Counted, counted_beside
from magicert.api.covers.replay import settled_share
from magicert.atlas import Atlas, AtlasCell, Range, SchemeName, cell_name, read_atlas, write_atlas
from magicert.cell import Cell
from magicert.chess import Piece, square_name
from magicert.data import atlas_path
from magicert.known_magics import ContradictedError, contradicted, contradiction
from magicert.outcome import Evidence, Watch
from magicert.problem import InputError, Problem, read_at_most
from magicert.scheme import SCHEMES
from magicert.shapes import rays_of
from magicert.targets import slider_of, square_cell
from magicert.valid import invalid, largest_indexes
from magicert.verify.cover.file import MOST_LISTED, Certificate, Header, Shard, read_certificate
from magicert.verify.proof.document import read_cell_or_shape, settles

PROOFS = "proofs"
"""The folder of solvers' proofs, beside that of the certificates."""


def evidence_of(certificate: Path) -> Evidence:
    """The strongest kind of evidence for what a cover certificate claims: its own, or, where that
    is no more than counts, what the independent program counted. They are read here, not checked.

    Raises InputError where a file is no certificate, or is not what its name says.
    """
    return kind_of(read_certificate(certificate))


def kind_of(certificate: Certificate) -> Evidence:
    """The same of a certificate that was read. Raises InputError where what was counted again
    contradicts it.
    """
    kind = Evidence(certificate.header.evidence)
    if kind is Evidence.COUNTS and _is_counted_again(certificate.path, certificate.header):
        return Evidence.RECOUNT
    return kind


def _is_counted_again(certificate: Path, header: Header) -> bool:
    """Whether all of the cell was counted by the independent program.

    Raises InputError where what it counted contradicts the certificate.
    """
    counted = counted_beside(certificate)
    if counted is None or not counted.is_of_cell(header):
        return False
    problems = list(contradictions(counted, header))
    if problems:
        raise InputError([Problem(problem, file=str(certificate)) for problem in problems])
    return counted.is_whole


def contradictions(counted: Counted, header: Header) -> Iterator[str]:
    """What a certificate and a recount of its cell say differently: the magics, and the digests of
    shards where both have them.
    """
    if counted.is_whole and (different := _other_magics(counted.magics, header.shards)):
        yield different
    rows = counted.rows if counted.is_of(header) else {}
    for number, row in sorted(rows.items()):
        shard = header.shards[number]
        same = shard.survivors is None or (shard.survivors.count, shard.survivors.sha256) == (
            row.survivors, row.sha256
        )  # fmt: skip
        if not same or _other_magics(row.magics, [shard]):
            yield f"shard {number}: counted again it is {row.survivors} {row.sha256}"


def _other_magics(counted: Sequence[int], shards: Sequence[Shard]) -> str:
    """How magics differ from those that shards list; "" if they are the same."""
    count = sum(int(shard.magic_count, 16) for shard in shards)
    if count != len(counted):
        return f"{count:,} magics, counted again {len(counted):,}"
    listed = [pair for shard in shards for pair in shard.intervals]
    for magic in counted:
        if not any(low <= magic <= high for low, high in listed):
            return f"{magic:#x} was found when it was counted again, and is not listed"
    return ""


def proof_of(cell: Cell, folder: Path) -> str:
    """The file, seen from the atlas in `folder`, of a solver's proof that a square's cell has no
    magic, about itself or about its shape; "" if there is none. The proof is read here, not
    checked. Raises InputError where it is no proof.
    """
    slider, scheme = slider_of(cell), cell.scheme.name
    lengths = "-".join(map(str, rays_of(*slider.piece_square)))
    square = f"{slider.piece}-{square_name(slider.square)}-{cell.bits}"
    for about in (square, f"shape-{lengths}-bits-{cell.bits}"):
        name = f"{PROOFS}/{'' if scheme == 'white' else f'{scheme}-'}{about}.drup.xz"
        if (folder / name).exists() and settles(read_cell_or_shape(folder / name), cell):
            return name
    return ""


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
    cells = list(atlas)
    problems: list[str] = []
    with watch(f"checking {path.name}", "cells") as observer:
        for done, cell in enumerate(cells):
            observer.progress(done, len(cells))
            wrong = _wrong(atlas, cell, path.parent)
            problems += [f"{cell_name(cell)}: {problem}" for problem in wrong]
    tried = [cell for cell in cells if cell.state == "exists"]
    read = [cell for cell in cells if cell.certificate]
    ranges = [cell.range for cell in cells if cell.range]
    certificates = len(read) + sum(bool(range_entry.certificate) for range_entry in ranges)
    return CheckedAtlas(len(tried) + len(ranges), certificates, tuple(problems))


def atlas_of_scheme(path: Path, scheme: str | None) -> Atlas:
    """Read an atlas. Raises InputError for none, for one of another scheme (None: any will do), and
    for one that does not ship and contradicts a known magic.
    """
    atlas = read_atlas(path)
    if scheme not in (None, atlas.scheme):
        message = f"the scheme is {atlas.scheme}: expected {scheme}"
        raise InputError([Problem(message, file=str(path))])
    if path != atlas_path(atlas.scheme):
        refuse_contradicted(atlas, path)
    return atlas


def refuse_contradicted(atlas: Atlas, path: Path) -> None:
    """Raises ContradictedError for the cells of an atlas that it calls impossible and that have a
    known magic.
    """
    problems = [
        Problem(contradicted(known), str(path), cell_name(cell))
        for piece, square in product(Piece, range(64))
        if (cell := atlas.bound(piece, square)) and (known := contradiction(_cell(atlas, cell)))
    ]
    if problems:
        raise ContradictedError(problems)


def _wrong(atlas: Atlas, cell: AtlasCell, folder: Path) -> Iterator[str]:
    if cell.state == "exists":
        yield from _wrong_magic(_cell(atlas, cell), cell.magic, None)
        if cell.certificate:
            yield from _wrong_certificate(atlas, cell, cell, folder, 0)
    elif cell.state == "impossible":
        if known := contradiction(_cell(atlas, cell)):
            yield contradicted(known)
        yield from _wrong_files(atlas, cell, folder)
    index_range = cell.range
    if index_range is None:
        return
    yield from _wrong_magic(_cell(atlas, cell), index_range.magic, index_range.largest)
    below = replace(_cell(atlas, cell), largest_index=index_range.least - 1)
    if index_range.least and (known := contradiction(below)):
        yield f"range: at least {index_range.least}, but {known} needs less"
    if index_range.certificate:
        yield from _wrong_certificate(atlas, cell, index_range, folder, index_range.least)
    elif index_range.least > (bound := atlas.least_range(*cell.key[:2], cell.bits)):
        yield f"range: at least {index_range.least}, but without a certificate at least {bound}"


def _wrong_files(atlas: Atlas, cell: AtlasCell, folder: Path) -> Iterator[str]:
    """What is not as an impossible cell says in its certificate and its proof."""
    every, path, header = 1 << cell.bits, folder / cell.certificate, None
    if cell.certificate:
        header = yield from _wrong_certificate(atlas, cell, cell, folder, every)
    elif not cell.proof or cell.evidence is not Evidence.PROOF:
        yield f"impossible by {cell.evidence or 'nothing'}, and no certificate is named"
    if cell.by_leaves and cell.evidence is not Evidence.LEAVES:
        yield from _wrong_share(cell, path, header)
    if cell.proof:
        try:
            about = read_cell_or_shape(folder / cell.proof)
        except InputError as error:
            yield from map(str, error.problems)
            return
        if not settles(about, _cell(atlas, cell)):
            yield f"{cell.proof} is about {about}"


MOST_SAMPLED = 0.001
"""The largest share that pieces drawn at random come to."""


def _wrong_share(cell: AtlasCell, certificate: Path, header: Header | None) -> Iterator[str]:
    """Without leaves in the file `by_leaves` is what the proved checker has settled, or else the
    share of random subtrees, some millionths.
    """
    try:
        share = settled_share(certificate, header) if header else 0.0
    except InputError as error:
        yield from map(str, error.problems)
        return
    if cell.by_leaves != share and (share or cell.by_leaves > MOST_SAMPLED):
        yield (
            f"by_leaves {cell.by_leaves:g}, but the evidence is {cell.evidence}, and the proved "
            f"checker has settled {share:g}"
        )


def _cell(atlas: Atlas, cell: AtlasCell) -> Cell:
    return square_cell(SCHEMES[atlas.scheme], *cell.key[:2], cell.bits)


def _wrong_magic(cell: Cell, magic: str, largest: int | None) -> Iterator[str]:
    """What is wrong with a magic, and with its largest index where that is given."""
    try:
        number = int(magic, 16)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 64 or invalid(cell, [number]):
        yield f"{magic} is no magic of it"
    elif largest is not None and largest_indexes(cell, [number]) != [largest]:
        (actual,) = largest_indexes(cell, [number])
        yield f"{magic} has indexes up to {actual}, not {largest}"


def _wrong_certificate(
    atlas: Atlas, atlas_cell: AtlasCell, claim: AtlasCell | Range, folder: Path, least: int
) -> Generator[str, None, Header | None]:
    """What the certificate of a cell or its range does not say: that no magic has a largest index
    below `least`, with which evidence (if 0, neither), when and by how many tests; its header,
    where it can be read.
    """
    path = folder / claim.certificate
    try:
        certificate = read_certificate(path)
        kind = kind_of(certificate)
    except InputError as error:
        yield from map(str, error.problems)
        return None
    header = certificate.header
    cell = atlas.scheme, atlas_cell.piece, atlas_cell.square, atlas_cell.bits
    about = header.scheme, header.piece, header.square, header.bits
    if cell != about or header.largest_index < least - 1:
        yield f"{path.name} is about {header}"
    else:
        yield from _magics_below(_cell(atlas, atlas_cell), header, path.name, least)
    if least and kind is not claim.evidence:
        yield f"the evidence is {kind}, not {claim.evidence or 'named'}"
    run = {"date": header.date, "tests": tests_of(header), "seconds": header.seconds}
    for key, value in run.items():
        if getattr(claim, key) not in (value, type(value)()):  # what it leaves out it does not say
            yield f"{key} {getattr(claim, key)}, and {path.name} has {value}"
    return header


def tests_of(header: Header) -> int:
    """Nodes and words of the run. Where a plan has a step "m" a shard and its mirror image were
    counted together, and the header says so of both.
    """
    every = sum(shard.counts[0] + shard.counts[3] for shard in header.shards)
    return every // 2 if "m" in header.plan.split() else every


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
        smallest = min(largest_indexes(cell, magics), default=least)
    except ValueError as error:
        yield f"{name}: {error}"
        return
    if smallest < least:
        yield f"{name} has a magic with indexes up to {smallest}: expected none below {least}"


_CELL = re.compile(r"(rook|bishop) ([a-h][1-8]),? (\d{1,2})(?: bits)?")
_MAGIC = re.compile("0x[0-9a-fA-F]{1,16}")


class _Submission(msgspec.Struct, forbid_unknown_fields=True):
    cell: str
    magic: str
    finder: str
    date: str
    source: str
    scheme: SchemeName = "white"


@dataclass(frozen=True, slots=True)
class Submitted:
    """What came of a submission: the cell, which is in the written atlas if it is valid and
    `reason` is empty.
    """

    cell: AtlasCell
    valid: bool
    reason: str = ""


def submit(path: Path, atlas: Path, output: Path, today: date) -> Submitted:
    """Try the magic for all occupancies, and write the atlas with it.

    It is not entered where it is no magic, or where an older one stands there. Raises InputError
    for a file that is no submission, and for a magic that the atlas says there is none of.
    """
    submission = _read(path, today)
    atlas_cell = _entry(submission, path)
    assert submission.scheme in get_args(SchemeName)
    cell = square_cell(SCHEMES[submission.scheme], *atlas_cell.key[:2], atlas_cell.bits)
    if invalid(cell, [int(atlas_cell.magic, 16)]):
        return Submitted(atlas_cell, valid=False, reason="two occupancies with one index conflict")
    known = read_atlas(atlas)
    if known.scheme != submission.scheme:
        message = f"about the scheme {submission.scheme}, {atlas} about {known.scheme}"
        raise InputError([Problem(message, file=str(path), key="scheme")])
    bound = known.bound(*atlas_cell.key[:2])
    if bound is not None and bound.bits >= atlas_cell.bits:
        message = (
            f"a valid magic, but {cell_name(bound)}: {bound.certificate} says that none exists"
        )
        raise InputError([Problem(message, file=str(path), key="magic")])
    refuse_contradicted(known, atlas)
    before = known.cells.get(atlas_cell.key)
    if before is not None and before.state == "exists" and not _earlier(atlas_cell, before):
        return Submitted(atlas_cell, valid=True, reason=f"known since {before.credit}")
    _enter(known, atlas_cell, before, cell)
    write_atlas(output, known)
    return Submitted(atlas_cell, valid=True)


LARGEST = 1 << 16
"""Bytes of a submission at most."""


def _read(path: Path, today: date) -> _Submission:
    """The file, with every problem that its texts have."""
    try:
        submission = msgspec.convert(
            tomllib.loads(read_at_most(path, LARGEST).decode("utf-8")), _Submission
        )
    except InputError:
        raise
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError([Problem(f"no submission: {error}", file=str(path))]) from None
    wrong = {}
    if not _CELL.fullmatch(submission.cell):
        wrong["cell"] = f'{submission.cell!r}: expected such as "rook f1, 10 bits"'
    if not _MAGIC.fullmatch(submission.magic):
        wrong["magic"] = f'{submission.magic!r}: expected such as "0x1c00169a9b2fffd8"'
    try:
        day = date.fromisoformat(submission.date)
        if len(submission.date) != len("2026-11-23") or day > today:
            wrong["date"] = f"{submission.date!r}: expected a day that is not in the future"
    except ValueError:
        wrong["date"] = f'{submission.date!r}: expected a day such as "2026-11-23"'
    wrong |= {
        key: "expected who found it, and where it was published"
        for key in ("finder", "source")
        if not getattr(submission, key).strip() or not getattr(submission, key).isprintable()
    }
    if wrong:
        raise InputError(Problem(text, file=str(path), key=key) for key, text in wrong.items())
    return submission


def _entry(submission: _Submission, path: Path) -> AtlasCell:
    cell = _CELL.fullmatch(submission.cell)
    assert cell is not None
    piece, square, bits = cell.groups()
    atlas_cell = AtlasCell(
        piece=Piece(piece).value, square=square, bits=int(bits), state="exists",
        magic=f"{int(submission.magic, 16):#x}", finder=submission.finder,
        published=submission.date, source=submission.source,
    )  # fmt: skip
    problems = Atlas([atlas_cell]).problems()
    if problems:
        raise InputError(Problem(problem, file=str(path), key="cell") for problem in problems)
    return atlas_cell


def _earlier(cell: AtlasCell, before: AtlasCell) -> bool:
    """Whether it was published before what stands there: "by" a day may be any day before."""
    if before.published.startswith("by "):
        return False
    return not before.published or cell.published < before.published[: len(cell.published)]


def _enter(atlas: Atlas, atlas_cell: AtlasCell, before: AtlasCell | None, cell: Cell) -> None:
    """Put the cell in, keep what is known of the cell besides, and ask for one bit less."""
    if before is not None:
        atlas_cell.certificate, atlas_cell.engine, atlas_cell.date = (
            before.certificate,
            before.engine,
            before.date,
        )
        atlas_cell.tests, atlas_cell.seconds, atlas_cell.range = (
            before.tests,
            before.seconds,
            before.range,
        )
    atlas.put(atlas_cell)
    piece, square, _ = atlas_cell.key
    if atlas_cell.range is None and atlas.scheme == "white":
        (largest,) = largest_indexes(cell, [int(atlas_cell.magic, 16)])
        least = atlas.least_range(piece, square, atlas_cell.bits)
        atlas_cell.range = Range(
            largest=largest, magic=atlas_cell.magic, least=least, source=atlas_cell.source
        )
    fewer = AtlasCell(
        piece=atlas_cell.piece, square=atlas_cell.square, bits=atlas_cell.bits - 1, state="open"
    )
    if atlas_cell.bits > 1 and fewer.key not in atlas.cells and not atlas.bound(piece, square):
        atlas.put(fewer)
