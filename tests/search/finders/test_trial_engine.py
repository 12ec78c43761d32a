"""Engine "trial": outcomes, budgets, reproducibility."""

from dataclasses import replace
from typing import Any

import numba
import pytest

from magicert.board import Piece, mask, parse_square, square_name, squares_of
from magicert.cell import Cell, first_conflict, square_cell
from magicert.engine import EngineRequest, load, option_values
from magicert.formula import parse
from magicert.occupancy import carry_rippler
from magicert.outcome import Exists, Impossible, Observer, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES, Product, Scheme
from magicert.search.compiled import precompiled
from magicert.search.finders import trial
from magicert.search.finders.trial import form_of


def ask(
    square: str,
    piece: str = "rook",
    scheme: str = "white",
    bits: int = 0,
    options: dict[str, str] | None = None,
    observer: Observer | None = None,
    **more: float,
) -> tuple[Cell, Outcome]:
    engine = load("trial")
    kind, place = Piece(piece), parse_square(square)
    cell = square_cell(SCHEMES[scheme], kind, place, bits or mask(kind, place).bit_count())
    values = option_values(engine, {"construct": "no", **(options or {})})
    request = replace(EngineRequest(cell, options=values), **more)
    return cell, engine.solve(request, observer or Quiet())


def magic_of(outcome: Outcome) -> int:
    assert isinstance(outcome, Exists)
    return outcome.magic


@pytest.mark.parametrize("scheme", ["white", "black", "two-halves", "two-halves-add"])
@pytest.mark.parametrize(("piece", "square"), [("rook", "a8"), ("bishop", "e4")])
def test_what_it_finds_is_a_magic(scheme: str, piece: str, square: str) -> None:
    cell, outcome = ask(square, piece, scheme)
    assert isinstance(outcome, Exists)
    assert not outcome.complete
    assert first_conflict(cell, outcome.magic) is None


def test_a_product_with_a_literal_in_it_is_one_row_of_words() -> None:
    product = Product(parse("(occ & mask) >> 1"))
    cell = square_cell(
        Scheme("shifted", product.formula, "magic", "", product), Piece.ROOK, parse_square("e4"), 10
    )
    options = option_values(load("trial"), {})
    outcome = load("trial").solve(EngineRequest(cell, options=options), Quiet())
    assert first_conflict(cell, magic_of(outcome)) is None


@pytest.mark.parametrize("piece", ["rook", "bishop"])
def test_white_magics_of_c_bits_are_built(piece: str) -> None:
    for square in map(square_name, range(64)):
        cell, outcome = ask(square, piece, options={"construct": "yes"})
        assert outcome.figures == {"constructed": 1}
        assert first_conflict(cell, magic_of(outcome)) is None


@pytest.mark.parametrize("asked", [{"scheme": "black"}, {"everything": True}, {"bits": 8}])
def test_what_cannot_be_built_is_tried(asked: dict[str, Any]) -> None:
    options = {"construct": "yes", "candidates": "300000"}
    _, outcome = ask("e4", "bishop", options=options, **asked)
    assert "candidates" in outcome.figures


def test_workers_do_not_change_the_magic() -> None:
    magics = {magic_of(ask("a1", workers=workers)[1]) for workers in (1, 2, 5)}
    assert len(magics) == 1


def test_seeds_change_the_magic() -> None:
    assert len({magic_of(ask("e4", seed=seed)[1]) for seed in range(4)}) == 4


def test_the_budget_ends_in_unknown() -> None:
    _, outcome = ask("a1", options={"candidates": "1000"})
    assert outcome == Unknown(
        "budget of candidates spent", "1,000 candidates tried", outcome.figures
    )
    assert outcome.figures["candidates"] == 1000


def test_a_budget_that_just_suffices_finds_the_same() -> None:
    _, outcome = ask("e4")
    needed = outcome.figures["candidates"]
    enough = ask("e4", options={"candidates": str(needed)})[1]
    assert magic_of(enough) == magic_of(outcome)
    assert isinstance(ask("e4", options={"candidates": str(int(needed) - 1)})[1], Unknown)


def test_time_ends_in_unknown() -> None:
    _, outcome = ask("f8", bits=10, seconds=0.01)
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "out of time"


def test_an_interruption_is_unknown() -> None:
    class Impatient(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            raise KeyboardInterrupt

    _, outcome = ask("f8", bits=10, observer=Impatient())
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "interrupted"
    assert "candidates tried" in outcome.progress


def test_all_collects_distinct_magics_that_are_never_known_to_be_all() -> None:
    cell, outcome = ask("d7", "bishop", everything=True, options={"candidates": "300000"})
    assert isinstance(outcome, Exists)
    assert not outcome.complete
    assert len(outcome.magics) > 3
    assert len({magic % cell.period for magic in outcome.magics}) == len(outcome.magics)
    assert all(first_conflict(cell, magic) is None for magic in outcome.magics)


@pytest.mark.parametrize("scheme", ["white", "constant", "black", "two-halves"])
def test_magics_are_merged_only_where_all_their_products_agree(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A black product adds ~mask * m, which sees every bit of m."""
    fixed = {"constant": 1 << 40} if scheme == "constant" else {}
    cell = square_cell(SCHEMES[scheme], Piece.BISHOP, parse_square("h8"), 6, fixed)
    white_period = 1 << (64 - next(squares_of(cell.mask)))
    low = 0x0012_3456_789A_BCDE
    hits = [(number, low + number * 0x55 * white_period) for number in range(3)]
    values = option_values(load("trial"), {"candidates": "10"})
    monkeypatch.setattr(trial, "form_of", lambda _: form_of(replace(cell, scheme=SCHEMES["white"])))
    monkeypatch.setattr(trial._Search, "_block", lambda *_: hits)
    outcome = trial.solve(EngineRequest(cell, everything=True, options=values), Quiet())
    assert isinstance(outcome, Exists)
    same = [
        all(cell.index(low, o) == cell.index(magic, o) for o in carry_rippler(cell.mask))
        for _, magic in hits
    ]
    assert len(outcome.magics) == (1 if all(same) else 3)
    assert all(same) == (scheme in {"white", "constant"})


def test_fewer_slots_than_attack_sets_is_impossible_by_counting() -> None:
    _, outcome = ask("d4", "bishop", bits=4)
    assert isinstance(outcome, Impossible)
    assert "108 different attack sets do not fit in 16 slots" in outcome.argument


def test_options_outside_their_range_are_refused() -> None:
    with pytest.raises(InputError, match="expected at most 16"):
        ask("a1", options={"ands": "17"})
    with pytest.raises(InputError, match="expected one of construct, ands, top, candidates"):
        ask("a1", options={"luck": "17"})


def test_other_failures_to_compile_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: str, **__: bool) -> object:
        raise RuntimeError("something else")

    monkeypatch.setattr(numba, "njit", failing)
    with pytest.raises(RuntimeError, match="something else"):
        precompiled(None)(lambda x: x)
