"""A function that is asked for by its name or a call, and what it is called where it is made.

    attacks_bb<ROOK>                    the name in the source
    magicert_attacks_bb_ROOK__3c3e      the function of numbers that calls it
    magicert.kept.attacks_bb<ROOK>      the constant that holds that one's address

The constant is in a module for its name alone: by that the function is found again there.
"""

import re
from dataclasses import dataclass
from itertools import chain

FORCED_PREFIX = "magicert.kept."
"""Before a function's name: a constant that holds its address."""
SQUARES = ("square", "target")
"""Words of a call that are numbers of squares; all others are bitboards."""
MADE = re.compile(r"(?<![\w:.])made\(([\w:.]+)((?:, [\w:]+)*)\)")
"""In a call: what a function of Rust makes that takes nothing, and further ones then fill, or one
of Zig that takes a pointer to it. It is made once, and kept.
"""
_EXPRESSION = re.compile(r"(?:[\w:.,<>()\[\]{}&|^~*+/%@?! -]|(?<=[{,] )\.\w+ = |; (?=[\w:]+\]))+")


@dataclass(frozen=True, slots=True)
class ForcedFunction:
    """A function by its name in the source, or a call of one, and the words for what it may be
    called with: a `square` first, and bitboards of `bits`; none where its address shall be taken.
    Which `form_number` to ask for it, and the numbers of the sources that know it, are known once
    a build has it.

        attacks    attacks(ROOK, square, occupied)
    """

    name: str
    takes: tuple[tuple[str, ...], ...] = ()
    bits: int = 64
    form_number: int | None = None
    known_in: tuple[int, ...] | None = None

    @property
    def is_call(self) -> bool:
        """Whether the source's own words say how it is called."""
        words = set(re.findall(r"\w+", self.name)) if re.search(r"[^\w:.]", self.name) else set()
        among = not words.isdisjoint(chain.from_iterable(self.takes))
        return among if self.takes else self.name.endswith(")")

    @property
    def is_expression(self) -> bool:
        """Whether its name holds nothing but what an expression has: no statement goes with it."""
        return _EXPRESSION.fullmatch(self.name) is not None


def wrapper(forced: ForcedFunction) -> str:
    """How the function is called that calls it."""
    return f"magicert_{as_word(forced.name)}"


def as_word(name: str) -> str:
    """A name or a call as one word, another one for each: f<+1> and f<-1> may be asked for at once.
    What becomes a _ stands behind it, by its numbers.
    """
    others = "".join(f"{ord(char):x}" for char in re.findall(r"\W", name))
    return re.sub(r"\W", "_", name) + (f"_{others}" if others else "")
