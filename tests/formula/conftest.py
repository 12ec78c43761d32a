"""Random formulas, drawn from the language itself: a new operation is in them at once."""

from functools import cached_property

import pytest
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.tree import FUNCTIONS, OPERATORS, SHIFTS, SIGNS
from magicert.problem import InputError

NAMES = ("occ", "a", "b", "c")
AMOUNTS = st.integers(0, 31).map(str)


def edges(word):
    """Words at which something changes: ends of words, and of halves of them."""
    ones = [(1 << n) - 1 for n in (32, 64, word)]
    beyond = [1 << 64, 1 << word - 1, *(ones[1] << low for low in range(64, word, 64))]
    return [0, 1, 1 << 32, 1 << 63, *ones, *beyond * (word > 64)]


def words_of(word):
    whole = st.integers(0, (1 << word) - 1)
    return st.one_of(whole, st.integers(0, 70), st.sampled_from(edges(word)))


def literals(word):
    numbers = [st.integers(0, 70), st.integers(0, (1 << 64) - 1), st.integers(0, (1 << word) - 1)]
    ends = st.sampled_from([0, 1, 31, 32, 63, 64, 127, 128, 255])
    return st.one_of(*numbers, ends).flatmap(
        lambda n: st.sampled_from([str(n), hex(n), bin(n), oct(n)])
    )


def masked(word):
    """What few formulas contain by chance: words of which few bits are known to matter."""
    amounts = st.one_of(st.integers(0, word - 1), st.sampled_from([0, 1, word // 2, word - 1]))
    shifted = "((occ & {}) {} {})".format
    return st.builds(shifted, words_of(word), st.sampled_from(SHIFTS), amounts)


def grown(leaves, amounts):
    """Formulas of all operations, from some leaves; shifts are by `amounts`."""
    operators = st.sampled_from([operator for operator in OPERATORS if operator not in SHIFTS])

    def larger(inner):
        def called(name):
            others = [st.one_of(amounts, inner)] * (FUNCTIONS[name].arity - 1)
            return st.tuples(inner, *others).map(lambda given: f"{name}({', '.join(given)})")

        joined = st.builds("{} {} {}".format, inner, operators, inner)
        return st.one_of(
            joined,
            joined.map("({})".format),
            st.builds("(({}) {} ({}))".format, inner, st.sampled_from(SHIFTS), amounts),
            st.builds("{}({})".format, st.sampled_from(list(SIGNS)), inner),
            # Not one branch a function: they would crowd out the operators.
            st.sampled_from(list(FUNCTIONS)).flatmap(called),
        )

    return st.recursive(leaves, larger, max_leaves=12)


class Drawn:
    """Strategies of formulas of one width, and of values for their names."""

    def __init__(self, word) -> None:
        self.word = word
        self.words = words_of(word)
        parameters = dict.fromkeys(NAMES[1:], words_of(64))
        self.rows = st.fixed_dictionaries({"occ": self.words, **parameters})
        """A parameter's value fits every width that it can be used at."""
        self.wide_rows = st.fixed_dictionaries(dict.fromkeys(NAMES, self.words))
        """A parameter's value may have too many bits for its place."""

    def fits(self, text):
        """Whether every literal fits the width that it has where it stands; 64 bits take all."""
        try:
            if self.word == 64:
                return True
            parse(text, word=self.word)
        except InputError:
            return False
        return True

    @cached_property
    def leaves(self):
        return st.one_of(st.sampled_from(NAMES), literals(self.word), masked(self.word))

    @cached_property
    def formulas(self):
        """Texts that parse; some shifts reach the width and are refused."""
        amounts = st.one_of(AMOUNTS, AMOUNTS, self.leaves)
        return grown(self.leaves, amounts).filter(self.fits)

    @cached_property
    def defined(self):
        """Texts whose shifts are by literals below 32: they have a value everywhere."""
        functions = ("u32", "hi32") if self.word == 64 else ("u32", "u64", "hi64")
        narrow = st.sampled_from([f"{f}({name})" for f in functions for name in NAMES])
        return st.one_of(grown(self.leaves, AMOUNTS), grown(narrow, AMOUNTS)).filter(self.fits)


@pytest.fixture(scope="session", params=[64, 128])
def drawn(request):
    """A test that asks for it runs for formulas of 64-bit and of 128-bit words."""
    return Drawn(request.param)
