"""The same bounds once more, from docs/lower-bound.md alone: exact fractions, best first.

    python -m research.lower_bound.second --bits 8      # one number of bits
    python -m research.lower_bound.second               # 8 to 12

Intervals of a are those between neighbours of a Farey sequence, cut at mediants; what is least or
most in one is found at its two ends, as everything is linear between them. Nothing is rounded. A
cell is looked at only where so many patterns lie within a slot of each other that few slots are
possible. No code is the first program's; L1 to L8 are the page's.
"""

import argparse
import heapq
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, pairwise, product
from math import ceil

import numpy as np
from numpy.typing import NDArray

SIDES = ((6, 0), (5, 0), (4, 1), (3, 2))
"""Inner squares of a file above and below a rook on ranks 1 to 4: the others are mirrored."""
DEEPEST = 40
"""Cuts of a cell: no cell of the chessboard takes so many."""
NONE = 255


def different_sets(
    piece: str, width: int = 8, height: int = 8
) -> list[set[frozenset[tuple[int, int]]]]:
    """Of each square its attack sets, as sets of squares: the rays end anywhere (L1)."""
    straight = ((0, 1), (0, -1), (1, 0), (-1, 0))
    steps = straight if piece == "rook" else ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return [
        {
            frozenset().union(*rays)
            for rays in product(*(_rays(x, y, step, width, height) for step in steps))
        }
        for y in range(height)
        for x in range(width)
    ]


def _rays(
    x: int, y: int, step: tuple[int, int], width: int, height: int
) -> list[frozenset[tuple[int, int]]]:
    """What a ray may reach: it attacks its first square if there is one."""
    line: list[tuple[int, int]] = []
    while 0 <= x + step[0] < width and 0 <= y + step[1] < height:
        x, y = x + step[0], y + step[1]
        line.append((x, y))
    return [frozenset(line[:n]) for n in range(1, len(line) + 1)] or [frozenset()]


def copies(up: int, down: int) -> list[int]:
    """Of each class of the file how many subsets it has: squares behind the nearest are free."""
    return [
        2 ** ((up - above if above else 0) + (down - below if below else 0))
        for above in range(up + 1)
        for below in range(down + 1)
    ]


