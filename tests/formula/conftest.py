"""Random formulas: text, with the names a, b, c and occ."""

import pytest
from hypothesis import strategies as st

NAMES = ("occ", "a", "b", "c")
LITERALS = st.one_of(
    st.integers(0, 70), st.integers(0, (1 << 64) - 1), st.sampled_from([0, 1, 31, 32, 63, 64])
).flatmap(lambda n: st.sampled_from([str(n), hex(n), bin(n), oct(n)]))
LEAVES = st.one_of(st.sampled_from(NAMES), LITERALS)


def _extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["*", "+", "-", "&", "|", "^"])
    one = st.sampled_from(["u32", "lo32", "hi32", "bswap64", "popcount", "ctz"])
    two = st.sampled_from(["rol32", "rol64"])
    amount = st.integers(0, 31).map(str)
    return st.one_of(
        st.tuples(inner, operators, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        # Without parentheses, so that precedence is tested as well.
        st.tuples(inner, operators, inner).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
        st.tuples(inner, st.sampled_from(["<<", ">>"]), st.one_of(amount, inner)).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
        st.tuples(st.sampled_from("~-"), inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(one, inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(two, inner, st.one_of(amount, inner)).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
    )


@pytest.fixture(scope="session")
def formulas() -> st.SearchStrategy[str]:
    """A strategy for formula texts that parse."""
    return st.recursive(LEAVES, _extend, max_leaves=12)
