"""Layouts: where squares lie in buffers, while they are packed, as a value, and in a file.

Plain buffers, two-level tables, the scheme that a formula is, and bounds that no layout can beat.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import MOVEMENTS, Piece
from magicert.compact.placements import Choice, Key, Placement, Slots, cell_data, square_data
from magicert.formula import Formula, parse
from magicert.formula.arrays import Words, evaluate, unique
from magicert.formula.tree import OCCUPANCY, Binary, Call, Name, Node, Unary, children, names
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES, scheme_of
from magicert.system.whole_file import write_whole, write_with
from magicert.table import (
    PieceTable,
    Provenance,
    Table,
    TwoLevel,
    chess_pieces,
    parse_table,
)
from magicert.table.model import Values
from magicert.table.read import TableFile
from magicert.table.write import file_text
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.layout import BufferLayout, PieceLayout, lay_out
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Report, to_json
from magicert.verify.table.verifier import verify

MOST_BITS = 13
"""Most index bits of a square."""
MARGIN = 1 << MOST_BITS
"""Spare slots behind the buffer in every array of slots, for squares that reach beyond it:
the kernels do not check bounds."""


RESULT = parse("word & line")
"""What is made of an entry that several squares share."""


def is_masked(result: Formula | None) -> bool:
    """Whether a result is `word & line`."""
    return result is not None and result.tree in (RESULT.tree, parse("line & word").tree)


class Arrangement:
    """Placements by piece and square, and how many squares use each slot, while they are packed.

    Unlike a `Layout` it may be wrong for a while: squares may overlap, so that a search can walk
    through what is not allowed. `overlaps` says how far it is from a layout.
    `capacity` is how many slots the buffer may have at most while it is worked on.
    """

    def __init__(self, placements: Iterable[Placement], capacity: int) -> None:
        self.capacity = capacity
        self.placements: dict[Key, Placement] = {}
        self.count = np.zeros(capacity + MARGIN, dtype=np.int16)
        for placement in placements:
            self.put(placement)

    def put(self, placement: Placement) -> None:
        """Place a square that has no placement."""
        self.placements[placement.key] = placement
        self.count[placement.slots] += 1

    def take(self, key: Key) -> Placement:
        """Take out a square."""
        placement = self.placements.pop(key)
        self.count[placement.slots] -= 1
        return placement

    def replace(self, placement: Placement) -> bool:
        """Give a placed square another placement; False, and nothing done, where that would lie
        outside the buffer.
        """
        if placement.offset + int(placement.used[0]) < 0 or placement.end > self.capacity:
            return False
        self.take(placement.key)
        self.put(placement)
        return True

    def move(self, keys: Iterable[Key], distance: int) -> None:
        """Move squares to the right (or, by a negative distance, to the left)."""
        placements = [self.take(key) for key in keys]
        for placement in placements:
            self.put(placement.at(placement.offset + distance))

    def copy(self) -> "Arrangement":
        new = Arrangement((), self.capacity)
        new.placements = dict(self.placements)
        new.count = self.count.copy()
        return new

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((placement.end for placement in self.placements.values()), default=0)

    @property
    def used_slots(self) -> int:
        """The sum over squares of the slots that each one uses."""
        return sum(len(placement.used) for placement in self.placements.values())

    def used_before(self, end: int) -> NDArray[np.bool_]:
        """Which slots before `end` a square uses."""
        return self.count[:end] > 0

    def is_free(self, placement: Placement) -> bool:
        """Whether no square uses a slot of a placement that is not here."""
        return not self.count[placement.slots].any()

    def overlaps(self) -> int:
        """How many slots too many are used: 0 in a valid arrangement."""
        return int(np.maximum(self.count - 1, 0).sum())

    def overlap_of(self, key: Key) -> int:
        """How many of a square's slots another square uses too."""
        return int(np.count_nonzero(self.count[self.placements[key].slots] > 1))

    def by_offset(self, piece: Piece | None = None) -> list[Key]:
        """The squares from left to right."""
        keys = [key for key in self.placements if piece in (None, key[0])]
        return sorted(keys, key=lambda key: (self.placements[key].offset, key))


