"""Trial: its loop against a slow one, its arithmetic by plain integers, outcomes, budgets."""

import itertools
import sys
from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, squares_of
from magicert.cell import Cell, first_conflict
from magicert.chess import Piece, attack_set, mask, parse_square, square_name
from magicert.engine import EngineRequest, load, option_values
from magicert.formula import parse
from magicert.formula.tree import evaluate, used_width
from magicert.occupancy import carry_rippler
from magicert.outcome import Observer, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES, Product, Scheme, resolve_scheme
from magicert.search.compiled import precompiled
from magicert.search.finders import trial
from magicert.search.finders.compiled_formula import _index, compiled_kernel, translate
from magicert.search.finders.drawing import all_occupancies, drawing_of, stream_key, word
from magicert.search.finders.drawing import stream_word as stream_words
from magicert.search.finders.trial import ArrayLoop, form_of
from magicert.search.finders.trial_kernel import first_magic, stream_word
from magicert.targets import Slider, square_cell


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


@pytest.mark.parametrize("scheme", ["white", "black", "two-halves", "two-halves-add"])
def test_what_it_finds_is_a_magic(scheme):
    for square, piece in (("a8", "rook"), ("e4", "bishop")):
        cell, outcome = ask(square, piece, scheme)
        assert not outcome.complete
        assert first_conflict(cell, outcome.magic) is None


def test_a_product_with_a_literal_in_it_is_one_row_of_words():
    product = Product(parse("(occ & mask) >> 1"))
    scheme = Scheme("shifted", product.formula, "magic", "", product)
    cell = square_cell(scheme, Piece.ROOK, parse_square("e4"), 10)
    outcome = trial.solve(EngineRequest(cell, options=option_values(load("trial"), {})), Quiet())
    assert first_conflict(cell, outcome.magic) is None


def test_white_magics_of_c_bits_are_built_and_what_cannot_be_built_is_tried():
    for piece, square in itertools.product(Piece, map(square_name, range(0, 64, 3))):
        cell, outcome = ask(square, piece, options={"construct": "yes"})
        assert outcome.figures == {"constructed": 1}
        assert first_conflict(cell, outcome.magic) is None
    for asked in ({"scheme": "black"}, {"everything": True}, {"bits": 8}):
        options = {"construct": "yes", "candidates": "300000"}
        _, outcome = ask("e4", "bishop", options=options, **asked)
        assert "candidates" in outcome.figures


def test_seeds_change_the_magic_and_workers_do_not_and_the_budget_ends_in_unknown():
    assert len({ask("a1", workers=workers)[1].magic for workers in (1, 2, 5)}) == 1
    assert len({ask("e4", seed=seed)[1].magic for seed in range(4)}) == 4
    _, found = ask("e4")
    needed = int(found.figures["candidates"])
    assert ask("e4", options={"candidates": str(needed)})[1].magic == found.magic
    _, spent = ask("e4", options={"candidates": str(needed - 1)})
    reason, progress = "budget of candidates spent", f"{needed - 1:,} candidates tried"
    assert spent == Unknown(reason, progress, spent.figures)
    assert spent.figures["candidates"] == needed - 1


class Impatient(Quiet):
    def progress(self, done: float, total: float | None, note: str = "") -> None:
        raise KeyboardInterrupt


def test_time_and_an_interruption_end_in_unknown():
    _, late = ask("f8", bits=10, seconds=0.01)
    _, interrupted = ask("f8", bits=10, observer=Impatient())
    assert (late.reason, interrupted.reason) == ("out of time", "interrupted")
    assert "candidates tried" in interrupted.progress


def test_all_collects_distinct_magics_that_are_never_known_to_be_all():
    cell, outcome = ask("d7", "bishop", everything=True, options={"candidates": "300000"})
    assert not outcome.complete
    assert len(outcome.magics) > 3
    assert len({magic % cell.period for magic in outcome.magics}) == len(outcome.magics)
    assert all(first_conflict(cell, magic) is None for magic in outcome.magics)


@pytest.mark.parametrize("scheme", ["white", "constant", "black", "two-halves"])
def test_magics_are_merged_only_where_all_their_products_agree(scheme, monkeypatch):
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
    same = [
        all(cell.index(low, o) == cell.index(magic, o) for o in carry_rippler(cell.mask))
        for _, magic in hits
    ]
    assert len(outcome.magics) == (1 if all(same) else 3)
    assert all(same) == (scheme in {"white", "constant"})


