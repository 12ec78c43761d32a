"""The bit-vector models: encodings by solvers by cells, and all 48 small bishop squares.

    python benchmarks/bench_z3models.py [encodings|squares|finding|--smallest]

The figures in z3models/README.md are this program's output.
"""

import json
import sys
import time

from magicert.chess import Piece, mask, parse_square, square_name
from magicert.data import tables_folder
from magicert.outcome import Exists, Impossible
from magicert.scheme import SCHEMES
from magicert.targets import square_cell
from magicert.z3models.interpretations.circuit import wired_bits
from magicert.z3models.lemmas import live_bits
from magicert.z3models.methods import Sparsity, refine, solve_directly
from magicert.z3models.question import Question, question_of
from magicert.z3models.solvers.backend import Backend, Model
from magicert.z3models.solvers.bitwuzla_solver import BitwuzlaBackend
from magicert.z3models.solvers.sat_solver import SatBackend
from magicert.z3models.solvers.z3_solver import ENCODINGS, LOGIC, Z3Backend


class Silent:
    """A report to nobody."""

    share, shares = 0, 1

    def progress(self, *_: object) -> None:
        """Nothing."""

    def add_magic(self, magic: int) -> None:
        """Nothing."""


def question(piece: str, square: str, bits: int) -> Question:
    return question_of(square_cell(SCHEMES["white"], Piece(piece), parse_square(square), bits))


# (solver, encoding, products, period)
APPROACHES = (
    *(("Z3", encoding, "shift-add", "yes") for encoding in ENCODINGS),
    ("Z3", "table", "multiply", "yes"),
    ("Z3", "pairwise", "multiply", "yes"),
    ("Z3", "table", "shift-add", "no"),
    *(("Bitwuzla", encoding, "shift-add", "yes") for encoding in ENCODINGS),
    *((name, "table", "shift-add", "yes") for name in ("cadical195", "glucose42")),
    *((name, "pairwise", "shift-add", "yes") for name in ("cadical195", "glucose42")),
)


def backend_for(asked: Question, solver: str, encoding: str, products: str, live: int) -> Backend:
    if solver in ("Z3", "Bitwuzla"):
        kind = Z3Backend if solver == "Z3" else BitwuzlaBackend
        return kind(asked, live, logic=LOGIC[encoding], shift_add=products == "shift-add")
    return SatBackend(asked, live, solver)


def encodings() -> None:
    cells = ("d1", "c1", "e7", "a5", "g1")
    names = " | ".join(f"bishop {cell}, 4" for cell in cells)
    print(f"| solver | encoding | products | period | {names} |")
    print("|---" * (4 + len(cells)) + "|")
    for solver, encoding, products, period in APPROACHES:
        row = []
        for square in cells:
            asked = question("bishop", square, 4)
            started = time.process_time()
            live = live_bits(asked) if period == "yes" else asked.free_bits
            backend = backend_for(asked, solver, encoding, products, live)
            backend.state_validity(encoding)
            answer = backend.solve()
            seconds = time.process_time() - started
            verdict = "exists" if isinstance(answer, Model) else "none"
            count = f", {backend.conflicts:,}" if backend.conflicts else ""
            row.append(f"{verdict}, {seconds:.2f} s{count}")
        print("|", " | ".join((solver, encoding, products, period, *row)), "|", flush=True)


def squares() -> None:
    known = json.loads((tables_folder() / "known-results.json").read_text())["bishop"]
    total = 0.0
    counts = {"exists": 0, "none": 0, "agree": 0, "not said": 0}
    for square in range(64):
        c = mask(Piece.BISHOP, square).bit_count()
        if c > 6:
            continue
        name = square_name(square)
        asked = question("bishop", name, c - 1)
        started = time.process_time()
        backend = Z3Backend(asked, live_bits(asked))
        outcome = solve_directly(asked, backend, "table", Silent(), argument="Z3")
        seconds = time.process_time() - started
        total += seconds
        found = "exists" if isinstance(outcome, Exists) else "none"
        assert isinstance(outcome, Exists | Impossible)
        claim = known[name]["c_minus_1"]
        says = {"open": "not said", "disproved": "none"}.get(claim, "exists")
        assert says in ("not said", found), f"{name}: {found}, but {claim}"
        counts[found] += 1
        counts["not said" if says == "not said" else "agree"] += 1
        shown = f"{outcome.magic:#x}" if isinstance(outcome, Exists) else "none exists"
        print(f"bishop {name}, {c - 1} bits: {shown} ({seconds:.2f} s, {says})", flush=True)
    print(f"{sum(counts.values()) // 2} squares in {total:.0f} s (to beat: 300 s): {counts}")


def finding() -> None:
    cells = (("bishop", "d4", 9, 8), ("rook", "d4", 10, 11), ("rook", "h8", 12, 8))
    for piece, square, bits, reference in cells:
        asked = question(piece, square, bits)
        live = wired_bits(asked)
        seconds = []
        for seed in range(1, 6):
            started = time.process_time()
            refine(asked, SatBackend(asked, live, "minicard"), live, Sparsity(), seed, Silent())
            seconds.append(time.process_time() - started)
        times = ", ".join(f"{s:.1f}" for s in sorted(seconds))
        print(f"{piece} {square}, {bits} bits: {times} s over five seeds (reference {reference} s)")


def smallest() -> None:
    """One magic that is found at once."""
    asked = question("bishop", "a2", 5)
    live = wired_bits(asked)
    found = refine(asked, SatBackend(asked, live, "minicard"), live, Sparsity(), 1, Silent())
    print(f"bishop a2, 5 bits: {found.magic:#x}")


PARTS = {"encodings": encodings, "squares": squares, "finding": finding}

if __name__ == "__main__":
    if "--smallest" in sys.argv:
        smallest()
        sys.exit()
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
