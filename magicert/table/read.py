"""From a TOML file to a `Table`, strictly: every problem is reported, nothing is guessed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from magicert.board import CHESS, HEXAGON, orders, parse_board
from magicert.chess import MOVEMENTS, Piece
from magicert.formula import Formula, parse
from magicert.formula.parse import tokenize
from magicert.formula.tree import FUNCTIONS, LINE, MASK, OCCUPANCY, WORD
from magicert.problem import InputError, listed, suggestion
from magicert.table.model import (
    HALF_BOARD,
    MASK_RULES,
    MAX_BUFFER,
    WHOLE_BOARD,
    JoinedPiece,
    MaskRule,
    PieceTable,
    Provenance,
    Table,
    TwoLevel,
)
from magicert.table.movements import movement_of
from magicert.table.values import KeyPath, Values, key_text, value_text

MAX_OFFSET = 1 << 40


NUMBERS_OF = "numbers_of"


_SECOND_KEYS = ("piece", NUMBERS_OF, "attack_sets", "set_offset")
"""Of a piece that makes the lookups of another one."""


_PIECE_KEYS = (
    "index", "result", "offset", "square_size", "buffer_size", "literal",
    "attack_sets", "set_offset", "literal_sets", "piece",
)  # fmt: skip


_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


_PIECE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


def is_piece(key: str, value: object) -> bool:
    """Whether a key at the top of a file is a piece's section: chess's, or one with an index."""
    is_another = isinstance(value, dict) and bool({"index", "piece", NUMBERS_OF} & value.keys())
    return key in set(Piece) or is_another


def is_joined(value: object) -> bool:
    """Whether a section is of a piece that is made of others."""
    return isinstance(value, dict) and "parts" in value


_JOINED_KEYS = ("piece", "parts", "leaps")


def joined_piece(
    values: Values, section: dict[str, Any], name: str, pieces: Iterable[str]
) -> JoinedPiece | None:
    """The joined piece of section [name], whose parts are among `pieces`."""
    _named(values, name)
    values.known((name,), section, _JOINED_KEYS)
    movement = movement_of(values, section, name)
    parts = section["parts"]
    path: KeyPath = (name, "parts")
    if not isinstance(parts, list):
        values.problem(path, f"{value_text(parts)}: expected a list of pieces of this file")
        parts = []
    known = [*pieces]
    for place, part in enumerate(parts):
        message = ""
        if part not in known:
            near = suggestion(part, known) if isinstance(part, str) else ""
            message = near or f"expected one of the sections with an index, {listed(known)}"
        elif part in parts[:place]:
            message = "stands there twice"
        if message:
            values.problem((*path, place), f"{value_text(part)}: {message}")
    leaps = None
    if "leaps" in section:
        leaps = values.word(section["leaps"], (name, "leaps"))
        _inside(values, section["leaps"], leaps, (name, "leaps"))
    return None if movement is None else JoinedPiece(movement, tuple(map(str, parts)), leaps)


def _named(values: Values, name: str) -> None:
    """Refuse a name that no piece can have."""
    if not _PIECE_NAME.fullmatch(name):
        message = "expected a name of at most 40 letters, digits, - and _, a letter first"
        values.problem((name,), message)


def _inside(values: Values, value: object, words: Iterable[int], path: KeyPath) -> None:
    """Refuse bitboards with bits that are no squares of the board."""
    for place, word in enumerate(words):
        beyond = word >> values.board.squares << values.board.squares
        if beyond and values.rows is not None:
            bit = beyond.bit_length() - 1
            message = f"{word:#x}: bit {bit} is no square of {values.board}: expected bits below "
            where = (*path, place) if isinstance(value, list) else path
            values.problem(where, message + str(values.board.squares))


def piece_table(
    values: Values, section: dict[str, Any], name: str, shared: bool, two_level: bool
) -> PieceTable | None:
    """The piece of section [name]; None where it cannot be read."""
    path: KeyPath = (name,)
    _named(values, name)
    movement = movement_of(values, section, name)
    if values.rows is not None and values.rows < values.board.squares and name not in set(Piece):
        message = f'expected rook or bishop with board = "{HALF_BOARD}"'
        values.problem(path, message)
    others = (*_PIECE_KEYS, OCCUPANCY, *FUNCTIONS)
    parameter_names = {key for key in section if key not in others and _NAME.fullmatch(key)}
    index = _parsed(values, section, (name, "index"), parameter_names | {MASK}, OCCUPANCY)
    result_names = parameter_names | {OCCUPANCY, MASK, LINE}
    result = _parsed(values, section, (name, "result"), result_names, WORD)
    _refuse_misplaced(values, section, path, shared, two_level)
    rule, parameters = _parameters(values, section, path, parameter_names)
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


def _piece_of_others(
    values: Values,
    document: dict[str, Any],
    name: str,
    names: Iterable[str],
    others: Mapping[str, PieceTable],
) -> PieceTable | None:
    """The piece of a section with `numbers_of`, which is among `names`; `others` could be read."""
    section, path = document[name], (name, NUMBERS_OF)
    _named(values, name)
    values.known((name,), section, _SECOND_KEYS)
    movement = movement_of(values, section, name)
    first = section[NUMBERS_OF]
    other = others.get(first) if isinstance(first, str) else None
    message = ""
    if first not in names:
        message = f"{value_text(first)}: expected one of the sections with an index"
    elif NUMBERS_OF in document[first]:
        message = f"{value_text(first)} has no index of its own: expected the one whose it has"
    elif values.board == CHESS and name in set(Piece):
        message = "expected an index: chess's rook and bishop have lookups of their own"
    elif "two_level" not in document:
        message = "only for a table with [two_level]"
    elif other is not None:
        message = _not_for_others(other, document)
    if message:
        values.problem(path, message)
    if other is None or movement is None or message:
        return None
    return replace(
        other, piece=name, movement=movement, numbers_of=first,
        attack_sets=values.size(section, (name, "attack_sets")),
        set_offset=values.optional(section, (name, "set_offset"), 0, MAX_BUFFER, "an offset"),
    )  # fmt: skip


def _not_for_others(piece: PieceTable, document: dict[str, Any]) -> str:
    """Why no other piece can make the lookups of this one; "" where one can."""
    name = piece.piece
    if MASK in piece.index.names and MASK not in piece.parameters:
        return f"expected {name} to list its masks: derived ones are of one piece"
    if piece.result is not None:
        return f"expected {name} without a result formula"
    if piece.literal is not None or "literal" in document:
        return "expected no finished buffers: with them each piece has its own index"
    whole = (one for one in document.values() if isinstance(one, dict) and "set_offset" in one)
    if any(not isinstance(one["set_offset"], list) for one in whole):
        return "expected set_offset for each square: one for all numbers a piece by itself"
    return ""


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
    values: Values, section: dict[str, Any], path: KeyPath, parameter_names: set[str]
) -> tuple[MaskRule, dict[str, tuple[int, ...]]]:
    """The masks' rule, and the values of all names of the formulas."""
    # A formula that does not parse still shows which names it means to use; one that is missing
    # may use them all.
    text = f"{section.get('index', ' '.join(section))} {section.get('result', '')}"
    used = {t.text for t in tokenize(text, []) if t.kind == "name"} - {OCCUPANCY, *FUNCTIONS}
    if "result" in section:
        used.discard(WORD)
    ruled = next((rule for rule in MASK_RULES if section.get(MASK) == rule), None)
    called = isinstance(section.get(MASK), str) and not section[MASK][:1].isdigit()
    if called and not ruled:
        message = f"{value_text(section[MASK])}: expected {' or '.join(MASK_RULES)}, or numbers"
        values.problem((*path, MASK), message)
    parameters = {
        key: values.word(section[key], (*path, key))
        for key in section
        if key not in _PIECE_KEYS
        and not (key == MASK and called)
        and _is_parameter(values, key, used, parameter_names, path)
    }
    if MASK in parameters:
        _inside(values, section[MASK], parameters[MASK], (*path, MASK))
    return ruled or "usual", parameters