# Which of the packing schemes a table's formula is, whatever names its parameters have.
#
# The kernels know schemes with one multiplication and the top bits as index: those that
# declare a product in `magicert.scheme`. `(x & mask) * magic >> shift` is white just as
# `>> (64 - bits)` is; the order of factors and terms does not matter.

_FIXED_NAMES = (OCCUPANCY, "mask")
"""The names that mean the same in every table; what others are called is free."""
_COMMUTATIVE = ("*", "+", "&", "|", "^")


@dataclass(frozen=True, slots=True)
class FormulaShape:
    """A recognised formula: its scheme, and the names or subtrees that play the parts.

    `constant` is the name of the added constant ("" where there is none), `shift` the
    subtree of the shift amount.
    """

    scheme: str
    magic: str
    constant: str
    shift: Node


def shape_of(formula: Formula) -> FormulaShape | None:
    """The shape of a formula, or None where the kernels do not know it."""
    tree = formula.tree
    if not isinstance(tree, Binary) or tree.operator != ">>" or OCCUPANCY in names(tree.right):
        return None
    for name in (name for name, scheme in SCHEMES.items() if scheme.product is not None):
        scheme = scheme_of(name, formula.word)
        pattern = scheme.formula.tree
        if scheme.product is None or not isinstance(pattern, Binary):
            continue
        for bindings in _matches([pattern.left], [tree.left], {}):
            constant = bindings.get(scheme.product.constant, "")
            return FormulaShape(scheme.name, bindings[scheme.free], constant, tree.right)
    return None


def _matches(
    patterns: Sequence[Node], nodes: Sequence[Node], bindings: Mapping[str, str]
) -> Iterator[Mapping[str, str]]:
    """Ways to read nodes as patterns: which name plays the part of each name of the patterns.

    `bindings` are the parts that are given already; two parts have two names.
    """
    if not patterns:
        yield bindings
        return
    pattern, node = patterns[0], nodes[0]
    if isinstance(pattern, Name) and pattern.name not in _FIXED_NAMES:
        if isinstance(node, Name) and node.name not in (*_FIXED_NAMES, *bindings.values()):
            extended = {**bindings, pattern.name: node.name}
            yield from _matches(patterns[1:], nodes[1:], extended)
        return
    if _operation(pattern) != _operation(node):
        return
    operands = children(node)
    orders = [operands]
    if isinstance(node, Binary) and node.operator in _COMMUTATIVE:
        orders.append(operands[::-1])
    for order in orders:
        for parts in _matches(children(pattern), order, bindings):
            yield from _matches(patterns[1:], nodes[1:], parts)


def _operation(node: Node) -> object:
    """What a node is, without its operands."""
    match node:
        case Unary() | Binary():
            return type(node), node.operator
        case Call():
            return node.function
        case _:
            return node


# The layout: who sits where in a buffer, with its figures, and its two ways to a table file.
#
# A layout is a value: what a search has found, or what a table file says. It becomes a
# file only through `publish`, which has every lookup verified by `verify/` first.


