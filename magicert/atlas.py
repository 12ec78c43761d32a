"""The atlas: for every square and number of bits, what is known about magics.

A cell of the atlas is "exists" (with a magic), "impossible" (with its evidence) or "open"
(with an estimate). One question at k bits answers others: a magic of k bits is one of k + 1,
and where none has k bits none has fewer.
"""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from magicert.board import Piece, mask, parse_square, square_name
from magicert.outcome import Evidence
from magicert.problem import InputError, Problem
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole

State = Literal["exists", "impossible", "open"]
MARKS: dict[Evidence | None, str] = {
    Evidence.LEAVES: "=",
    Evidence.HASHES: "h",
    Evidence.RECOUNT: "r",
    Evidence.COUNTS: "c",
    Evidence.PROOF: "p",
    Evidence.SOLVER: "s",
    None: "-",
}
"""How the drawing shows that fewer bits are impossible: by the kind of evidence."""
OPEN_MARK = "?"


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One cell of the white scheme.

    `magic` for "exists"; `certificate` (a file beside the atlas), the strongest kind of `evidence`
    that there is, `engine`, `date`, `tests` and `seconds` for "impossible", and `proof` (a file,
    too) where a solver has proved the same; `estimate` (seconds) for "open". `source` says who
    found it, or who claims what is still open here.
    """

    piece: Literal["rook", "bishop"]
    square: str
    bits: int
    state: State
    magic: str = ""
    certificate: str = ""
    evidence: Evidence | None = None
    proof: str = ""
    engine: str = ""
    date: str = ""
    tests: int = 0
    seconds: float = 0.0
    estimate: float = 0.0
    source: str = ""

    @property
    def key(self) -> tuple[Piece, int, int]:
        """Piece, square and bits: the order of the file has most bits first."""
        return Piece(self.piece), parse_square(self.square), -self.bits


class _File(msgspec.Struct, forbid_unknown_fields=True):
    cell: list[Entry]


class Atlas:
    """The cells by (piece, square, bits)."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = {entry.key: entry for entry in entries}

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries[key] for key in sorted(self.entries))

    def put(self, entry: Entry) -> None:
        """Enter a cell, in place of what was said about it before."""
        self.entries[entry.key] = entry

    def best(self, piece: Piece, square: int) -> Entry | None:
        """The magic with the fewest bits that is known."""
        return self._extreme(piece, square, "exists", min)

    def bound(self, piece: Piece, square: int) -> Entry | None:
        """The impossible cell with the most bits."""
        return self._extreme(piece, square, "impossible", max)

    def _extreme(self, piece: Piece, square: int, state: State, pick) -> Entry | None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        entries = [
            entry
            for (p, s, _), entry in self.entries.items()
            if (p, s, entry.state) == (piece, square, state)
        ]
        return pick(entries, key=lambda entry: entry.bits) if entries else None

    def open(self) -> list[Entry]:
        """What is not answered, directly or by another cell, the cheapest first.

        Cells without an estimate come last.
        """
        entries = []
        for (piece, square, _), entry in self.entries.items():
            best, bound = self.best(piece, square), self.bound(piece, square)
            answered = (best and best.bits <= entry.bits) or (bound and bound.bits >= entry.bits)
            if entry.state == "open" and not answered:
                entries.append(entry)
        return sorted(entries, key=lambda entry: (not entry.estimate, entry.estimate, entry.key))

    def evidence(self) -> dict[Evidence | None, int]:
        """How many impossible cells rest on which kind of evidence, None where none is named."""
        kinds = [entry.evidence for entry in self if entry.state == "impossible"]
        return {kind: kinds.count(kind) for kind in (*Evidence, None) if kind in kinds}

    def also_proved(self) -> int:
        """How many impossible cells have a solver's proof beside stronger evidence."""
        return sum(bool(entry.proof) and entry.evidence is not Evidence.PROOF for entry in self)

    def problems(self) -> list[str]:
        """Contradictions between cells, and cells that lack what they need."""
        found = []
        for entry in self:
            piece, square = Piece(entry.piece), parse_square(entry.square)
            name = f"{entry.piece} {entry.square}, {entry.bits} bits"
            if not 1 <= entry.bits <= mask(piece, square).bit_count():
                found.append(f"{name}: expected 1 to {mask(piece, square).bit_count()}")
            if entry.state == "exists" and not entry.magic:
                found.append(f"{name}: exists, but no magic is given")
            best, bound = self.best(piece, square), self.bound(piece, square)
            if best and bound and best.bits <= bound.bits and entry is best:
                found.append(f"{name}: exists, but {bound.bits} bits are impossible")
        return found


def read_atlas(path: Path) -> Atlas:
    """Read an atlas. Raises InputError with every problem."""
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
        atlas = Atlas(file.cell)
        problems = atlas.problems()
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError([Problem(f"no atlas: {error}", file=str(path))]) from None
    if problems:
        raise InputError([Problem(problem, file=str(path)) for problem in problems])
    return atlas


def atlas_toml(atlas: Atlas) -> str:
    """An atlas as TOML, most bits first."""
    lines = [
        "# What is known about the magics of the white scheme, square by square.",
        "# docs/atlas.md explains the keys; `magicert atlas` draws it.",
    ]
    for entry in atlas:
        lines += ["", "[[cell]]"]
        for name, value in msgspec.to_builtins(entry).items():
            text = quoted(value) if isinstance(value, str) else f"{value}"
            lines.append(f"{name} = {text}")
    return "\n".join(lines) + "\n"


def write_atlas(path: Path, atlas: Atlas) -> None:
    """Write an atlas, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, atlas_toml(atlas))


def label(atlas: Atlas, piece: Piece, square: int) -> str:
    """A square's state in three characters: the fewest bits known, and the MARKS of why there
    are not fewer, OPEN_MARK if that is open.
    """
    best, bound = atlas.best(piece, square), atlas.bound(piece, square)
    bits = best.bits if best else mask(piece, square).bit_count()
    settled = bound is not None and bound.bits == bits - 1
    return f"{bits:>2}{MARKS[bound.evidence] if bound and settled else OPEN_MARK}"


def board(atlas: Atlas, piece: Piece) -> list[str]:
    """A piece's board: rank 8 first."""
    lines = []
    for rank in range(7, -1, -1):
        labels = [label(atlas, piece, 8 * rank + file) for file in range(8)]
        lines.append(f"{rank + 1} {' '.join(labels)}")
    return [*lines, "   " + " ".join(f"{name:<3}" for name in "abcdefgh").rstrip()]


def entry_name(entry: Entry) -> str:
    """Such as "bishop d1, 4 bits"."""
    return f"{entry.piece} {square_name(parse_square(entry.square))}, {entry.bits} bits"