def _is_parameter(
    values: Values, key: str, used: set[str], parameter_names: set[str], path: KeyPath
) -> bool:
    if key not in parameter_names:
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


# Sizes that the file claims are compared with limits before anything is made of them.

# Which buffers a table has: one or two levels, and the files of finished ones.


def two_level(values: Values, document: dict[str, Any]) -> TwoLevel | None:
    """What the file says of a second level, if it has one."""
    if "two_level" not in document:
        return None
    path: KeyPath = ("two_level",)
    section = values.section(document["two_level"], path)
    values.known(path, section, ("entry_bits", "words", "literal_words"))
    bits = section.get("entry_bits")
    if bits not in (8, 16) or isinstance(bits, bool | float):
        actual = "missing" if bits is None else value_text(bits)
        values.problem((*path, "entry_bits"), f"{actual}: expected 8 or 16")
        bits = 8
    words = values.size(section, (*path, "words"))
    literal_words = values.sidecar(section, (*path, "literal_words"))
    if (words is None) != (literal_words is None):
        present, lacks = ("words", "literal_words")[:: 1 if literal_words is None else -1]
        values.problem((*path, lacks), f"missing: needed with {present}")
    return TwoLevel(bits, words, literal_words)


def literal_pairs(
    values: Values, document: dict[str, Any], pieces: Iterable[str], shared: bool
) -> None:
    """In a two-level table a finished buffer needs its attack sets, and they need it. They are
    of a piece, or words that all pieces share.
    """
    levels = document.get("two_level")
    words = isinstance(levels, dict) and "literal_words" in levels
    for piece in pieces if levels is not None else ():
        section = document[piece]
        if not isinstance(section, dict):
            continue
        literal = "literal" in (document if shared else section)
        if words:
            _words_of_all(values, section, piece, literal)
            continue
        if literal and "literal_sets" not in section:
            values.problem((piece, "literal_sets"), "missing: needed with literal")
        if not literal and "literal_sets" in section:
            values.problem((piece, "literal_sets"), "needs literal: give both or neither")


