"""What a function's sets on the empty board say of the order in which it numbers the squares, and
what they say with its own square alone of whether it wants that to be occupied.

    named as f, without --order     f(0, 0) is the rook's set on a8, f(8, 0) that on a7, ...
    ->  not decided: on the empty board it gives the set of square ^ 56

Where the user has not said how the squares are numbered, or in which order words are given, that
is a guess, and a guess refutes nobody. Nor does an occupancy that a function may never be given:
without a piece on its own square, or with one, if all its sets are wrong for that alone. Nor does a
square on which no pawn stands.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from magicert.betza import parse_piece
from magicert.board import CHESS, Board, squares_of
from magicert.functions.certificate import FunctionReport, SquareReport
from magicert.functions.compare.claim import PAWNS
from magicert.functions.compare.layout import HALF, Layout, layout_of, layouts_of
from magicert.functions.compile.compilers import language_of
from magicert.functions.question import FunctionQuestion
from magicert.movement import attacks_of

TURNS = (63, 56, 7)
"""How chess's numbers change if the board is seen from another side."""


_NO_PAWNS = {"fF": "1", "bF": "8"}
"""The rank on which a side has no pawns, by their captures."""
ANOTHER_ORDER = "right with --order "
"""What says that a function is right in another order of squares: in those that stand behind."""
SAY_SO = "name a call with"
"""What says that a function is right if it is called with other numbers of squares."""
ON_ITSELF, OFF_ITSELF = "name a call that occupies it", "name a call that empties it"
"""What says that a function is right with its own square occupied alone, or empty alone."""
_ONE = {"rust": "1u64 << square", "zig": "@as(u64, 1) << @intCast(square)"}
"""The set of a square, where it is not as C has it."""


def unless_in_another_order(report: FunctionReport, question: FunctionQuestion) -> FunctionReport:
    """What is refuted, but where the function is right on the empty board in an order of squares or
    words that the user has not excluded, or with its own square occupied, or only without that. A
    call says the words and what is occupied, and not the order.
    """
    if report.verdict != "invalid":
        return report
    order, board = question.order, question.board
    own = hint = ""
    if "(" not in report.name:
        language = language_of(question.sources[0])
        own = own_square_hint(report, order, board, language)
        hint = words_hint(report, order, board) or own
        hint = hint or off_itself_hint(report, order, board, language)
    if not hint and not question.states_order:
        hint = order_hint(report, order, board) or bits_hint(report, order, board)
    hint = hint or no_pawn_hint(report, board)
    if not hint:
        return report
    numbers = _numbers(order, board)
    squares = (
        one if own and _is_on_itself(one, numbers) else one.undecided_if_refuted(hint)
        for one in report.squares
    )
    return replace(report, squares=tuple(squares))


def own_square_hint(report: FunctionReport, order: str, board: Board, language: str = "c") -> str:
    """That a function of chess is right where its own square alone is occupied, and not where none
    is, on all squares of which that is known; "" where it is not so.
    """
    if report.kind != "attacks" or board != CHESS:
        return ""
    expected = _expected(report, layout_of(order, board))
    alone, empty = _alone_sets(report, order, board), empty_sets(report, order, board)
    is_known = any(alone) and not (None in alone and report.is_finished)
    if not is_known or not _agree(alone, expected) or _agree(empty, expected):
        return ""
    message = (
        "with its own square alone occupied it is right, and on the empty board it is not: if "
    )
    message += f"that is how it is called, {ON_ITSELF}"
    call = f", as in {call_on_or_off_itself(report.name, language, on=True)}"
    return message + ("" if "(" in report.name else call)


def off_itself_hint(report: FunctionReport, order: str, board: Board, language: str) -> str:
    """That a function of chess is right wherever its own square is empty, and never where that
    alone is occupied, on all squares of which that is known; "" where it is not so.
    """
    refuted = [one for one in report.squares if one.outcome == "refuted"]
    is_of_chess = report.kind == "attacks" and board == CHESS
    is_known = len(report.squares) == 64 or not report.is_finished
    if not (is_of_chess and is_known and refuted) or not all(one.off_itself for one in refuted):
        return ""
    expected = _expected(report, layout_of(order, board))
    alone = _alone_sets(report, order, board)
    if any(one and one in right for one, right in zip(alone, expected, strict=True)):
        return ""
    call = call_on_or_off_itself(report.name, language, on=False)
    message = "it is right wherever its own square is empty, and wrong on each that is occupied: "
    return f"{message}if it is never called so, {OFF_ITSELF}, as in {call}"


