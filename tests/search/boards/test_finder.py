"""Magics for pieces of any board: found ones hold by the slow walk; what is impossible is so."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Board, Movement
from magicert.board.betza import parse_piece
from magicert.board.lines import lines_of
from magicert.board.masks import least_mask, usual_mask
from magicert.board.walk import attack_set
from magicert.engine import Quiet
from magicert.occupancy import numbered
from magicert.outcome import Evidence, Exists, Impossible, Unknown
from magicert.problem import InputError
from magicert.search.boards import all_squares, finder
from magicert.search.boards.all_squares import SetPlan, find_all
from magicert.search.boards.blockers import MagicQuestion, blockers_of
from magicert.search.boards.finder import (
    BLOCK,
    Effort,
    find_fewest,
    find_magic,
    find_with_room,
    is_magic,
)
from magicert.search.finders.construct import constructed
from magicert.system.deadline import Deadline

PIECES = ("R", "B", "NN", "pR", "nN", "gQ", "nA", "R3", "DD", "fR", "sR", "Q2")
boards = st.builds(Board, st.integers(1, 16), st.integers(1, 8))
pieces = st.sampled_from(PIECES).map(parse_piece)
SMALL = Effort(candidates=1 << 20)


def question(board: Board, piece: Movement, square: int, bits: int = 0) -> MagicQuestion:
    mask = least_mask(board, piece, square)
    return MagicQuestion(board, piece, square, mask, bits or max(1, mask.bit_count()))


def subsets(mask: int) -> list[int]:
    found = [0]
    for bit in range(128):
        if mask >> bit & 1:
            found += [occupied | 1 << bit for occupied in found]
    return found


def holds(asked: MagicQuestion, magic: int) -> bool:
    """The definition, in plain integers and by the slow walk."""
    width = asked.board.word
    seen: dict[int, int] = {}
    for occupied in subsets(asked.mask):
        index = (occupied * magic & (1 << width) - 1) >> (width - asked.bits)
        attacks = attack_set(asked.board, asked.movement, asked.square, occupied)
        if seen.setdefault(index, attacks) != attacks:
            return False
    return True


@settings(max_examples=60, deadline=None)
@given(boards, pieces, st.data())
def test_what_is_found_holds(board: Board, piece: Movement, data: st.DataObject) -> None:
    square = data.draw(st.integers(0, board.squares - 1))
    asked = question(board, piece, square)
    if asked.bits > 11:
        return
    outcome = find_magic(asked, SMALL)
    if isinstance(outcome, Unknown):  # what cannot be built may be rare
        assert constructed(asked.mask, asked.bits, asked.board.word, 1) is None
        return
    assert isinstance(outcome, Exists)
    assert holds(asked, outcome.magic)
    assert is_magic(asked, outcome.magic)


@settings(max_examples=40, deadline=None)
@given(boards, pieces, st.data())
def test_the_numbers_of_attack_sets_are_those_of_the_walk(
    board: Board, piece: Movement, data: st.DataObject
) -> None:
    square = data.draw(st.integers(0, board.squares - 1))
    mask = data.draw(st.sampled_from([least_mask, usual_mask]))(board, piece, square)
    if mask.bit_count() > 9:
        return
    blockers = blockers_of(MagicQuestion(board, piece, square, mask, 1))
    narrow = board.word == 64
    low, high = (blockers.high, blockers.low) if narrow else (blockers.low, blockers.high)
    words = [int(a) | int(b) << 64 for a, b in zip(low, high, strict=True)]
    assert sorted(words) == sorted(subsets(mask))
    sets = [attack_set(board, piece, square, word) for word in words]
    assert numbered(sets) == numbered(blockers.numbers.tolist())
    assert blockers.distinct == len(set(sets))


@settings(max_examples=30, deadline=None)
@given(boards, pieces, st.data())
def test_lines_join_to_the_piece(board: Board, piece: Movement, data: st.DataObject) -> None:
    square = data.draw(st.integers(0, board.squares - 1))
    occupied = data.draw(st.integers(0, board.full))
    joined = 0
    for line in lines_of(piece).values():
        joined |= attack_set(board, line, square, occupied)
    assert joined == attack_set(board, piece, square, occupied)


def test_lines_have_names_and_a_notation_that_means_them() -> None:
    assert list(lines_of(parse_piece("R"))) == ["v", "h"]
    assert list(lines_of(parse_piece("NN"))) == ["1_2", "1_m2", "2_1", "2_m1"]
    assert list(lines_of(parse_piece("DD"))) == ["v2", "h2"]
    for name in ("R", "B", "pR", "pB", "gR", "cannon"):
        for line in lines_of(parse_piece(name)).values():
            (given_atom,), (read,) = line.atoms, _one_atom(parse_piece(line.name))
            assert set(read.steps) == set(given_atom.steps)
            assert replace(read, steps=given_atom.steps) == given_atom


def _one_atom(movement: Movement) -> tuple[object, ...]:
    first = movement.atoms[0]
    steps = tuple(step for atom in movement.atoms for step in atom.steps)
    return (replace(first, steps=steps),)


def test_too_few_slots_are_impossible_by_counting() -> None:
    asked = question(Board(9, 10), parse_piece("pR"), 40, bits=8)
    outcome = find_magic(asked, SMALL)
    assert isinstance(outcome, Impossible)
    assert outcome.evidence is Evidence.COUNTING
    assert "3773 different attack sets do not fit in 256 slots" in outcome.argument


def test_fewer_bits_are_tried_and_never_called_impossible() -> None:
    asked = question(Board(12, 10), parse_piece("frB"), 41, bits=7)
    assert asked.mask.bit_count() == 5
    bits, outcome = find_fewest(asked, Effort(candidates=1 << 10))
    assert isinstance(outcome, Exists)
    assert bits == 5
    assert holds(replace(asked, bits=bits), outcome.magic)
    assert isinstance(find_magic(replace(asked, bits=3), Effort(candidates=1 << 10)), Unknown)


def test_the_seed_decides() -> None:
    asked = question(Board(9, 10), parse_piece("R"), 22)
    magics = [find_magic(asked, Effort(seed=seed)) for seed in (1, 1, 2)]
    assert magics[0] == magics[1] != magics[2]


def test_an_event_ends_the_search() -> None:
    stop = Event()
    stop.set()
    asked = question(Board(9, 10), parse_piece("pR"), 40, bits=12)
    outcome = find_magic(asked, Effort(stop=stop))
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "interrupted"


@dataclass(frozen=True)
class Looks(Deadline):
    """A deadline that is over once it has been looked at so many times."""

    most: int = 0
    looks: list[int] = field(default_factory=list)

    @property
    def left(self) -> float:
        self.looks.append(1)
        return float(len(self.looks) <= self.most)


def test_one_deadline_is_for_all_numbers_of_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each number of bits had all of the time for itself."""
    asked = question(Board(8, 8), parse_piece("R"), 27)
    blocks = []

    def without_a_magic(*arguments: Any) -> tuple[int, int, int]:
        blocks.append(int(arguments[-2]))
        return int(arguments[-2]), 0, 0

    monkeypatch.setattr("magicert.search.boards.kernel.first_magic", without_a_magic)
    monkeypatch.setattr(finder, "constructed", lambda *_: None)
    bits, outcome = find_with_room(asked, Effort(deadline=Looks(most=3)))
    assert bits == asked.bits
    assert outcome == Unknown("out of time", f"{3 * BLOCK:,} candidates tried")
    assert blocks == [BLOCK, 2 * BLOCK, 3 * BLOCK], "nothing is tried with one bit more"


