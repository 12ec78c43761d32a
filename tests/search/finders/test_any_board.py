"""Magics for pieces of any board: found ones hold by the slow walk; what is impossible is so."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.betza import lines_of, parse_piece
from magicert.blockers import blockers_of
from magicert.board import Board, bitboard
from magicert.cell import Cell
from magicert.chess import Piece
from magicert.engine import EngineRequest, load, option_values
from magicert.movement import Movement, attacks_of
from magicert.occupancy import carry_rippler, numbered
from magicert.outcome import Observer, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import resolve_scheme
from magicert.search import sets
from magicert.search.finders import trial
from magicert.search.finders.trial import construct_magic, is_perfect
from magicert.search.sets import MOST_EXTRA_BITS, SHORT_CANDIDATES, SetPlan, search_cells
from magicert.targets import Keys, Mover, Slider, target_of
from magicert.valid import invalid

PIECES = ("R", "B", "NN", "pR", "nN", "gQ", "nA", "R3", "DD", "fR", "sR", "Q2")

# Some have more than 128 squares, whose magics are only built; half of them have holes.
sizes = st.builds(Board, st.integers(1, 16), st.integers(1, 8) | st.integers(1, 16))
boards = sizes | sizes.flatmap(
    lambda board: st.integers(0, board.full - 1).map(lambda holes: replace(board, holes=holes))
)
pieces = st.sampled_from(PIECES).map(parse_piece)


def cell_of(
    board: Board, piece: Movement, square: int, bits: int = 0, scheme: str = "white"
) -> Cell:
    about = Mover(board, piece, square)
    return Cell(resolve_scheme(scheme, board.word), about, bits or about.usual_bits)


def request(cell: Cell, seed: int = 1, **options: str) -> EngineRequest:
    return EngineRequest(cell, seed=seed, options=option_values(load("trial"), options))


def solve(cell: Cell, seed: int = 1, **options: str) -> Outcome:
    return trial.solve(request(cell, seed, **options), Quiet())


def holds(cell: Cell, magic: int) -> bool:
    """The definition, in plain integers and by the slow walk."""
    about = cell.target
    assert isinstance(about, Mover)
    width, word = about.board.word, (1 << about.board.word) - 1
    seen: dict[int, int] = {}
    for occupied in carry_rippler(cell.mask):
        given_word = occupied | (word ^ cell.mask if cell.scheme.name == "black" else 0)
        index = (given_word * magic & word) >> (width - cell.bits)
        attacks = attacks_of(about.board, about.movement, about.square, occupied)
        if seen.setdefault(index, attacks) != attacks:
            return False
    return True


@settings(max_examples=60, deadline=None)
@given(boards, pieces, st.sampled_from(["white", "white", "black"]), st.data())
def test_what_is_found_holds(board, piece, scheme, data):
    square = data.draw(st.integers(0, board.squares - 1))
    asked = cell_of(board, piece, square, scheme=scheme)
    if asked.bits > (11 if scheme == "white" else 7):
        return
    outcome = solve(asked, candidates=str(1 << 20))
    if isinstance(outcome, Unknown):  # what cannot be built may be rare
        built = construct_magic(asked.mask, asked.bits, board.word, 1)
        assert scheme == "black" or built is None
        return
    assert holds(asked, outcome.magic)
    assert not invalid(asked, [outcome.magic])


@settings(max_examples=30, deadline=None)
@given(boards, pieces, st.data())
def test_lines_join_to_the_piece(board, piece, data):
    square = data.draw(st.integers(0, board.squares - 1))
    occupied = data.draw(st.integers(0, board.full))
    joined = 0
    for line in lines_of(piece).values():
        joined |= attacks_of(board, line, square, occupied)
    assert joined == attacks_of(board, piece, square, occupied)


def test_lines_have_names_and_a_notation_that_means_them():
    assert list(lines_of(parse_piece("R"))) == ["v", "h"]
    assert list(lines_of(parse_piece("NN"))) == ["1_2", "1_m2", "2_1", "2_m1"]
    assert list(lines_of(parse_piece("DD"))) == ["v2", "h2"]
    for name in ("R", "B", "pR", "pB", "gR", "cannon"):
        for line in lines_of(parse_piece(name)).values():
            (meant,), read = line.atoms, parse_piece(line.name).atoms
            assert {step for atom in read for step in atom.steps} == set(meant.steps)
            assert replace(read[0], steps=meant.steps) == meant


def plan(cell: Cell, **other: Any) -> SetPlan:
    return SetPlan(load("trial"), request(cell), **other)


def ask(cell: Cell, asked: SetPlan) -> tuple[dict[Any, Any], dict[Any, Outcome]]:
    """One square as a set."""
    found: dict[Any, Any] = {}
    left = search_cells({("a", 0): cell}, asked, Quiet(), found.__setitem__)
    return found, left


def test_fewer_bits_are_tried_and_never_called_impossible():
    asked = cell_of(Board(12, 10), parse_piece("frB"), 41, bits=7)
    assert asked.mask.bit_count() == 5
    found, left = ask(asked, plan(asked, fewer_bits=True, short_candidates=1 << 10))
    assert not left
    assert found["a", 0].bits == 5
    assert holds(replace(asked, bits=5), found["a", 0].magic)
    assert isinstance(solve(replace(asked, bits=3), candidates="1024"), Unknown)


class Never:
    """An engine that finds nothing, and notes what it is asked."""

    OPTIONS = trial.OPTIONS

    def __init__(self, ends: int = 1 << 30) -> None:
        self.asked: list[tuple[int, Any]] = []
        self.ends = ends

    def solve(self, asked: EngineRequest, observer: Observer) -> Outcome:
        self.asked.append((asked.cell.bits, asked.options["candidates"]))
        if len(self.asked) == self.ends:
            raise KeyboardInterrupt
        return Unknown("budget of candidates spent")


def test_more_bits_are_tried_where_there_is_room():
    cell = cell_of(Board(8, 8), parse_piece("NN"), 27)
    engine = Never()
    asked = SetPlan(engine, request(cell), extra_bits=True)
    assert ask(cell, asked) == ({}, {("a", 0): Unknown("budget of candidates spent")})
    last = cell.bits + MOST_EXTRA_BITS
    most = asked.request.options["candidates"]
    assert engine.asked == [
        *((bits, SHORT_CANDIDATES) for bits in range(cell.bits, last)),
        (last, most),
    ]
    ended = Never(2)
    ask(cell, replace(asked, engine=ended))
    assert len(ended.asked) == 2, "nothing is tried after an interruption"


def test_ctrl_c_while_work_is_given_out_ends_the_set(monkeypatch):
    """The pool waits for what it has: hours, if nothing tells it to stop."""

    class Interrupted(ThreadPoolExecutor):
        given = 0

        def submit(self, *work: Any, **options: Any) -> Any:
            self.given += 1
            if self.given == 3:
                raise KeyboardInterrupt
            return super().submit(*work, **options)

    cells = {("rook", s): cell_of(Board(9, 10), parse_piece("R"), s) for s in range(9)}
    monkeypatch.setattr(sets, "ThreadPoolExecutor", Interrupted)
    asked = plan(cells["rook", 0])
    asked = replace(asked, request=replace(asked.request, workers=2))
    work = sets._SetSearch(cells, asked, Quiet(), lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        work.run()
    assert work.stop.is_set()


def test_a_set_that_is_out_of_time_counts_and_tries_nothing(monkeypatch):
    cells = {("rook", s): cell_of(Board(9, 10), parse_piece("R"), s, bits=5) for s in range(90)}
    monkeypatch.setattr(sets, "too_few_slots", None)
    asked = SetPlan(Never(), replace(request(cells["rook", 0]), seconds=0.0))
    left = search_cells(cells, asked, Quiet(), lambda *_: None)
    assert left == dict.fromkeys(cells, Unknown("out of time"))


def test_what_is_too_wide_is_refused():
    about = Mover(Board(12, 10), parse_piece("Q"), 53)
    with pytest.raises(InputError, match="squares, expected at most 22"):
        blockers_of(about.board, about.movement, about.square, about.mask)
    with pytest.raises(InputError, match="a word of 64 bits apart"):
        resolve_scheme("two-halves", 128)


@settings(max_examples=40, deadline=None)
@given(boards, pieces, st.sampled_from(["least", "usual"]), st.data())
def test_words_and_values_are_those_of_the_walk(board, piece, masks, data):
    square = data.draw(st.integers(0, board.squares - 1))
    mover = Mover(board, piece, square, masks)
    if mover.mask.bit_count() > 9:
        return
    assert sorted(mover.words) == sorted(carry_rippler(mover.mask))
    sets = [attacks_of(board, piece, square, word) for word in mover.words]
    assert mover.values == numbered(sets)
    assert list(mover.values_again()) == sets


def test_on_the_chess_board_it_is_the_slider_and_a_ledger_and_a_certificate_see_keys():
    for name, piece in (("R", Piece.ROOK), ("B", Piece.BISHOP)):
        mover, slider = Mover(Board(8, 8), parse_piece(name), 27), Slider(piece, 27)
        assert (mover.words, mover.values, mover.mask) == (slider.words, slider.values, slider.mask)
    mover = Mover(Board(5, 5), parse_piece("R"), 12)
    again = target_of(*mover.parts)
    assert isinstance(again, Keys)
    assert (again.words, again.values) == (mover.words, mover.values)
    assert mover.described == again.described
    assert mover.named == {"piece": "R", "board": "5x5", "square": "c3"}


masks = st.sets(st.integers(0, 255), min_size=1, max_size=10).map(bitboard)


def all_apart(mask: int, bits: int, width: int, magic: int) -> bool:
    """By trying all occupancies, in plain integers."""
    indexes = {((o * magic) & (1 << width) - 1) >> (width - bits) for o in carry_rippler(mask)}
    return len(indexes) == 1 << mask.bit_count()


@settings(max_examples=60, deadline=None)
@given(masks, st.integers(-1, 2), st.sampled_from([64, 128, 256]), st.integers(0, 9))
def test_what_is_constructed_tells_all_occupancies_apart(mask, more, width, key):
    mask &= (1 << width) - 1
    bits = max(1, mask.bit_count() + more)
    magic = construct_magic(mask, bits, width, key)
    if magic is None:
        return
    assert bits >= mask.bit_count()
    assert is_perfect(mask, bits, width, magic)
    assert all_apart(mask, bits, width, magic)


@settings(max_examples=300, deadline=None)
@given(masks, st.integers(1, 10), st.sets(st.integers(0, 127), max_size=12).map(bitboard))
@example(mask=0b11, bits=2, magic=0b11 << 125)  # two squares share a place
@example(mask=0b10001, bits=2, magic=0b1010011 << 121)  # below the index both add up to a carry
def test_the_proof_holds_for_every_word_that_meets_its_conditions(mask, bits, magic):
    mask &= (1 << 128) - 1
    if is_perfect(mask, bits, 128, magic):
        assert all_apart(mask, bits, 128, magic)
