"""The window search: tests and seconds against a plain low-bits-first search, on one core.

    python benchmarks/bench_window.py            the small cells
    python benchmarks/bench_window.py --chain    shards of rook g2, 9 bits: a chain against fans;
                                                 one of rook h2, 10 bits: its last square exact
    python benchmarks/bench_window.py --rook     and rook b2 at 9 bits, whole (minutes)
    python benchmarks/bench_window.py --smallest a cell of a moment
    python benchmarks/bench_window.py --slots    shards of rook g1, 9 bits: windows against slots

Counting only, then with every leaf written and hashed, then the speed of the checker.
"""

import sys
import time

import numpy as np
from low_bits import low_bits_first

from magicert.cell import Cell
from magicert.chess import Piece, parse_square
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import without_chain
from magicert.search.planning import choose_plan
from magicert.search.problem import Plan, mirrored, slot_plan, terms_of, trailing_zeros
from magicert.search.shards.certificate import Collector
from magicert.search.shards.shard import ShardResult, Work, level_for, run_shard
from magicert.targets import slider_of, square_cell
from magicert.verify.cover.checker import StreamCheck
from magicert.verify.cover.statement import statement

# What the issue or the published programs give: tests of the low-bits-first search, seconds.
REFERENCE = {
    "e7": "low bits first, published program: 1.1e9 tests, 8.0 s",
    "f8": "low bits first, published program: 1.7e9 tests, 13.8 s",
    "c1": "asked: 0.5 s counting, 2 s with hash",
    "b2": "asked: 600 s counting; a C prototype: 1.12e10 tests, 18 min",
}
MOST_TESTS = 4_000_000_000
ROOK = "54 u1 e2: " + "d1 " * 17 + "c35.4k d1 d1"
CHAIN = "55 u1 e2: " + "d1 " * 19 + "c36.4"
CHAIN_SHARDS = (1001, 1973, 2751, 3960)
H2 = "55 u1 e2: " + "d1 " * 21
H2_SHARD = 4064
G1 = "63 u1 e2: " + "d1 " * 18 + "c39.3k" + " d1" * 6
G1_SHARDS = (101, 202, 303, 404)


def cell_of(piece: Piece, name: str, bits: int) -> Cell:
    return square_cell(SCHEMES["white"], piece, parse_square(name), bits)


def timed(work: Work) -> tuple[list[ShardResult], float]:
    started = time.process_time()
    results = [run_shard(work, number) for number in range(work.shards)]
    return results, time.process_time() - started


def tell(name: str, what: str, results: list[ShardResult], seconds: float) -> int:
    tests = sum(result.counts.tests for result in results)
    leaves = sum(result.leaves for result in results)
    found = sum(result.magic_count for result in results)
    extra = f", {leaves:.3g} leaves" if leaves else ""
    print(f"{name:<4} {what:<22} {tests:>12.4g} tests {seconds:>9.3f} s{extra}, {found} magics")
    return tests


def plain(name: str, window_tests: int) -> None:
    terms = terms_of(cell_of(Piece.BISHOP, name, 4))
    order = sorted(
        range(len(terms.attack)), key=lambda n: -trailing_zeros(int(terms.multiplicand[n]))
    )
    zeros = [trailing_zeros(int(terms.multiplicand[n])) for n in order]
    first = np.array([0, *(sum(z >= 64 - q for z in zeros) for q in range(1, terms.width + 1))])
    arguments = (terms.multiplicand[order], terms.attack[order], first, terms.shift, terms.width)
    low_bits_first(*arguments, 1000)
    started = time.process_time()
    tests, magics = low_bits_first(*arguments, MOST_TESTS)
    seconds = time.process_time() - started
    more = "at least " if tests >= MOST_TESTS else ""
    print(
        f"{name:<4} {'low bits first':<22} {tests:>12.4g} tests {seconds:>9.3f} s, {magics} magics"
        f" ({more}{tests / window_tests:,.0f} times the tests)"
    )


