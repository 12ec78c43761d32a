"""Does Rein's endgame-database idea pay? Prints the table of docs/bit-tables.md.

    python benchmarks/bench_bit_tables.py [SECONDS_PER_SEARCH]

For each cell: the pairs and triples that `EFFORT` tests per entry show to be disallowed,
and the search without tables, with pairs, and with triples, each with its time for
building. The window search stands beside them if it is installed. Then what more effort
costs and saves; and, where all magics of a possible cell can be listed, the perfect tables,
which no effort can surpass.
"""

import sys
import time

from magicert.board import Piece, parse_square
from magicert.cell import Cell, slider_of, square_cell
from magicert.engine import Quiet, Request, load, option_values
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.finders.all_occupancies import Words
from magicert.search.guessing.bit_tables import (
    BitTable,
    build_pairs,
    build_triples,
    perfect_pairs,
    perfect_triples,
)
from magicert.search.guessing.kernel import EXHAUSTED, FOUND, VALUE
from magicert.search.guessing.pattern import NONE, Pattern, pattern_of
from magicert.search.guessing.tree import Tree

CELLS = (
    "bishop d8 4", "bishop e8 4", "bishop d7 4", "bishop c8 4", "bishop d1 4", "bishop e1 4",
    "bishop e7 4", "bishop d8 5", "bishop h2 4", "bishop b8 4", "rook e4 10", "rook h8 12",
    "rook a8 11", "rook f8 10",
)  # fmt: skip
EFFORT = {Piece.ROOK: (100, 10), Piece.BISHOP: (1000, 30)}
"""Tests for each entry of the pairs and of the triples."""
ORDER = {Piece.ROOK: "low", Piece.BISHOP: "high"}
"""High bits first is the better order for bishops; for rooks only low bits first ends at all."""
LISTED = ("bishop d8 5", "bishop e8 5")
EFFORTS = (1_000, 10_000, 100_000)
EXHAUSTED_CELLS = ("bishop d8 4", "bishop d7 4")


def cell_of(text: str) -> Cell:
    piece, square, bits = text.split()
    return square_cell(SCHEMES["white"], Piece(piece), parse_square(square), int(bits))


def search(tree: Tree, seconds: float, everything: bool = False) -> tuple[str, list[int]]:
    """Run a tree to its end, its first magic, or the time limit."""
    end = time.process_time() + seconds
    found: list[int] = []
    while time.process_time() < end:
        status = tree.run(20_000)
        if status == FOUND:
            found.append(int(tree.state[VALUE]))
            if not everything:
                return "magic", found
        if status == EXHAUSTED or (status == FOUND and not tree.retreat()):
            return "all" if found else "none", found
    return "?", found


def timed(
    pattern: Pattern, order: str, seconds: float, pairs: Words = NONE, triples: Words = NONE
) -> str:
    tree = Tree(pattern, order, pairs, triples)
    started = time.process_time()
    end, _ = search(tree, seconds)
    return f"{end}, {tree.tests:,} in {time.process_time() - started:.2f} s"


def share(table: BitTable) -> str:
    return f"{table.disallowed:,} of {table.entries:,} ({table.disallowed / table.entries:.2%})"


def window(cell: Cell, seconds: float) -> str:
    try:
        engine = load("window")
    except InputError:
        return "not available"
    started = time.process_time()
    request = Request(cell, seconds=seconds, options=option_values(engine, {}))
    outcome = engine.solve(request, Quiet())
    tests = outcome.figures.get("tests", "?")
    return f"{type(outcome).__name__}, {tests} in {time.process_time() - started:.2f} s"


def compare(seconds: float) -> None:
    print("| cell | disallowed pairs | built | disallowed triples | built "
          "| no tables | pairs | triples | window |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for text in CELLS:
        cell = cell_of(text)
        pattern = pattern_of(cell)
        first, second = EFFORT[slider_of(cell).piece]
        order = ORDER[slider_of(cell).piece]
        started = time.process_time()
        pairs = build_pairs(pattern, first, Quiet())
        paired = time.process_time()
        triples = build_triples(pattern, second, pairs, Quiet())
        tripled = time.process_time()
        row = [
            f"{text} bits", share(pairs), f"{paired - started:.1f} s",
            share(triples), f"{tripled - paired:.1f} s",
            timed(pattern, order, seconds), timed(pattern, order, seconds, pairs.cuts),
            timed(pattern, order, seconds, pairs.cuts, triples.cuts), window(cell, seconds),
        ]  # fmt: skip
        print("| " + " | ".join(row) + " |", flush=True)


def spend_more() -> None:
    print("\nWhat pairs cost and save, by the tests spent on each entry:\n")
    print("| cell | effort | disallowed pairs | tests to build | tests without | tests with |")
    print("|---|---|---|---|---|---|")
    for text in EXHAUSTED_CELLS:
        pattern = pattern_of(cell_of(text))
        without = Tree(pattern, "high")
        search(without, 60)
        for effort in EFFORTS:
            pairs = build_pairs(pattern, effort, Quiet())
            tree = Tree(pattern, "high", pairs.cuts)
            search(tree, 60)
            row = [f"{text} bits", f"{effort:,}", share(pairs), f"{pairs.tests:,}",
                   f"{without.tests:,}", f"{tree.tests:,}"]  # fmt: skip
            print("| " + " | ".join(row) + " |", flush=True)


def omniscient(seconds: float) -> None:
    print("\nPerfect tables, from all magics of a cell; tests to list them all again:\n")
    print("| cell | magics | pairs | triples | no tables | pairs | triples |")
    print("|---|---|---|---|---|---|---|")
    for text in LISTED:
        pattern = pattern_of(cell_of(text))
        tree = Tree(pattern, "high")
        end, magics = search(tree, 10 * seconds, everything=True)
        if end != "all":
            print(f"| {text} bits | more than {len(magics):,} | ? | ? | ? | ? | ? |", flush=True)
            continue
        pairs = perfect_pairs(magics, pattern.bits)
        triples = perfect_triples(magics, pattern.bits)
        with_pairs = Tree(pattern, "high", pairs.cuts)
        with_both = Tree(pattern, "high", pairs.cuts, triples.cuts)
        for cut in (with_pairs, with_both):
            assert sorted(search(cut, 20 * seconds, everything=True)[1]) == sorted(magics)
        row = [
            f"{text} bits", f"{len(magics):,}", share(pairs), share(triples),
            f"{tree.tests:,}", f"{with_pairs.tests:,}", f"{with_both.tests:,}",
        ]  # fmt: skip
        print("| " + " | ".join(row) + " |", flush=True)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    compare(seconds)
    spend_more()
    omniscient(seconds)


if __name__ == "__main__":
    main()
