"""What a search is about: nothing of it changes while the kernel runs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD
from magicert.search.chain.chain import Chain, chain_of
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import Plan, PlanArrays, arrays_of
from magicert.search.problem.terms import Terms, Words


class Products(NamedTuple):
    """x, c and the attack set's number of each occupancy (row); its product is x * m + c."""

    multiplicand: Words
    constant: Words
    attack: NDArray[np.int32]


class Task(NamedTuple):
    """A bucket of products is 2^shift wide and has 2^units units. `record`: write leaves.
    `both`: all ones where the plan has a step "m" (Pads.both at the root), else 0.
    """

    products: Products
    plan: PlanArrays
    chain: Chain
    shift: np.uint64
    units: np.uint64
    both: np.uint64
    record: bool


def task_of(
    terms: Terms, plan: Plan, level: int, end: int | None = None, record: bool = False
) -> Task:
    """The task of subtrees whose root is at `level`. With `end` the search stops at that level:
    what is open there counts as found.
    """
    return Task(
        products=Products(terms.multiplicand, terms.constant, terms.attack),
        plan=arrays_of(plan, terms, level, end),
        chain=chain_of(plan, terms, level, len(plan.steps) if end is None else end),
        shift=np.uint64(terms.shift),
        units=np.uint64(plan.units_log2),
        both=np.uint64(WORD if is_mirrored(plan) else 0),
        record=record,
    )
