"""Where a table conflicts: a simpler rule of movement under which the same numbers are right.

    elephant on 9x10, conflicts on 30 squares -> right if it does not leave its half of the board

Such a rule is a hint below a verdict, which stays: what the engine means, its numbers do not say.
Each candidate is verified exhaustively, as any table is, with the masks that belong to it. Only
rules are tried that engines are known to have: Pikafish's elephant stays in its half and its horse
is looked up from its target, too; Fairy-Stockfish has a table for each line of a piece.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from magicert.betza import FROM_TARGET, lines_of, parse_piece
from magicert.board import Board
from magicert.movement import Atom, Movement, Region, least_mask
from magicert.problem import InputError
from magicert.table.files import TableFile
from magicert.table.write import movement_toml
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

RIGHT_IF = "is right if"
"""What every hint says."""
MOST_LOOKUPS = 1 << 20
"""A rule with more is not tried: nobody waits for a hint."""
_LINES = {
    "h": "attacks along its rank only", "v": "attacks along its file only",
    "d": "attacks along its diagonal to the right only",
    "a": "attacks along its diagonal to the left only",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OtherRule:
    """A simpler way to move, and what it is, as in "does not leave its half of the board"."""

    text: str
    movement: Movement
    least_wrong: float = 0.1
    """It explains only what is wrong on more than this part of the squares: a simpler piece finds
    room in a list of another, so it would explain each number that is wrong by itself.
    """


def other_rules(board: Board, movement: Movement) -> Iterator[OtherRule]:
    """The rules to try, those with few enough lookups."""
    for rule in _rules(board, movement):
        masks = (least_mask(board, rule.movement, square) for square in range(board.squares))
        if sum(1 << mask.bit_count() for mask in masks) <= MOST_LOOKUPS:
            yield rule


def _rules(board: Board, movement: Movement) -> Iterator[OtherRule]:
    if not movement.regions and board.ranks % 2 == 0:
        middle, last, top = board.ranks // 2, board.files - 1, board.ranks - 1
        halves = (Region((0, 0), (last, middle - 1)), Region((0, middle), (last, top)))
        text = "does not leave its half of the board"
        yield OtherRule(text, replace(movement, regions=halves))
    if (turned := _turned(movement)) is not None:
        yield turned
    for suffix, line in lines_of(movement).items():
        if line.name and line.atoms != movement.atoms:
            yield OtherRule(_LINES[suffix], line, least_wrong=0.5)


def _turned(movement: Movement) -> OtherRule | None:
    """A lame leaper as seen from its target, where it has a name; and the other way round."""
    for name in FROM_TARGET:
        seen = parse_piece(name).atoms
        forth = tuple(replace(atom, from_target=False) for atom in seen)
        steps = _steps(movement.atoms)
        if steps == _steps(forth):
            text = "is seen from its target"
            return OtherRule(text, replace(movement, atoms=seen, name=name))
        if steps == _steps(seen):
            text = "is seen from its own square"
            return OtherRule(text, replace(movement, atoms=forth, name=name.removesuffix("-to")))
    return None


def _steps(atoms: tuple[Atom, ...]) -> set[tuple[object, ...]]:
    return {(a.kind, step, a.limit, a.from_target) for a in atoms for step in a.steps}


def explained(
    board: Board,
    movements: Mapping[str, Movement],
    is_right: Callable[[Mapping[str, Movement]], bool],
    conflicts: Mapping[str, int],
) -> dict[str, OtherRule]:
    """Rules for some of the pieces, by name, under which everything is right; none if there are
    none. `is_right` says it of pieces, all or some of them, that move so. `conflicts` is on how
    many squares each is wrong.
    """
    rules: dict[str, OtherRule] = {}
    for piece, movement in movements.items():
        if len(movements) > 1 and is_right({piece: movement}):
            continue
        wrong = conflicts.get(piece, board.squares) / len(board.playable)
        for rule in other_rules(board, movement):
            if wrong > rule.least_wrong and is_right({piece: rule.movement}):
                rules[piece] = rule
                break
        else:
            return {}
    together = {**movements, **{piece: rule.movement for piece, rule in rules.items()}}
    return rules if len(movements) == 1 or is_right(together) else {}


def wrong_squares(report: Report) -> dict[str, int]:
    """On how many squares each piece has a finding, of those that have one."""
    squares = {square for finding in report.findings for square in finding.squares}
    return dict(Counter(square.rpartition(" ")[0] for square in squares))


def with_hints(file: TableFile, report: Report) -> Report:
    """A report with a note on each piece whose conflicts a simpler rule explains."""
    table = file.table
    if table.is_chess() or not report.findings or table.two_level is not None:
        return report

    def is_right(movements: Mapping[str, Movement]) -> bool:
        pieces = {
            name: replace(table.pieces[name], movement=moves) for name, moves in movements.items()
        }
        joined = {name: j for name, j in table.joined.items() if pieces.keys() >= {*j.parts}}
        return _is_valid(replace(file, table=replace(table, pieces=pieces, joined=joined)))

    movements = {name: piece.movement for name, piece in table.pieces.items()}
    rules = explained(table.board, movements, is_right, wrong_squares(report))
    notes = [
        f"the {name} {RIGHT_IF} it {rule.text}: in [{name}], piece = "
        + movement_toml(rule.movement)
        for name, rule in rules.items()
    ]
    return replace(report, notes=[*notes, *report.notes]) if notes else report


def _is_valid(file: TableFile) -> bool:
    try:
        return verify(file).verdict == "valid"
    except InputError:  # a shift reaches the word's width, a sidecar is of another length, ...
        return False