@dataclass(frozen=True, slots=True)
class Layout:
    """Placements in one shared buffer, or in one buffer for each piece (`shared` False).

    Squares are numbered in the engine's own bit numbering, `order`; `listing` is the order
    of the rows in a table file. `scheme` is a CellData's.
    """

    scheme: str
    placements: tuple[Placement, ...]
    shared: bool = True
    order: str = "a1"
    listing: str = "a1"

    @property
    def pieces(self) -> tuple[Piece, ...]:
        present = {placement.piece for placement in self.placements}
        return tuple(piece for piece in Piece if piece in present)

    @property
    def buffers(self) -> tuple[tuple[Piece, ...], ...]:
        return (self.pieces,) if self.shared else tuple((piece,) for piece in self.pieces)

    def placements_of(self, pieces: Iterable[Piece]) -> tuple[Placement, ...]:
        """The placements of some pieces."""
        kinds = set(pieces)
        return tuple(placement for placement in self.placements if placement.piece in kinds)

    @property
    def length(self) -> int:
        """The entries of all buffers together."""
        return sum(
            max(placement.end for placement in self.placements_of(pieces))
            for pieces in self.buffers
        )

    @property
    def used_slots(self) -> int:
        """The slots that the squares use, of all buffers together."""
        return sum(
            len(
                np.unique(
                    np.concatenate([placement.slots for placement in self.placements_of(pieces)])
                )
            )
            for pieces in self.buffers
        )

    @property
    def least(self) -> int:
        """What no other offsets can go below: the slots of each square, but for what two squares
        may have in common.
        """
        return sum(
            fewest_slots(placement.words for placement in self.placements_of(pieces))
            for pieces in self.buffers
        )

    @property
    def holes(self) -> int:
        """Slots inside the buffers that nothing uses."""
        return self.length - self.used_slots

    @property
    def shares(self) -> bool:
        """Whether squares lie in each other's holes. False where each has a range of the
        buffer to itself, as in the textbook's tables.
        """
        return any(
            after.slots[0] < before.end
            for pieces in self.buffers
            for before, after in pairwise(
                sorted(self.placements_of(pieces), key=lambda s: s.slots[0])
            )
        )

    def arrangement(self, pieces: Iterable[Piece]) -> Arrangement:
        """The placements of one buffer as a working arrangement."""
        placements = self.placements_of(pieces)
        return Arrangement(placements, max(placement.end for placement in placements) + MARGIN)

    def with_arrangements(self, arrangements: Iterable[Arrangement]) -> "Layout":
        """The layout with the placements of packed arrangements."""
        placements = (
            placement for packed in arrangements for placement in packed.placements.values()
        )
        return replace(self, placements=rooks_first(placements))


def rooks_first(placements: Iterable[Placement]) -> tuple[Placement, ...]:
    """Placements in the order of a layout: rooks, then bishops, by square."""
    return tuple(
        sorted(
            placements, key=lambda placement: (placement.piece is not Piece.ROOK, placement.square)
        )
    )


def from_table(file: TableFile, layered: bool = False, two_level: bool = False) -> Layout:
    """The layout of a table file; of a layered or a two-level one only if that is expected.

    Raises InputError where the table is another one, its formula is none of the packing
    schemes, its masks are not the true ones, or it is not valid to begin with.
    """
    table = file.table
    where = str(file.path)
    piece_tables = chess_pieces(table, "packing", where)
    problems = []
    if table.half_board:
        problems.append(Problem("a half board: expected the whole board", file=where))
    if table.two_level is not None and not two_level:
        problems.append(Problem("a two-level table: expected a buffer of attack sets", file=where))
    for piece, piece_table in piece_tables.items():
        if piece_table.result is not None and not layered:
            message = (
                f"{piece_table.result.text!r}: expected a buffer of attack sets, no layered table"
            )
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    shapes: dict[Piece, FormulaShape] = {}
    for piece, piece_table in piece_tables.items():
        shape = shape_of(piece_table.index)
        if shape is None:
            message = (
                f"{piece_table.index.text!r}: expected white, black or constant, with one shift"
            )
            problems.append(Problem(message, file=where, key=f"{piece}.index"))
        else:
            shapes[piece] = shape
    schemes = {shape.scheme for shape in shapes.values()}
    if len(schemes) > 1:
        message = f"{' and '.join(sorted(schemes))}: expected one scheme for both pieces"
        problems.append(Problem(message, file=where))
    if problems:
        raise InputError(problems)
    report = verify(file)
    widest = max((square.bits for square in report.squares), default=0)
    if report.verdict != "valid":
        problems = [Problem(f"the table is {report.verdict}: expected a valid one", file=where)]
    elif widest > MOST_BITS:
        message = f"indexes of {widest} bits: expected at most {MOST_BITS}"
        problems = [Problem(message, file=where)]
    if problems:
        raise InputError(problems)
    scheme = schemes.pop()
    placements = [
        placement
        for buffer in lay_out(TableFile.unsaved(table, where))
        for part in buffer.pieces
        for placement in _placements(part, shapes[part.table.slider], scheme, where)
    ]
    return Layout(scheme, tuple(placements), table.shared, table.order, table.listing)


