"""A plan of the second kind: m's low bits first, some bits at a time.

A node knows m modulo 2^q, and q only rises. A product with a multiplicand whose lowest bit is at
least 64 - q is then exact. So each mask bit, from the highest down, is *taken* at one q, and the
occupancies with that bit as their lowest one get their slots. A step that takes a bit has at most
2^MOST_TAKEN values, which are tested together; a step that takes none only enumerates.
"""

from dataclasses import dataclass
from functools import cached_property

from magicert.search.problem.terms import Terms, mask_bits

HEAD = "low:"
MOST_TAKEN = 8
"""log2 of the values that are tested together: of the length of a bit string."""
MOST_ENUMERATED = 12
LEAST_BITS = 2
"""A slot is at most a word of a bit string long."""


@dataclass(frozen=True)
class LowPlan:
    """How many bits of m each step adds."""

    widths: tuple[int, ...]

    @property
    def text(self) -> str:
        """Such as "low: 2 2 1 1 4 8 8"."""
        return f"{HEAD} {' '.join(map(str, self.widths))}"

    @classmethod
    def parse(cls, text: str) -> "LowPlan":
        """The plan of a text. ValueError if it is none."""
        try:
            head, *widths = text.split()
            plan = cls(tuple(map(int, widths)))
            if head != HEAD or not widths or min(plan.widths) < 1:
                raise ValueError
        except ValueError:
            raise ValueError(f"no plan: {text!r}") from None
        return plan

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The steps as those of other plans are written: "u8" raises q by eight bits."""
        return tuple(f"u{width}" for width in self.widths)

    @cached_property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """The window (0, q) before each step, and after the last."""
        return tuple((0, sum(self.widths[:n])) for n in range(len(self.widths) + 1))

    @property
    def chain(self) -> str:
        """No plan of this kind has one."""
        return ""

    def check(self, terms: Terms) -> None:
        """ValueError unless the plan ends with every bit known, each mask bit is taken by a step of
        its own, and the multiplicands are the subsets of the mask.
        """
        ends = [q for _, q in self.windows[1:]]
        if not ends or ends[-1] != terms.width:
            raise ValueError(f"the plan ends at bit {sum(self.widths)}: expected {terms.width}")
        taken = {64 - bit for bit in mask_bits(terms)}
        if not taken <= set(ends):
            missing = ", ".join(map(str, sorted(taken - set(ends))))
            raise ValueError(
                f"steps end at bits {ends}: expected a step to end at {missing} as well"
            )
        for width, end in zip(self.widths, ends, strict=True):
            most = MOST_TAKEN if end in taken else MOST_ENUMERATED
            if width > most:
                raise ValueError(f"a step of {width} bits ends at {end}: expected at most {most}")
        if terms.bits < LEAST_BITS:
            raise ValueError(f"low bits first takes {LEAST_BITS} index bits or more")
        if not is_mask(terms):
            raise ValueError("low bits first takes all subsets of a mask, and one constant")


def is_mask(terms: Terms) -> bool:
    """Whether the multiplicands are all subsets of one mask, each once, with one constant."""
    bits = mask_bits(terms)
    subsets = {0}
    for bit in bits if len(terms.attack) == 1 << len(bits) else ():
        subsets |= {x | 1 << bit for x in subsets}
    return subsets == set(terms.multiplicand.tolist()) and len(set(terms.constant.tolist())) == 1


def low_plan(terms: Terms) -> LowPlan:
    """The plan that takes each mask bit with as many bits of m as can be tested together."""
    widths: list[int] = []
    for bit in reversed(mask_bits(terms)):
        gap = 64 - bit - sum(widths)
        while gap > MOST_TAKEN:
            widths.append(min(MOST_TAKEN, gap - MOST_TAKEN))
            gap -= widths[-1]
        widths.append(gap)
    return LowPlan(tuple(widths))
