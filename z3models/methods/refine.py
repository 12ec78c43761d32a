"""Finding by counterexample-guided refinement, with random sparse cubes.

State little, ask for a candidate, check it against all occupancies, state the pairs that
conflict, ask again (CEGAR; Clarke, Grumberg, Jha, Lu, Veith 2000). On all 64 bits this
wanders off: there are too many candidates. Magics that work tend to have few ones, so
every round assumes that all but a few random bits are zero. What was learned in a cube
holds in all of them, and stays.
"""

import random
from dataclasses import dataclass

from magicert.outcome import Exists, Figures
from magicert.z3models.methods.settle import verified
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Backend, Model
from magicert.z3models.solvers.candidate import Candidates
from magicert.z3models.solvers.child import ChildObserver


@dataclass(frozen=True)
class Sparsity:
    """How a cube is drawn: about `free` unknown bits, and so many conflicts a call before it
    is given up; `pairs` is how many conflicting pairs of a candidate are stated.
    """

    free: int = 9
    conflicts: int = 300
    pairs: int = 24


def refine(
    question: Question,
    backend: Backend,
    live: int,
    sparsity: Sparsity,
    seed: int,
    report: ChildObserver,
) -> Exists:
    """Find a magic whose bits lie in `live`. It never ends where there is none: the caller
    holds the clock.
    """
    draw = random.Random(seed)
    places = [place for place in range(live.bit_length()) if live >> place & 1]
    candidates = Candidates(question)
    cubes = stated = tried = 0
    while True:
        cubes += 1
        free = min(len(places), max(1, sparsity.free + draw.randint(-2, 2)))
        cube = sum(1 << place for place in draw.sample(places, free))
        while isinstance(
            answer := backend.ask(zeros=live & ~cube, conflicts=sparsity.conflicts), Model
        ):
            tried += 1
            pairs = candidates.conflicts(answer.magic)
            if not pairs:
                figures: Figures = {
                    "cubes": cubes, "candidates": tried, "pairs": stated,
                    "conflicts": backend.conflicts,
                }  # fmt: skip
                return Exists((verified(question, answer.magic),), figures=figures)
            sample = draw.sample(pairs, min(4 * sparsity.pairs, len(pairs)))
            smaller = {candidates.disjoint(pair, answer.magic) for pair in sample}
            for pair in sorted(smaller, key=candidates.squares)[: sparsity.pairs]:
                backend.state_apart(pair)
                stated += 1
        report.progress(cubes, None, f"cubes, {tried:,} candidates, {stated:,} pairs stated")