def _placements(part: PieceLayout, shape: FormulaShape, scheme: str, where: str) -> list[Placement]:
    piece = part.table.slider
    if part.table_masks != part.masks:
        message = "not the relevant occupancies: expected masks without the rays' last squares"
        raise InputError([Problem(message, file=where, key=f"{piece}.mask")])
    zero = np.zeros((64, 1), dtype=np.uint64)
    values = {**part.parameters, OCCUPANCY: zero}
    words = evaluate(shape.shift, values), values[shape.magic], values.get(shape.constant, zero)
    shifts, magics, constants = (
        np.broadcast_to(column, (64, 1)).ravel().tolist() for column in words
    )
    return [
        Placement.valid(
            cell_data(scheme, piece, square, 64 - shifts[row]),
            Choice(magics[row], constants[row], part.offset[row]),
        )
        for row, square in enumerate(part.bits)
        if not part.mirrored[row]
    ]


def to_table(layout: Layout, name: str, provenance: Provenance) -> Table:
    """The table file's content. Every piece needs all of its 64 squares."""
    pieces: dict[str, PieceTable] = {p: _piece_table(layout, p) for p in layout.pieces}
    return Table(
        name=name,
        pieces=pieces,
        order=layout.order,
        listing=layout.listing,
        shared=layout.shared,
        buffer_size=layout.length if layout.shared else None,
        provenance=provenance,
    )


def _piece_table(layout: Layout, piece: Piece) -> PieceTable:
    placements = {placement.square: placement for placement in layout.placements_of([piece])}
    blank = Table("", {}, layout.order, layout.listing)
    rows = [placements[blank.row_bit(row)] for row in range(blank.rows)]
    bits: Values = tuple(placement.cell.bits for placement in rows)
    parameters: dict[str, Values] = {
        "bits": bits[:1] if len(set(bits)) == 1 else bits,
        "magic": tuple(placement.choice.magic for placement in rows),
    }
    if layout.scheme == "constant":
        parameters["constant"] = tuple(placement.choice.constant for placement in rows)
    return PieceTable(
        piece=piece,
        movement=MOVEMENTS[piece],
        index=SCHEMES[layout.scheme].formula,
        parameters=parameters,
        offset=tuple(placement.offset for placement in rows),
        buffer_size=None if layout.shared else max(placement.end for placement in rows),
    )


class NotValidError(AssertionError):
    """A layout that did not survive verification: a fault in the packer, never in the input."""


def publish(table: Table, path: Path) -> Report:
    """Verify a table, then write it and its certificate in one step each.

    A reader, or whoever kills this process, never sees half a file or an invalid one, nor the
    certificate of another table beside it. Raises NotValidError with the findings.
    """
    data = file_text(table).encode()
    report = verify(parse_table(data, path))
    if report.verdict != "valid":
        findings = "; ".join(finding.message for finding in report.findings[:3])
        raise NotValidError(f"{path.name} would be {report.verdict}: {findings}")
    write_with(path, data, path.with_suffix(".certificate.json"), to_json(report))
    return report


def publish_levels(table: Table, numbers: bytes, words: bytes, path: Path) -> None:
    """Write a table of two levels in two finished buffers, verified, with its certificate; the
    table says everything but their names.

    The buffers get names of their own each time, so that the file on disk always finds those that
    belong to it. Those that it had before are removed. Raises NotValidError, and leaves everything
    as it was, where the table would not be valid.
    """
    assert table.two_level is not None
    digest = hashlib.sha256(numbers + words).hexdigest()[:8]
    names = [f"{path.stem}.{digest}.{level}.bin" for level in ("numbers", "words")]
    before = buffers_named(path)
    levels = replace(table.two_level, literal_words=names[1])
    for name, data in zip(names, (numbers, words), strict=True):
        write_whole(path.with_name(name), data)
    try:
        publish(replace(table, literal=names[0], two_level=levels), path)
    except BaseException:
        _remove(path, set(names) - before)
        raise
    _remove(path, before - set(names))