def _words_of_all(values: Values, section: dict[str, Any], piece: str, literal: bool) -> None:
    """What a piece has, and has not, where all pieces share the words of the second level."""
    for key in ("attack_sets", "literal_sets"):
        if key in section:
            message = "cannot be combined with two_level.literal_words"
            values.problem((piece, key), message)
    if not literal:
        values.problem(("two_level", "literal_words"), "needs literal: give both or neither")
    if "set_offset" not in section:
        values.problem((piece, "set_offset"), "missing: needed with literal_words")


# A table file's keys at the top, its sections, and the table that they make.

FORMAT_VERSION = 1


_BOARD = re.compile(rf"[1-9][0-9]{{0,2}}x[1-9][0-9]{{0,2}}(?:-|\Z)|{HEXAGON}", re.ASCII)
"""How the text of a board begins; `parse_board` says what is wrong with the rest."""


_TOP_KEYS = (
    "magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "literal",
    "two_level", "provenance",
)  # fmt: skip


_PROVENANCE_KEYS = tuple(f.name for f in fields(Provenance))


def read_document(values: Values, document: dict[str, Any]) -> Table:
    """The table of a document; what is wrong goes to the problems of `values`."""
    _version(values, document)
    sections = [key for key in document if key not in _TOP_KEYS]
    joined = [key for key in sections if is_joined(document[key])]
    pieces = [key for key in sections if key not in joined and is_piece(key, document[key])]
    _known(values, document, [*pieces, *joined])
    half_board = _board(values, document)
    order, listing = _orders(values, document)
    shared = values.choice(document, ("buffer",), ("shared", "separate"), "separate") == "shared"
    if not shared:
        for key in ("buffer_size", "literal"):
            if key in document:
                message = 'only for buffer = "shared": expected under each piece'
                values.problem((key,), message)
    levels = two_level(values, document)
    if half_board:
        _refuse_with_half(values, document, joined)
    literal_pairs(values, document, pieces, shared)
    if not pieces:
        chess = values.board == CHESS
        expected = "no [rook] and no [bishop]" if chess else "no piece's section, such as [rook]"
        values.problem((), f"{expected}: expected at least one")
    return Table(
        name=values.text(document, ("name",), required=True),
        pieces=_pieces(values, document, pieces, shared, levels is not None),
        order=order,
        listing=listing,
        shared=shared,
        buffer_size=values.size(document, ("buffer_size",)),
        literal=values.sidecar(document, ("literal",)),
        two_level=levels,
        provenance=_provenance(values, document),
        half_board=half_board,
        board=values.board,
        joined=_joined_pieces(values, document, joined, pieces),
    )


