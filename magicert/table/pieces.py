"""A piece's section of a table file: its formulas, their numbers, its place in the buffer."""

import re
from typing import Any

from magicert.betza import NAMES, parse_piece
from magicert.board import (
    CHESS,
    KINDS,
    MOVEMENTS,
    Atom,
    Board,
    Movement,
    Piece,
    Region,
    Step,
    attacks_of,
)
from magicert.formula import Formula, parse
from magicert.formula.parse import tokenize
from magicert.formula.tree import FUNCTIONS, LINE, OCCUPANCY, WORD
from magicert.problem import InputError, listed, suggestion
from magicert.table.locate import KeyPath
from magicert.table.model import HALF_BOARD, MASK_RULES, MAX_BUFFER, MaskRule, PieceTable
from magicert.table.values import Values, found_text, key_text

# How a piece moves, as a table file says it: a name, Betza's notation, or steps and a rule.

_ATOM_KEYS = ("kind", "steps", "limit", "from_target", "region")
_BETZA_KEYS = ("betza", "region")
_FURTHEST = 127
_LONGEST = 100
"""Longest notation of a piece, in characters."""


def movement_of(values: Values, section: dict[str, Any], name: str) -> Movement | None:
    """The movement of the piece of section [name]; None where it cannot be told."""
    path: KeyPath = (name, "piece")
    if "piece" in section:
        found = _given(values, section["piece"], path)
    elif name in NAMES:
        found = parse_piece(name)
    else:
        near = suggestion(name, NAMES)
        message = f"missing: {name!r} is no piece's name; expected piece = a name, such as "
        message += "cannon, or Betza's notation, such as pR"
        values.problem(path, ": ".join(filter(None, [message, near])))
        return None
    chess = values.board == CHESS and name in set(Piece)
    if chess and found is not None:
        if not _alike(found, MOVEMENTS[Piece(name)]):
            message = f"does not move as chess's {name}: expected another name for the section"
            values.problem(path, message)
        return MOVEMENTS[Piece(name)]
    return _with_moves(values, found, path) if found is not None else None


def _alike(one: Movement, other: Movement) -> bool:
    """Whether two pieces have the same atoms and regions, in whatever order."""
    return _in_order(one) == _in_order(other) and set(one.regions) == set(other.regions)


def _in_order(movement: Movement) -> set[tuple[object, ...]]:
    return {
        (atom.kind, step, atom.limit, atom.from_target)
        for atom in movement.atoms
        for step in atom.steps
    }


def _given(values: Values, value: object, path: KeyPath) -> Movement | None:
    if isinstance(value, str):
        return _notation(values, value, path)
    if isinstance(value, list) and value:
        return _joined(values, value, path)
    if isinstance(value, dict):
        return _joined(values, [value], path, single=True)
    expected = "a piece's name, Betza's notation, or { kind = ..., steps = ... }"
    values.problem(path, f"{found_text(value)}: expected {expected}")
    return None


def _notation(values: Values, text: str, path: KeyPath) -> Movement | None:
    if len(text) > _LONGEST:
        values.problem(path, f"{found_text(text)}: expected at most {_LONGEST} characters")
        return None
    try:
        return parse_piece(text)
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
            found = _notation(values, values.text(part, (*here, "betza"), required=True), here)
            atoms += found.atoms if found else ()
            name = found.name if found and single else ""
        else:
            atoms += _atom(values, part, here)
        if "region" in part:
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
        message = f"{found_text(from_target)}: expected true or false"
        values.problem((*path, "from_target"), message)
    if len(values.problems) > before:
        return []
    try:
        (checked,) = (one for one in KINDS if one == kind)
        return [Atom(checked, steps, limit, from_target)]
    except ValueError as error:
        values.problem(path, str(error))
        return []


def _steps(values: Values, value: object, path: KeyPath) -> tuple[Step, ...]:
    if not isinstance(value, list) or not value:
        found = "missing" if value is None else found_text(value)
        values.problem(path, f"{found}: expected a list of steps, such as [[0, 1], [1, 2]]")
        return ()
    steps: list[Step] = []
    for place, step in enumerate(value):
        here = (*path, place)
        if not isinstance(step, list) or len(step) != 2:
            message = f"{found_text(step)}: expected files to the right and ranks up, as [1, 2]"
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
    found = (_region(values, part, here) for here, part in places)
    return tuple(dict.fromkeys(region for region in found if region is not None))


def _region(values: Values, value: object, path: KeyPath) -> Region | None:
    corners = value.split("-") if isinstance(value, str) else []
    if len(corners) != 2:
        message = f'{found_text(value)}: expected two corners, such as "a1-i5"'
        values.problem(path, message)
        return None
    if values.rows is None:  # nothing is known of the board
        return None
    try:
        (file, rank), (other_file, other_rank) = (
            values.board.place(values.board.parse(corner.strip())) for corner in corners
        )
    except ValueError as error:
        values.problem(path, str(error))
        return None
    return Region(
        (min(file, other_file), min(rank, other_rank)),
        (max(file, other_file), max(rank, other_rank)),
    )


def _with_moves(values: Values, movement: Movement, path: KeyPath) -> Movement | None:
    """The piece, unless it attacks nothing from any square."""
    if values.rows is None or moves_at_all(values.board, movement):
        return movement
    message = f"a piece without moves: it attacks nothing from any square of {values.board}"
    values.problem(path, message)
    return None


def moves_at_all(board: Board, movement: Movement) -> bool:
    """Whether a piece attacks anything, from some square.

    If it does, then on the empty board or, as a hopper, on the full one.
    """
    return any(
        attacks_of(board, movement, square, occupied)
        for square in range(board.squares)
        for occupied in (0, board.full)
    )


