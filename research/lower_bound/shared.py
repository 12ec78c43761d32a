"""Lower bounds for buffers in which squares share entries: proof.md, L9 to L11.

    python -m research.lower_bound.shared            # find both lists again, and the sums
    python -m research.lower_bound.shared --write    # and put them into tables/bounds

A lookup of a layered table ends with `& line`, so two squares may share an entry if their attack
sets agree on the squares of both lines. The lists hold attack sets, or classes of a rook's
occupancies, of which no two may share an entry: every two *differ* on a square of both lines. The
numbers of single rooks come from tables/bounds/lower-bound.toml. The search for the lists is greedy
with a seed; that every two differ is checked one by one when they are read, so a bound needs no
trust in the search.
"""

import argparse
import random
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

from magicert.board import CHESS
from magicert.chess import Piece, attack_set, mask
from magicert.occupancy import carry_rippler

TABLES = Path(__file__).parents[2] / "tables" / "bounds"
SINGLE, DATA = TABLES / "lower-bound.toml", TABLES / "shared-entries.toml"
SEED, RUNS = 5, 100


@dataclass(frozen=True, slots=True)
class Need:
    """What one lookup needs of its entry: on `line` its 1 bits are exactly those of `attacks`."""

    line: int
    attacks: int

    def differs(self, other: "Need") -> bool:
        """Whether no entry is right for both (L9)."""
        return bool((self.attacks ^ other.attacks) & self.line & other.line)


@dataclass(frozen=True, slots=True)
class Class:
    """All occupancies for which a rook on the h-file attacks the same interval of its file."""

    rank: int
    interval: tuple[int, int]

    @property
    def need(self) -> Need:
        """What its entries must be on the h-file."""
        (low, high), rook = self.interval, 1 << self.rank
        return Need(0xFF & ~rook, sum(1 << rank for rank in range(low, high + 1)) & ~rook)


@cache
def classes_of(rank: int) -> list[Class]:
    """The classes of the rook on this rank, counted from 0."""
    lows = range(rank) if rank else [0]
    highs = range(rank + 1, 8) if rank < 7 else [7]
    return [Class(rank, (low, high)) for low in lows for high in highs]


def needs(piece: Piece, square: int) -> list[Need]:
    """The needs of a piece on a square, one for each attack set."""
    line = attack_set(piece, square, 0)
    subsets = carry_rippler(mask(piece, square))
    return [
        Need(line, attacks)
        for attacks in sorted({attack_set(piece, square, subset) for subset in subsets})
    ]


def largest_list(candidates: Sequence[Need], seed: int, runs: int) -> list[int]:
    """Numbers of candidates of which every two differ: the longest list of `runs` greedy runs."""
    differing = [
        sum(1 << n for n, other in enumerate(candidates) if need.differs(other))
        for need in candidates
    ]
    chance, best = random.Random(seed), list[int]()
    for _ in range(runs):
        chosen = [chance.randrange(len(candidates))]
        left = differing[chosen[0]]
        while left:
            pool = [n for n in range(len(candidates)) if left >> n & 1]
            some = pool if len(pool) <= 400 else chance.sample(pool, 400)
            chosen.append(max(some, key=lambda n: ((differing[n] & left).bit_count(), -n)))
            left &= differing[chosen[-1]]
        best = max(best, chosen, key=len)
    return sorted(best)


@dataclass(frozen=True, slots=True)
class Bounds:
    """`entries` of a layered table; `words` of the second level of an overlaid one, `bytes` of
    both its levels.
    """

    whole: int
    """The rook, a square, that is counted whole."""
    classes: list[Class]
    """Of other rooks of its file."""
    sets: list[tuple[Piece, int, int]]
    """Piece, square and attack set of the words."""

    def check(self) -> None:
        """Raises ValueError unless every two differ, and those of the file from the whole rook."""
        file, rank = CHESS.place(self.whole)
        if file != 7:
            raise ValueError(f"{CHESS.name(self.whole)}: expected a square of the h-file")
        rooks = [*self.classes, *classes_of(rank)]
        for one, other in combinations(rooks, 2):
            if one.rank == other.rank == rank:
                continue
            if one not in classes_of(one.rank) or not one.need.differs(other.need):
                raise ValueError(f"{one} and {other} could share an entry")
        lists: dict[tuple[Piece, int], list[Need]] = {}
        chosen = []
        for piece, square, attacks in self.sets:
            known = lists.setdefault((piece, square), needs(piece, square))
            need = Need(attack_set(piece, square, 0), attacks)
            if need not in known:
                raise ValueError(f"{piece} {CHESS.name(square)}: no attack set {attacks:#018x}")
            chosen.append(need)
        for first, second in combinations(chosen, 2):
            if not first.differs(second):
                raise ValueError(f"{first} and {second} could share a word")

    def entries(self, single: dict[str, object]) -> int:
        """The least entries of a layered table (L10)."""
        lines, squares = single["lines"], single["squares"]
        assert isinstance(lines, list)
        assert isinstance(squares, list)
        rank, file = divmod(self.whole, 8)
        return int(squares[rank][file]) + len(self.classes) * int(lines[7])

    def bytes(self, single: dict[str, object]) -> int:
        """The least bytes of an overlaid table in two levels (L11)."""
        squares = single["squares"]
        assert isinstance(squares, list)
        return max(map(max, squares)) + 8 * len(self.sets)