def test_what_trial_does_not_take():
    for option, said in (("ands", "at most 16"), ("luck", "one of construct, ands, top, cand")):
        with pytest.raises(InputError, match=f"expected {said}"):
            ask("a1", options={option: "17"})
    scheme = Scheme("custom", parse("(occ & mask) * magic >> 118", word=128), "magic", "")
    with pytest.raises(InputError, match="formulas of 64-bit words"):
        compiled_kernel(square_cell(scheme, Piece.ROOK, 27, 10))
    with pytest.raises(InputError, match="at most 24"):
        ask("a1", bits=25)


def test_other_failures_to_compile_are_not_hidden(monkeypatch):
    def failing(*_: str, **__: bool) -> object:
        raise RuntimeError("something else")

    monkeypatch.setattr(numba, "njit", failing)
    with pytest.raises(RuntimeError, match="something else"):
        precompiled(None)(lambda x: x)


U = np.uint64
KNOWN = ("white", "black", "two-halves", "two-halves-add")
pieces = st.sampled_from(list(Piece))
squares = st.integers(0, 63)
magics = st.integers(0, WORD)


@pytest.mark.cases_of("a_compiled_formula_is_the_plain_reading.tsv")
def test_a_compiled_formula_is_the_plain_reading(text):
    cell = square_cell(Scheme("custom", parse(text), "magic", ""), Piece.ROOK, 27, 10)
    tree, compiled = cell.scheme.formula.tree, _index(translate(cell))
    most = 1 << used_width(tree, "magic")
    edges = (0, 1, WORD, 1 << 63, (1 << 32) + 1, WORD << 31 & WORD)
    chance = (0x0123_4567_89AB_CDEF, 0x9E37_79B9_7F4A_7C15)
    for occ, magic in itertools.product((*edges, cell.mask, *chance), (*edges, *chance)):
        values = {"mask": cell.mask, "occ": occ, "magic": magic % most}
        found = compiled(*map(U, values.values()), U(cell.bits))
        assert int(found) == evaluate(tree, {**values, "bits": cell.bits}), values
    assert all("int64" not in str(s).replace("uint64", "") for s in compiled.signatures)


@pytest.mark.cases_of("formulas_that_cannot_be_compiled_say_why.tsv")
def test_formulas_that_cannot_be_compiled_say_why(text, message):
    with pytest.raises(InputError, match=message):
        translate(square_cell(resolve_scheme(text), Piece.ROOK, 0, 32))


def slow_search(cell: Cell, seed: int, ands: int, top: int, end: int) -> tuple[int, int]:
    """What `first_magic` must find, by the definitions."""
    key = stream_key(seed, cell.target.stream)
    for number in range(end):
        magic = WORD
        for step in range(ands):
            magic &= word(key, number * ands + step)
        if (cell.mask * magic >> 56 & 255).bit_count() < top:
            continue
        if first_conflict(cell, magic) is None:
            return number, magic
    return end, 0


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(KNOWN),
    st.sampled_from([6, 15, 40, 61]),
    st.integers(0, 99),
    st.integers(1, 4),
    st.integers(0, 5),
    st.sampled_from([None, 60, 200]),
)
def test_the_first_magic_is_the_one_that_a_slow_search_finds(
    name, square, seed, ands, top, largest
):
    bits, end = 8, 60
    cell = square_cell(SCHEMES[name], Piece.BISHOP, square, bits, largest_index=largest)
    form = form_of(cell)
    limit = (1 << bits) - 1 if largest is None else largest
    numbers = (form.number, form.shift, limit, cell.mask, ands, top)
    key = stream_key(seed, cell.target.stream)
    table = np.zeros(1 << bits, dtype=U)
    found = first_magic(form.words, form.attacks, *map(U, numbers), U(key), U(0), U(end), table)
    assert tuple(map(int, found[:2])) == slow_search(cell, seed, ands, top, end)


def test_a_known_formula_is_known_however_it_is_spelled():
    spelled = resolve_scheme("(((occ&mask)*magic))>>(64-bits)")
    assert spelled.formula.tree == SCHEMES["white"].formula.tree
    assert form_of(square_cell(spelled, Piece.ROOK, 3, 11)).kernel is None