def check_speed(work: Work) -> None:
    cell, collector = work.cell, Collector()
    run_shard(work, 0, (collector,))
    stream = StreamCheck(statement("white", *slider_of(cell).piece_square, cell.bits), work.root(0))
    started = time.process_time()
    for block in collector.blocks:
        stream.add(block)
    stream.finish()
    seconds = time.process_time() - started
    assert not stream.problems
    speed = stream.leaves / seconds / 1e6
    print(
        f"checker: {stream.leaves:,} leaves in {seconds:.2f} s, {speed:.1f}e6 a second (asked: 5e6)"
    )


def chains() -> None:
    """The same shards of rook g2 along a chain and without one."""
    cell, chain = cell_of(Piece.ROOK, "g2", 9), Plan.parse(CHAIN)
    seconds = []
    for what, plan in (("fans", without_chain(chain, terms_of(cell))), ("chain", chain)):
        work = Work(cell, plan, level_for(plan, 4096), False)
        started = time.process_time()
        results = [run_shard(work, number) for number in CHAIN_SHARDS]
        seconds.append(time.process_time() - started)
        tell("g2", f"{what}, {len(results)} of {work.shards}", results, seconds[-1])
    print(f"g2   the chain takes 1/{seconds[0] / seconds[1]:.1f} of the time")
    seconds = []
    for what, steps in (("square by nodes", "c31.4k d1 d1 d1"), ("exact square", "c34.4k")):
        plan = Plan.parse(H2 + steps)
        work = Work(cell_of(Piece.ROOK, "h2", 10), plan, level_for(plan, 4096), False)
        result = run_shard(work, H2_SHARD)
        seconds.append(result.seconds)
        tell("h2", f"{what}, 1 shard", [result], result.seconds)
    print(f"h2   the exact square takes 1/{seconds[0] / seconds[1]:.1f} of the time")


def counted_slots() -> None:
    """The same shards of rook g1 by windows, m and ~m together, and by counting slots."""
    cell = cell_of(Piece.ROOK, "g1", 9)
    about = terms_of(cell)
    seconds = []
    slots = slot_plan(about)
    windows = Work(cell, mirrored(Plan.parse(G1), about), slots.top, record=False)
    for what, work in (("windows", windows), ("slots", Work(cell, slots, 1, record=False))):
        results = [run_shard(work, number) for number in G1_SHARDS]
        seconds.append(sum(result.seconds for result in results))
        tell("g1", f"{what}, {len(results)} of {work.shards}", results, seconds[-1])
    print(f"g1   counting slots takes 1/{seconds[0] / seconds[1]:.0f} of the time")


def main() -> None:
    if "--slots" in sys.argv:
        counted_slots()
        return
    warm = cell_of(Piece.BISHOP, "d8", 4)
    if "--smallest" in sys.argv:
        plan = choose_plan(terms_of(warm), budget=0.1).plan
        tell("d8", "window, counting", *timed(Work(warm, plan, 0, False)))
        return
    for record in (False, True):
        run_shard(Work(warm, choose_plan(terms_of(warm), budget=0.1).plan, 0, record), 0)
    for name in ("c1", "d1", "e7", "d7", "c8", "e8", "f8"):
        cell = cell_of(Piece.BISHOP, name, 4)
        started = time.process_time()
        estimate = choose_plan(terms_of(cell), budget=5.0)
        planning = time.process_time() - started
        print(f"{name:<4} planned in {planning:.1f} s: {estimate}  [{REFERENCE.get(name, '')}]")
        tests = tell(name, "window, counting", *timed(Work(cell, estimate.plan, 0, False)))
        if name != "f8":
            work = Work(cell, estimate.plan, 0)
            tell(name, "window, leaves hashed", *timed(work))
        if name not in ("c1", "d1"):
            plain(name, tests)
        if name == "c1":
            check_speed(work)
    if "--chain" in sys.argv:
        chains()
    if "--rook" in sys.argv:
        cell, plan = cell_of(Piece.ROOK, "b2", 9), Plan.parse(ROOK)
        print(f"b2   [{REFERENCE['b2']}]")
        tell("b2", "window, counting", *timed(Work(cell, plan, level_for(plan, 64), False)))


if __name__ == "__main__":
    main()
