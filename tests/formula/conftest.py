"""Random formulas, drawn from the language itself: a new operation is in them at once.

Tests that ask for `word` run for formulas of 64-bit and of 128-bit words.
"""

import pytest
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.tree import FUNCTIONS, OPERATORS, SHIFTS, SIGNS
from magicert.problem import InputError

NAMES = ("occ", "a", "b", "c")


def edges(word: int) -> list[int]:
    """Words at which something changes: ends of words, and of halves of them."""
    ones = [(1 << n) - 1 for n in (32, 64, word)]
    return [0, 1, 1 << 32, 1 << 63, *ones, *[1 << 64, 1 << 127, ones[1] << 64] * (word > 64)]


def words_of(word: int) -> st.SearchStrategy[int]:
    whole = st.integers(0, (1 << word) - 1)
    return st.one_of(whole, st.integers(0, 70), st.sampled_from(edges(word)))


def literals(word: int) -> st.SearchStrategy[str]:
    numbers = [st.integers(0, 70), st.integers(0, (1 << 64) - 1), st.integers(0, (1 << word) - 1)]
    ends = st.sampled_from([0, 1, 31, 32, 63, 64, 127])
    return st.one_of(*numbers, ends).flatmap(
        lambda n: st.sampled_from([str(n), hex(n), bin(n), oct(n)])
    )


def masked(word: int) -> st.SearchStrategy[str]:
    """What few formulas contain by chance: words of which few bits are known to matter."""
    amounts = st.one_of(st.integers(0, word - 1), st.sampled_from([0, 1, word // 2, word - 1]))
    return st.tuples(words_of(word), st.sampled_from(SHIFTS), amounts).map(
        lambda t: f"((occ & {t[0]}) {t[1]} {t[2]})"
    )


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Two operands and an operator that is no shift, with and without parentheses."""
    operators = st.sampled_from([operator for operator in OPERATORS if operator not in SHIFTS])
    plain = st.tuples(inner, operators, inner).map(" ".join)
    return st.one_of(plain, plain.map(lambda text: f"({text})"))


def _called(
    inner: st.SearchStrategy[str], amounts: st.SearchStrategy[str]
) -> st.SearchStrategy[str]:
    def arguments(name: str) -> st.SearchStrategy[str]:
        others = [st.one_of(amounts, inner)] * (FUNCTIONS[name].arity - 1)
        return st.tuples(inner, *others).map(lambda t: f"{name}({', '.join(t)})")

    return st.sampled_from(list(FUNCTIONS)).flatmap(arguments)


def grown(leaves: st.SearchStrategy[str], amounts: st.SearchStrategy[str], most: int = 12):
    """Formulas of all operations, from some leaves; shifts are by `amounts`."""

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        shifted = st.tuples(inner, st.sampled_from(SHIFTS), amounts)
        return st.one_of(
            _joined(inner),
            shifted.map(lambda t: f"(({t[0]}) {t[1]} ({t[2]}))"),
            st.tuples(st.sampled_from(list(SIGNS)), inner).map(lambda t: f"{t[0]}({t[1]})"),
            _called(inner, amounts),
        )

    return st.recursive(leaves, larger, max_leaves=most)


AMOUNTS = st.integers(0, 31).map(str)


def leaves(word: int) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(NAMES), literals(word), masked(word))


def narrow(word: int) -> st.SearchStrategy[str]:
    functions = ("u32", "hi32") if word == 64 else ("u32", "u64", "hi64")
    return st.sampled_from([f"{f}({name})" for f in functions for name in NAMES])


def fits(text: str, word: int) -> bool:
    """Whether every literal fits the width that it has where it stands."""
    try:
        parse(text, word=word)
    except InputError:
        return False
    return True


@pytest.fixture(scope="session", params=[64, 128])
def word(request: pytest.FixtureRequest) -> int:
    """The width of a formula's words."""
    width: int = request.param
    return width


@pytest.fixture(scope="session")
def words(word: int) -> st.SearchStrategy[int]:
    """Words, chance and edges."""
    return words_of(word)


@pytest.fixture(scope="session")
def rows(word: int) -> st.SearchStrategy[dict[str, int]]:
    """A value for each name; a parameter's fits every width that it can be used at."""
    parameters = dict.fromkeys(NAMES[1:], words_of(64))
    return st.fixed_dictionaries({"occ": words_of(word), **parameters})


@pytest.fixture(scope="session")
def wide_rows(word: int) -> st.SearchStrategy[dict[str, int]]:
    """A value for each name; a parameter's may have too many bits for its place."""
    return st.fixed_dictionaries(dict.fromkeys(NAMES, words_of(word)))


@pytest.fixture(scope="session")
def formulas(word: int) -> st.SearchStrategy[str]:
    """Formula texts that parse; some shifts reach the width and are refused."""
    drawn = grown(leaves(word), st.one_of(AMOUNTS, AMOUNTS, leaves(word)))
    return drawn if word == 64 else drawn.filter(lambda text: fits(text, word))


@pytest.fixture(scope="session")
def defined(word: int) -> st.SearchStrategy[str]:
    """Formula texts whose shifts are by literals below 32: they have a value everywhere."""
    drawn = st.one_of(grown(leaves(word), AMOUNTS), grown(narrow(word), AMOUNTS))
    return drawn if word == 64 else drawn.filter(lambda text: fits(text, word))
