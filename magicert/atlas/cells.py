"""The cells of a scheme, and what follows from them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from magicert.atlas.entry import Entry, RangeState, SchemeName, State
from magicert.board import Piece, mask, parse_square
from magicert.cell import Slider
from magicert.outcome import Evidence


class Atlas:
    """The cells of a scheme by (piece, square, bits).

    What they say of who was first is known `as_of` a date (2026-11-23), to somebody who had
    `looked_through` these places.
    """

    def __init__(
        self,
        entries: Iterable[Entry] = (),
        scheme: SchemeName = "white",
        as_of: str = "",
        looked_through: Sequence[str] = (),
    ) -> None:
        self.entries = {entry.key: entry for entry in entries}
        self.scheme: SchemeName = scheme
        self.as_of = as_of
        self.looked_through = tuple(looked_through)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries[key] for key in sorted(self.entries))

    def __repr__(self) -> str:
        states = Counter(entry.state for entry in self)
        shown = ", ".join(f"{count} {state}" for state, count in states.items())
        return f"<Atlas {self.scheme}: {shown}>"

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

    def least_range(self, piece: Piece, square: int, bits: int) -> int:
        """No magic of so many bits has a largest index below this, without any search for it.

        There must be a slot for each attack set. And with a largest index below 2^(bits - 1)
        the top bit of each product is 0, so twice the magic would be one of bits - 1.
        """
        bound = self.bound(piece, square)
        half = 1 << bits - 1 if bound is not None and bound.bits >= bits - 1 else 0
        return max(half, *Slider(piece, square).values)

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
        return _counted(entry.evidence for entry in self if entry.state == "impossible")

    def by_leaves(self) -> tuple[int, float]:
        """Of how many impossible cells leaves prove all of m, and the largest share of m that they
        prove of any other.
        """
        shares = [entry.by_leaves for entry in self if entry.state == "impossible"]
        whole = shares.count(1.0)
        return whole, max((share for share in shares if share < 1), default=0.0)

    def also_proved(self) -> int:
        """How many impossible cells have a solver's proof beside stronger evidence."""
        return sum(bool(entry.proof) and entry.evidence is not Evidence.PROOF for entry in self)

    def range_states(self) -> dict[str, int]:
        """How many squares' shortest tables (of the fewest bits known) are in which state."""
        places = {entry.key[:2] for entry in self}
        best = [entry for entry in (self.best(*place) for place in sorted(places)) if entry]
        states = [entry.range.state for entry in best if entry.range]
        return {state: states.count(state) for state in get_args(RangeState) if state in states}

    def problems(self) -> list[str]:
        """Contradictions between cells, and cells that lack what they need."""
        found = []
        for entry in self:
            piece, square = Piece(entry.piece), parse_square(entry.square)
            name = f"{entry.piece} {entry.square}, {entry.bits} bits"
            if not 1 <= entry.bits <= mask(piece, square).bit_count():
                found.append(f"{name}: expected 1 to {mask(piece, square).bit_count()}")
            if not 0 <= entry.by_leaves <= 1:
                found.append(f"{name}: by_leaves {entry.by_leaves}: expected 0 to 1")
            if entry.state == "exists" and not entry.magic:
                found.append(f"{name}: exists, but no magic is given")
            best, bound = self.best(piece, square), self.bound(piece, square)
            if best and bound and best.bits <= bound.bits and entry is best:
                found.append(f"{name}: exists, but {bound.bits} bits are impossible")
            found += [f"{name}: {problem}" for problem in _range_problems(entry)]
        return found


def _range_problems(entry: Entry) -> Iterator[str]:
    """What cannot be true of a cell's range."""
    given = entry.range
    if given is None:
        return
    if entry.state != "exists":
        yield f"{entry.state}, but a range is given"
    if not given.least <= given.largest < 1 << entry.bits:
        last = (1 << entry.bits) - 1
        yield f"range {given.least} to {given.largest}: expected least <= largest <= {last}"
    if bool(given.certificate) != bool(given.evidence):
        yield "range: expected a certificate and its evidence, or neither"


def _counted(kinds: Iterable[Evidence | None]) -> dict[Evidence | None, int]:
    listed = list(kinds)
    return {kind: listed.count(kind) for kind in (*Evidence, None) if kind in listed}
