"""The language: what formulas mean, how wide each part is, and what is refused."""

import ast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.formula import parse, tree
from magicert.formula.arrays import FitError, ShiftError, ints, lanes, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import Name, evaluate, used_width, walk
from magicert.problem import InputError
from magicert.verify.table.layout import relevance

ALL = (1 << 128) - 1
LOW = (1 << 64) - 1
DEFINED = {"occ", "mask", "magic", "bits", "s"}
FOLDED = "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift"


@pytest.mark.cases_of("values.tsv")
def test_values(width, text, value):
    word = int(width)
    formula = parse(text, word=word)
    assert f"{evaluate(formula.tree, {'occ': ALL >> 128 - word}, text):#x}" == value
    occupancy = words([[ALL >> 128 - word]], word)
    (found,) = ints(numpy_evaluate(formula.tree, {"occ": occupancy}, text).ravel())
    assert f"{found:#x}" == value


@pytest.mark.cases_of("widths.tsv")
def test_widths(text, wide, names):
    formula = parse(text, word=128).tree
    if names == "-":
        assert formula.width == int(wide)
    else:
        used = {node.name for node in walk(formula) if isinstance(node, Name)}
        found = {f"{name}={used_width(formula, name)}" for name in used}
        assert found == set(names.split())


def underlined(problem):
    return problem.text[problem.span.start : problem.span.end] if problem.span else ""


def refused(text, word=64):
    """The problems of a formula, each with its underlined text if it has one."""
    with pytest.raises(InputError) as caught:
        parse(text, DEFINED if word == 64 else None, word=word)
    return [f"{one.message} <{underlined(one)}>" for one in caught.value.problems]


@pytest.mark.cases_of("refused.tsv")
def test_refused(word, text, problem):
    found = refused(text, int(word))
    assert any(problem in one for one in found), found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(" * 10_000 + "occ" + ")" * 10_000, "nested deeper than 40 <(>"),
        ("~" * 10_000 + "occ", "nested deeper than 40 <~>"),
        ("occ" + " + occ" * 10_000, "more than 40 operations deep"),
        ("u32(1|1^1&1<<1+1*" * 39 + "occ" + ")" * 39, "more than 40 operations deep"),
        ("occ" * 100_000, "formula of 300,000 characters: expected at most 65,536"),
    ],
    ids=lambda text: text[:9],
)
def test_what_is_too_large_is_refused(text, problem):
    assert any(problem in one for one in refused(text))


def test_all_problems_are_reported_in_their_order():
    found = refused("foo(occ) & bar < 3 + baz.x")
    assert [f.split(":")[0] for f in found] == [
        "unknown function 'foo'", "unknown name 'bar'", "'<'", "unknown name 'baz'", "'.'",
        "unknown name 'x'",
    ]  # fmt: skip
    with pytest.raises(InputError) as caught:
        parse("(occ & mask) * magik", DEFINED)
    shown = ["    (occ & mask) * magik", "                   ^^^^^"]
    assert str(caught.value).splitlines()[1:] == shown


@pytest.mark.parametrize(
    ("text", "amount"), [("occ >> 64", "64"), ("u32(occ) << (30 + 2)", "30 + 2")]
)
def test_a_shift_by_the_width_is_an_error_at_the_amount(text, amount):
    with pytest.raises(InputError) as caught:
        evaluate(parse(text).tree, {"occ": 1}, text)
    (problem,) = caught.value.problems
    assert underlined(problem) == amount
    assert "expected less than the word's width" in problem.message


def test_the_tree_knows_no_interpreter():
    modules = {getattr(value, "__module__", "") for value in vars(tree).values()}
    assert not [m for m in modules if m and m.partition(".")[0] in ("numpy", "z3", "verify")]


def test_the_word_is_a_part_of_the_formula():
    assert (parse("occ").word, parse("occ", word=128).word) == (64, 128)
    assert parse("occ") != parse("occ", word=128)
    assert parse("u64(occ) + a", word=128).tree != parse("u64(occ) + a").tree
    assert {node.width for node in walk(parse("(occ & mask) * magic + a >> b").tree)} == {64}
    for text in ("u64(occ)", "lo64(occ)", "u64(occ & mask) + hi64(occ)"):
        assert evaluate(parse(text).tree, {"occ": LOW - 4, "mask": LOW}) == LOW - 4


def test_a_parameter_that_has_too_many_bits_is_never_cut():
    row = {"occ": 5, "mask": 7, "magic": 1 << 64, "shift": 50}
    with pytest.raises(InputError) as caught:
        evaluate(parse(FOLDED, word=128).tree, row, FOLDED)
    (problem,) = caught.value.problems
    wide = "magic is 0x10000000000000000: expected less than 2^64, the width it has here"
    assert (problem.message, underlined(problem)) == (wide, "magic")
    # Among many rows, those are named.
    values = {
        "occ": words([[1, 2], [3, 4], [5, 6]], 128), "mask": words([[7], [7], [7]], 128),
        "magic": words([[LOW], [1 << 64], [ALL]], 128), "shift": words([[50]], 64),
    }  # fmt: skip
    with pytest.raises(FitError) as rows:
        numpy_evaluate(parse(FOLDED, word=128).tree, values, FOLDED)
    assert rows.value.rows == [1, 2]
    shown = [problem.message.partition(":")[0] for problem in rows.value.problems]
    assert shown == [f"magic is {1 << 64:#x}", f"magic is {ALL:#x}"]
    # Where it is used at 128 bits, the same number is a number like others.
    assert numpy_evaluate(parse("occ * magic", word=128).tree, values).shape == (3, 2)


