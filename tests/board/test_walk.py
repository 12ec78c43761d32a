"""Attack sets of any piece, against a walk over names that shares nothing with it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import (
    CHESS,
    MOVEMENTS,
    Atom,
    Board,
    Movement,
    Piece,
    Region,
    attacks_of,
    legs_between,
)
from magicert.board import attack_set as chess_attacks

Strategy = st.SearchStrategy
Place = tuple[int, int]


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


@settings(max_examples=150)
@given(st.data())
def test_every_piece_on_every_board(
    boards: Strategy[Board], movements: Strategy[Movement], data: st.DataObject
) -> None:
    board, movement = data.draw(boards), data.draw(movements)
    square = data.draw(st.integers(0, board.squares - 1))
    occupied = data.draw(st.integers(0, board.full))
    places = {board.place(s) for s in range(board.squares) if occupied >> s & 1}
    found = attacks_of(board, movement, square, occupied)
    attacked = {board.place(s) for s in range(128) if found >> s & 1}
    assert attacked == walked(board, movement, board.place(square), places)


def names(board: Board, movement: Movement, square: str, *blockers: str) -> str:
    occupied = sum(1 << board.parse(name) for name in blockers)
    found = attacks_of(board, movement, board.parse(square), occupied)
    return " ".join(board.name(s) for s in range(board.squares) if found >> s & 1)


XIANGQI = Board(9, 10)


def test_a_cannon_attacks_behind_one_hurdle() -> None:
    cannon = parse_piece("pR")
    assert names(XIANGQI, cannon, "b3") == ""
    assert names(XIANGQI, cannon, "b3", "b7") == "b8 b9 b10"
    assert names(XIANGQI, cannon, "b3", "b7", "b9", "b10") == "b8 b9"


def test_a_grasshopper_lands_right_behind_its_hurdle() -> None:
    assert names(CHESS, parse_piece("gQ"), "a1", "d4", "a8", "f1") == "g1 e5"


def test_a_horse_is_lamed_by_its_leg() -> None:
    horse = parse_piece("nN")
    assert names(XIANGQI, horse, "a1") == "c2 b3"
    assert names(XIANGQI, horse, "a1", "a2") == "c2"
    assert names(XIANGQI, horse, "a1", "b2") == "c2 b3"


def test_a_horse_seen_from_its_target_has_its_leg_there() -> None:
    horse = parse_piece("horse-to")
    assert names(XIANGQI, horse, "a1", "a2") == "c2 b3"
    assert names(XIANGQI, horse, "a1", "b2") == ""


def test_a_janggi_elephant_has_two_legs() -> None:
    a, e = XIANGQI.parse("b1"), XIANGQI.parse("d4")
    assert [XIANGQI.name(s) for s in legs_between(XIANGQI, a, e)] == ["b2", "c3"]


def test_a_piece_stays_in_its_region() -> None:
    half = Region((0, 0), (8, 4))
    elephant = Movement(parse_piece("nA").atoms, (half,))
    assert names(XIANGQI, elephant, "c5") == "a3 e3"
    assert names(XIANGQI, elephant, "c6") == ""  # outside its region it has no moves


@given(st.sampled_from(Piece), st.integers(0, 63), st.integers(0, CHESS.full))
def test_chess_is_one_of_the_boards(piece: Piece, square: int, occupied: int) -> None:
    assert chess_attacks(piece, square, occupied) == attacks_of(
        CHESS, MOVEMENTS[piece], square, occupied
    )


def test_the_published_number_of_moves() -> None:
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
