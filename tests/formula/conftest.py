"""Random formulas, drawn from the language itself: a new operation is in them at once."""

import pytest
from hypothesis import strategies as st

from magicert.formula.tree import FUNCTIONS, OPERATORS, SHIFTS, SIGNS

NAMES = ("occ", "a", "b", "c")
LITERALS = st.one_of(
    st.integers(0, 70), st.integers(0, (1 << 64) - 1), st.sampled_from([0, 1, 31, 32, 63, 64])
).flatmap(lambda n: st.sampled_from([str(n), hex(n), bin(n), oct(n)]))
WORDS = st.one_of(
    st.integers(0, (1 << 64) - 1),
    st.integers(0, 70),
    st.sampled_from([0, 1, (1 << 63), (1 << 64) - 1, 0xFFFF_FFFF, 1 << 32]),
)
# What few formulas contain by chance: words of which few bits are known to matter.
MASKED = st.tuples(WORDS, st.integers(0, 63)).map(lambda t: f"((occ & {t[0]}) >> {t[1]})")
NARROW = st.sampled_from([f"{f}({name})" for f in ("u32", "hi32") for name in NAMES])


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
LEAVES = st.one_of(st.sampled_from(NAMES), LITERALS, MASKED)


@pytest.fixture(scope="session")
def words() -> st.SearchStrategy[int]:
    """64-bit words, chance and edges."""
    return WORDS


@pytest.fixture(scope="session")
def rows() -> st.SearchStrategy[dict[str, int]]:
    """A value for each name."""
    return st.fixed_dictionaries(dict.fromkeys(NAMES, WORDS))


@pytest.fixture(scope="session")
def formulas() -> st.SearchStrategy[str]:
    """Formula texts that parse; some shifts reach the width and are refused."""
    return grown(LEAVES, st.one_of(AMOUNTS, AMOUNTS, LEAVES))


@pytest.fixture(scope="session")
def defined() -> st.SearchStrategy[str]:
    """Formula texts whose shifts are by literals below 32: they have a value everywhere."""
    return st.one_of(grown(LEAVES, AMOUNTS), grown(NARROW, AMOUNTS))
