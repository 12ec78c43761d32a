"""Shards of a cover again: small subtrees searched, or survivors counted by another program."""

import random
import secrets
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

import magicert.verify
from magicert.api.covers.about import cell_of
from magicert.api.covers.counted import Counted, CountedRow, counted_beside, read_counted
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.search.chain.chain import check_plan
from magicert.search.planning import Subtrees
from magicert.search.problem import SlotPlan, is_mirrored, parse_plan, terms_of
from magicert.search.shards.shard import Work, recount_shard, run_shard
from magicert.system.c_program import c_program
from magicert.verify.cover.checker import StreamCheck, joined
from magicert.verify.cover.file import MOST_LISTED, Certificate, Header, Root, Shard


def new_seed() -> int:
    """A number from the system, so that nobody can foresee what it chooses."""
    return secrets.randbits(32)


def choose(count: int, selection: int | range, seed: int | None) -> tuple[list[int], int | None]:
    """So many of `count` shards, those of a range, or all (0); and the seed that chose them, if
    anything did.
    """
    numbers = list(range(count))
    if isinstance(selection, range):
        return [number for number in numbers if number in selection], None
    if not 0 < selection < count:
        return numbers, None
    seed = new_seed() if seed is None else seed
    return sorted(random.Random(seed).sample(numbers, selection)), seed


def work_of(certificate: Certificate) -> Work:
    """What the search has to do for a certificate's shards.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    header, file = certificate.header, str(certificate.path)
    cell = cell_of(header)
    try:
        plan = parse_plan(header.plan)
        check_plan(plan, terms_of(cell))
        if not 0 <= header.level <= len(plan.steps):
            raise ValueError(f"level {header.level}: expected 0 to {len(plan.steps)}")
        work = Work(cell, plan, header.level, record=not is_mirrored(plan))
    except ValueError as error:
        raise InputError([Problem(str(error), file, "plan", 2)]) from None
    roots = [shard.interval for shard in header.shards]
    if len(roots) != work.parts or any(work.root(n) != root for n, root in enumerate(roots)):
        raise InputError([Problem("the plan cuts the cell in other shards", file, "plan", 2)])
    return work


Intervals = list[tuple[int, int]]


@dataclass(slots=True)
class Sampled:
    """What came of the subtrees: how many of each shard there were, and how many leaves. `seed`
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
            f"{self.each * shards:,} random subtrees searched anew, {self.leaves:,} leaves checked"
            f"{wrong}: {float(self.share):.2g} of all m, and nothing of the rest; "
            f"--seed {self.seed} chooses the same subtrees"
        )


