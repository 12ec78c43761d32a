"""The kind of evidence that the files hold for a cell: read from them, never typed by hand."""

from pathlib import Path

from magicert.board import square_name
from magicert.outcome import Evidence
from magicert.verify.cover.file import Header, read_certificate
from magicert.verify.proof.document import read_proof

PROOFS = "proofs"
"""The folder of solvers' proofs, beside that of the certificates."""


def evidence_of(certificate: Path) -> Evidence:
    """What a cover certificate, and a proof of the same name, let anybody check without
    believing their author. They are read here, not checked.

    Raises InputError where a file is no certificate, or no proof.
    """
    header = read_certificate(certificate).header
    if not header.streams and _is_proved(certificate, header):
        return Evidence.PROOF
    return Evidence(header.evidence)


def _is_proved(certificate: Path, header: Header) -> bool:
    name = certificate.name.replace(".cover", ".drup")
    path = certificate.parent.parent / PROOFS / name
    if not path.exists():
        return False
    cell = read_proof(path).cell
    proved = cell.scheme.name, cell.piece, square_name(cell.square), cell.bits, cell.last_index
    asked = header.scheme, header.piece, header.square, header.bits, header.largest_index
    return proved == asked