def buffers_named(path: Path) -> set[str]:
    """The buffers of an earlier run that a table file names: beside it, by names like ours."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    here = path.parent.glob(f"{path.stem}.????????.*.bin")
    return {file.name for file in here if f'"{file.name}"' in text}


def _remove(path: Path, names: set[str]) -> None:
    for name in names:
        path.with_name(name).unlink(missing_ok=True)


# Two levels: a buffer of small numbers, and the distinct attack sets that they number.
#
# A lookup reads number[offset + index] and then set[set_offset + number]. The buffer's
# entries shrink from eight bytes to one (or two), and a second buffer holds every square's
# attack sets once. Squares still may not share a number's slot unless their numbers agree,
# so a layout of attack sets is a layout of numbers as it stands. (Pradu Kannan's idea of
# 2007; the byte version is Ankan Banerjee's.)
#
# Every square has its own sets in a row, so the second buffer has 4,900 of rooks and 1,428 of
# bishops: 50,624 bytes. (Two of these are there twice: `lower_bound`.)

NUMBER_KINDS: Mapping[int, type[np.unsignedinteger[Any]]] = {8: np.uint8, 16: np.uint16}
"""The type of a number, by its bits."""
Numbers = NDArray[np.unsignedinteger[Any]]


def two_level(table: Table, entry_bits: int) -> Table:
    """The two-level version of a table of attack sets, each square's sets in a row.

    Raises InputError where an entry cannot number all sets of a square, or the table is
    two-level already or a half board.
    """
    problems = []
    if table.two_level is not None:
        problems.append(Problem("already a two-level table"))
    if table.half_board:
        problems.append(Problem("a half board: expected the whole board for two levels"))
    pieces: dict[str, PieceTable] = {}
    for piece, piece_table in chess_pieces(table, "a second level").items():
        counts = [square_data(piece, table.row_bit(row)).attack_sets for row in range(64)]
        if max(counts) > 1 << entry_bits:
            message = f"entries of {entry_bits} bits cannot number {max(counts)} attack sets"
            problems.append(Problem(message, key=piece.value))
        starts = np.cumsum([0, *counts[:-1]])
        pieces[piece] = replace(
            piece_table, attack_sets=sum(counts), set_offset=tuple(int(place) for place in starts)
        )
    if problems:
        raise InputError(problems)
    return replace(table, pieces=pieces, two_level=TwoLevel(entry_bits))


def fill_buffer(
    layout: BufferLayout,
    entry_bits: int,
    sets: Mapping[str, Words],
    starts: Mapping[str, Sequence[int]],
    others: Sequence[BufferLayout] = (),
) -> Numbers:
    """The numbers of one buffer; the attack sets are written to `sets` from each row's start.

    A number is the place of an attack set among those of its square, in increasing order. `others`
    are the same lookups as pieces read them that have no numbers of their own.
    Raises ValueError where a write would change a number.
    """
    lookups = Lookups(layout, MAX_LOOKUPS)
    read: dict[str | None, list[BufferLayout]] = {}
    for other in others:
        read.setdefault(other.numbers_of, []).append(other)
    length = 1 + max(int(block.slots.max()) for block in lookups)
    numbers: Numbers = np.zeros(length, dtype=NUMBER_KINDS[entry_bits])
    is_written = np.zeros(length, dtype=np.bool_)
    sets_of: dict[tuple[str, int], Words] = {}
    for block in lookups:  # a square with many occupancies has several blocks
        if block.layout.table.piece in read:
            continue
        for place, row in enumerate(block.rows.tolist()):
            square = block.layout.table.piece, row
            attacks = block.attacks[place]
            sets_before = sets_of.get(square, attacks[:0])
            sets_of[square] = unique(np.concatenate([sets_before, attacks]))[0]
    for (piece, row), square_sets in sets_of.items():
        sets[piece][starts[piece][row] :][: len(square_sets)] = square_sets
    for first, same in read.items():
        for slots, number in _numbered_together(layout, first, same, sets, starts):
            if is_written[slots].any():
                raise ValueError("a write would change a number")
            numbers[slots] = number
            is_written[slots] = True
    for block in lookups:
        if block.layout.table.piece in read:
            continue
        for place, row in enumerate(block.rows.tolist()):
            square_sets = sets_of[block.layout.table.piece, row]
            number = unique(np.concatenate([square_sets, block.attacks[place]]))[1][
                len(square_sets) :
            ]
            slots = block.slots[place]
            if (is_written[slots] & (numbers[slots] != number)).any():
                raise ValueError("a write would change a number")
            numbers[slots] = number
            is_written[slots] = True
            if (numbers[slots] != number).any():
                raise ValueError("a square's own writes disagree")
    return numbers


def _numbered_together(
    layout: BufferLayout,
    piece: str | None,
    others: Sequence[BufferLayout],
    sets: Mapping[str, Words],
    starts: Mapping[str, Sequence[int]],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Of each square the slots of a piece and their numbers. A number means an attack set of the
    piece and one of each of the others; they are written to `sets`.
    """
    (own,) = (part for part in layout.pieces if part.table.piece == piece)
    parts = [own, *(part for other in others for part in other.pieces)]
    found = [_by_slot(replace(layout, pieces=(part,))) for part in parts]
    for row in own.playable:
        slots = found[0][row][0]
        together = np.zeros(len(slots), dtype=np.int64)
        for of_part in found:
            if not np.array_equal(of_part[row][0], slots):
                raise AssertionError(f"{piece}: pieces with the same lookups reach other slots")
            number = unique(of_part[row][1])[1]
            together = together * (int(number.max()) + 1) + number
        _, first, numbers = np.unique(together, return_index=True, return_inverse=True)
        for part, of_part in zip(parts, found, strict=True):
            name = part.table.piece
            sets[name][starts[name][row] :][: len(first)] = of_part[row][1][first]
        yield slots, numbers


