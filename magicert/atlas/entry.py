"""One cell of the atlas, and how short a table it has."""

from typing import Literal

import msgspec

from magicert.board import Piece, parse_square
from magicert.outcome import Evidence

State = Literal["exists", "impossible", "open"]
SchemeName = Literal["white", "black"]
"""The schemes that there are atlases of."""
RangeState = Literal["proved smallest", "claimed to be smallest", "found"]
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
        """Whether it is proved that there is no smaller one."""
        return self.least == self.largest

    @property
    def state(self) -> RangeState:
        """What is known of smaller ones."""
        if self.is_smallest:
            return "proved smallest"
        return "claimed to be smallest" if self.claim else "found"

    @property
    def said(self) -> str:
        """The state, and what it rests on."""
        if self.is_smallest:
            return f"{self.state} ({self.evidence or 'no fewer bits or slots'})"
        return f"{self.state}; none is below {self.least}" if self.least else self.state


class Entry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One cell of a scheme.

    `magic` for "exists"; `certificate` (a file beside the atlas), the strongest kind of `evidence`
    that there is, `engine`, `date`, `tests` and `seconds` for "impossible", and `proof` (a file,
    too) where a solver has proved the same; `estimate` (seconds) for "open", and what has been
    `tried` in vain. `range` is the shortest table of these bits.

    `by_leaves` is the share of all m for which leaves are a proof: 1 where the certificate has them
    all, else that of the pieces which `check CERTIFICATE --sample 1 --seed 1` searches anew.

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
        return f"<Entry {self.piece} {self.square}, {self.bits} bits: {self.state} {self.magic}>"

    @property
    def credit(self) -> str:
        """Who, when and where: "Gerd Isenberg, by 2017-09-16 (Chess Programming Wiki)"."""
        who = ", ".join(filter(None, [self.finder, self.published]))
        return f"{who} ({self.source})" if self.source and who else who or self.source

    @property
    def key(self) -> tuple[Piece, int, int]:
        """Piece, square and bits: the order of the file has most bits first."""
        return Piece(self.piece), parse_square(self.square), -self.bits
