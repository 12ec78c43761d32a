"""The atlas: what is known of every cell of a scheme, as text boards, and as TOML."""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from magicert.chess import Piece, mask, parse_square, square_name
from magicert.outcome import Evidence
from magicert.problem import InputError, Problem, read_at_most
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole
from magicert.targets import Slider

State = Literal["exists", "impossible", "open"]
SchemeName = Literal["white", "black"]
"""The schemes that there are atlases of."""
RangeState = Literal["proved smallest", "claimed to be smallest", "found"]
MOST_BITS = 12
"""Squares of the widest mask, a rook's in a corner."""
CELL = "\n[[cell]]\n"
"""What begins a cell in a file."""
US = "magicert"
"""The `finder` of what was first said here."""


class Range(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How short a table a cell has: indexes from 0 to `largest` hold it, with `magic`.

    No magic of the cell's bits has a largest index below `least`: the `certificate` (a file beside
    the atlas) says so, and `evidence` is its kind; or else, without one, it is the bound of
    `Atlas.least_range`. Where the two are equal, the range is the smallest. `claim` names whoever
    says that `largest` is the smallest, with no evidence known here; `source` who found the magic.
    `tests` and `seconds` are those of the certificate, `estimate` (seconds) is for one less than
    `largest`.
    """

    largest: int
    magic: str
    least: int
    certificate: str = ""
    evidence: Evidence | None = None
    engine: str = ""
    date: str = ""
    tests: int = 0
    seconds: float = 0.0
    estimate: float = 0.0
    claim: str = ""
    source: str = ""

    @property
    def is_smallest(self) -> bool:
        return self.least == self.largest

    @property
    def state(self) -> RangeState:
        """What is known of smaller ones."""
        if self.is_smallest:
            return "proved smallest"
        return "claimed to be smallest" if self.claim else "found"

    @property
    def described(self) -> str:
        """The state, and what it rests on."""
        if self.is_smallest:
            return f"{self.state} ({self.evidence or 'no fewer bits or slots'})"
        return f"{self.state}; none is below {self.least}" if self.least else self.state


class AtlasCell(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One cell of a scheme.

    `magic` for "exists"; `certificate` (a file beside the atlas), the strongest kind of `evidence`
    that there is, `engine`, `date`, `tests` and `seconds` for "impossible", and `proof` (a file,
    too) where a solver has proved the same; `estimate` (seconds) for "open", and what has been
    `tried` in vain. `range` is the shortest table of these bits.

    `by_leaves` is the share of all m for which leaves are a proof: 1 where the certificate has them
    all, else that of the subtrees which `check CERTIFICATE --sample 1 --seed 1` searches anew.

    `finder` is who first said it in public, `published` when ("2026-06-01", "2007", or
    "by 2017-09-16" where only that is known), `source` where. They are of this very magic; of an
    impossible cell they are of the first claim, which need not have been proved; of an open one, of
    a claim that nothing here proves.
    """

    piece: Literal["rook", "bishop"]
    square: str
    bits: int
    state: State
    magic: str = ""
    certificate: str = ""
    evidence: Evidence | None = None
    by_leaves: float = 0.0
    proof: str = ""
    engine: str = ""
    date: str = ""
    tests: int = 0
    seconds: float = 0.0
    estimate: float = 0.0
    tried: list[str] = []
    finder: str = ""
    published: str = ""
    source: str = ""
    range: Range | None = None

    def __repr__(self) -> str:
        return (
            f"<AtlasCell {self.piece} {self.square}, {self.bits} bits: {self.state} {self.magic}>"
        )

    @property
    def credit(self) -> str:
        """Who, when and where: "Gerd Isenberg, by 2017-09-16 (Chess Programming Wiki)"."""
        who = ", ".join(filter(None, [self.finder, self.published]))
        return f"{who} ({self.source})" if self.source and who else who or self.source

    @property
    def key(self) -> tuple[Piece, int, int]:
        """Piece, square and bits: the order of the file has most bits first."""
        return Piece(self.piece), parse_square(self.square), -self.bits


