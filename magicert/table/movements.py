"""How a piece moves, as a table file says it: a name, Betza's notation, or steps and a rule."""

from typing import Any

from magicert.board import CHESS
from magicert.chess import MOVEMENTS, Piece
from magicert.movement import KINDS, Atom, Movement, Region, Step, moves_at_all
from magicert.problem import suggestion
from magicert.table.values import KeyPath, Values, value_text

_ATOM_KEYS = ("kind", "steps", "limit", "from_target", "region")


_BETZA_KEYS = ("betza", "region")


_FURTHEST = 127


_LONGEST = 100
"""Longest notation of a piece, in characters."""


def movement_of(values: Values, section: dict[str, Any], name: str) -> Movement | None:
    """The movement of the piece of section [name]; None where it cannot be told."""
    path: KeyPath = (name, "piece")
    chess = values.board == CHESS and name in set(Piece)
    if chess and "piece" not in section:
        return MOVEMENTS[Piece(name)]
    from magicert.betza import HEXAGONAL, NAMES, parse_piece

    if "piece" in section:
        movement = _movement_from(values, section["piece"], path)
    elif name in NAMES or name in HEXAGONAL:
        movement = parse_piece(name)
    else:
        near = suggestion(name, NAMES) or suggestion(name, HEXAGONAL)
        message = f"missing: {name!r} is no piece's name; expected piece = a name, such as "
        message += "cannon, or Betza's notation, such as pR"
        values.problem(path, ": ".join(filter(None, [message, near])))
        return None
    if chess and movement is not None:
        if movement.rules != MOVEMENTS[Piece(name)].rules:
            message = f"does not move as chess's {name}: expected another name for the section"
            values.problem(path, message)
        return MOVEMENTS[Piece(name)]
    return _with_moves(values, movement, path) if movement is not None else None


def _movement_from(values: Values, value: object, path: KeyPath) -> Movement | None:
    if isinstance(value, str):
        return _notation(values, value, path)
    if isinstance(value, list) and value:
        return _joined(values, value, path)
    if isinstance(value, dict):
        return _joined(values, [value], path, single=True)
    expected = "a piece's name, Betza's notation, or { kind = ..., steps = ... }"
    values.problem(path, f"{value_text(value)}: expected {expected}")
    return None


def _notation(values: Values, text: str, path: KeyPath) -> Movement | None:
    if len(text) > _LONGEST:
        values.problem(path, f"{value_text(text)}: expected at most {_LONGEST} characters")
        return None
    try:
        from magicert.betza import parse_piece

        return parse_piece(text, values.board if values.rows is not None else None)
    except ValueError as error:
        values.problem(path, str(error))
        return None


def _joined(
    values: Values, parts: list[Any], path: KeyPath, single: bool = False
) -> Movement | None:
    """A piece of parts: `{ kind, steps ... }` each, or one `{ betza, region }`."""
    before = len(values.problems)
    atoms: list[Atom] = []
    regions: list[tuple[Region, ...]] = []
    name = ""
    for place, value in enumerate(parts):
        here = path if single else (*path, place)
        part = values.section(value, here)
        betza = "betza" in part
        values.known(here, part, _BETZA_KEYS if betza else _ATOM_KEYS)
        if betza:
            movement = _notation(values, values.text(part, (*here, "betza"), required=True), here)
            atoms += movement.atoms if movement else ()
            name = movement.name if movement and single else ""
        else:
            atoms += _atom(values, part, here)
        if betza and movement and movement.regions:
            if "region" in part:
                message = "regions behind the @ as well: expected one of them"
                values.problem((*here, "region"), message)
            regions.append(movement.regions)
        elif "region" in part:
            regions.append(_regions(values, part["region"], (*here, "region")))
    if len(set(regions)) > 1:
        values.problem(path, "several regions: expected the same one in all parts")
    if len(values.problems) > before or not atoms:
        return None
    return Movement(tuple(dict.fromkeys(atoms)), regions[0] if regions else (), name)


def _atom(values: Values, part: dict[str, Any], path: KeyPath) -> list[Atom]:
    """The atom that a part describes, or nothing where it does not."""
    before = len(values.problems)
    kind = values.choice(part, (*path, "kind"), KINDS, "")
    steps = _steps(values, part.get("steps"), (*path, "steps"))
    limit = values.integer(part.get("limit", 0), (*path, "limit"), 0, _FURTHEST, "a limit")
    from_target = part.get("from_target", False)
    if not isinstance(from_target, bool):
        message = f"{value_text(from_target)}: expected true or false"
        values.problem((*path, "from_target"), message)
    if len(values.problems) > before:
        return []
    try:
        (checked,) = (known for known in KINDS if known == kind)
        return [Atom(checked, steps, limit, from_target)]
    except ValueError as error:
        values.problem(path, str(error))
        return []


def _steps(values: Values, value: object, path: KeyPath) -> tuple[Step, ...]:
    if not isinstance(value, list) or not value:
        actual = "missing" if value is None else value_text(value)
        values.problem(path, f"{actual}: expected a list of steps, such as [[0, 1], [1, 2]]")
        return ()
    steps: list[Step] = []
    for place, step in enumerate(value):
        here = (*path, place)
        if not isinstance(step, list) or len(step) != 2:
            message = f"{value_text(step)}: expected files to the right and ranks up, as [1, 2]"
            values.problem(here, message)
            continue
        low, what = -_FURTHEST, "a number of files or ranks"
        across, up = (
            values.integer(number, (*here, axis), low, _FURTHEST, what)
            for axis, number in enumerate(step)
        )
        board = values.board
        if values.rows is not None and (abs(across) >= board.files or abs(up) >= board.ranks):
            message = f"the step [{across}, {up}] leaves the board {board} from every square"
            values.problem(here, message)
        steps.append((across, up))
    return tuple(steps)


def _regions(values: Values, value: object, path: KeyPath) -> tuple[Region, ...]:
    parts = value if isinstance(value, list) else [value]
    if not parts:
        values.problem(path, 'empty: expected squares, such as "a1-i5"')
    places = [(path, parts[0])] if not isinstance(value, list) else [
        ((*path, place), part) for place, part in enumerate(parts)
    ]  # fmt: skip
    read_regions = (_region(values, part, here) for here, part in places)
    regions = tuple(dict.fromkeys(region for region in read_regions if region is not None))
    try:
        from magicert.betza import refuse_overlaps

        refuse_overlaps(regions)
    except ValueError as error:
        values.problem(path, str(error))
    return regions


def _region(values: Values, value: object, path: KeyPath) -> Region | None:
    from magicert.betza import parse_region

    text = value if isinstance(value, str) else value_text(value)
    try:
        return parse_region(text, values.board if values.rows is not None else None)
    except ValueError as error:
        values.problem(path, str(error))
        return None


def _with_moves(values: Values, movement: Movement, path: KeyPath) -> Movement | None:
    """The piece, unless it attacks nothing from any square."""
    if values.rows is None or moves_at_all(values.board, movement):
        return movement
    message = f"a piece without moves: it attacks nothing from any square of {values.board}"
    values.problem(path, message)
    return None
