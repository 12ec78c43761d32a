"""Lemmas about tables, shapes, and gatherers: proofs, and counterexamples where there are none."""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Board
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.formula import parse
from magicert.movement import Atom, Movement, attacks_of, usual_mask
from magicert.outcome import Impossible, Quiet, Unknown
from magicert.problem import InputError
from magicert.shapes import Shape, rays_of
from magicert.z3models import gather as gathering
from magicert.z3models import lemmas, shape
from magicert.z3models.solvers.child import Budget

BISHOP_C1 = (Piece.BISHOP, parse_square("c1"))
GATHERERS = Path(__file__).parents[2] / "research" / "frontier" / "ways" / "gatherers.c"
SHOGI = Board(9, 9)
ROOK = Movement((Atom("rider", ((0, 1), (0, -1), (1, 0), (-1, 0))),))
NAMES = tuple(map(SHOGI.name, range(81)))
LEMMAS = tomllib.loads((Path(__file__).parent / "lemmas.toml").read_text())["lemmas"]


def row_of(
    board: str, text: str, square: int = 40, meet: Sequence[int] = (), result: str = "", **more: int
) -> lemmas.TableRow:
    if board == "c1":
        word, squares, name, own = 64, None, "c1", mask(*BISHOP_C1)
        values, line = {"magic": 0x40201008040201}, attack_set(*BISHOP_C1, 0)
    else:
        word, squares, name, own = 128, NAMES, NAMES[square], usual_mask(SHOGI, ROOK, square)
        values = {"magic": 0x424000040948C100, "shift": 50}
        line = attacks_of(SHOGI, ROOK, square, 0)
    own = sum(1 << bit for bit in meet) or own
    row = lemmas.TableRow(parse(text, word=word), name, own, values | more)
    row = replace(row, squares=squares) if squares else row
    return replace(row, result=parse(result, word=word), line=line) if result else row


@pytest.mark.parametrize(("board", "text", "values", "found"), LEMMAS)
def test_a_lemma_is_proved_or_shown_to_be_wrong(board, text, values, found):
    row = row_of(board, text, **values)
    for name, expected in found.items():
        verdict = getattr(lemmas, f"{name}_lemma")(row)
        if expected in ("proved", "nothing"):
            assert verdict == (lemmas.Proved() if expected == "proved" else None)
            continue
        assert isinstance(verdict, lemmas.Counterexample)
        assert expected in verdict.text
        assert "meet" in expected or "meet" not in verdict.text
        if name == "mask":  # the occupancy in all digits
            assert len(verdict.text.split()[1]) == 2 + (16 if board == "c1" else 32)


def test_published_tables_are_proved(run):
    result = run("lemma", "shakmaty", status=0)
    assert result.stdout.count("(64 of 64 squares)") == 6
    assert "refuted" not in result.stdout


def test_the_folded_table_of_a_shogi_engine_is_proved(run, tables, tmp_path):
    table = tables / "boards" / "haitaka_rook.toml"
    result = run("lemma", table, status=0)
    assert "proved   rook fold: what is multiplied tells all subsets" in result.stdout
    assert "(81 of 81 squares)" in result.stdout
    assert "refuted" not in result.stdout
    broken = tmp_path / "broken.toml"
    broken.write_text(table.read_text().replace(">> 63", ">> 64"))
    result = run("lemma", broken)
    assert "refuted  rook fold" in result.stdout
    # A transposed board: bit 9 * file + rank.
    assert re.search(r"bits 1 \(a2\) and 65 \(h3\) meet: occupancies 0x", result.stdout)


def test_shapes():
    assert rays_of(Piece.BISHOP, parse_square("d1")) == (3, 2)
    assert rays_of(*BISHOP_C1) == (4, 1)
    assert len(Shape((3, 2), 4).named) == 16
    # Squares 0, 1, 2 on one ray, 3, 4 on the other.
    assert shape.first_blockers((3, 2), 0b00110) == (1, 2)
    assert shape.first_blockers((3, 2), 0b10000) == (3, 1)