def _by_slot(layout: BufferLayout) -> dict[int, tuple[NDArray[np.int64], Words]]:
    """Of each row of a piece the slots in increasing order, and what stands there."""
    blocks: dict[int, list[tuple[NDArray[np.int64], Words]]] = {}
    for block in Lookups(layout, MAX_LOOKUPS):
        for place, row in enumerate(block.rows.tolist()):
            slots, first = np.unique(block.slots[place], return_index=True)
            blocks.setdefault(row, []).append((slots, block.attacks[place][first]))
    found = {}
    for row, of_row in blocks.items():
        slots, first = np.unique(np.concatenate([s for s, _ in of_row]), return_index=True)
        found[row] = slots, np.concatenate([attacks for _, attacks in of_row])[first]
    return found


def publish_two_level(table: Table, path: Path) -> int:
    """Write a two-level table with its finished buffers beside it, verified; bytes of all
    buffers, of which holes are 0.

    The buffers are what is verified: every lookup through both levels.
    """
    assert table.two_level is not None
    sets = {
        piece: np.zeros(piece_table.attack_sets or 0, np.uint64)
        for piece, piece_table in table.pieces.items()
    }
    (layout,) = lay_out(TableFile.unsaved(table, str(path)))
    starts = {part.table.piece: set_offsets(part) for part in layout.pieces}
    numbers = fill_buffer(layout, table.two_level.entry_bits, sets, starts)
    first, *second = sidecars(path, tuple(sets))
    names = dict(zip(sets, second, strict=True))
    finished = replace(
        table,
        literal=first.name,
        pieces={
            p: replace(piece_table, literal_sets=names[p].name)
            for p, piece_table in table.pieces.items()
        },
    )
    buffers: dict[Path, NDArray[Any]] = {first: numbers}
    buffers |= {names[piece]: words for piece, words in sets.items()}
    for file, words in buffers.items():
        write_whole(file, words.astype(words.dtype.newbyteorder("<")).tobytes())
    publish(finished, path)
    return sum(words.nbytes for words in buffers.values())


