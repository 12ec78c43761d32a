"""Bit guessing against brute force on short masks, and against what is known."""

import itertools
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import bitboard, squares_of
from magicert.cell import Cell, first_conflict
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.engine import EngineRequest, load, option_values
from magicert.occupancy import carry_rippler
from magicert.outcome import Exists, Impossible, Observer, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.search.guessing import kernel
from magicert.search.guessing.bit_tables import (
    PAIR_WORDS,
    TRIPLE_WORDS,
    BitTable,
    build_pairs,
    build_triples,
)
from magicert.search.guessing.kernel import GuessTree, Pattern, pattern_from, pattern_of
from magicert.search.problem import terms
from magicert.targets import square_cell

U = np.uint64


def short_pattern(
    piece: Piece, square: int, squares: frozenset[int], bits: int, largest: int
) -> Pattern:
    """The occupancies on a few squares of the mask only."""
    occupancies = list(carry_rippler(bitboard(squares)))
    sets = [attack_set(piece, square, o) for o in occupancies]
    numbers = [sets.index(one) for one in sets]
    return pattern_from(np.array(occupancies, dtype=U), np.array(numbers, dtype=U), bits, largest)


@pytest.fixture(scope="session")
def brute_force(magics_in):
    """All magics below the LCM period, by trying every one."""

    def tried(pattern: Pattern) -> list[int]:
        words, numbers = pattern.words.tolist(), pattern.attacks.tolist()
        about = terms(words, numbers, 64 - pattern.width, most_slot=pattern.largest)
        found: list[int] = magics_in(about).tolist()
        return found

    return tried


def all_magics(tree: GuessTree) -> list[int]:
    """Every magic that a tree yields, in its order."""
    found = []
    while True:
        status = tree.run(1000)
        if status == kernel.COMPLETE:
            found.append(int(tree.state[kernel.VALUE]))
            if tree.retreat():
                continue
            return found
        if status == kernel.EXHAUSTED:
            return found


@st.composite
def short_patterns(draw: st.DrawFn) -> Pattern:
    piece = draw(st.sampled_from(list(Piece)))
    square = draw(st.integers(0, 63))
    high = [s for s in squares_of(mask(piece, square)) if s >= 53]
    squares = draw(st.frozensets(st.sampled_from(high or [53, 54, 57]), min_size=1, max_size=5))
    bits = draw(st.integers(1, 5))
    largest = draw(st.sampled_from([(1 << bits) - 1, max(1, (1 << bits) - 3)]))
    return short_pattern(piece, square, squares, bits, largest)


@settings(max_examples=60, deadline=None)
@given(short_patterns(), st.sampled_from(kernel.ORDERS))
def test_every_order_finds_exactly_the_magics_of_brute_force(brute_force, pattern, order):
    tree = GuessTree(pattern, order)
    found = all_magics(tree)
    assert sorted(found) == brute_force(pattern)
    assert len(found) == len(set(found))
    if not found:
        assert tree.share() == pytest.approx(1.0 - 2.0 ** -int(tree.state[kernel.LEVEL]))