def found() -> Bounds:
    """The lists, sought again."""
    whole = CHESS.parse("h4")
    mine = classes_of(whole // 8)
    others = [
        other
        for rank in range(8)
        for other in classes_of(rank)
        if rank != whole // 8 and all(other.need.differs(one.need) for one in mine)
    ]
    chosen = largest_list([other.need for other in others], SEED, 200)
    sets = [(p, s, need) for p in Piece for s in range(64) for need in needs(p, s)]
    words = largest_list([need for _, _, need in sets], SEED, RUNS)
    return Bounds(
        whole,
        [others[n] for n in chosen],
        [(sets[n][0], sets[n][1], sets[n][2].attacks) for n in words],
    )


def text(bounds: Bounds, single: dict[str, object]) -> str:
    """The data file."""
    classes = "".join(
        f'  ["h{c.rank + 1}", "h{c.interval[0] + 1}", "h{c.interval[1] + 1}"],\n'
        for c in bounds.classes
    )
    sets = "".join(f'  ["{p} {CHESS.name(s)}", "{a:#018x}"],\n' for p, s, a in bounds.sets)
    return f"""\
# Lower bounds of tables whose entries squares share, proved in research/lower_bound/proof.md
# (L9 to L11). python -m research.lower_bound.shared --write wrote this.
page = "research/lower_bound/proof.md"
rook_bits = [8, 9, 10, 11, 12]
layered_entries = {bounds.entries(single)}
overlaid_bytes = {bounds.bytes(single)}
whole = "rook {CHESS.name(bounds.whole)}" # all its entries are counted
classes = [ # of other rooks: the rook, and the ends of the interval of its file that it sees
{classes}]
sets = [ # attack sets of which no two fit into one word
{sets}]
"""


def read(path: Path = DATA) -> Bounds:
    """The lists of the data file."""
    data = tomllib.loads(path.read_text("utf-8"))
    return Bounds(
        CHESS.parse(data["whole"].split()[1]),
        [
            Class(CHESS.parse(rook) // 8, (CHESS.parse(low) // 8, CHESS.parse(high) // 8))
            for rook, low, high in data["classes"]
        ],
        [
            (Piece(owner.split()[0]), CHESS.parse(owner.split()[1]), int(attacks, 16))
            for owner, attacks in data["sets"]
        ],
    )


@dataclass(frozen=True, slots=True)
class Proved:
    """What ships: the least entries of a layered table and the least bytes of an overlaid one,
    with rooks of `rook_bits`.
    """

    layered: int
    overlaid: int
    rook_bits: tuple[int, ...]
    page: str


@cache
def proved() -> Proved:
    """The bounds of tables/bounds/shared-entries.toml."""
    data = tomllib.loads(DATA.read_text("utf-8"))
    return Proved(
        data["layered_entries"], data["overlaid_bytes"], tuple(data["rook_bits"]), data["page"]
    )


def main() -> None:
    """Find, check, print, and write if that is wanted."""
    parser = argparse.ArgumentParser(
        prog="python -m research.lower_bound.shared", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--write", action="store_true", help=f"write {DATA.name}")
    write = parser.parse_args().write
    single = tomllib.loads(SINGLE.read_text("utf-8"))
    bounds = found()
    bounds.check()
    print(f"layered: {bounds.entries(single):,} entries or more")
    print(f"overlaid, two levels: {bounds.bytes(single):,} bytes or more")
    if write:
        DATA.write_text(text(bounds, single), "utf-8")
        print(f"wrote {DATA}")


if __name__ == "__main__":
    main()
