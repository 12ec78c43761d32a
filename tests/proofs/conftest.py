"""A small proof: bishop a2 has no magic of 3 bits."""

from pathlib import Path

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.jobs.prove import ProofWanted, prove
from magicert.outcome import Evidence, Impossible, Quiet
from magicert.scheme import SCHEMES


@pytest.fixture(scope="session")
def proof_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("drup", reason="the verified checker is compiled for Linux on x86-64")
    path = tmp_path_factory.mktemp("proofs") / "bishop-a2-3.drup"
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("a2"), 3)
    outcome = prove(ProofWanted(cell, path), Quiet())
    assert isinstance(outcome, Impossible)
    assert outcome.evidence is Evidence.PROOF
    assert outcome.certificate == str(path)
    return path
