"""Attack sets of any piece, against a walk over places that shares nothing with it; masks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert import board as boards
from magicert.betza import parse_piece
from magicert.board import CHESS, Atom, Board, Movement, Piece, Region, attacks_of

Place = tuple[int, int]
XIANGQI = Board(9, 10)
_STEPS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any),
    min_size=1, max_size=6, unique=True,
).map(tuple)  # fmt: skip
_ATOMS = st.one_of(
    st.builds(Atom, st.sampled_from(["rider", "hopper"]), _STEPS, st.integers(0, 3)),
    st.builds(Atom, st.just("lame leaper"), _STEPS, st.just(0), st.booleans()),
)
_REGIONS = st.tuples(*[st.integers(0, 5)] * 4).map(
    lambda c: Region((c[0], c[1]), (c[0] + c[2], c[1] + c[3]))
)
MOVES = st.builds(
    Movement,
    st.lists(_ATOMS, min_size=1, max_size=2).map(tuple),
    st.lists(_REGIONS, max_size=2).map(tuple),
)
Question = tuple[Board, Movement, int, int]


def questions(files: int, ranks: int) -> st.SearchStrategy[Question]:
    """A board, a movement, a square of it, and what is occupied."""
    boards = st.builds(Board, st.integers(1, files), st.integers(1, ranks))
    return boards.flatmap(
        lambda board: st.tuples(
            st.just(board), MOVES, st.integers(0, board.squares - 1), st.integers(0, board.full)
        )
    )


def walked(board: Board, movement: Movement, start: Place, blocked: set[Place]) -> set[Place]:
    """The attacked places, by coordinates and sets only."""
    found: set[Place] = set()
    homes = [r for r in movement.regions if inside(r, start)]

    def free(place: Place) -> bool:
        on = 0 <= place[0] < board.files and 0 <= place[1] < board.ranks
        return on and (not movement.regions or any(inside(r, place) for r in homes))

    for atom in movement.atoms:
        for dx, dy in atom.steps:
            line = []
            for n in range(1, 200):
                place = (start[0] + n * dx, start[1] + n * dy)
                if not free(place):
                    break
                line.append(place)
            found |= set(of_line(atom, start, line, blocked))
    return found


def inside(region: Region, place: Place) -> bool:
    return all(
        low <= x <= high for low, x, high in zip(region.low, place, region.high, strict=True)
    )


def of_line(atom: Atom, start: Place, line: list[Place], blocked: set[Place]) -> list[Place]:
    hits = [n for n, place in enumerate(line) if place in blocked]
    if atom.kind == "rider":
        end = hits[0] + 1 if hits else len(line)
        return line[: min(end, atom.limit or end)]
    if atom.kind == "hopper":
        if not hits:
            return []
        end = hits[1] + 1 if len(hits) > 1 else len(line)
        behind = line[hits[0] + 1 : end]
        return behind[: atom.limit or len(behind)]
    if not line:
        return []
    ends = (line[0], start) if atom.from_target else (start, line[0])
    return [] if set(legs(*ends)) & blocked else [line[0]]


def legs(start: Place, target: Place) -> list[Place]:
    """Orthogonally while one distance is longer, then diagonally: the squares between."""
    dx, dy = target[0] - start[0], target[1] - start[1]
    sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    straight, slanted = abs(abs(dx) - abs(dy)), min(abs(dx), abs(dy))
    first = (sx, 0) if abs(dx) > abs(dy) else (0, sy)
    places, place = [], start
    for step in [first] * straight + [(sx, sy)] * slanted:
        place = (place[0] + step[0], place[1] + step[1])
        places.append(place)
    return places[:-1]


@settings(max_examples=100)
@given(questions(12, 10))
def test_every_piece_on_every_board(question: Question):
    board, movement, square, occupied = question
    places = {board.place(s) for s in range(board.squares) if occupied >> s & 1}
    found = attacks_of(board, movement, square, occupied)
    attacked = {board.place(s) for s in range(128) if found >> s & 1}
    assert attacked == walked(board, movement, board.place(square), places)


@given(st.sampled_from(Piece), st.integers(0, 63), st.integers(0, CHESS.full))
def test_chess_is_one_of_the_boards(piece: Piece, square: int, occupied: int):
    seen = attacks_of(CHESS, boards.MOVEMENTS[piece], square, occupied)
    assert boards.attack_set(piece, square, occupied) == seen


_HALF = Movement(parse_piece("nA").atoms, (Region((0, 0), (8, 4)),))


@pytest.mark.parametrize(
    ("board", "piece", "squares", "attacked"),
    [
        (XIANGQI, "pR", "b3", ""),
        (XIANGQI, "pR", "b3 b7", "b8 b9 b10"),
        (XIANGQI, "pR", "b3 b7 b9 b10", "b8 b9"),
        (CHESS, "gQ", "a1 d4 a8 f1", "g1 e5"),
        (XIANGQI, "nN", "a1", "c2 b3"),
        (XIANGQI, "nN", "a1 a2", "c2"),
        (XIANGQI, "nN", "a1 b2", "c2 b3"),
        (XIANGQI, "horse-to", "a1 a2", "c2 b3"),  # seen from its target: the leg is there
        (XIANGQI, "horse-to", "a1 b2", ""),
        (XIANGQI, _HALF, "c5", "a3 e3"),
        (XIANGQI, _HALF, "c6", ""),  # outside its region it has no moves
    ],
)
def test_what_is_known_of_a_piece(board: Board, piece: str | Movement, squares: str, attacked: str):
    """On the first of the squares, where the others are occupied."""
    movement = parse_piece(piece) if isinstance(piece, str) else piece
    square, *blockers = map(board.parse, squares.split())
    found = attacks_of(board, movement, square, sum(1 << blocker for blocker in blockers))
    assert " ".join(board.name(s) for s in range(board.squares) if found >> s & 1) == attacked
    elephant = boards.legs_between(XIANGQI, XIANGQI.parse("b1"), XIANGQI.parse("d4"))
    assert [XIANGQI.name(leg) for leg in elephant] == ["b2", "c3"], "janggi's has two"


def test_the_published_number_of_moves():
    """43,764: who moves, whence, where to, what is taken, what a pawn becomes."""
    inner = CHESS.full & ~(0xFF | 0xFF << 56)  # where a pawn may stand, and be taken
    moves = 0
    for name in ("king", "queen", "rook", "bishop", "knight"):
        for square in range(64):
            targets = attacks_of(CHESS, parse_piece(name), square, 0)
            moves += 5 * targets.bit_count() + (targets & inner).bit_count()  # - Q R B N, and P
    for rank in range(2, 8):
        straight, aslant = 8 + 8 * (rank == 2), 14
        moves += 4 * (straight + 4 * aslant) if rank == 7 else straight + 5 * aslant
    en_passant, castling = 14, 2
    assert 2 * (moves + en_passant + castling) == 43_764


# -- masks


@given(questions(6, 6))
def test_masks_and_bundles_have_all_that_matters(question: Question):
    board, movement, square, occupied = question
    mask = boards.least_mask(board, movement, square)
    seen = attacks_of(board, movement, square, occupied)
    assert attacks_of(board, movement, square, occupied & mask) == seen
    assert mask & ~boards.usual_mask(board, movement, square) == 0
    joined = 0
    for bundle in boards.bundles(board, movement, square):
        part = bundle.attacks(
            board, movement, square, occupied & sum(1 << b for b in bundle.blockers)
        )
        assert part & joined == 0
        joined |= part
    assert joined == seen


@settings(max_examples=25)
@given(questions(4, 3))
def test_every_square_of_the_least_mask_matters(question: Question):
    board, movement, square, _ = question
    every = range(1 << board.squares)
    sets = [attacks_of(board, movement, square, occupied) for occupied in every]
    matter = [s for s in range(board.squares) if any(sets[o] != sets[o ^ 1 << s] for o in every)]
    assert boards.least_mask(board, movement, square) == sum(1 << s for s in matter)


def test_squares_that_cannot_matter_are_left_out():
    board, rider = Board(12, 10), parse_piece("NN")
    usual = sum(1 << boards.usual_mask(board, rider, s).bit_count() for s in range(board.squares))
    least = sum(1 << boards.least_mask(board, rider, s).bit_count() for s in range(board.squares))
    assert usual > 8 * least
    # One step forward, blocked or not, and a dabbabarider's first square: c1 is always attacked.
    board = Board(4, 1)
    movement = Movement((Atom("rider", ((1, 0),), 1), Atom("rider", ((1, 0),))))
    assert boards.least_mask(board, movement, 0) == boards.least_mask(board, parse_piece("rR"), 0)


@pytest.mark.parametrize(
    ("board", "piece", "slots"),
    [
        (XIANGQI, "R", 1081344),
        (XIANGQI, "pR", 1081344),
        (Board(12, 10), "B", 211968),
        (Board(12, 10), "sR", 71680),
        (Board(12, 10), "nN", 1280),
        (Board(9, 9), "R", 495616),
    ],
)
def test_the_slots_of_known_engines(board: Board, piece: str, slots: int):
    masks = [boards.usual_mask(board, parse_piece(piece), s) for s in range(board.squares)]
    assert sum(1 << mask.bit_count() for mask in masks) == slots
