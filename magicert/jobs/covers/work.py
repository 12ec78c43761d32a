"""A certificate's shards as work for the search, and which of them to do again."""

import random
import secrets

from magicert.board import Piece, parse_square
from magicert.cell import Cell, Keys, Slider, Subject
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.search.chain.chain import check_plan
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plans import parse_plan
from magicert.search.problem.terms import terms_of
from magicert.search.shards.work import Work
from magicert.verify.cover.file import Certificate, Header


def new_seed() -> int:
    """A number from the system, so that nobody can foresee what it chooses."""
    return secrets.randbits(32)


def choose(count: int, wanted: int | range, seed: int | None) -> tuple[list[int], int | None]:
    """So many of `count` shards, those of a range, or ALL; and the seed that chose them, if
    anything did.
    """
    numbers = list(range(count))
    if isinstance(wanted, range):
        return [number for number in numbers if number in wanted], None
    if not 0 < wanted < count:
        return numbers, None
    seed = new_seed() if seed is None else seed
    return sorted(random.Random(seed).sample(numbers, wanted)), seed


def _about(header: Header) -> Subject:
    if header.piece and header.square:
        return Slider(Piece(header.piece), parse_square(header.square))
    return Keys.of([int(word, 16) for word, _ in header.listed], [n for _, n in header.listed])


def work_of(certificate: Certificate) -> Work:
    """What the search has to do for a certificate's shards.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    header, file = certificate.header, str(certificate.path)
    fixed = {"constant": int(header.constant, 16)} if header.scheme == "constant" else {}
    largest = None if header.largest_index == (1 << header.bits) - 1 else header.largest_index
    cell = Cell(resolve_scheme(header.scheme), _about(header), header.bits, fixed, largest)
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
