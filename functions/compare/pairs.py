"""Functions of two squares: what lies between them, on the line through them, behind the second.

Engines differ in what such a function gives at its edges: whether the two squares are in the set,
and what it gives where they are on no line, or are one square. Each of these is a convention of the
tables below. The one that most of a function's own entries follow is stated with the verdict, and
every entry is then held against it: two of them mixed are a finding.

    between(c1, f4) = d2 e3, and f4 in engines that take the second square in
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice

from magicert.board import Board, bitboard
from magicert.movement import Movement, allowed_squares


@dataclass(frozen=True, slots=True)
class Convention:
    """What a set is made of, in words and as parts of the board."""

    words: str
    parts: frozenset[str] = frozenset()


def _all_of(*rows: tuple[str, str]) -> tuple[Convention, ...]:
    return tuple(Convention(words, frozenset(parts.split())) for words, parts in rows)


ON_A_LINE = {
    "between": _all_of(
        ("without the two squares", "inside"),
        ("with the second square", "inside second"),
        ("with the first square", "inside first"),
        ("with both squares", "inside first second"),
    ),
    "line": _all_of(
        ("with both squares", "before first inside second behind"),
        ("without the two squares", "before inside behind"),
        ("without the first square", "before inside second behind"),
        ("without the second square", "before first inside behind"),
    ),
    "ray": _all_of(
        ("without the second square", "behind"),
        ("with the second square", "second behind"),
        ("with all from the first square on, without that", "inside second behind"),
        ("with all from the first square on", "first inside second behind"),
        ("with those between the two, without both", "inside behind"),
        ("with the first square and those between, without the second", "first inside behind"),
        ("with both squares, without those between", "first second behind"),
    ),
}
"""What each kind gives for two squares on a line. The parts are the first and the second square,
those inside, those behind the second as seen from the first, and those before the first.
"""
ON_NO_LINE = _all_of(
    ("the empty set", ""),
    ("the full board", "board"),
    ("the second square", "second"),
    ("the first square", "first"),
    ("both squares", "first second"),
)
"""What it gives for two squares on no line."""
THE_SAME = _all_of(("the empty set", ""), ("the full board", "board"), ("that square", "second"))
"""What it gives for a square and itself."""
LINE, NO_LINE, SAME = "on a line", "on no line", "a square and itself"
SETS = {
    "between": "the squares between them",
    "line": "the squares of the line through them",
    "ray": "the squares behind the second as seen from the first",
}
KINDS = tuple(SETS)
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Parts:
    """Which of LINE, NO_LINE and SAME two squares are, and what parts of the board they make."""

    relation: str
    boards: Mapping[str, int]

    def of(self, convention: Convention) -> int:
        """The set of a convention."""
        result = 0
        for part in convention.parts:
            result |= self.boards.get(part, 0)
        return result


def parts_of(board: Board, movement: Movement, first: int, second: int) -> Parts:
    """The parts that two squares make, for a piece that goes along lines."""
    boards = {"first": 1 << first, "second": 1 << second, "board": board.full}
    if first == second:
        return Parts(SAME, boards)
    allowed = allowed_squares(board, movement, first)
    for atom in movement.atoms:
        for across, up in atom.steps:
            line = _as_far_as(allowed, board.line(first, (across, up)))
            if second in line:
                place = line.index(second)
                before = _as_far_as(allowed, board.line(first, (-across, -up)))
                boards["inside"] = bitboard(line[:place])
                boards["behind"] = bitboard(line[place + 1 :])
                boards["before"] = bitboard(before)
                return Parts(LINE, boards)
    return Parts(NO_LINE, boards)


def _as_far_as(allowed: int, line: Iterable[int]) -> list[int]:
    squares: list[int] = []
    for square in line:
        if not allowed >> square & 1:
            break
        squares.append(square)
    return squares


def conventions(kind: str, relation: str) -> tuple[Convention, ...]:
    """Those that functions of a kind may follow."""
    return {LINE: ON_A_LINE[kind], NO_LINE: ON_NO_LINE, SAME: THE_SAME}[relation]


@dataclass(slots=True)
class Conventions:
    """What the entries of one function say of its conventions. `parts` has all pairs that are
    looked at, by the board's squares; `entries` those whose sets are known.
    """

    kind: str
    board: Board
    parts: Mapping[Pair, Parts]
    entries: Mapping[Pair, int]
    chosen: dict[str, Convention] = field(default_factory=dict)
    followers: dict[str, list[Pair]] = field(default_factory=dict)
    """Of each relation, the pairs whose entries are as the chosen convention says."""
    lonely: set[Pair] = field(default_factory=set)
    """Pairs that alone tell the chosen convention from another one: were such an entry changed, the
    other convention would be chosen, and nothing be seen of it.
    """

    def __post_init__(self) -> None:
        for relation in dict.fromkeys(parts.relation for parts in self.parts.values()):
            known = [p for p in self.entries if self.parts[p].relation == relation]
            votes = Counter[Convention]()
            for convention in conventions(self.kind, relation):
                votes[convention] = sum(
                    self.parts[pair].of(convention) == self.entries[pair] for pair in known
                )
            most, count = votes.most_common(1)[0]  # of equals the first one that is named
            if count:
                self.chosen[relation] = most
            self.followers[relation] = [
                p for p in known if count and self.parts[p].of(most) == self.entries[p]
            ]
            self._find_lonely(relation, most)

    def _find_lonely(self, relation: str, chosen: Convention) -> None:
        related = [p for p, parts in self.parts.items() if parts.relation == relation]
        for other in conventions(self.kind, relation):
            apart = (p for p in related if self.parts[p].of(other) != self.parts[p].of(chosen))
            first = list(islice(apart, 2))
            if len(first) == 1 and first[0] in self.followers[relation]:
                self.lonely.update(first)

    def expected(self, pair: Pair) -> int:
        """The set of a pair. Where no entry follows any convention, that of the first one named."""
        parts = self.parts[pair]
        first = conventions(self.kind, parts.relation)[0]
        return parts.of(self.chosen.get(parts.relation, first))

    def undecided(self, pair: Pair) -> str:
        """Why the set that a pair should have is not known; "" where it is. That two squares on a
        line have it wrong is known without any convention.
        """
        relation = self.parts[pair].relation
        if relation != LINE and relation not in self.chosen:
            return f"{relation}: no entry follows a convention that is known here"
        if pair in self.lonely:
            return f"{relation}: a single entry shows no convention"
        return ""

    def explain(self, pair: Pair, entry: int) -> str:
        """What is wrong with a pair's set: another convention's, or none's."""
        parts, chosen = self.parts[pair], self.chosen.get(self.parts[pair].relation)
        names = f"{self.board.name(pair[0])} and {self.board.name(pair[1])}"
        for other in conventions(self.kind, parts.relation):
            if other == chosen or chosen is None or parts.of(other) != entry:
                continue
            apart = [
                p for p in self.followers[parts.relation]
                if self.parts[p].of(other) != self.parts[p].of(chosen)
            ]  # fmt: skip
            if apart:
                shown = " and ".join(map(self.board.name, apart[0]))
                more = f" and {len(apart) - 1:,} other pairs" if apart[1:] else ""
                return (
                    f"two conventions: {parts.relation}, {names} {_gives(parts.relation, other)},"
                    f" but {shown}{more} {_gives(parts.relation, chosen)}"
                )
        return f"a wrong set for {names}"

    @property
    def stated(self) -> dict[str, str]:
        """The chosen conventions, in words, by relation."""
        return {
            relation: self.chosen[relation].words
            for relation in (LINE, NO_LINE, SAME)
            if relation in self.chosen
        }


def _gives(relation: str, convention: Convention) -> str:
    return convention.words if relation == LINE else f"give {convention.words}"


def statement(kind: str, stated: Mapping[str, str]) -> str:
    """What is proved of a kind, with the conventions that were found."""
    words = f"for every pair of squares, {SETS[kind]}"
    if LINE in stated:
        words += f", {stated[LINE]}"
    if NO_LINE in stated:
        words += f"; two squares on no line give {stated[NO_LINE]}"
    if SAME in stated:
        words += f"; a square and itself give {stated[SAME]}"
    return words