def _pieces(
    values: Values, document: dict[str, Any], names: list[str], shared: bool, two_level: bool
) -> dict[str, PieceTable]:
    """In the file's order: a shared buffer without offsets is filled in that order."""
    by_name: dict[str, PieceTable] = {}
    sections = {name: values.section(document[name], (name,)) for name in names}
    others = [name for name in names if NUMBERS_OF in sections[name]]
    for name in names:
        if name in others:
            continue
        piece = piece_table(values, sections[name], name, shared, two_level)
        if piece is not None:
            by_name[piece.piece] = piece
    found = {name: _piece_of_others(values, document, name, names, by_name) for name in others}
    return by_name | {name: piece for name, piece in found.items() if piece is not None}


def _joined_pieces(
    values: Values, document: dict[str, Any], names: Iterable[str], pieces: list[str]
) -> dict[str, JoinedPiece]:
    joined = {name: joined_piece(values, document[name], name, pieces) for name in names}
    return {name: piece for name, piece in joined.items() if piece is not None}


def _version(values: Values, document: dict[str, Any]) -> None:
    if "magicert" not in document:
        values.problem((), f"no format version: expected magicert = {FORMAT_VERSION}")
    elif type(document["magicert"]) is not int or document["magicert"] != FORMAT_VERSION:
        actual = value_text(document["magicert"])
        values.problem(("magicert",), f"format version {actual}: expected {FORMAT_VERSION}")


def _known(values: Values, document: dict[str, Any], pieces: list[str]) -> None:
    keys = (*_TOP_KEYS, *Piece)
    for key, value in document.items():
        if key in _TOP_KEYS or key in pieces:
            continue
        message = f"unknown key: expected one of {listed(keys)}"
        if isinstance(value, dict):
            message += ", or another piece's section, with an index"
            near = suggestion(key, keys)
            message += f": {near}" if near else ""
        values.problem((key,), message)


def _board(values: Values, document: dict[str, Any]) -> bool:
    """Take the board from the document; whether the table is a half board."""
    board = document.get("board", WHOLE_BOARD)
    if board in (WHOLE_BOARD, HALF_BOARD):
        values.rows = CHESS.squares if board == WHOLE_BOARD else CHESS.squares // 2
        return bool(board == HALF_BOARD)
    values.rows = None
    if not isinstance(board, str) or not _BOARD.match(board):
        expected = f"one of {WHOLE_BOARD}, {HALF_BOARD}, or files and ranks, such as 12x10"
        values.problem(("board",), f"{value_text(board)}: expected {expected}")
        return False
    try:
        values.board = parse_board(board)
        values.rows = values.board.squares
    except ValueError as error:
        values.problem(("board",), str(error))
    return False


def _orders(values: Values, document: dict[str, Any]) -> tuple[str, str]:
    if values.rows is None:  # corners of a board that is not known
        return "a1", "a1"
    known = orders(values.board)
    order = values.choice(document, ("order",), known, "a1")
    return order, values.choice(document, ("listing",), known, order)


def _refuse_with_half(values: Values, document: dict[str, Any], joined: Iterable[str]) -> None:
    """Swapped bytes are swapped ranks only where everything begins with a1; two levels and joined
    pieces are not offered.
    """
    for name in joined:
        message = f'expected no joined piece with board = "{HALF_BOARD}"'
        values.problem((name, "parts"), message)
    for key in ("order", "listing"):
        if document.get(key, "a1") in orders(CHESS)[1:]:
            actual = value_text(document[key])
            values.problem((key,), f'{actual}: expected "a1" with board = "{HALF_BOARD}"')
    if "two_level" in document:
        message = f'a two-level table: expected one level with board = "{HALF_BOARD}"'
        values.problem(("two_level",), message)


def _provenance(values: Values, document: dict[str, Any]) -> Provenance:
    path: KeyPath = ("provenance",)
    section = values.section(document.get("provenance", {}), path)
    values.known(path, section, _PROVENANCE_KEYS)
    fields: dict[str, Any] = {
        key: values.text(section, (*path, key))
        for key in _PROVENANCE_KEYS
        if key in section and key != "seed"
    }
    seed = section.get("seed")
    if seed is not None:
        fields["seed"] = values.integer(seed, (*path, "seed"), 0, (1 << 64) - 1, "a seed")
    return Provenance(**fields)


MAX_FILE = 1 << 21
"""Largest table file, in bytes; a piece needs about 10 KB on 128 squares, 20 KB on 256."""


MAX_PROBLEMS = 200
"""Most problems reported of one file; the rest are counted."""