@pytest.mark.parametrize(("scheme", "rays"), [("white", (4, 1)), ("black", (3, 1))])
def test_a_shape_that_is_impossible_and_one_that_is_not(scheme, rays):
    # Eight attack sets in eight slots: there is room, but no sums fill it.
    full = Shape((3, 1), 3, scheme)
    assert isinstance(shape.work(full, Quiet()), Impossible)
    question = Shape(rays, 4, scheme)
    found = shape.work(question, Quiet())
    assert isinstance(found, shape.FreeWords)
    assert (found.constant != 0) == (scheme == "black")
    assert shape.words_are_valid(question, found)
    assert not shape.words_are_valid(question, replace(found, words=(0, *found.words[1:])))


@pytest.mark.slow
def test_the_shape_of_d1_is_impossible():
    assert isinstance(shape.work(Shape((3, 2), 4), Quiet()), Impossible)


# Gatherers.


def test_lines():
    counts = {name: len(gathering.family(name)) for name in gathering.FAMILIES}
    assert counts == {"ranks": 8, "files": 8, "diagonals": 13, "antidiagonals": 13}
    assert len(gathering.lines_of(("all",), edges=False)) == 38
    (line,) = gathering.lines_of(("h1-a8",), edges=True)
    assert sorted(line.squares) == [7, 14, 21, 28, 35, 42, 49, 56]
    with pytest.raises(InputError, match="a1-h8x: expected one of ranks"):
        gathering.lines_of(("a1-h8x", "ranks"), edges=True)


def injective(one: gathering.Gatherer, constant: int, *lines: gathering.BoardLine) -> bool:
    """A gatherer of lines by its definition, in plain integers."""
    low = (1 << 32) - 1
    for line in lines:
        seen = set()
        for size in range(len(line.squares) + 1):
            for squares in combinations(line.squares, size):
                occupancy = sum(1 << square for square in squares)
                halves = {"lo": occupancy & low, "hi": occupancy >> 32}
                word, (other,) = halves.pop(one.rotated), halves.values()
                folded = ((word << one.r | word >> (32 - one.r)) & low) | other
                seen.add((folded * constant & low) >> one.s & ((1 << one.bits) - 1))
        if len(seen) < 2 ** len(line.squares):
            return False
    return True


@pytest.mark.parametrize("name", ["six_bits", "eight_bits"])
def test_the_gatherers_that_are_shipped_are_valid(name, tables):
    document = tomllib.loads((tables / "gatherers" / f"{name}.toml").read_text())
    answers = [answer for answer in document["answer"] if "none" not in answer]
    assert answers
    for answer in answers:
        lines = gathering.lines_of(tuple(answer["families"]), edges=not document["inner"])
        values = (answer["rotated"], answer["r"], answer["s"], document["bits"])
        assert injective(gathering.Gatherer(*values), int(answer["C"], 16), *lines), answer


def test_the_gatherers_that_are_timed_are_shipped(tables):
    """The bench tries all their lookups, and would as well take others."""
    document = tomllib.loads((tables / "gatherers" / "six_bits.toml").read_text())
    text = GATHERERS.read_text("utf-8")
    shipped = {answer["C"] for answer in document["answer"] if "none" not in answer}
    assert set(re.findall(r"UINT32_C\((\w+)\)", text)) == shipped


def test_the_published_claim(run):
    known = ("--rotated", "hi", "--rotate", "8", "--constant", "0x401041", "--shift")
    assert run("gather", "a8-h1", *known, "22").exit_code == 0
    assert "two subsets share the index" in run("gather", "a1-h8", *known, "22", status=1).stdout
    # The same constant and rotation serve every parallel, each with a shift of its own.
    shifts = [gathering.Gatherer("hi", 8, s, 8) for s in range(32)]
    for line in gathering.family("antidiagonals"):
        assert any(injective(one, 0x401041, line) for one in shifts)