def call_on_or_off_itself(name: str, language: str, *, on: bool) -> str:
    """The call of a function with its own square occupied, or empty, whatever else is."""
    one = set_of_square(language)
    changed = f"| {one}" if on else f"& {'!' if language == 'rust' else '~'}({one})"
    return f"{name}(square, occupied {changed})"


def set_of_square(language: str) -> str:
    """The set of a square alone, as a call of that language has it."""
    return _ONE.get(language, "1ull << square")


def bits_hint(report: FunctionReport, order: str, board: Board) -> str:
    """That a function of chess numbers its squares in this order, and the bits of its sets in
    another one, by its sets on the empty board; "" where it is not so.
    """
    turns = _turns(report, _all_sets(report, order, board), layout_of(order, board))
    found = next((one for one in turns if one[0] != order), None)
    if found is None:
        return ""
    name, turned = found
    return (
        f"on the empty board its squares are numbered as --order {order} says, and the bits of its "
        f"sets as {name}: {SAY_SO} --order {name}, as in {turned_call(report, turned)}"
    )


def turned_call(report: FunctionReport, turned: int) -> str:
    """The call of a function with the board seen from another side."""
    if re.search(r"\bsquare\b", report.name):
        alone = re.sub(r"(?<=[(\[])square(?=[)\],])", f"square ^ {turned}", report.name)
        return re.sub(r"\bsquare\b(?! \^)", f"(square ^ {turned})", alone)
    words = (f"square ^ {turned}" if word == "square" else word for word in report.takes)
    return f"{report.name}({', '.join(words)})"


def turn_for_all(
    reports: Sequence[FunctionReport], question: FunctionQuestion
) -> tuple[str, int] | None:
    """The order, and how the numbers of squares are changed, with which all functions are right on
    the empty board; None where there is none, or where that is not known of one.
    """
    order, board = question.order, question.board
    layout = layout_of(order, board)
    each = [{*_turns(one, _all_sets(one, order, board), layout)} for one in reports]
    return min(set.intersection(*each), default=None) if each else None


def _turns(
    report: FunctionReport, sets: Sequence[int | None], layout: Layout
) -> Iterator[tuple[str, int]]:
    """Orders and changes with which a function is right on the empty board: first in its own order
    with other squares, then with its squares as they are, and the bits of its sets in another one.
    """
    if layout.board != CHESS or not sets or _agree(sets, _expected(report, layout)):
        return
    others = (other for other in layouts_of(CHESS) if other.name != layout.name)
    for other in (layout, *others):
        expected = _expected(report, other)
        for turned in TURNS:
            as_numbered = (other.squares[n ^ turned] == layout.squares[n] for n in layout.bits)
            if (other.name == layout.name or all(as_numbered)) and _agree(
                sets, [expected[n ^ turned] for n in range(64)]
            ):
                yield other.name, turned


def no_pawn_hint(report: FunctionReport, board: Board) -> str:
    """That a pawn's function of chess gives nothing on the rank behind all of its side's pawns, and
    is wrong nowhere else; "" where it is not so.
    """
    rank = _NO_PAWNS.get(report.piece, "")
    refuted = [one for one in report.squares if one.outcome == "refuted"]
    if board != CHESS or report.kind != "attacks" or not rank or not refuted:
        return ""
    if any(one.square[1:] != rank or one.empty != 0 or one.found != "0x0" for one in refuted):
        return ""
    return (
        f"on rank {rank}, where no {PAWNS[report.piece]} stands, it gives nothing, and no other "
        "square is refuted: if it is asked there, as for what attacks a square, it is wrong"
    )


def _numbers(order: str, board: Board) -> dict[str, int]:
    """The squares by their names, each with the function's number of it."""
    layout = layout_of(order, board)
    return {board.name(layout.squares[n]): n for n in layout.bits}


def _is_on_itself(report: SquareReport, numbers: Mapping[str, int]) -> bool:
    """Whether a square is wrong with itself occupied."""
    occupied = int(report.inputs.get("occupied", "0"), 16)
    return bool(occupied >> numbers[report.square] & 1)