def perfect_table(magics: list[int], bits: int, size: int, cuts: np.ndarray) -> BitTable:
    """The pairs, or triples, that none of a cell's magics (all of them, below 2^bits) has."""
    listed = np.array(magics, dtype=U)
    columns = [(listed >> U(bit) & U(1)).astype(np.uint8) for bit in range(bits)]
    entries = disallowed = 0
    for chosen in itertools.combinations(range(bits), size):
        pattern = sum(columns[bit] << place for place, bit in enumerate(chosen))
        seen = np.bincount(pattern, minlength=1 << size)
        entries += 1 << size
        for values in np.flatnonzero(seen == 0).tolist():
            disallowed += 1
            literals = [2 * bit + (values >> place & 1) for place, bit in enumerate(chosen)]
            for one, *others in itertools.permutations(literals):
                row = others[0] if size == 2 else 128 * others[0] + others[1]
                cuts[2 * row + one % 2] |= U(1 << one // 2)
    return BitTable(cuts, entries, disallowed)


@settings(max_examples=30, deadline=None)
@given(short_patterns(), st.sampled_from([1, 5, 500]), st.sampled_from(kernel.ORDERS))
def test_tables_cut_off_no_magic(brute_force, pattern, effort, order):
    expected = brute_force(pattern)
    pairs = build_pairs(pattern, effort, Quiet())
    triples = build_triples(pattern, effort, pairs, Quiet())
    assert sorted(all_magics(GuessTree(pattern, order, pairs.cuts))) == expected
    both = GuessTree(pattern, order, pairs.cuts, triples.cuts)
    assert sorted(all_magics(both)) == expected
    # What is disallowed is truly so; with enough effort it is all that is.
    # Where an entry's literals are all bits there are, nothing is left to search.
    for literals, table, words in ((2, pairs, PAIR_WORDS), (3, triples, TRIPLE_WORDS)):
        perfect = perfect_table(expected, pattern.bits, literals, np.zeros(words, dtype=U))
        assert table.entries == perfect.entries
        assert not np.any(table.cuts & ~perfect.cuts)
        if effort == 500 and literals < pattern.bits <= 8:
            assert table.disallowed == perfect.disallowed
            assert np.array_equal(table.cuts, perfect.cuts)


def test_a_full_board_has_the_entries_of_the_proposal():
    class Counted(Quiet):
        totals: ClassVar[set[float | None]] = set()

        def progress(self, done: float, total: float | None, note: str = "") -> None:
            self.totals.add(total)

    white = SCHEMES["white"]
    short = pattern_of(square_cell(white, Piece.BISHOP, parse_square("d8"), 5))
    pairs = build_pairs(short, 1, Counted())
    build_triples(short, 1, pairs, Counted())
    assert Counted.totals == {26 * 25 // 2 * 4, 26 * 25 * 24 // 6 * 8}
    assert pairs.cuts.nbytes == 2048
    # The rook on a8 has g8 (bit 62) in its mask: bits 0 and 1 of a magic both 0 leave it
    # in the bucket of the empty board.
    a8 = pattern_of(square_cell(white, Piece.ROOK, parse_square("a8"), 11))
    pairs = build_pairs(a8, 2, Quiet())
    assert pairs.disallowed == 1
    assert (int(pairs.cuts[0]), int(pairs.cuts[4])) == (0b10, 0b01)


def ask(
    square: str,
    bits: int,
    piece: str = "bishop",
    *,
    largest: int | None = None,
    watch: Observer | None = None,
    more: dict[str, Any] | None = None,
    **given: str,
) -> tuple[Cell, Outcome]:
    engine, scheme = load("guess"), SCHEMES["white"]
    cell = square_cell(scheme, Piece(piece), parse_square(square), bits, largest_index=largest)
    options = option_values(engine, {"order": "high", **given})
    asked = EngineRequest(cell, options=options, **(more or {}))
    return cell, engine.solve(asked, watch or Quiet())


@pytest.mark.parametrize(
    ("square", "bits", "largest", "options", "kind"),
    [
        ("d8", 4, None, {}, Impossible),
        ("d8", 4, None, {"order": "low"}, Impossible),
        ("d7", 4, None, {}, Impossible),
        ("d1", 4, None, {"order": "auto"}, Impossible),
        ("d8", 5, 30, {}, Impossible),
        ("d8", 5, 31, {}, Exists),
        ("a1", 6, None, {"order": "auto"}, Exists),
        *(("d8", 5, None, {"tables": tables, "effort": "5"}, Exists)
          for tables in ("none", "pairs", "triples")),
    ],
)  # fmt: skip
def test_what_is_known_of_bishops(square, bits, largest, options, kind):
    cell, outcome = ask(square, bits, largest=largest, **options)
    assert isinstance(outcome, kind)
    if isinstance(outcome, Impossible):
        assert "no certificate" in outcome.argument
        assert outcome.certificate == ""
    elif isinstance(outcome, Exists):
        assert first_conflict(cell, outcome.magic) is None
        assert ("cut" in outcome.figures) == (options.get("tables") in ("pairs", "triples"))
        # Left alone it finds what is there low bits first.
        assert square == "d8" or int(outcome.figures["tests"]) < 1000


def test_all_magics_of_bishop_d8():
    cell, outcome = ask("d8", 5, more={"everything": True})
    assert outcome.complete
    assert len(set(outcome.magics)) == len(outcome.magics) == 9547
    assert 0x208800 in outcome.magics  # published as the best possible
    assert all(first_conflict(cell, magic) is None for magic in outcome.magics[::100])


def test_an_interruption_and_the_end_of_time_say_how_far_it_came():
    class Impatient(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            raise KeyboardInterrupt

    tables = {"tables": "triples", "effort": "1"}
    _, interrupted = ask("f8", 10, "rook", order="auto", watch=Impatient())
    _, late = ask("f8", 10, "rook", order="auto", more={"seconds": 0.01})
    _, in_tables = ask("a1", 11, "rook", **tables, more={"seconds": 1e-9})
    for outcome, reason in ((interrupted, "interrupted"), (late, "out of time")):
        assert isinstance(outcome, Unknown)
        assert outcome.reason == reason
        assert outcome.progress.endswith("of the tree")
    assert isinstance(in_tables, Unknown)
    assert (in_tables.reason, in_tables.figures) == ("out of time", {}), "no tree has been begun"


def test_other_formulas_are_refused():
    engine = load("guess")
    for scheme in (SCHEMES["black"], resolve_scheme("(occ * magic) >> (64 - bits)")):
        cell = square_cell(scheme, Piece.ROOK, 0, 12)
        with pytest.raises(InputError, match="white formula only"):
            engine.solve(EngineRequest(cell, options=option_values(engine, {})), Quiet())