def sample(certificate: Certificate, each: int, seed: int | None, watch: Watch) -> Sampled:
    """Search so many subtrees of each shard. Without a `seed` the system gives one.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    work, header = work_of(certificate), certificate.header
    about = header.statement()
    sampled = Sampled(each, new_seed() if seed is None else seed, 0, [])
    with watch(f"sampling {certificate.path.name}", "shards") as observer:
        subtrees = Subtrees(work, sampled.seed)
        for number, shard in enumerate(header.shards):
            observer.progress(number, len(header.shards))
            roots: list[Root] = []
            for _ in range(each):
                subtree = subtrees.search(number, lambda root: StreamCheck(about, root))
                problems = [*subtree.problems, *wrong_magics(subtree, shard)]
                sampled.leaves += subtree.leaves
                sampled.problems += [f"shard {number}: {problem}" for problem in problems]
                roots.append(subtree.root)
            sampled.share += share_of(roots)
    return sampled


def share_of(roots: Sequence[Root]) -> Fraction:
    """The part of all m that lies in some nodes of a search's tree: two of them have no m in
    common, or one lies in the other and counts no more.
    """
    distinct = set(roots)
    outermost = [
        inner for inner in distinct if not any(_holds(o, inner) for o in distinct - {inner})
    ]
    return sum((Fraction(high - low + 1, 1 << w) for w, low, high in outermost), Fraction(0))


def _holds(outer: Root, inner: Root) -> bool:
    """Whether every m of the one is an m of the other."""
    (w, low, high), (v, first, last) = outer, inner
    start = first % (1 << w)
    return w <= v and low <= start and start + last - first <= high


def wrong_magics(subtree: StreamCheck, shard: Shard) -> list[str]:
    """What is wrong with the magics found in a subtree, or with those that its shard declares."""
    w, low, high = subtree.root
    declared = within(shard.intervals, subtree.root)
    magics = [(first, last) for _, first, last in subtree.magics]
    if len(shard.intervals) == MOST_LISTED:  # there may be more than are listed
        end = shard.intervals[-1][1]
        magics = [(first, min(last, end)) for first, last in magics if first <= end]
    if joined(sorted(magics)) == joined(declared):
        return []
    here, there = (sum(b - a + 1 for a, b in intervals) for intervals in (magics, declared))
    return [f"magics with m mod 2^{w} in {low:#x}..{high:#x}: {here:,} found, {there:,} declared"]


def within(magics: Intervals, root: Root) -> Intervals:
    """What of these intervals lies in a subtree, in ascending order."""
    w, low, high = root
    cut = []
    for first, last in magics:
        start = first % (1 << w)
        begin = first + max(0, low - start)
        end = last - max(0, start + last - first - high)
        if begin <= end:
            cut.append((begin, end))
    return sorted(cut)


SOURCES = Path(str(magicert.verify.__file__)).parent / "recount"


@dataclass(frozen=True, slots=True)
class CountedAgain:
    """A stored file: which of its shards its program counted again, and what came out otherwise."""

    counted: Counted
    numbers: tuple[int, ...]
    seed: int | None
    problems: tuple[str, ...]

    @property
    def verdict(self) -> Literal["valid", "invalid", "unknown"]:
        """Valid is what the program has counted again in every shard of the cell."""
        if self.problems:
            return "invalid"
        everything = self.counted.is_whole and len(self.numbers) == len(self.counted.rows)
        return "valid" if everything else "unknown"


def count_again(path: Path, shards: int | None, seed: int | None, watch: Watch) -> CountedAgain:
    """Count so many random shards of a stored file again, or all (0); None for none.

    Raises InputError where the file is not as it should be, and where there is no C compiler.
    """
    counted = read_counted(path)
    problems = list(counted.left_out)
    if shards is None:
        return CountedAgain(counted, (), None, tuple(problems))
    rows = sorted(counted.rows)
    places, seed = choose(len(rows), shards, seed)
    numbers = tuple(rows[place] for place in places)
    program = c_program(SOURCES / f"{counted.program}.c")
    if program is None:
        message = f"{counted.program}.c wants a C compiler: cc, or the package ziglang"
        raise InputError([Problem(message, str(path))])
    with watch(f"counting {path.name} again", "shards") as observer:
        for done, number in enumerate(numbers):
            observer.progress(done, len(numbers))
            problems += _by_program(program, counted, number, str(path))
    return CountedAgain(counted, numbers, seed, tuple(problems))


def _by_program(program: Path, counted: Counted, number: int, file: str) -> Sequence[str]:
    command = [str(program), *counted.arguments, str(number)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise InputError([Problem(f"{counted.program}.c: {result.stderr.strip()}", file)])
    line = result.stdout.rstrip("\n")
    if line == counted.rows[number].text:
        return []
    return [f"shard {number}: counted again it is {' '.join(line.split())[:140]}"]


@dataclass(frozen=True, slots=True)
class Recounted:
    """A shard whose survivors were counted by our kernels, apart from the search. `declared`:
    whether the certificate says the same; `stored`: whether the independent program has counted
    the same. None where they say nothing about it.
    """

    number: int
    survivors: int
    sha256: str
    declared: bool | None
    stored: bool | None

    def __str__(self) -> str:
        words = [f"{'as' if agrees else 'NOT as'} {who}" for who, agrees in self._agreement]
        count = f"{self.survivors:,} survivors, sha256 {self.sha256}"
        return f"shard {self.number}: {count}: {', '.join(words) or 'none declared'}"

    @property
    def problems(self) -> list[str]:
        """Who says something else."""
        return [
            f"shard {self.number}: other survivors than {who}"
            for who, agrees in self._agreement
            if not agrees
        ]

    @property
    def _agreement(self) -> list[tuple[str, bool]]:
        """Whether each counts the same, of those that say something."""
        counts = (("declared", self.declared), ("counted by recount.c", self.stored))
        return [(who, agrees) for who, agrees in counts if agrees is not None]


@dataclass(frozen=True, slots=True)
class SlotsRecounted:
    """A shard whose slots were counted again: whether the certificate says the same of it."""

    number: int
    nodes: int
    declared: bool

    def __str__(self) -> str:
        agrees = "as" if self.declared else "NOT as"
        return f"shard {self.number}: {self.nodes:,} nodes: {agrees} declared"

    @property
    def problems(self) -> list[str]:
        """That it says something else."""
        return [] if self.declared else [f"shard {self.number}: other counts, or other magics"]


def recount(
    certificate: Certificate, shards: int, seed: int | None, watch: Watch
) -> list[Recounted] | list[SlotsRecounted]:
    """Count the survivors of so many random shards, or of all (0): see proofs/rounding-lemma.md.
    Where slots were counted, the same program counts them again.

    Raises InputError where the plan has no chain, or cuts the cell in other shards.
    """
    work = work_of(certificate)
    numbers, _ = choose(work.shards, shards, seed)

    def each() -> Iterator[int]:
        with watch(f"recounting {certificate.path.name}", "shards") as observer:
            for done, number in enumerate(numbers):
                observer.progress(done, len(numbers))
                yield number

    if isinstance(work.plan, SlotPlan):
        return [_slots_again(certificate.header, work, number) for number in each()]
    stored = counted_beside(certificate.path)
    rows = stored.rows if stored and stored.is_of(certificate.header) else {}
    return [_survivors_again(certificate, work, number, rows.get(number)) for number in each()]


def _slots_again(header: Header, work: Work, number: int) -> SlotsRecounted:
    result = run_shard(work, number)
    parts = [header.shards[part] for part in work.parts_of(number)]
    magics = sorted(pair for part in parts for pair in part.intervals)
    counts = {part.counts for part in parts}
    same = counts == {result.counts.values} and magics == list(result.magics)
    return SlotsRecounted(number, result.counts.nodes, same)


def _survivors_again(
    certificate: Certificate, work: Work, number: int, row: CountedRow | None
) -> Recounted:
    try:
        again = recount_shard(work, number)
    except ValueError as error:
        raise InputError([Problem(str(error), str(certificate.path), "plan", 2)]) from None
    survivors = again.survivors, again.sha256
    claim = certificate.header.shards[number].survivors
    return Recounted(
        number,
        *survivors,
        declared=None if claim is None else (claim.count, claim.sha256) == survivors,
        stored=None if row is None else (row.survivors, row.sha256) == survivors,
    )
