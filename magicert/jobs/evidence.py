"""The kind of evidence that the files hold for a cell: read from them, never typed by hand."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from magicert.board import Piece, parse_square
from magicert.cell import rays_of, square_cell
from magicert.jobs.covers.counted import Counted, counted_beside
from magicert.outcome import Evidence
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.verify.cover.file import Certificate, Header, Shard, read_certificate
from magicert.verify.proof.document import read_about, settles

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


def proof_of(certificate: Path) -> str:
    """The file, seen from the atlas, of a solver's proof of what a certificate claims, about its
    cell or about its shape; "" if there is none. The proof is read here, not checked. Raises
    InputError where it is no proof.
    """
    header = read_certificate(certificate).header
    if header.scheme != "white" or header.piece is None or header.square is None:
        return ""
    piece, square = Piece(header.piece), parse_square(header.square)
    cell = square_cell(SCHEMES["white"], piece, square, header.bits)
    lengths = "-".join(map(str, rays_of(piece, square)))
    of_the_cell = certificate.name.replace(".cover", ".drup")
    for name in (of_the_cell, f"shape-{lengths}-bits-{header.bits}.drup.xz"):
        path = certificate.parent.parent / PROOFS / name
        whole = header.largest_index == cell.last_index and path.exists()
        if whole and settles(read_about(path), cell):
            return f"{PROOFS}/{name}"
    return ""