def test_gatherers_are_found_and_refuted():
    both = gathering.lines_of(("diagonals", "antidiagonals"), edges=False)
    found = gathering.gather(gathering.GatherQuestion(both, 6), Quiet())
    assert isinstance(found, gathering.GatherFound)
    assert found.gatherer.C is not None
    assert injective(found.gatherer, found.gatherer.C, *both)
    every = gathering.lines_of(("all",), edges=False)
    none = gathering.gather(gathering.GatherQuestion(every, 6), Quiet())
    assert isinstance(none, Impossible)
    assert "28 let two squares of a line fall together, 36 have no constant" in none.argument
    # Five bits cannot tell 64 subsets apart.
    five = gathering.gather(gathering.GatherQuestion(both, 5), Quiet())
    assert not isinstance(five, gathering.GatherFound)


@pytest.mark.parametrize(
    ("names", "inner", "bits", "given", "decided"),
    [
        (("ranks",), True, 6, {}, False),
        (("a8-h1",), False, 8, {"rotated": "hi", "r": 8}, False),
        (("a8-h1",), False, 8, {"s": 22}, False),
        (("diagonals", "antidiagonals"), False, 8, {}, False),
        (("b1-h7",), False, 9, {}, False),
        (("all",), True, 6, {}, True),
        (("ranks",), True, 6, {"C": 3}, True),
        (("ranks",), False, 6, {}, True),
        (("ranks",), True, 6, {"rotated": "lo", "r": 5}, True),
    ],
)
def test_no_gatherer_is_never_said_of_lines_with_one_that_ships(
    monkeypatch, names, inner, bits, given, decided
):
    """Whatever a broken search says."""
    monkeypatch.setattr(gathering, "supervise", lambda *_: Impossible("lost"))
    lines = gathering.lines_of(names, edges=not inner)
    question = gathering.GatherQuestion(lines, bits, **given)
    outcome = gathering.solve(question, Quiet(), Budget())
    assert isinstance(outcome, Impossible if decided else Unknown)


def test_no_constant_is_lost():
    """Against trying each: of an index of 4 bits from bit 9 on, that sees 13 bits of a constant."""
    squares = ((1, 4, 7, 44), (0, 3, 8), (2, 30))
    toys = tuple(gathering.BoardLine("toy", each) for each in squares)
    for rotated, r, some in (("hi", 0, toys[:2]), ("lo", 3, toys[:2]), ("hi", 29, toys)):
        one = gathering.Gatherer(rotated, r, 9, 4)
        found = set(gathering.constants(one, gathering.GatherQuestion(some, 4), Counter()))
        assert found == {C for C in range(1 << 13) if injective(one, C, *some)}
        assert bool(found) == (some is not toys)


@settings(max_examples=30)
@given(
    st.integers(0, 2**32 - 1), st.integers(0, 25), st.integers(0, 31), st.sampled_from(["hi", "lo"])
)
def test_the_largest_shift_decides_for_all(constant, s, r, rotated):
    """The index of (C, s) is that of (2C, s + 1)."""
    line = gathering.family("diagonals")[3]
    one, other = (gathering.Gatherer(rotated, r, at, 6).question(line) for at in (s, s + 1))
    for occupancy in line.occupancies:
        assert one.index(constant, occupancy) == other.index(2 * constant % 2**32, occupancy)


@pytest.mark.parametrize("bits", [1, 4, 12])
def test_of_black_every_constant_below_a_slot_is_tried(bits):
    """And no other, and of white none: with fewer of them a shape would be impossible wrongly."""
    slot = 1 << 64 - bits
    for scheme, word, possible in (
        ("black", 0, True), ("black", slot - 1, True), ("black", slot // 2, True),
        ("black", slot, False), ("white", 0, True), ("white", 1, False),
    ):  # fmt: skip
        solver = z3.Solver()
        solver.add(shape.added_constant(Shape((2, 1), bits, scheme)) == word)
        assert (solver.check() == z3.sat) is possible, (scheme, word)