def sidecars(path: Path, pieces: Sequence[str]) -> list[Path]:
    """The files of a two-level table's finished buffers: the numbers, then each piece's sets."""
    names = ["numbers", *(f"{piece}-sets" for piece in pieces)]
    return [path.with_name(f"{path.stem}.{name}.bin") for name in names]


# What no layout can beat.
#
# Three bounds, from the weakest to the strongest: no magics at all can use fewer slots than
# there are different attack sets; a layout's own magics cannot go below the sum of their used
# slots, but for those that bishops on opposite corners can have in common; and of a small group of
# squares with given magics OR-tools CP-SAT finds the shortest arrangement.
#
# There a square is a set of indexes U and an offset. Two squares conflict if and only if the
# difference of their offsets is a difference of indexes with different attack sets, so "no
# conflict" is one linear constraint for each pair: offset_j - offset_i lies in the complement of
# {a - b : a in U_i, b in U_j, their attack sets differ}. What is minimised is the last slot used.

MOST_SQUARES = 12
"""Larger groups are beyond exact search."""


@dataclass(frozen=True, slots=True)
class Shortest:
    """A proved bound of a group: no arrangement of these magics is shorter than `bound`;
    `length` is that of the one found (equal: proved the shortest).
    """

    length: int
    bound: int


def lower_bound(pieces: Iterable[Piece], squares: Sequence[int] = range(64)) -> int:
    """The different attack sets of the squares, each of which needs an entry: of all 64, 4,900 for
    rooks and 1,426 for bishops. Of the latter a1 and h8 have one in common, and h1 and a8.
    """
    attacks = [square_data(piece, square).attacks for piece in pieces for square in squares]
    return len(np.unique(np.concatenate(attacks)))


def fewest_slots(squares: Iterable[Words]) -> int:
    """How many slots squares need at least in one buffer, by the words at their used indexes: of
    each word as many as the square that has it at the most indexes.
    """
    most: dict[int, int] = {}
    for words in squares:
        different, counts = np.unique(words, return_counts=True)
        for word, count in zip(different.tolist(), counts.tolist(), strict=True):
            most[word] = max(most.get(word, 0), count)
    return sum(most.values())


def shortest(placements: Sequence[tuple[Slots, Words]], seconds: float) -> Shortest | None:
    """Arrange some sets of indexes, each with its word, in as few slots as possible; None if the
    time was too short. Two squares may meet where both have the same word.

    Raises InputError for too large a group, or without OR-tools.
    """
    if not 1 <= len(placements) <= MOST_SQUARES:
        message = f"{len(placements)} squares: expected 1 to {MOST_SQUARES} for an exact search"
        raise InputError([Problem(message)])
    from ortools.sat.python import cp_model

    spans = [int(indexes[-1]) + 1 for indexes, _ in placements]
    longest = sum(spans)
    model = cp_model.CpModel()
    offsets = [model.new_int_var(0, longest - span, f"offset {n}") for n, span in enumerate(spans)]
    length = model.new_int_var(max(spans), longest, "length")
    for offset, span in zip(offsets, spans, strict=True):
        model.add(length >= offset + span)
    for j in range(len(placements)):
        for i in range(j):
            apart = cp_model.Domain.from_intervals(_gaps(placements[i], placements[j], longest))
            model.add_linear_expression_in_domain(offsets[j] - offsets[i], apart)
    model.minimize(length)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    # The presolve of OR-tools 9.15 loses values of domains with holes, and then calls a
    # longer arrangement optimal; the property test of this module found it.
    solver.parameters.cp_model_presolve = False
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    least = max(round(solver.best_objective_bound), fewest_slots(words for _, words in placements))
    return Shortest(round(solver.objective_value), least)


def _gaps(first: tuple[Slots, Words], second: tuple[Slots, Words], longest: int) -> list[list[int]]:
    """The intervals of offset differences (other's minus one's) at which two sets do not meet with
    different words.
    """
    differ = first[1][:, None] != second[1][None, :]
    meet = np.unique((first[0][:, None] - second[0][None, :])[differ])
    edges = [-longest - 1, *meet.tolist(), longest + 1]
    return [[before + 1, after - 1] for before, after in pairwise(edges) if after - before > 1]