def test_out_of_time_no_fewer_bits_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = question(Board(9, 10), parse_piece("R"), 22)
    monkeypatch.setattr("magicert.search.boards.kernel.first_magic", None)
    bits, outcome = find_fewest(asked, Effort(deadline=Deadline(0.0)))
    assert bits == asked.bits
    assert isinstance(outcome, Exists), "it is constructed"


def test_ctrl_c_while_work_is_given_out_ends_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool waits for what it has: hours, if nothing tells it to stop."""

    class Interrupted(ThreadPoolExecutor):
        given = 0

        def submit(self, *work: Any, **options: Any) -> Any:
            self.given += 1
            if self.given == 3:
                raise KeyboardInterrupt
            return super().submit(*work, **options)

    asked = {("rook", s): question(Board(9, 10), parse_piece("R"), s) for s in range(9)}
    monkeypatch.setattr(all_squares, "ThreadPoolExecutor", Interrupted)
    work = all_squares._QuestionSet(asked, SetPlan(Effort()), Quiet(), lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        work.run()
    assert work.stop.is_set()


def test_a_set_that_is_out_of_time_counts_and_tries_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = {("rook", s): question(Board(9, 10), parse_piece("R"), s, bits=5) for s in range(90)}
    monkeypatch.setattr(all_squares, "too_few_slots", None)
    monkeypatch.setattr(all_squares, "find_magic", None)
    left = find_all(asked, SetPlan(Effort(), seconds=0.0), Quiet(), lambda *_: None)
    assert left == dict.fromkeys(asked, Unknown("out of time"))


def test_a_mask_that_is_too_wide_is_refused() -> None:
    asked = question(Board(12, 10), parse_piece("Q"), 53)
    with pytest.raises(InputError, match="squares, expected at most 22"):
        blockers_of(asked)


def test_compiled_products_are_those_of_integers() -> None:
    from magicert.search.boards import kernel

    random = np.random.default_rng(1)
    for _ in range(200):
        low, high, one, two = (int(n) for n in random.integers(0, 1 << 63, 4, dtype=np.uint64))
        low, one = low * 2 + 1, one * 2 + 1
        product = (low | high << 64) * (one | two << 64) & (1 << 128) - 1
        words = (np.uint64(n) for n in (low, high, one, two, 64 - 13))
        assert int(kernel.index(*words)) == product >> (128 - 13)