# The cells of a scheme, and what follows from them.


class Atlas:
    """The cells of a scheme by (piece, square, bits).

    What they say of who was first is known `as_of` a date (2026-11-23), to somebody who had
    `looked_through` these places.
    """

    def __init__(
        self,
        cells: Iterable[AtlasCell] = (),
        scheme: SchemeName = "white",
        as_of: str = "",
        looked_through: Sequence[str] = (),
    ) -> None:
        self.cells = {cell.key: cell for cell in cells}
        self.scheme: SchemeName = scheme
        self.as_of = as_of
        self.looked_through = tuple(looked_through)

    def __iter__(self) -> Iterator[AtlasCell]:
        return iter(self.cells[key] for key in sorted(self.cells))

    def __repr__(self) -> str:
        states = Counter(cell.state for cell in self)
        shown = ", ".join(f"{count} {state}" for state, count in states.items())
        return f"<Atlas {self.scheme}: {shown}>"

    def put(self, cell: AtlasCell) -> None:
        self.cells[cell.key] = cell

    def best(self, piece: Piece, square: int) -> AtlasCell | None:
        """The magic with the fewest bits that is known."""
        return self._extreme(piece, square, "exists", min)

    def bound(self, piece: Piece, square: int) -> AtlasCell | None:
        """The impossible cell with the most bits."""
        return self._extreme(piece, square, "impossible", max)

    def _extreme(self, piece: Piece, square: int, state: State, pick) -> AtlasCell | None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        cells = (self.cells.get((piece, square, -bits)) for bits in range(1, MOST_BITS + 1))
        atlas_cells = [
            atlas_cell
            for atlas_cell in cells
            if atlas_cell is not None and atlas_cell.state == state
        ]
        return pick(atlas_cells, key=lambda atlas_cell: atlas_cell.bits) if atlas_cells else None

    def least_range(self, piece: Piece, square: int, bits: int) -> int:
        """No magic of so many bits has a largest index below this, without any search for it.

        There must be a slot for each attack set. And with a largest index below 2^(bits - 1)
        the top bit of each product is 0, so twice the magic would be one of bits - 1.
        """
        bound = self.bound(piece, square)
        half = 1 << bits - 1 if bound is not None and bound.bits >= bits - 1 else 0
        return max(half, *Slider(piece, square).values)

    def open(self) -> list[AtlasCell]:
        """What is not answered, directly or by another cell, the cheapest first.

        Cells without an estimate come last.
        """
        cells = []
        for (piece, square, _), cell in self.cells.items():
            best, bound = self.best(piece, square), self.bound(piece, square)
            answered = (best and best.bits <= cell.bits) or (bound and bound.bits >= cell.bits)
            if cell.state == "open" and not answered:
                cells.append(cell)
        return sorted(cells, key=lambda cell: (not cell.estimate, cell.estimate, cell.key))

    def evidence(self) -> dict[Evidence | None, int]:
        """How many impossible cells rest on which kind of evidence, None where none is named."""
        kinds = [cell.evidence for cell in self if cell.state == "impossible"]
        return {kind: kinds.count(kind) for kind in (*Evidence, None) if kind in kinds}

    def by_leaves(self) -> tuple[int, int]:
        """Of how many impossible cells leaves prove all of m, and 1 % or more, but not all."""
        shares = [cell.by_leaves for cell in self if cell.state == "impossible"]
        return shares.count(1.0), sum(0.01 <= share < 1 for share in shares)

    def also_proved(self) -> int:
        """How many impossible cells have a solver's proof beside stronger evidence."""
        return sum(bool(cell.proof) and cell.evidence is not Evidence.PROOF for cell in self)

    def range_states(self) -> dict[str, int]:
        """How many squares' shortest tables (of the fewest bits known) are in which state."""
        squares = {cell.key[:2] for cell in self}
        best = [cell for cell in (self.best(*square) for square in sorted(squares)) if cell]
        states = [cell.range.state for cell in best if cell.range]
        return {state: states.count(state) for state in get_args(RangeState) if state in states}

    def problems(self) -> list[str]:
        """Contradictions between cells, and cells that lack what they need."""
        messages = []
        for cell in self:
            (piece, square, _), name = cell.key, cell_name(cell)
            if not 1 <= cell.bits <= mask(piece, square).bit_count():
                messages.append(f"{name}: expected 1 to {mask(piece, square).bit_count()}")
            if not 0 <= cell.by_leaves <= 1:
                messages.append(f"{name}: by_leaves {cell.by_leaves}: expected 0 to 1")
            if cell.state == "exists" and not cell.magic:
                messages.append(f"{name}: exists, but no magic is given")
            best, bound = self.best(piece, square), self.bound(piece, square)
            if best and bound and best.bits <= bound.bits and cell is best:
                messages.append(f"{name}: exists, but {bound.bits} bits are impossible")
            messages += [f"{name}: {problem}" for problem in _range_problems(cell)]
        return messages


