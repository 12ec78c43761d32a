"""The kind of evidence that the files hold for a cell: read from them, never typed by hand."""

from pathlib import Path

from magicert.board import square_name
from magicert.cell import slider_of
from magicert.jobs.covers.counted import counted_beside
from magicert.outcome import Evidence
from magicert.verify.cover.file import Header, read_certificate
from magicert.verify.proof.document import read_proof

PROOFS = "proofs"
"""The folder of solvers' proofs, beside that of the certificates."""


def evidence_of(certificate: Path) -> Evidence:
    """The strongest kind of evidence for what a cover certificate claims: its own, or, where that
    is no more than counts, what the independent program counted. They are read here, not checked.

    Raises InputError where a file is no certificate, or is not what its name says.
    """
    header = read_certificate(certificate).header
    kind = Evidence(header.evidence)
    if kind is Evidence.COUNTS and _is_counted_again(certificate, header):
        return Evidence.RECOUNT
    return kind


def _is_counted_again(certificate: Path, header: Header) -> bool:
    """Whether all of the cell was counted by the independent program, with as many magics, and
    with equal digests where the certificate has any of the same shards.
    """
    counted = counted_beside(certificate)
    if counted is None or not counted.is_of_cell(header) or not counted.is_whole:
        return False
    if counted.magics != sum(int(shard.magic_count, 16) for shard in header.shards):
        return False
    return not counted.is_of(header) or all(
        shard.survivors is None
        or (shard.survivors.count, shard.survivors.sha256)
        == (counted.rows[number].survivors, counted.rows[number].sha256)
        for number, shard in enumerate(header.shards)
    )


def proof_of(certificate: Path) -> str:
    """The file, seen from the atlas, of a solver's proof of what a certificate claims; "" if there
    is none. The proof is read here, not checked. Raises InputError where it is no proof.
    """
    name = f"{PROOFS}/{certificate.name.replace('.cover', '.drup')}"
    path = certificate.parent.parent / name
    if not path.exists():
        return ""
    header, cell = read_certificate(certificate).header, read_proof(path).cell
    slider = slider_of(cell)
    proved = cell.scheme.name, slider.piece, square_name(slider.square), cell.bits, cell.last_index
    asked = header.scheme, header.piece, header.square, header.bits, header.largest_index
    return name if proved == asked else ""