def test_with_plus_no_half_magic_exists_for_the_rook_on_h8():
    """Two products joined by + never work there, with however many bits:
    research/notebook/finders.md.

    h4 (bit 31 of the low half) and g8 (bit 30 of the high half) force both halves of the
    magic to be odd. In units of 2^23, modulo 512, the square h3 then adds an odd u, h7 an
    odd v, and the squares b8..g8 add v * 4r for all r in 0..63. For all u and v either h3
    weighs exactly as much as h7 with some of the others, or all together weigh nothing.
    """
    h3, h4, h7, row = 1 << 23, 1 << 31, 1 << 55, 1 << 57
    assert mask(Piece.ROOK, 63) & (h3 | h4 | h7 | row) == h3 | h4 | h7 | row
    cell = square_cell(SCHEMES["two-halves-add"], Piece.ROOK, 63, 32)
    for u, v in itertools.product(range(1, 512, 2), repeat=2):
        ratio = u * pow(v, -1, 512) % 512
        # Both differ in the nearest blocker on the file.
        one, other = (h3, h7) if ratio % 4 == 1 else (0, h3 | h7)
        rest = ratio - 1 if ratio % 4 == 1 else 512 - (ratio + 1)
        other |= (rest // 4 % 64) * row | (h4 if rest >= 256 else 0)
        if u % 32 == 1 and v % 32 == 1:  # all of them would take long by the plain interpretation
            assert cell.index(v << 32 | u, one) == cell.index(v << 32 | u, other)
        low = (one & 0xFFFF_FFFF) * u + (one >> 32) * v
        assert (low - (other & 0xFFFF_FFFF) * u - (other >> 32) * v) % (1 << 32) == 0


@pytest.mark.parametrize("piece", list(Piece))
def test_occupancies_and_attacks_are_those_of_the_ray_walk(piece):
    """One attack set to a number, and the fewest blockers first."""
    for square in (0, 7, 9, 27, 52, 58, 63):
        listed = all_occupancies(Slider(piece, square))
        occupancies, numbers = listed.occupancies.tolist(), listed.attacks.tolist()
        assert sorted(occupancies) == sorted(carry_rippler(mask(piece, square)))
        counts = [occupied.bit_count() for occupied in occupancies]
        assert counts == sorted(counts)
        sets = [attack_set(piece, square, occupied) for occupied in occupancies]
        both = set(zip(numbers, sets, strict=True))
        assert len(both) == len(set(sets)) == len(set(numbers)) == max(numbers) + 1


@given(magics, st.lists(st.integers(0, 1 << 50), min_size=1))
def test_words_of_arrays_and_compiled_ones_are_the_plain_ones(key, numbers):
    plain = [word(key, number) for number in numbers]
    assert stream_words(U(key), np.array(numbers, dtype=U)).tolist() == plain
    assert [int(stream_word(U(key), U(number))) for number in numbers] == plain


def test_the_generator_is_splitmix64():
    # The first outputs of SplitMix64 seeded with 1234567, as its author's code prints them.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [word(1234567, n) for n in range(3)] == expected


def test_squares_and_seeds_have_streams_of_their_own():
    keys = {
        stream_key(seed, Slider(piece, square).stream)
        for seed in (0, 1, 2, WORD, WORD + 1, 1 << 64 | 1, 1 << 200)
        for piece in Piece
        for square in range(64)
    }
    assert len(keys) == 7 * 128


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
def test_the_same_candidates_in_the_same_order(scheme, piece, square, key, top):
    cell = square_cell(SCHEMES[scheme], piece, square, mask(piece, square).bit_count())
    drawing = drawing_of(cell, 0, top)
    table = np.zeros(1 << cell.bits, dtype=np.uint64)
    end = 20_000
    *compiled, _ = map(int, trial.loop_of(cell, drawing, key)(3, end, table))
    *arrays, _ = ArrayLoop(cell, drawing, key).first_magic(3, end, table)
    assert arrays == compiled


@pytest.mark.parametrize("scheme", ["white", OWN])
def test_the_engine_does_without_numba(scheme, monkeypatch):
    cell = square_cell(resolve_scheme(scheme), Piece.BISHOP, 0, 6)
    found: list[Any] = []
    for without in (False, True):
        if without:  # as if it were not installed
            monkeypatch.setitem(sys.modules, "numba", None)
            for name in [name for name in sys.modules if name.endswith(COMPILED)]:
                monkeypatch.delitem(sys.modules, name)
        engine = load("trial")
        request = EngineRequest(cell, options=option_values(engine, {"construct": "no"}))
        outcome = engine.solve(request, Quiet())
        assert ("lookups each" in outcome.figures) is not without
        found.append((outcome.magics, outcome.figures["candidates"]))
    assert found[0] == found[1]