def _range_problems(cell: AtlasCell) -> Iterator[str]:
    """What cannot be true of a cell's range."""
    index_range = cell.range
    if index_range is None:
        return
    if cell.state != "exists":
        yield f"{cell.state}, but a range is given"
    if not index_range.least <= index_range.largest < 1 << cell.bits:
        limits = f"{index_range.least} to {index_range.largest}"
        yield f"range {limits}: expected least <= largest <= {(1 << cell.bits) - 1}"
    if bool(index_range.certificate) != bool(index_range.evidence):
        yield "range: expected a certificate and its evidence, or neither"


# Boards of text: the fewest bits of every square, or the shortest table.

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
CLAIMED_MARK = "~"
"""Somebody says that a range is the smallest."""
BOUND_MARK = "-"
"""A range is the smallest by `Atlas.least_range`, without a search."""
RANGE_MARKS = {
    **{mark: str(kind) for kind, mark in MARKS.items() if kind},
    BOUND_MARK: "no fewer bits or slots",
    CLAIMED_MARK: "published, not proved here",
    OPEN_MARK: "open",
}
"""What the marks of ranges mean."""


Labelled = Callable[[Atlas, Piece, int], str]
"""What stands on a square of a board."""


def label(atlas: Atlas, piece: Piece, square: int) -> str:
    """A square's state in three characters: the fewest bits known, and the MARKS of why there
    are not fewer, OPEN_MARK if that is open.
    """
    best, bound = atlas.best(piece, square), atlas.bound(piece, square)
    bits = best.bits if best else mask(piece, square).bit_count()
    settled = bound is not None and bound.bits == bits - 1
    return f"{bits:>2}{MARKS[bound.evidence] if bound and settled else OPEN_MARK}"


def range_label(atlas: Atlas, piece: Piece, square: int) -> str:
    """The shortest table of the fewest bits known, in five characters: its largest index, and
    why there is no smaller one; blanks where nothing is known.
    """
    best = atlas.best(piece, square)
    if best is None or best.range is None:
        return " " * 5
    return f"{best.range.largest:>4}{range_mark(best)}"


def range_mark(cell: AtlasCell) -> str:
    """Why a cell's range is the smallest."""
    index_range = cell.range
    if index_range is not None and index_range.is_smallest:
        return MARKS[index_range.evidence] if index_range.certificate else BOUND_MARK
    return CLAIMED_MARK if index_range is not None and index_range.claim else OPEN_MARK