def together(line: int, number: int, overlap: int) -> int:
    """L4, with the best whole k."""
    pairs, points = number * (number - 1) * overlap, number * line
    least = max(
        Fraction(2 * k * points - pairs, k * (k + 1)) for k in range(1, pairs // points + 3)
    )
    return max(line, ceil(least))


class Line:
    """A rank's patterns for a rook on a file, on a circle of 2^bits slots."""

    def __init__(self, file: int, bits: int, width: int = 8) -> None:
        inner = [square for square in range(1, width - 1) if square != file]
        self.slots, self.attack = 2**bits, dict[int, int]()
        reached: dict[tuple[int, int], int] = {}
        for size in range(len(inner) + 1):
            for some in combinations(inner, size):
                ends = (
                    max((s for s in some if s < file), default=-1),
                    min((s for s in some if s > file), default=width),
                )
                number = sum(1 << square - inner[0] for square in some)
                self.attack[number] = reached.setdefault(ends, len(reached))
        self.k = sorted(self.attack)
        self.kinds, self.top = len(reached), max(self.k)
        self.overlaps: dict[tuple[int, Fraction, Fraction], int] = {}

    @cached_property
    def cells(self) -> list[tuple[Fraction, Fraction]]:
        """The Farey sequence's intervals."""
        order = range(1, max(self.top, 1) + 1)
        sequence = sorted({Fraction(p, q) for q in order for p in range(q + 1)})
        return list(pairwise(sequence))

    @cached_property
    def fewest(self) -> NDArray[np.int16]:
        """By whole and cell: at least so many slots. Two patterns, e apart, can share one only if
        e a is less than a slot from 0; each that does saves at most a slot.
        """
        whole = np.arange(self.slots // 2 + 1)[:, None]
        shared = np.zeros((len(whole), len(self.cells)), np.int16)
        middles = [mediant(*cell) for cell in self.cells]
        for e in range(1, self.top + 1):
            alike = sum(self.attack.get(k + e) == self.attack[k] for k in self.k)
            if alike:
                floors = np.array([int(e * middle) for middle in middles])[None, :]
                place = (e * whole + floors) % self.slots
                shared += (alike * ((place == 0) | (place == self.slots - 1))).astype(np.int16)
        return np.maximum(self.kinds, len(self.k) - shared).astype(np.int16)

    def lines(self, wholes: NDArray[np.int64], cell: int) -> NDArray[np.int64]:
        """L3: the least slots for each whole, NONE where two attacks always share one."""
        k = np.array(self.k)
        middle = mediant(*self.cells[cell])
        floors, parts = np.divmod(k * middle.numerator, middle.denominator)
        edges = np.array([*set(parts.tolist()) - {0}, middle.denominator])
        lifted = parts >= edges[:, None]
        place = (wholes[:, None, None] * k + floors + lifted) % self.slots
        tagged = np.sort(place * 64 + np.array([self.attack[n] for n in self.k]), axis=2)
        new_slot = np.diff(tagged // 64, axis=2) != 0
        clash = ((np.diff(tagged, axis=2) != 0) & ~new_slot).any(axis=2)
        least: NDArray[np.int64] = np.where(clash, NONE, 1 + new_slot.sum(axis=2)).min(axis=1)
        return least

    def most_overlap(self, whole: int, low: Fraction, high: Fraction) -> int:
        """L7: no M(whole + theta) is larger for theta in [low, high], part of a cell or a place."""
        key = (whole, low, high)
        if key not in self.overlaps:
            self.overlaps[key] = self._most_overlap(*key)
        return self.overlaps[key]

    def _most_overlap(self, whole: int, low: Fraction, high: Fraction) -> int:
        scale = low.denominator * high.denominator
        groups = self._groups(low, high)
        circle = self.slots * scale
        near = []  # e, and between which e a lies, nearest to 0
        for e in range(-2 * self.top, 2 * self.top + 1):
            first, last = sorted(int(e * (whole + end) * scale) for end in (low, high))
            for turn in range((first + 2 * scale) // circle, (last + 2 * scale) // circle + 1):
                ends = (first - turn * circle, last - turn * circle)
                if ends[0] < 2 * scale and ends[1] > -2 * scale:
                    near.append((e, *ends))
        most = 0
        for base in groups:
            # By the base's delta, from -1 to 1: where, 0 for ends and 1 for beginnings, how many
            # overlaps, and how many bars more.
            steps = [(-circle, 1, 0, 1), (-scale, 0, 0, -1), (scale, 1, 0, 1)]
            for e, first, last in near:
                if base + e not in groups:
                    continue
                gap, spans = groups[base + e]
                if (bar := scale - gap) > 0 and -bar - first < bar - last:
                    steps += [(-bar - first, 1, 0, 1), (bar - last, 0, 0, -1)]
                for span in spans:
                    if (reach := scale - span) > 0:
                        steps += [(-reach - last, 1, 1, 0), (reach - first, 0, -1, 0)]
            most = max(most, _highest(steps))
        return min(most, len(self.k))

    def _groups(self, low: Fraction, high: Fraction) -> dict[int, tuple[int, list[int]]]:
        """Of each difference the largest gap, and by number of good ones the least span (L6)."""
        scale, middle = low.denominator * high.denominator, mediant(low, high)
        floors = {n: int(n * middle) for n in self.k}
        places = {
            n: tuple(int((n * end - floors[n]) * scale) for end in (low, high)) for n in self.k
        }
        order = sorted(self.k, key=lambda n: n * middle - floors[n])
        groups = {}
        for d in range(-self.top, self.top + 1):
            here = [n for n in order if n + d in self.attack]
            if not here:
                continue
            good = [self.attack[n] == self.attack[n + d] for n in here]
            count = len(here)

            def away(i: int, j: int, here: list[int] = here, count: int = count) -> tuple[int, int]:
                turn, start, end = j // count * scale, places[here[i]], places[here[j % count]]
                return (end[0] - start[0] + turn, end[1] - start[1] + turn)

            gap = max(max(away(i, i + 1)) for i in range(count))
            spans: list[int] = []
            for i in range(count):
                for step in range(count):
                    if not good[(i + step) % count]:
                        break
                    length = min(away(i, i + step))
                    spans[step : step + 1] = (
                        [min(length, *spans[step : step + 1])] if spans[step:] else [length]
                    )
            groups[d] = (gap, spans)
        return groups


def _highest(steps: list[tuple[int, int, int, int]]) -> int:
    """The most overlaps at a place without a bar, of open intervals."""
    steps.sort()
    overlaps = bars = most = i = 0
    while i < len(steps):
        place = steps[i][0]
        for kind in (0, 1):
            while i < len(steps) and steps[i][:2] == (place, kind):
                overlaps += steps[i][2]
                bars += steps[i][3]
                i += 1
            if not bars:
                most = max(most, overlaps)
    return most


def mediant(low: Fraction, high: Fraction) -> Fraction:
    """What is between them with the smallest denominator."""
    return Fraction(low.numerator + high.numerator, low.denominator + high.denominator)


def least_rook(line: Line, up: int, down: int) -> tuple[int, int, int]:
    """L8: the least T(a), and of such an a the line's slots and the overlap."""
    numbers = copies(up, down)

    @cache
    def total(slots: int, overlap: int) -> int:
        return sum(together(slots, number, overlap) for number in numbers)

    best, of_best = 1 << 30, (0, 0)
    heap: list[tuple[int, int, int, int, Fraction, Fraction]] = []
    everything = len(line.k)
    for fewest in range(line.kinds, everything + 1):
        if best <= fewest * len(numbers):
            break
        wholes, cells = np.nonzero(line.fewest == fewest)
        for cell in np.unique(cells):
            mine = wholes[cells == cell]
            for whole, slots in zip(mine.tolist(), _lines(line, mine, int(cell)), strict=True):
                if slots != NONE and total(slots, everything) < best:
                    heapq.heappush(
                        heap, (total(slots, everything), 0, slots, whole, *line.cells[cell])
                    )
        while heap and heap[0][0] < min(best, (fewest + 1) * len(numbers)):
            bound, depth, slots, whole, low, high = heapq.heappop(heap)
            lower = total(slots, line.most_overlap(whole, low, high))
            if lower > bound:
                heapq.heappush(heap, (lower, depth, slots, whole, low, high))
                continue
            middle = mediant(low, high)
            overlap = line.most_overlap(whole, middle, middle)
            value = bound if depth == DEEPEST else total(slots, overlap)
            if value < best:
                best, of_best = value, (slots, overlap)
            if value > bound:
                for part in ((low, middle), (middle, high)):
                    heapq.heappush(heap, (bound, depth + 1, slots, whole, *part))
    return (best, *of_best)


def _lines(line: Line, wholes: NDArray[np.int64], cell: int) -> Iterator[int]:
    for part in np.array_split(wholes, len(wholes) // 64 + 1):
        yield from line.lines(part, cell).tolist()


def table(
    bits: Sequence[int], files: Iterable[int]
) -> Iterator[tuple[int, int, int, dict[tuple[int, int], int]]]:
    """By file and bits: the least line, and the least rook by squares above and below."""
    for file in files:
        for number in bits:
            line = Line(file, number)
            found = {sides: least_rook(line, *sides) for sides in SIDES}
            yield (
                file,
                number,
                least_rook(line, 0, 0)[0],
                {sides: least[0] for sides, least in found.items()},
            )


def main() -> None:
    """Print the numbers, and the sum."""
    parser = argparse.ArgumentParser(
        prog="python -m research.lower_bound.second", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--bits",
        type=int,
        nargs="+",
        default=list(range(8, 13)),
        help="bits of the rooks (8 to 12)",
    )
    parser.add_argument("--files", default="abcdefgh", help="files of the rooks")
    asked = parser.parse_args()
    least: dict[tuple[int, tuple[int, int]], int] = {}
    for file, bits, line, rooks in table(asked.bits, ["abcdefgh".index(f) for f in asked.files]):
        print(f"{'abcdefgh'[file]} {bits} bits: line {line}, rooks", *rooks.values(), flush=True)
        for sides, slots in rooks.items():
            least[file, sides] = min(slots, least.get((file, sides), slots))
    total = 2 * sum(least.values())
    bishops = len(set().union(*different_sets("bishop")))
    print(f"rooks {total:,} + bishops {bishops:,} = {total + bishops:,}")


if __name__ == "__main__":
    main()