MASK = "mask"
MAX_OFFSET = 1 << 40
_PIECE_KEYS = (
    "index", "result", "offset", "square_size", "buffer_size", "literal",
    "attack_sets", "set_offset", "literal_sets", "piece",
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PIECE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


def is_piece(key: str, value: object) -> bool:
    """Whether a key at the top of a file is a piece's section: chess's, or one with an index."""
    return key in set(Piece) or (
        isinstance(value, dict) and bool({"index", "piece"} & value.keys())
    )


def piece_table(
    values: Values, section: dict[str, Any], name: str, shared: bool, two_level: bool
) -> PieceTable | None:
    """The piece of section [name]; None where it cannot be read."""
    path: KeyPath = (name,)
    if not _PIECE_NAME.fullmatch(name):
        message = "expected a name of at most 40 letters, digits, - and _, a letter first"
        values.problem(path, message)
    movement = movement_of(values, section, name)
    if values.rows is not None and values.rows < values.board.squares and name not in set(Piece):
        message = f'expected rook or bishop with board = "{HALF_BOARD}"'
        values.problem(path, message)
    given = {key for key in section if key not in _PIECE_KEYS and _NAME.fullmatch(key)} - {
        OCCUPANCY,
        *FUNCTIONS,
    }
    index = _parsed(values, section, (name, "index"), given | {MASK}, OCCUPANCY)
    result_names = given | {OCCUPANCY, MASK, LINE}
    result = _parsed(values, section, (name, "result"), result_names, WORD)
    _refuse_misplaced(values, section, path, shared, two_level)
    rule, parameters = _parameters(values, section, path, given)
    table = PieceTable(
        piece=Piece(name) if values.board == CHESS and name in set(Piece) else name,
        movement=movement or MOVEMENTS[Piece.ROOK],
        index=index or parse("0"),
        parameters=parameters,
        result=result,
        offset=values.optional(section, (name, "offset"), -MAX_OFFSET, MAX_OFFSET, "an offset"),
        square_size=values.optional(section, (name, "square_size"), 1, MAX_BUFFER, "a size"),
        buffer_size=values.size(section, (name, "buffer_size")),
        literal=values.sidecar(section, (name, "literal")),
        attack_sets=values.size(section, (name, "attack_sets")),
        set_offset=values.optional(section, (name, "set_offset"), 0, MAX_BUFFER, "an offset"),
        literal_sets=values.sidecar(section, (name, "literal_sets")),
        masks=rule,
    )
    return table if index and movement else None


def _refuse_misplaced(
    values: Values, section: dict[str, Any], path: KeyPath, shared: bool, two_level: bool
) -> None:
    for key in ("buffer_size", "literal"):
        if shared and key in section:
            message = 'buffer = "shared": expected at the top of the file'
            values.problem((*path, key), message)
    for key in ("attack_sets", "set_offset", "literal_sets"):
        if not two_level and key in section:
            values.problem((*path, key), "only for a table with [two_level]")


def _parameters(
    values: Values, section: dict[str, Any], path: KeyPath, given: set[str]
) -> tuple[MaskRule, dict[str, tuple[int, ...]]]:
    """The masks' rule, and the values of all names of the formulas."""
    # A formula that does not parse still shows which names it means to use.
    text = f"{section.get('index', '')} {section.get('result', '')}"
    used = {t.text for t in tokenize(text, []) if t.kind == "name"} - {OCCUPANCY, *FUNCTIONS}
    if "result" in section:
        used.discard(WORD)
    ruled = next((rule for rule in MASK_RULES if section.get(MASK) == rule), None)
    called = isinstance(section.get(MASK), str) and not section[MASK][:1].isdigit()
    if called and not ruled:
        message = f"{found_text(section[MASK])}: expected {' or '.join(MASK_RULES)}, or numbers"
        values.problem((*path, MASK), message)
    parameters = {
        key: values.word(section[key], (*path, key))
        for key in section
        if key not in _PIECE_KEYS
        and not (key == MASK and called)
        and _is_parameter(values, key, used, given, path)
    }
    for place, word in enumerate(parameters.get(MASK, ())):
        beyond = word & ~values.board.full
        if beyond and values.rows is not None:
            bit = beyond.bit_length() - 1
            message = f"{word:#x}: bit {bit} is no square of {values.board}: expected bits below "
            where = (*path, MASK, place) if isinstance(section[MASK], list) else (*path, MASK)
            values.problem(where, message + str(values.board.squares))
    return ruled or "usual", parameters


def _is_parameter(values: Values, key: str, used: set[str], given: set[str], path: KeyPath) -> bool:
    if key not in given:
        values.problem((*path, key), f"{key!r} cannot be the name of a parameter")
        return False
    if key not in used and key != MASK:
        names, keys = listed(sorted(used)) or "none", listed(_PIECE_KEYS)
        message = f"unknown key: the index formula uses {names}; other keys are {keys}"
        values.problem((*path, key), message)
    return True


def _parsed(
    values: Values, section: dict[str, Any], path: KeyPath, names: set[str], needed: str
) -> Formula | None:
    """A formula that must use `needed`; None if it is none."""
    key = path[-1]
    if key == "result" and key not in section:
        return None
    text = values.text(section, path, required=True)
    if not text:
        return None
    try:
        formula = parse(text, names | {needed}, values.board.word)
    except InputError as error:
        line = values.places.line(path)
        at = key_text(path)
        values.problems.extend(p.at(values.file, at, line) for p in error.problems)
        return None
    if needed not in formula.names:
        values.problem(path, f"the formula {text[:60]!r} does not use {needed}")
    return formula
