"""The trial loop against a slow one, and its arithmetic against the plain reading."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.cell import Cell, Slider, first_conflict, square_cell
from magicert.engine import EngineRequest, load, option_values
from magicert.formula import parse
from magicert.formula.tree import evaluate, used_width
from magicert.occupancy import carry_rippler
from magicert.outcome import Exists, Quiet
from magicert.problem import InputError
from magicert.scheme import SCHEMES, Scheme, resolve_scheme
from magicert.search.finders import trial
from magicert.search.finders.compiled_formula import _index, compiled_kernel, translate
from magicert.search.finders.drawing import all_occupancies, drawing_of, stream_key, word
from magicert.search.finders.drawing import stream_word as stream_words
from magicert.search.finders.trial import ArrayLoop, form_of
from magicert.search.finders.trial_kernel import SIGNATURE, first_magic, index, stream_word

U = np.uint64
KNOWN = ("white", "black", "two-halves", "two-halves-add")
pieces = st.sampled_from(list(Piece))
squares = st.integers(0, 63)
magics = st.integers(0, WORD)

FORMULAS = (
    "((occ & mask) * magic) >> 52",
    "((occ & mask) * magic + 0x123456789) >> (64 - bits)",
    "(rol32(hi32(occ & mask), 5) | lo32(occ & mask)) * u32(magic) >> 20 & 255",
    "rol64(occ & mask, popcount(magic)) * magic >> (64 - bits)",
    "(bswap64(occ & mask) - magic) * ~magic >> 60 ^ ctz(occ & mask)",
    "pext(occ, mask) * magic ^ pext(magic, occ) >> (64 - bits)",
    "ctz(u32(occ & mask)) + ctz(occ) + popcount(occ & magic)",
    "-(u32(occ) * u32(magic)) >> (32 - bits)",
    "~u32(magic) - u32(occ) << 3 | hi32(magic * occ)",
)


@given(st.sampled_from(KNOWN), pieces, squares, magics, st.integers(1, 14), st.data())
def test_index_is_the_plain_reading(
    name: str, piece: Piece, square: int, magic: int, bits: int, data: st.DataObject
) -> None:
    cell = square_cell(SCHEMES[name], piece, square, bits)
    form = form_of(cell)
    assert form.kernel is None
    place = data.draw(st.integers(0, len(form.words) - 1))
    occupancy = int(all_occupancies(cell.about).occupancies[place])
    found = index(U(form.number), form.words[place], U(magic), U(form.shift))
    assert int(found) == cell.index(magic, occupancy)


@pytest.mark.parametrize("text", FORMULAS)
def test_a_compiled_formula_is_the_plain_reading(text: str) -> None:
    for piece, square, bits in ((Piece.ROOK, 27, 10), (Piece.BISHOP, 62, 5)):
        cell = square_cell(resolve_scheme(text), piece, square, bits)
        compiled = _index(translate(cell))
        for occupancy in (*all_occupancies(cell.about).occupancies[:40].tolist(), WORD):
            for magic in (0, 1, WORD, 0x0123_4567_89AB_CDEF, 0x8000_0000_8000_0001):
                found = compiled(U(cell.mask), U(occupancy), U(magic), U(bits))
                assert int(found) == cell.index(magic, occupancy), (occupancy, magic)
        assert all("int64" not in str(s).replace("uint64", "") for s in compiled.signatures)


WIDE_FORMULAS = (
    "((occ & mask) * magic) >> (128 - bits)",
    "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> (64 - bits)",
    "(occ | ~mask) * magic + (occ << 3) - (occ >> 64 ^ mask) >> 100 & 0xfff",
    "-occ + (occ << 64) + (occ << 127 >> 127) + (magic << 63 >> 1) * occ >> 65",
    "popcount(occ) * popcount(~mask) + ctz(occ & mask) + ctz(occ & 0) ^ ctz(u64(occ)) * bits",
    "hi64(occ) * 3 + rol64(occ, 7) + bswap64(mask) - hi32(occ) + u32(magic) * (bits + 1)",
    "(occ >> 5) + (occ >> 63) * magic ^ (occ << 5) - (magic >> 1)",
    "occ - magic",
)


# An index has 64 bits: the lanes of a 128-bit value are looked at one by one.
LANES = [f"{lane}({text})" for text in WIDE_FORMULAS[-2:] for lane in ("u64", "hi64")]


@pytest.mark.parametrize("text", [*WIDE_FORMULAS, *LANES])
def test_a_compiled_formula_of_128_bit_words_is_the_plain_reading(text: str) -> None:
    cell = square_cell(Scheme("custom", parse(text, word=128), "magic", ""), Piece.ROOK, 27, 10)
    compiled = _index(translate(cell))
    narrow = used_width(cell.scheme.formula.tree, "magic")
    edges = (0, 1, WORD, 1 << 64, (1 << 64) + 1, 1 << 127, (1 << 128) - 1, WORD << 63)
    for occupancy in (*edges, cell.mask, 0x0123_4567_89AB_CDEF_0F1E_2D3C_4B5A_6978):
        for magic in (*edges, 0x9E37_79B9_7F4A_7C15_8000_0000_8000_0001):
            if magic >> narrow:
                continue
            wide = [(U(word & WORD), U(word >> 64)) for word in (cell.mask, occupancy, magic)]
            found = compiled(*wide, U(cell.bits))
            values = {"mask": cell.mask, "bits": cell.bits, "magic": magic, "occ": occupancy}
            wanted = evaluate(cell.scheme.formula.tree, values)
            assert int(found) == min(wanted, WORD), (occupancy, magic)
    assert all("int64" not in str(s).replace("uint64", "") for s in compiled.signatures)


def test_trial_takes_no_formula_of_128_bit_words() -> None:
    scheme = Scheme("custom", parse("(occ & mask) * magic >> 118", word=128), "magic", "")
    with pytest.raises(InputError, match="formulas of 64-bit words"):
        compiled_kernel(square_cell(scheme, Piece.ROOK, 27, 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(occ * magic) >> popcount(occ)", "depends on neither occ nor the magic"),
        ("(occ * magic) >> 64", "shift by 64: expected less than the word's width, 64"),
        ("u32(occ * magic) >> bits", "shift by 32"),
    ],
)
def test_formulas_that_cannot_be_compiled_say_why(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        translate(square_cell(resolve_scheme(text), Piece.ROOK, 0, 32))


def slow_search(cell: Cell, seed: int, ands: int, top: int, end: int) -> tuple[int, int]:
    """What `first_magic` must find, by the definitions."""
    key = stream_key(seed, cell.about.stream)
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
    name: str, square: int, seed: int, ands: int, top: int, largest: int | None
) -> None:
    bits, end = 8, 60
    cell = square_cell(SCHEMES[name], Piece.BISHOP, square, bits, largest_index=largest)
    form = form_of(cell)
    limit = (1 << bits) - 1 if largest is None else largest
    numbers = (form.number, form.shift, limit, cell.mask, ands, top)
    key = stream_key(seed, cell.about.stream)
    table = np.zeros(1 << bits, dtype=U)
    found = first_magic(form.words, form.attacks, *map(U, numbers), U(key), U(0), U(end), table)
    assert tuple(map(int, found[:2])) == slow_search(cell, seed, ands, top, end)


def test_the_loop_is_compiled_for_unsigned_words_only() -> None:
    assert len(first_magic.signatures) == 1
    assert {str(t) for t in first_magic.signatures[0]} == {"uint64", "array(uint64, 1d, C)"}
    assert SIGNATURE.startswith("UniTuple(uint64, 4)")
    stream_word(U(1), U(1))
    assert [*map(str, stream_word.nopython_signatures)] == ["(uint64, uint64) -> uint64"]


def test_a_known_formula_is_known_however_it_is_spelled() -> None:
    spelled = resolve_scheme("(((occ&mask)*magic))>>(64-bits)")
    assert spelled.formula.tree == SCHEMES["white"].formula.tree
    assert form_of(square_cell(spelled, Piece.ROOK, 3, 11)).kernel is None


def test_a_table_of_indexes_has_its_limit() -> None:
    with pytest.raises(InputError, match="at most 24"):
        form_of(square_cell(SCHEMES["white"], Piece.ROOK, 0, 25))


def test_with_plus_no_half_magic_exists_for_the_rook_on_h8() -> None:
    """Two products joined by + never work there, with however many bits (docs/finders.md).

    h4 (bit 31 of the low half) and g8 (bit 30 of the high half) force both halves of the
    magic to be odd. In units of 2^23, modulo 512, the square h3 then adds an odd u, h7 an
    odd v, and the squares b8..g8 add v * 4r for all r in 0..63. For all u and v either h3
    weighs exactly as much as h7 with some of the others, or all together weigh nothing.
    """
    h3, h4, h7, row = 1 << 23, 1 << 31, 1 << 55, 1 << 57
    assert mask(Piece.ROOK, 63) & (h3 | h4 | h7 | row) == h3 | h4 | h7 | row
    cell = square_cell(SCHEMES["two-halves-add"], Piece.ROOK, 63, 32)
    for u in range(1, 512, 2):
        for v in range(1, 512, 2):
            ratio = u * pow(v, -1, 512) % 512
            magic = v << 32 | u
            if ratio % 4 == 1:
                rest = ratio - 1
                one, other = h3, h7
            else:
                rest = 512 - (ratio + 1)
                one, other = 0, h3 | h7
            other |= (rest // 4 % 64) * row | (h4 if rest >= 256 else 0)
            if u % 32 == 1 and v % 32 == 1:  # all of them would take long by the plain reading
                assert cell.index(magic, one) == cell.index(magic, other)
            low = (one & 0xFFFF_FFFF) * u + (one >> 32) * v
            assert (low - (other & 0xFFFF_FFFF) * u - (other >> 32) * v) % (1 << 32) == 0
            assert (one ^ other) & (h3 | h7), "the nearest blocker on the file differs"


@pytest.mark.parametrize("piece", list(Piece))
@pytest.mark.parametrize("square", [0, 7, 9, 27, 36, 52, 58, 63])
def test_occupancies_and_attacks_are_those_of_the_ray_walk(piece: Piece, square: int) -> None:
    listed = all_occupancies(Slider(piece, square))
    occupancies = [int(o) for o in listed.occupancies]
    assert sorted(occupancies) == sorted(carry_rippler(mask(piece, square)))
    by_number: dict[int, set[int]] = {}
    for occupancy, number in zip(occupancies, listed.attacks.tolist(), strict=True):
        by_number.setdefault(number, set()).add(attack_set(piece, square, occupancy))
    # One attack set to a number, and no two numbers for one attack set.
    assert all(len(sets) == 1 for sets in by_number.values())
    assert len(set.union(*by_number.values())) == len(by_number)
    assert set(by_number) == set(range(len(by_number)))


def test_fewest_blockers_come_first() -> None:
    counts = [int(o).bit_count() for o in all_occupancies(Slider(Piece.ROOK, 0)).occupancies]
    assert counts == sorted(counts)


@given(magics, st.integers(0, 1 << 50))
def test_compiled_words_are_the_plain_ones(key: int, number: int) -> None:
    compiled = stream_word(U(key), U(number))
    assert int(compiled) == word(key, number)


@given(magics, st.lists(st.integers(0, 1 << 50), min_size=1))
def test_arrays_of_words_are_the_plain_ones(key: int, numbers: list[int]) -> None:
    drawn = stream_words(U(key), np.array(numbers, dtype=U))
    assert drawn.tolist() == [word(key, number) for number in numbers]


def test_the_generator_is_splitmix64() -> None:
    # The first outputs of SplitMix64 seeded with 1234567, as its author's code prints them.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [word(1234567, n) for n in range(3)] == expected


def test_squares_and_seeds_have_streams_of_their_own() -> None:
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
