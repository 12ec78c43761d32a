"""A piece's section of a table file: its formulas, their numbers, its place in the buffer."""

import re
from typing import Any

from magicert.board import CHESS, MOVEMENTS, Piece
from magicert.formula import Formula, parse
from magicert.formula.tokens import tokenize
from magicert.formula.tree import FUNCTIONS, LINE, OCCUPANCY, WORD
from magicert.problem import InputError, listed
from magicert.table.locate import KeyPath
from magicert.table.model import HALF_BOARD, MASK_RULES, MAX_BUFFER, MaskRule, PieceTable
from magicert.table.moves import movement_of
from magicert.table.values import Values
from magicert.table.words import found_text, key_text

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
