"""Search small random pieces of every shard anew, and check each of their leaves.

Totals can agree and all be wrong, if one program made them with one error. Here the checker
sees a proof for each piece, and the magics must be those that the certificate lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from magicert.jobs.covers.work import new_seed, work_of
from magicert.jobs.watch import Watch
from magicert.search.planning.pieces import Pieces
from magicert.verify.cover.checker import joined
from magicert.verify.cover.file import MOST_LISTED, Certificate, Root, Shard
from magicert.verify.cover.joining import StreamCheck

Intervals = list[tuple[int, int]]


@dataclass(slots=True)
class Sampled:
    """What came of the pieces: how many of each shard there were, and how many leaves. `seed`
    chooses the same ones. `share` is the part of all m that lies in them: for these the leaves are
    a proof, of the others they prove nothing.
    """

    each: int
    seed: int
    leaves: int
    problems: list[str]
    share: Fraction = Fraction(0)

    def line(self, shards: int) -> str:
        """What it proves, for people."""
        wrong = f", {len(self.problems):,} of them wrong" if self.problems else ""
        return (
            f"{self.each * shards:,} random pieces searched anew, {self.leaves:,} leaves checked"
            f"{wrong}: {float(self.share):.2g} of all m, and nothing of the rest; "
            f"--seed {self.seed} chooses the same pieces"
        )


def sample(certificate: Certificate, each: int, seed: int | None, watch: Watch) -> Sampled:
    """Search so many pieces of each shard. Without a `seed` the system gives one.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    work, header = work_of(certificate), certificate.header
    about = header.statement()
    sampled = Sampled(each, new_seed() if seed is None else seed, 0, [])
    with watch(f"sampling {certificate.path.name}", "shards") as observer:
        pieces = Pieces(work, sampled.seed)
        for number, shard in enumerate(header.shards):
            observer.progress(number, len(header.shards))
            roots: list[Root] = []
            for _ in range(each):
                piece = pieces.search(number, lambda root: StreamCheck(about, root))
                problems = [*piece.problems, *wrong_magics(piece, shard)]
                sampled.leaves += piece.leaves
                sampled.problems += [f"shard {number}: {problem}" for problem in problems]
                roots.append(piece.root)
            sampled.share += share_of(roots)
    return sampled


def share_of(pieces: Sequence[Root]) -> Fraction:
    """The part of all m that lies in some nodes of a search's tree: two of them have no m in
    common, or one lies in the other and counts no more.
    """
    distinct = set(pieces)
    outermost = [one for one in distinct if not any(_holds(o, one) for o in distinct - {one})]
    return sum((Fraction(high - low + 1, 1 << w) for w, low, high in outermost), Fraction(0))


def _holds(outer: Root, inner: Root) -> bool:
    """Whether every m of the one is an m of the other."""
    (w, low, high), (v, first, last) = outer, inner
    start = first % (1 << w)
    return w <= v and low <= start and start + last - first <= high


def wrong_magics(piece: StreamCheck, shard: Shard) -> list[str]:
    """What is wrong with the magics found in a piece, or with those that its shard declares."""
    w, low, high = piece.root
    declared = within(shard.intervals, piece.root)
    found = [(first, last) for _, first, last in piece.magics]
    if len(shard.intervals) == MOST_LISTED:  # there may be more than are listed
        end = shard.intervals[-1][1]
        found = [(first, min(last, end)) for first, last in found if first <= end]
    if joined(sorted(found)) == joined(declared):
        return []
    here, there = (sum(b - a + 1 for a, b in magics) for magics in (found, declared))
    return [f"magics with m mod 2^{w} in {low:#x}..{high:#x}: {here:,} found, {there:,} declared"]


def within(magics: Intervals, root: Root) -> Intervals:
    """What of these intervals lies in a piece, in ascending order."""
    w, low, high = root
    cut = []
    for first, last in magics:
        start = first % (1 << w)
        begin = first + max(0, low - start)
        end = last - max(0, start + last - first - high)
        if begin <= end:
            cut.append((begin, end))
    return sorted(cut)
