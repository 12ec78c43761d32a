"""The board's own answer as words: each piece walks square by square, as `magicert.board` says.

Written apart from every attack function, and as plain as the walk itself: a square is attacked if
all squares on the way to it are empty. Bit s of a word is square s, a1 = 0.
"""

from collections.abc import Callable, Iterable, Iterator

from magicert.board import Board
from magicert.functions.execute import words
from magicert.functions.execute.words import Word
from magicert.movement import Atom, Movement, Step, allowed_squares, legs_between

Empty = Callable[[int], Word]
"""Whether a square is empty."""


def emptiness(occupied: Word) -> Empty:
    """What an occupancy says of each square."""
    return lambda square: words.not_(words.extract(occupied, 1, square))


def attack_set(board: Board, movement: Movement, square: int, empty: Empty) -> Word:
    """The squares that a piece attacks."""
    return _board_of(board, reached(board, movement, square, empty))


def _board_of(board: Board, attacked: Iterable[tuple[int, Word]]) -> Word:
    conditions = dict.fromkeys(reversed(range(board.word)), words.boolean(False))
    for target, condition in attacked:
        conditions[target] = words.or_(conditions[target], condition)
    return words.concat(*conditions.values())


def reached(
    board: Board, movement: Movement, square: int, empty: Empty
) -> Iterator[tuple[int, Word]]:
    """Squares that a piece attacks, each with the condition for it; one may come several times."""
    allowed = allowed_squares(board, movement, square)
    for atom in movement.atoms:
        for step in atom.steps:
            yield from _step(board, atom, square, step, empty, allowed)


def _step(
    board: Board, atom: Atom, square: int, step: Step, empty: Empty, allowed: int
) -> Iterator[tuple[int, Word]]:
    line: list[int] = []
    for target in board.line(square, step):
        if not allowed >> target & 1:
            break
        line.append(target)
    match atom.kind:
        case "lame leaper":
            for target in line[:1]:
                ends = (target, square) if atom.from_target else (square, target)
                legs = legs_between(board, *ends)
                if all(map(board.has, legs)):  # the way does not lead over a hole
                    yield target, _all(map(empty, legs))
        case "rider":
            for n, target in enumerate(line):
                if not atom.limit or n < atom.limit:
                    yield target, _all(map(empty, line[:n]))
        case "hopper":
            for n, hurdle in enumerate(line):
                first = words.and_(_all(map(empty, line[:n])), words.not_(empty(hurdle)))
                for m, target in enumerate(line[n + 1 :], 1):
                    if not atom.limit or m <= atom.limit:
                        yield target, words.and_(first, _all(map(empty, line[n + 1 : n + m])))


def _all(conditions: Iterator[Word]) -> Word:
    result = words.boolean(True)
    for condition in conditions:
        result = words.and_(result, condition)
    return result


def set_wise(board: Board, movement: Movement, sliders: Word, empty: Empty) -> Word:
    """The squares that pieces on all squares of a set attack, each as if it were there alone."""
    reached_squares = (
        (target, words.and_(words.extract(sliders, 1, square), condition))
        for square in range(board.squares)
        for target, condition in reached(board, movement, square, empty)
    )
    return _board_of(board, reached_squares)


def xray(board: Board, movement: Movement, square: int, occupied: Word, blockers: Word) -> Word:
    """X-ray: what is attacked in addition once the attacked ones among `blockers`, all of which are
    occupied, are gone.
    """
    first = attack_set(board, movement, square, emptiness(occupied))
    gone = words.and_(blockers, first)
    rest = words.xor(occupied, gone)
    return words.xor(first, attack_set(board, movement, square, emptiness(rest)))
