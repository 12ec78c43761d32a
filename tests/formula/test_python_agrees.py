"""Python's own parser as an oracle for precedence: a formula of 64-bit operators means what
Python says it means, with every word wrapped. Nothing of magicert's parser is shared."""

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import parse
from magicert.formula.tree import evaluate

WRAP = (1 << 64) - 1


def by_python(text: str, values: dict[str, int]) -> int:
    def read(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int() as value):
                return value
            case ast.Name(id=name):
                return values[name]
            case ast.UnaryOp(op=ast.Invert(), operand=x):
                return ~read(x) & WRAP
            case ast.UnaryOp(op=ast.USub(), operand=x):
                return -read(x) & WRAP
            case ast.BinOp(left=x, op=op, right=y):
                a, b = read(x), read(y)
                results = {
                    ast.Mult: a * b,
                    ast.Add: a + b,
                    ast.Sub: a - b,
                    ast.BitAnd: a & b,
                    ast.BitOr: a | b,
                    ast.BitXor: a ^ b,
                    ast.LShift: a << min(b, 64),
                    ast.RShift: a >> min(b, 64),
                }
                return results[type(op)] & WRAP
        raise AssertionError(ast.dump(node))

    return read(ast.parse(text, mode="eval").body)


OPERATORS = st.sampled_from(["*", "+", "-", "&", "|", "^"])
LEAVES = st.one_of(st.sampled_from(["a", "b", "~a", "-b"]), st.integers(0, WRAP).map(str))
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, OPERATORS, inner).map(" ".join),
        st.tuples(inner, OPERATORS, inner).map(lambda t: f"({' '.join(t)})"),
        st.tuples(inner, st.sampled_from(["<<", ">>"]), st.integers(0, 63).map(str)).map(" ".join),
    ),
    max_leaves=10,
)


@settings(max_examples=300)
@given(FORMULAS, st.integers(0, WRAP), st.integers(0, WRAP))
def test_precedence_and_wrapping_are_pythons(text: str, a: int, b: int) -> None:
    values = {"a": a, "b": b}
    try:
        read = evaluate(parse(text).tree, values, text)
    except ValueError:  # a shift amount such as `3 + a`: not defined here, and not compared
        return
    assert read == by_python(text, values)
