"""What a verification says: a certificate, or findings with their counterexamples.

These structures are the JSON format; docs/cover-certificates.md describes it.
"""

from dataclasses import dataclass
from typing import Literal

from magicert.board import CHESS, Board, parse_board
from magicert.outcome import status_of
from magicert.problem import json_text
from magicert.table.model import HALF_BOARD, WHOLE_BOARD

FORMAT = "magicert-verification"
VERSION = 1

Verdict = Literal["valid", "invalid", "unknown"]
FindingKind = Literal["conflict", "outside", "literal", "result", "attack sets", "number", "parts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """One lookup: the occupancy (in the engine's bit numbering and as squares), its index
    and slot (hexadecimal text beyond 64 bits), and the true attack set.
    """

    piece: str
    square: str
    occupancy: str
    blockers: list[str]
    index: int | str
    slot: int | str
    attacks: str
    attacked: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that makes the table invalid.

    `kind`: "conflict" (two lookups, one slot, different attack sets), "outside" (a slot
    outside the buffer or the square's own slots), "literal" (the finished buffer holds another
    attack set), "result" (no word makes the result formula yield it), "attack sets" (a
    two-level table's numbers do not fit), "number" (a source's number does not fit into a word),
    "parts" (a joined piece is not what its parts and leaps are).
    `count` is how many lookups are affected; `lookups`
    holds the counterexample.
    """

    kind: FindingKind
    squares: list[str]
    message: str
    count: int
    lookups: list[Lookup]

    @classmethod
    def of(cls, kind: FindingKind, message: str, count: int, *lookups: Lookup) -> "Finding":
        """The finding that lookups show, on their squares."""
        names = dict.fromkeys(f"{lookup.piece} {lookup.square}" for lookup in lookups)
        return cls(
            kind=kind, squares=list(names), message=message, count=count, lookups=list(lookups)
        )

    def __repr__(self) -> str:
        return f"<Finding {self.kind}, {' and '.join(self.squares)}: {self.message}>"


@dataclass(slots=True, kw_only=True)  # not frozen: there are many of them
class Square:
    """The figures of one square. `bits` is what the formula's index can need, `c` the
    popcount of the mask, `holes` the indexes between the least and the largest that it does
    not use. `missing` are squares that matter and are not in a given mask, `extra` those in it
    that no usual mask has.
    """

    piece: str
    square: str
    c: int
    bits: int
    lookups: int
    index_min: int
    index_max: int
    offset: int
    slots_used: int
    holes: int
    constructive_collisions: int
    missing: list[str]
    extra: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Buffer:
    """The figures of one buffer; `length` is the largest slot used + 1."""

    name: str
    pieces: list[str]
    declared: int | None
    length: int
    min_slot: int
    slots_used: int
    holes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """The file that was verified, and its sidecar files, by SHA-256."""

    file: str
    sha256: str
    sidecars: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole answer. With verdict "valid" it is a certificate."""

    format: str = FORMAT
    version: int = VERSION
    tool: str
    input: Input
    table: str
    verdict: Verdict
    statement: str
    formulas: dict[str, str]
    order: str
    listing: str
    board: str
    lookups: int
    buffers: list[Buffer]
    squares: list[Square]
    findings: list[Finding]
    notes: list[str]

    @property
    def geometry(self) -> Board:
        """The board whose squares the report names."""
        return CHESS if self.board in (WHOLE_BOARD, HALF_BOARD) else parse_board(self.board)

    @property
    def exit_status(self) -> int:
        """0 valid, 1 invalid, 3 unknown."""
        return status_of(self.verdict)

    def __repr__(self) -> str:
        return f"<Report {self.table!r}: {self.verdict}, {len(self.findings)} findings>"


def to_json(report: Report) -> bytes:
    """The report as indented JSON, the same bytes for the same input."""
    return f"{json_text(report)}\n".encode()
