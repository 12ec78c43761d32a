"""Without numba trial finds the same magics: its loop in numpy against the compiled one."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Piece, mask
from magicert.cell import square_cell
from magicert.engine import EngineRequest, load, option_values
from magicert.outcome import Exists, Quiet
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.search.finders import trial
from magicert.search.finders.drawing import drawing_of
from magicert.search.finders.trial import ArrayLoop

COMPILED = (
    ".trial_kernel", ".compiled", ".compiled_formula", ".wide_arithmetic", "system.words",
)  # fmt: skip
OWN = "((occ & mask) * magic >> 7) >> (57 - bits)"


@settings(max_examples=15)
@given(
    scheme=st.sampled_from(["white", "black", "two-halves", "two-halves-add"]),
    piece=st.sampled_from(Piece),
    square=st.integers(0, 63),
    key=st.integers(0, (1 << 64) - 1),
    top=st.integers(-1, 6),
)
def test_the_same_candidates_in_the_same_order(
    scheme: str, piece: Piece, square: int, key: int, top: int
) -> None:
    cell = square_cell(SCHEMES[scheme], piece, square, mask(piece, square).bit_count())
    drawing = drawing_of(cell, 0, top)
    table = np.zeros(1 << cell.bits, dtype=np.uint64)
    end = 20_000
    *compiled, _ = map(int, trial.loop_of(cell, drawing, key)(3, end, table))
    *arrays, _ = ArrayLoop(cell, drawing, key).first_magic(3, end, table)
    assert arrays == compiled


@pytest.mark.parametrize("scheme", ["white", OWN])
def test_the_engine_does_without_numba(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cell = square_cell(resolve_scheme(scheme), Piece.BISHOP, 0, 6)
    found: list[Any] = []
    for without in (False, True):
        if without:
            # As if it were not installed.
            monkeypatch.setitem(sys.modules, "numba", None)
            for name in [name for name in sys.modules if name.endswith(COMPILED)]:
                monkeypatch.delitem(sys.modules, name)
        engine = load("trial")
        request = EngineRequest(
            cell, everything=False, options=option_values(engine, {"construct": "no"})
        )
        outcome = engine.solve(request, Quiet())
        assert isinstance(outcome, Exists)
        assert ("lookups each" in outcome.figures) is not without
        found.append((outcome.magics, outcome.figures["candidates"]))
    assert found[0] == found[1]