def board(atlas: Atlas, piece: Piece, labelled: Labelled = label) -> list[str]:
    """A piece's board of bits, or of what its squares are `labelled`: rank 8 first."""
    rows = [[labelled(atlas, piece, 8 * rank + file) for file in range(8)] for rank in range(8)]
    width = len(rows[0][0])
    lines = [f"{rank + 1} {' '.join(rows[rank])}".rstrip() for rank in range(7, -1, -1)]
    return [*lines, _files(width)]


def _files(width: int) -> str:
    """The names of the files, each below the last figure of its column."""
    names: Iterable[str] = "abcdefgh"
    return "  " + " ".join(f"{name:>{width - 1}} " for name in names).rstrip()


def cell_name(cell: AtlasCell) -> str:
    """Such as "bishop d1, 4 bits"."""
    return f"{cell.piece} {square_name(parse_square(cell.square))}, {cell.bits} bits"


# The atlas as TOML.


LARGEST = 1 << 26
"""Bytes of an atlas at most: one with a credit for every cell has some hundred thousand."""


class _AtlasFile(msgspec.Struct, forbid_unknown_fields=True):
    cell: list[AtlasCell] = []
    scheme: SchemeName = "white"
    as_of: str = ""
    looked_through: list[str] = []


def read_atlas(path: Path, only: tuple[str, int] | None = None) -> Atlas:
    """Read an atlas. Raises InputError with every problem. `only` is a piece and a square: their
    cells alone, in a tenth of the time, from a file as `write_atlas` writes it.
    """
    try:
        text = read_at_most(path, LARGEST).decode("utf-8")
        if only is not None:
            chosen = f'piece = "{only[0]}"\nsquare = "{square_name(only[1])}"\n'
            head, *cells = text.split(CELL)
            text = CELL.join([head, *(cell for cell in cells if cell.startswith(chosen))])
        file = msgspec.convert(tomllib.loads(text), _AtlasFile)
        if only is None and not file.cell:
            raise ValueError("it has no cells")
        atlas = Atlas(file.cell, file.scheme, file.as_of, tuple(file.looked_through))
        problems = [*_twice(file.cell), *atlas.problems()]
    except InputError:
        raise
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError([Problem(f"no atlas: {error}", file=str(path))]) from None
    if problems:
        raise InputError([Problem(problem, file=str(path)) for problem in problems])
    return atlas


def _twice(cells: list[AtlasCell]) -> Iterator[str]:
    """Cells that are there more than once: which of them counts?"""
    for key, count in Counter(cell.key for cell in cells).items():
        if count > 1:
            yield f"{key[0]} {square_name(key[1])}, {-key[2]} bits: is there {count} times"


def atlas_toml(atlas: Atlas) -> str:
    """An atlas as TOML, most bits first."""
    lines = [
        f"# What is known about the magics of the {atlas.scheme} scheme, square by square.",
        "# docs/atlas.md explains the keys; `magicert atlas` draws it.",
    ]
    if atlas.scheme != "white":
        lines += ["", f"scheme = {quoted(atlas.scheme)}"]
    if atlas.as_of or atlas.looked_through:
        lines += [
            "",
            f"as_of = {quoted(atlas.as_of)}",
            *_list("looked_through", atlas.looked_through),
        ]
    for cell in atlas:
        lines += ["", "[[cell]]", *_keys(msgspec.to_builtins(cell))]
    return "\n".join(lines) + "\n"


def _keys(values: dict[str, Any]) -> Iterator[str]:
    """The keys of a cell; its range is a table of its own, the last."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield f"[cell.{name}]"
            yield from _keys(value)
        elif isinstance(value, list):
            yield from _list(name, value)
        else:
            yield f"{name} = {quoted(value) if isinstance(value, str) else value}"


def _list(name: str, texts: Iterable[str]) -> list[str]:
    """Texts, one on a line."""
    return [f"{name} = [", *(f"  {quoted(text)}," for text in texts), "]"]


def write_atlas(path: Path, atlas: Atlas) -> None:
    """Write an atlas, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, atlas_toml(atlas))