def words_hint(report: FunctionReport, order: str, board: Board) -> str:
    """That a function is right on the empty board if its upper word comes first; "" where not."""
    sets, layout = _all_sets(report, order, board), layout_of(order, board)
    expected = _expected(report, layout) if sets and board.word == 2 * HALF else []
    if not expected or _agree(sets, expected) or not _agree(_exchanged(sets), expected):
        return ""
    message = "on the empty board it is right if its upper word comes first: name a call that "
    return message + "exchanges the words"


def order_hint(report: FunctionReport, order: str, board: Board) -> str:
    """In which order a function that is wrong in this one is right on the empty board, and how that
    is said; "" where it is right in this one, or in no other, as far as it is known.
    """
    sets = _all_sets(report, order, board)
    return next(_hints(report, sets, layout_of(order, board)), "") if sets else ""


def order_for_all(reports: Sequence[FunctionReport], question: FunctionQuestion) -> str:
    """The first other order in which all functions are right on the empty board; "" where there is
    none, or where that is not known of one: an order that suits one may refute another.
    """
    order, board = question.order, question.board
    sets = [_all_sets(report, order, board) for report in reports]
    for layout in layouts_of(board) if all(sets) else ():
        expected = (_expected(report, layout) for report in reports)
        if layout.name != order and all(map(_agree, sets, expected)):
            return layout.name
    return ""


def _all_sets(report: FunctionReport, order: str, board: Board) -> list[int | None]:
    """What a function of attacks gives for the empty board, while it is looked at as far as that is
    known; nothing where all are empty, or one stays unknown.
    """
    sets = empty_sets(report, order, board) if report.kind == "attacks" else []
    is_known = any(sets) and None not in sets
    return sets if is_known or not report.is_finished else []


def _agree(sets: Sequence[int | None], expected: Sequence[Sequence[int]]) -> bool:
    """Whether sets are among those that are expected, as far as they are known."""
    return all(one is None or one in right for one, right in zip(sets, expected, strict=True))


def _alone_sets(report: FunctionReport, order: str, board: Board) -> list[int | None]:
    """What a function gives on each square where that alone is occupied, as `empty_sets` does."""
    alone = {one.square: one.alone for one in report.squares}
    return [alone.get(square) for square in _numbers(order, board)]


def empty_sets(report: FunctionReport, order: str, board: Board) -> list[int | None]:
    """What a function gives for the empty board on each square, by the square's number; None where
    that was not looked at.
    """
    empty = {one.square: one.empty for one in report.squares}
    return [empty.get(square) for square in _numbers(order, board)]


def _hints(report: FunctionReport, sets: Sequence[int | None], layout: Layout) -> Iterator[str]:
    board = layout.board
    expected = _expected(report, layout)
    if _agree(sets, expected):
        return
    for name, turned in _turns(report, sets, layout):
        if name == layout.name:
            message = f"on the empty board it gives the set of square ^ {turned}: if that is how "
            message += f"it numbers squares, {SAY_SO} these numbers, as in "
            yield message + turned_call(report, turned)
    expected_by_order = {other.name: _expected(report, other) for other in layouts_of(board)}
    if right := [name for name, other in expected_by_order.items() if _agree(sets, other)]:
        yield f"on the empty board it is {ANOTHER_ORDER}{' or '.join(right)}"


def _expected(report: FunctionReport, layout: Layout) -> tuple[tuple[int, ...], ...]:
    """The sets of the empty board in an order, by the square's number: one, or nothing as well,
    behind all pawns of a side.
    """
    return _sets_in(layout, report.piece)


@lru_cache(maxsize=256)  # asked for each square that is refuted
def _sets_in(layout: Layout, piece: str) -> tuple[tuple[int, ...], ...]:
    board = layout.board
    movement = parse_piece(piece, board)
    places = [layout.squares[n] for n in layout.bits]
    attacked = (attacks_of(board, movement, place, 0) for place in places)
    sets = [layout.number_given(squares_of(squares)) for squares in attacked]
    rank = _NO_PAWNS.get(piece, "") if board == CHESS else ""
    behind = (bool(rank) and board.name(place)[1:] == rank for place in places)
    return tuple((one, 0) if free else (one,) for one, free in zip(sets, behind, strict=True))


def _exchanged(sets: Sequence[int | None]) -> list[int | None]:
    """Words of two halves, exchanged."""
    low = (1 << HALF) - 1
    return [one and (one >> HALF | (one & low) << HALF) for one in sets]
