"""Lemmas about tables, shapes, and gatherers: proofs, and counterexamples where there are none."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import (
    Atom,
    Board,
    Movement,
    Piece,
    attack_set,
    attacks_of,
    mask,
    parse_square,
    usual_mask,
)
from magicert.cell import Shape, rays_of
from magicert.formula import parse
from magicert.outcome import Impossible
from magicert.problem import InputError
from magicert.z3models.gather import (
    FAMILIES,
    BoardLine,
    Gathered,
    Gatherer,
    GatherQuestion,
    constants,
    family,
    gather,
    lines_of,
)
from magicert.z3models.lemmas import (
    Counterexample,
    Proved,
    TableRow,
    bound_lemma,
    constant_lemma,
    fold_lemma,
    line_lemma,
    mask_lemma,
    period_lemma,
)
from magicert.z3models.shape import (
    ShapeQuestion,
    Words,
    first_blockers,
    words_are_valid,
    work,
)

C1 = mask(Piece.BISHOP, parse_square("c1"))


def row(text: str, **parameters: int) -> TableRow:
    return TableRow(parse(text), "c1", C1, {"magic": 0x40201008040201, **parameters})


def test_a_sound_row_is_proved() -> None:
    white = row("((occ & mask) * magic) >> (64 - bits)", bits=5)
    assert mask_lemma(white) == bound_lemma(white) == period_lemma(white) == Proved()
    assert constant_lemma(white) is None


def test_black_is_white_with_a_constant_and_has_no_period() -> None:
    black = row("((occ | ~mask) * magic) >> (64 - bits)", bits=5)
    assert mask_lemma(black) == constant_lemma(black) == Proved()
    assert isinstance(period_lemma(black), Counterexample)


@pytest.mark.parametrize(
    "text",
    [
        "(occ * magic) >> (64 - bits)",
        "((occ & (mask | 0x10000000000)) * magic) >> (64 - bits)",
        "((occ & mask) * magic + (occ >> 63)) & 31",
    ],
)
def test_a_square_outside_the_mask_that_counts_is_shown(text: str) -> None:
    verdict = mask_lemma(row(text, bits=5))
    assert isinstance(verdict, Counterexample)
    assert "outside the mask" in verdict.text


def test_an_index_that_is_too_large_is_shown() -> None:
    verdict = bound_lemma(row("((occ & mask) * magic) >> 58", bits=5))
    assert isinstance(verdict, Counterexample)
    assert "expected below 32" in verdict.text
    assert bound_lemma(row("((occ & mask) * magic) >> shift", shift=59)) == Proved()


@pytest.mark.parametrize(
    ("result", "sound"),
    [
        ("word & line", True),
        ("word & line & ~occ", True),
        ("word", False),
        ("word ^ line", False),
        ("(word + 1) & line", False),
    ],
)
def test_only_the_line_of_a_loaded_word_counts(result: str, sound: bool) -> None:
    index = row("((occ & mask) * magic) >> 58")
    assert line_lemma(index) is None
    line = attack_set(Piece.BISHOP, parse_square("c1"), 0)
    verdict = line_lemma(replace(index, result=parse(result), line=line))
    assert isinstance(verdict, Proved if sound else Counterexample)
    assert sound or f"the line is {line:#018x}" in str(verdict)


# Shogi: 81 squares in words of 128 bits, folded to 64 before they are multiplied.
SHOGI = Board(9, 9)
ROOK = Movement((Atom("rider", ((0, 1), (0, -1), (1, 0), (-1, 0))),))
FOLDED = "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift"
NAMES = tuple(map(SHOGI.name, range(81)))


def shogi_row(text: str, square: int, **more: int) -> TableRow:
    board_mask = usual_mask(SHOGI, ROOK, square)
    values = {"magic": 0x424000040948C100, "shift": 50, **more}
    mask = values.pop("mask", board_mask)
    return TableRow(parse(text, word=128), SHOGI.name(square), mask, values, squares=NAMES)


@pytest.mark.parametrize(
    ("text", "square", "mask", "text_found"),
    [
        # One square further, some masks have two squares that meet.
        (FOLDED.replace("63", "64"), 2, None, "bits 1 (b1) and 65 (c8) meet: "),
        (FOLDED, 0, 1 << 4 | 1 << 67 | 1 << 70, "bits 4 (e1) and 67 (e8) meet: "),
        # A square that reaches both lanes: 63 is its own bit, and falls on bit 0.
        (FOLDED, 0, 1 | 1 << 63 | 1 << 40, "bits 0 (a1) and 63 (a8) meet: "),
        ("u64(occ & mask) * magic >> shift", 0, 1 << 5 | 1 << 72, "bit 72 (a9) is lost: "),
        ("hi64(occ & mask) * magic >> shift", 0, 1 << 5 | 1 << 72, "bit 5 (f1) is lost: "),
    ],
)
def test_squares_that_meet_are_named(
    text: str, square: int, mask: int | None, text_found: str
) -> None:
    row = shogi_row(text, square, **({} if mask is None else {"mask": mask}))
    verdict = fold_lemma(row)
    assert isinstance(verdict, Counterexample)
    assert verdict.text.startswith(text_found + "occupancies 0x")


def test_a_counterexample_of_many_squares_is_two_occupancies() -> None:
    """Sums of squares: four of them meet, and no three."""
    text = "u64((occ & 7) + (occ >> 8 & 7) * 2 + (occ >> 16 & 1) * 3 >> 0) * magic >> shift"
    verdict = fold_lemma(shogi_row(text, 0, mask=0b1 | 0b1 << 8 | 0b1 << 16))
    assert isinstance(verdict, Counterexample)
    assert "both become 0x3" in verdict.text
    assert "meet" not in verdict.text


def test_two_halves_tell_subsets_apart_together_and_one_alone_does_not() -> None:
    halves = "((u32(occ & mask) * u32(magic)) ^ (hi32(occ & mask) * hi32(magic))) >> 20"
    assert fold_lemma(row(halves)) == Proved()
    low = fold_lemma(replace(row("u32(occ & mask) * u32(magic) >> 20"), mask=1 << 3 | 1 << 40))
    assert isinstance(low, Counterexample)
    assert low.text.startswith("bit 40 is lost: ")


@pytest.mark.parametrize(
    "text",
    [
        "((occ & mask) * magic) >> shift",
        "((occ | ~mask) * magic) >> shift",
        "popcount(occ & mask)",
        "(occ & mask) * (occ & mask) >> 100",
    ],
)
def test_where_nothing_is_folded_there_is_nothing_to_prove(text: str) -> None:
    assert fold_lemma(shogi_row(text, 40)) is None


def test_products_of_128_bits_have_their_period_and_black_has_none() -> None:
    white = shogi_row("((occ & mask) * magic) >> (128 - bits)", 40, bits=12)
    assert mask_lemma(white) == bound_lemma(white) == period_lemma(white) == Proved()
    assert constant_lemma(white) is None
    black = shogi_row("((occ | ~mask) * magic) >> (128 - bits)", 40, bits=12)
    assert mask_lemma(black) == constant_lemma(black) == Proved()
    assert isinstance(period_lemma(black), Counterexample)


def test_squares_and_indexes_that_should_not_be_are_shown_on_large_boards() -> None:
    outside = mask_lemma(shogi_row("(occ * magic) >> 116", 40))
    assert isinstance(outside, Counterexample)
    assert len(outside.text.split()[1]) == len("0x") + 32
    large = bound_lemma(shogi_row("((occ & mask) * magic) >> 110", 40, bits=12))
    assert isinstance(large, Counterexample)
    assert "expected below 4096" in large.text


def test_only_the_line_of_a_loaded_word_counts_on_large_boards() -> None:
    line = attacks_of(SHOGI, ROOK, 80, 0)
    index = replace(shogi_row(FOLDED, 80), line=line)
    sound = replace(index, result=parse("word & line & ~occ", word=128))
    assert line_lemma(sound) == Proved()
    verdict = line_lemma(replace(index, result=parse("word ^ line", word=128)))
    assert isinstance(verdict, Counterexample)
    assert f"the line is {line:#034x}" in verdict.text


def test_published_tables_are_proved(run: Callable[..., Any]) -> None:
    result = run("lemma", "shakmaty")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("(64 of 64 squares)") == 6
    assert "refuted" not in result.stdout


def test_shapes() -> None:
    assert rays_of(Piece.BISHOP, parse_square("d1")) == (3, 2)
    assert rays_of(Piece.BISHOP, parse_square("c1")) == (4, 1)
    assert len(Shape((3, 2), 4).named) == 16
    # Squares 0, 1, 2 on one ray, 3, 4 on the other.
    assert first_blockers((3, 2), 0b00110) == (1, 2)
    assert first_blockers((3, 2), 0b10000) == (3, 1)


def test_a_shape_that_is_impossible_and_one_that_is_not(silent: Any) -> None:
    # Eight attack sets in eight slots: there is room, but no sums fill it.
    assert isinstance(work(ShapeQuestion(Shape((3, 1), 3)), silent()), Impossible)
    found = work(ShapeQuestion(Shape((4, 1), 4)), silent())
    assert isinstance(found, Words)
    assert words_are_valid(ShapeQuestion(Shape((4, 1), 4)), found.words)
    assert not words_are_valid(ShapeQuestion(Shape((4, 1), 4)), (0, *found.words[1:]))


@pytest.mark.slow
def test_the_shape_of_d1_is_impossible(silent: Any) -> None:
    assert isinstance(work(ShapeQuestion(Shape((3, 2), 4)), silent()), Impossible)


def test_lines() -> None:
    counts = {name: len(family(name)) for name in FAMILIES}
    assert counts == {"ranks": 8, "files": 8, "diagonals": 13, "antidiagonals": 13}
    assert len(lines_of(("all",), edges=False)) == 38
    (line,) = lines_of(("h1-a8",), edges=True)
    assert sorted(line.squares) == [7, 14, 21, 28, 35, 42, 49, 56]
    with pytest.raises(InputError, match="a1-h8x: expected one of ranks"):
        lines_of(("a1-h8x", "ranks"), edges=True)


def injective(rotated: str, r: int, constant: int, s: int, bits: int, line: BoardLine) -> bool:
    """A gatherer by its definition, in plain integers."""
    seen = set()
    for size in range(len(line.squares) + 1):
        for squares in combinations(line.squares, size):
            occupancy = sum(1 << square for square in squares)
            halves = {"lo": occupancy & 0xFFFFFFFF, "hi": occupancy >> 32}
            word = halves.pop(rotated)
            folded = ((word << r | word >> (32 - r)) & 0xFFFFFFFF) | next(iter(halves.values()))
            seen.add((folded * constant & 0xFFFFFFFF) >> s & ((1 << bits) - 1))
    return len(seen) == 2 ** len(line.squares)


@pytest.mark.parametrize("name", ["six_bits", "eight_bits"])
def test_the_gatherers_that_are_shipped_are_valid(name: str, tables: Path) -> None:
    document = tomllib.loads((tables / "gatherers" / f"{name}.toml").read_text())
    assert document["answer"]
    for answer in document["answer"]:
        if "none" in answer:
            continue
        for line in lines_of(tuple(answer["families"]), edges=not document["inner"]):
            known = (answer["rotated"], answer["r"], int(answer["C"], 16), answer["s"])
            assert injective(*known, document["bits"], line), (answer, line.name)


def test_the_published_claim(run: Callable[..., Any]) -> None:
    known = ("--rotated", "hi", "--rotate", "8", "--constant", "0x401041", "--shift")
    assert run("gather", "a8-h1", *known, "22").exit_code == 0
    refused = run("gather", "a1-h8", *known, "22")
    assert refused.exit_code == 1
    assert "two subsets share the index" in refused.stdout
    # The same constant and rotation serve every parallel, each with a shift of its own.
    for line in family("antidiagonals"):
        assert any(injective("hi", 8, 0x401041, s, 8, line) for s in range(32))


def test_gatherers_are_found_and_refuted(silent: Any) -> None:
    both = lines_of(("diagonals", "antidiagonals"), edges=False)
    found = gather(GatherQuestion(both, 6), silent())
    assert isinstance(found, Gathered)
    one = found.gatherer
    assert one.C is not None
    assert all(injective(one.rotated, one.r, one.C, one.s, 6, line) for line in both)
    none = gather(GatherQuestion(lines_of(("all",), edges=False), 6), silent())
    assert isinstance(none, Impossible)
    assert "28 let two squares of a line fall together, 36 have no constant" in none.argument
    # Five bits cannot tell 64 subsets apart.
    assert not isinstance(gather(GatherQuestion(both, 5), silent()), Gathered)


def test_no_constant_is_lost() -> None:
    """Against trying each: of an index of 4 bits from bit 9 on, that sees 13 bits of a constant."""
    toys = [BoardLine("toy", squares) for squares in ((1, 4, 7, 44), (0, 3, 8), (2, 30))]
    wanted = GatherQuestion(tuple(toys), 4)
    for rotated, r, some in (("hi", 0, toys[:2]), ("lo", 3, toys[:2]), ("hi", 29, toys)):
        found = set(
            constants(Gatherer(rotated, r, 9, 4), replace(wanted, lines=tuple(some)), Counter())
        )
        expected = {
            C for C in range(1 << 13) if all(injective(rotated, r, C, 9, 4, line) for line in some)
        }
        assert found == expected
        assert bool(found) == (some is not toys)


@settings(max_examples=60)
@given(
    st.integers(0, 2**32 - 1), st.integers(0, 25), st.integers(0, 31), st.sampled_from(["hi", "lo"])
)
def test_the_largest_shift_decides_for_all(constant: int, s: int, r: int, rotated: str) -> None:
    """The index of (C, s) is that of (2C, s + 1)."""
    line = family("diagonals")[3]
    one = Gatherer(rotated, r, s, 6).question(line)
    other = Gatherer(rotated, r, s + 1, 6).question(line)
    for occupancy in line.occupancies:
        assert one.index(constant, occupancy) == other.index(2 * constant % 2**32, occupancy)


def test_the_folded_table_of_a_shogi_engine_is_proved(
    run: Callable[..., Any], tables: Path, tmp_path: Path
) -> None:
    table = tables / "boards" / "haitaka_rook.toml"
    result = run("lemma", table)
    assert result.exit_code == 0, result.output
    assert "proved   rook fold: what is multiplied tells all subsets" in result.stdout
    assert "(81 of 81 squares)" in result.stdout
    assert "refuted" not in result.stdout
    broken = tmp_path / "broken.toml"
    broken.write_text(table.read_text().replace(">> 63", ">> 64"))
    result = run("lemma", broken)
    assert "refuted  rook fold" in result.stdout
    # A transposed board: bit 9 * file + rank.
    assert re.search(r"bits 1 \(a2\) and 65 \(h3\) meet: occupancies 0x", result.stdout)