@pytest.mark.parametrize(
    ("text", "rows", "amounts"),
    [
        ("occ << a", [1, 2], ["128", f"{LOW - 1 >> 1}"]),
        ("u64(occ) >> a", [0, 1, 2], ["64", "128", f"{LOW - 1 >> 1}"]),
        ("occ >> (occ & 128)", [0, 1, 2], ["128"] * 3),
        ("occ >> (occ & 1 << 64)", [0, 1, 2], [f"{1 << 64}"] * 3),
        ("occ >> occ", [0, 1, 2], ["-1"] * 3),
    ],
)
def test_the_rows_whose_shift_is_too_far_are_named(text, rows, amounts):
    values = {"occ": words([[ALL, 0]] * 3, 128), "a": words([[64], [128], [LOW - 1 >> 1]], 64)}
    with pytest.raises(ShiftError) as caught:
        numpy_evaluate(parse(text, word=128).tree, values, text)
    assert caught.value.rows == rows
    width = 64 if "u64" in text else 128
    wrong = "shift by {}: expected less than the word's width, {}"
    shown = [problem.message for problem in caught.value.problems]
    assert shown == [wrong.format(amount, width) for amount in amounts]


@pytest.mark.parametrize("word", [64, 128, 256])
@pytest.mark.parametrize("operator", ["<<", ">>"])
def test_0_stays_0_whatever_it_is_shifted_by(word, operator):
    """In both interpretations; and all that what is shifted depends on matters."""
    formula = parse(f"(occ & 1) {operator} (a + {word})", word=word)
    rows = {"occ": words([[0], [2]], word), "a": words([[0], [300]], 64)}
    assert ints(numpy_evaluate(formula.tree, rows).ravel()) == [0, 0]
    assert evaluate(formula.tree, {"occ": 2, "a": 7}) == 0
    with pytest.raises(InputError):
        evaluate(formula.tree, {"occ": 3, "a": 7})
    rows["occ"] = words([[2], [1]], word)
    with pytest.raises(ShiftError) as caught:
        numpy_evaluate(formula.tree, rows)
    assert caught.value.rows == [1]
    assert ints(relevance(formula, {"a": words([[0], [9]], 64)}, 2).occupancy) == [1, 1]


def test_shifts_at_the_ends_of_lanes():
    value = 0x8123_4567_89AB_CDEF_FEDC_BA98_7654_3210
    amounts = [0, 1, 31, 32, 63, 64, 65, 96, 127]
    values = {"occ": words([[value]], 128), "a": words([[amount] for amount in amounts], 64)}
    left = numpy_evaluate(parse("occ << a", word=128).tree, values)
    right = numpy_evaluate(parse("occ >> a", word=128).tree, values)
    assert ints(left.ravel()) == [value << amount & ALL for amount in amounts]
    assert ints(right.ravel()) == [value >> amount for amount in amounts]


@pytest.mark.parametrize("word", [128, 256])
def test_products_of_many_rows_are_worked_out_in_parts(word):
    """More than fits the processor's cache at once, and every part in its own place."""
    draw = np.random.default_rng(7)
    occ = words(np.zeros((9, 4001), dtype=object), word)
    for lane in lanes(occ):
        lane[...] = draw.integers(0, 1 << 64, occ.shape, dtype=np.uint64)
    magics = [[(0x9E3779B97F4A7C15 ** (row + 4)) & ((1 << word) - 1)] for row in range(9)]
    values = {"occ": occ, "magic": words(magics, word)}
    for text in ("occ * magic", "occ * occ", "magic * occ", "magic * magic", "u64(occ) * occ"):
        product = parse(text, word=word).tree
        read = np.broadcast_to(numpy_evaluate(product, values), occ.shape)
        for row, place in ((0, 0), (3, 3999), (4, 17), (8, 4000)):
            numbers = {"occ": ints(occ[row, place]), "magic": magics[row][0]}
            assert ints(read[row, place]) == evaluate(product, numbers)


# Python's own parser as an oracle for precedence: a formula of 64-bit operators means what Python
# says it means, with every word wrapped. Nothing of magicert's parser is shared.

RESULTS = {
    ast.Mult: lambda a, b: a * b, ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b,
    ast.BitAnd: lambda a, b: a & b, ast.BitOr: lambda a, b: a | b, ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: lambda a, b: a << min(b, 64), ast.RShift: lambda a, b: a >> min(b, 64),
    ast.Invert: lambda a: ~a, ast.USub: lambda a: -a,
}  # fmt: skip


def by_python(node, values):
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return values[node.id]
        case ast.UnaryOp():
            operands = [node.operand]
        case ast.BinOp():
            operands = [node.left, node.right]
    return RESULTS[type(node.op)](*(by_python(one, values) for one in operands)) & LOW


LEAVES = st.one_of(st.sampled_from(["a", "b", "~a", "-b"]), st.integers(0, LOW).map(str))
FORMULAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from("*+-&|^"), inner),
        st.builds("({} {} {})".format, inner, st.sampled_from("*+-&|^"), inner),
        st.builds("{} {} {}".format, inner, st.sampled_from(["<<", ">>"]), st.integers(0, 63)),
    ),
    max_leaves=10,
)


@settings(max_examples=200)
@given(FORMULAS, st.integers(0, LOW), st.integers(0, LOW))
def test_precedence_and_wrapping_are_pythons(text, a, b):
    values = {"a": a, "b": b}
    try:
        read = evaluate(parse(text).tree, values, text)
    except ValueError:  # a shift amount such as `3 + a`: not defined here, and not compared
        return
    assert read == by_python(ast.parse(text, mode="eval").body, values)
