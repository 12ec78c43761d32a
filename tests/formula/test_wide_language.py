"""Formulas of 128-bit words: how wide each part is, and what is refused."""

import numpy as np
import pytest

from magicert.formula import parse
from magicert.formula.arrays import FitError, ShiftError, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import Name, evaluate, used_width, walk
from magicert.problem import InputError

ALL = (1 << 128) - 1
LOW = (1 << 64) - 1
FOLDED = "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift"


def width(text: str) -> int:
    return parse(text, word=128).tree.width


def used(text: str) -> dict[str, int]:
    """The width of each name; the narrowest where it is used several times."""
    tree = parse(text, word=128).tree
    names = {node.name for node in walk(tree) if isinstance(node, Name)}
    return {name: used_width(tree, name) for name in names}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("~0 >> 120", 255),
        ("-1 >> 127", 1),
        ("1 << 127", 1 << 127),
        ("(1 << 64) - 1", LOW),
        ("0xFFFFFFFFFFFFFFFF + 1", 1 << 64),
        ("-1 * -1", 1),
        ("0x1_0000_0000_0000_0001 * 0x1_0000_0000_0000_0001", 2 << 64 | 1),
        ("u64(1) - u64(2)", LOW),
        ("u64(1) - 2", LOW),
        ("(u64(1) - 2) + (1 << 1)", 1),
        ("u64(1) + (0xFFFFFFFFFFFFFFFF << 4 >> 4)", 1 << 60),
        ("u32(1) - 2", LOW),
        ("(u64(0) - 1) + (occ & 0)", LOW),
        ("hi64(5 << 63)", 2),
        ("hi64(u64(~0))", 0),
        ("lo64(5 << 63)", 1 << 63),
        ("lo64(~0) + u64(1)", 0),
        ("hi32(1 << 32 | 1 << 64)", 1),
        ("hi32(hi64(1 << 127))", 1 << 31),
        ("rol64(1 << 63 | 1 << 64, 1)", 1),
        ("bswap64(1 | 2 << 64)", 1 << 56),
        ("pext(5 << 63 | 3, 0x8000000000000002) + pext(occ << 1, occ >> 64)", 1),
        ("popcount(~0)", 128),
        ("popcount(u64(~0))", 64),
        ("ctz(1 << 64)", 64),
        ("ctz(1 << 100)", 100),
        ("ctz(occ & 0)", 128),
        ("ctz(u64(0))", 64),
        ("0b1" + "0" * 127, 1 << 127),
    ],
)
def test_values(text: str, value: int):
    formula = parse(text, word=128)
    assert evaluate(formula.tree, {"occ": ALL}, text) == value
    read = numpy_evaluate(formula.tree, {"occ": words([[ALL]], 128)}, text)
    assert ints(read.ravel()) == [value]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # The board's words have its width, parameters that of what they stand beside.
        ("occ & mask", {"occ": 128, "mask": 128}),
        ("(word & line) ^ x", {"word": 128, "line": 128, "x": 128}),
        (FOLDED, {"occ": 128, "mask": 128, "magic": 64, "shift": 64}),
        (
            "(occ & mask) * magic >> (128 - bits)",
            {"occ": 128, "mask": 128, "magic": 128, "bits": 64},
        ),
        # Parameters among themselves take one width together, from what comes first.
        ("(a + b * 3) ^ u64(occ)", {"a": 64, "b": 64, "occ": 128}),
        ("(a << b) * u64(occ)", {"a": 64, "b": 64, "occ": 128}),
        ("u64(occ) * (-~a)", {"a": 64, "occ": 128}),
        ("a * b", {"a": 128, "b": 128}),
        ("u64(a * b)", {"a": 128, "b": 128}),
        ("u64(occ) + a + b", {"a": 64, "b": 64, "occ": 128}),
        ("a + b + u64(occ)", {"a": 64, "b": 64, "occ": 128}),
        ("a + b + u64(occ) + occ", {"a": 64, "b": 64, "occ": 128}),
        # Beside 32 bits they have 64, as in formulas of 64-bit words.
        ("u32(occ) * a", {"a": 64, "occ": 128}),
        ("occ >> (a + 1)", {"a": 64, "occ": 128}),
        ("occ >> (u64(occ) & a)", {"a": 64, "occ": 128}),
        ("rol64(a, b)", {"a": 128, "b": 64}),
        ("u64(occ) * a + (occ ^ a)", {"a": 64, "occ": 128}),
    ],
)
def test_each_name_has_the_width_of_its_place(text: str, wanted: dict[str, int]):
    assert used(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("occ", 128), ("magic", 128), ("u64(occ) * magic", 64), ("u64(occ) + occ", 128),
        ("u32(occ) + u32(mask)", 32), ("u32(occ) + 1", 64), ("popcount(occ)", 64),
        ("u64(occ) << 3", 64), ("1 << u64(occ)", 128), ("~u64(occ)", 64), ("hi64(occ)", 64),
    ],
)  # fmt: skip
def test_each_operation_has_the_width_of_its_wider_side(text: str, wanted: int):
    assert width(text) == wanted


def test_names_are_64_bits_wide_in_formulas_of_64_bits():
    tree = parse("(occ & mask) * magic + a >> b").tree
    assert {node.width for node in walk(tree)} == {64}


def test_the_word_is_a_part_of_the_formula():
    assert (parse("occ").word, parse("occ", word=128).word) == (64, 128)
    assert parse("occ") != parse("occ", word=128)
    assert parse("u64(occ) + a", word=128).tree != parse("u64(occ) + a").tree


@pytest.mark.parametrize("text", ["u64(occ)", "lo64(occ)", "u64(occ & mask) + hi64(occ)"])
def test_the_low_64_bits_of_a_64_bit_word_are_the_word(text: str):
    assert evaluate(parse(text).tree, {"occ": LOW - 4, "mask": LOW}) == LOW - 4


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"occ & {1 << 128}", f"number {1 << 128}: expected less than 2^128"),
        (f"u64(occ) & {1 << 64}", f"number {1 << 64}: expected less than 2^64"),
        (f"occ >> {1 << 64}", f"number {1 << 64}: expected less than 2^64"),
        (f"u64(occ) * (a + {1 << 64})", f"number {1 << 64}: expected less than 2^64"),
        ("u128(occ)", "unknown function 'u128': expected one of u32"),
        ("u64 & occ", "function 'u64' without its arguments"),
        ("u64(occ, 3)", "u64 with 2 arguments: expected 1"),
        ("rol64(occ)", "rol64 with 1 arguments: expected 2"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(text: str, problem: str):
    with pytest.raises(InputError) as caught:
        parse(text, word=128)
    (found,) = caught.value.problems
    assert found.message.startswith(problem)
    assert found.span is not None
    for number in (1 << 64, 1 << 128):
        if str(number) in text:
            assert found.text[found.span.start : found.span.end] == str(number)


def test_a_number_of_64_bits_is_the_most_that_64_bit_formulas_know():
    with pytest.raises(InputError, match=r"expected less than 2\^64"):
        parse(f"occ & {1 << 64}")


def test_a_parameter_that_has_too_many_bits_is_never_cut():
    formula = parse(FOLDED, word=128)
    row = {"occ": 5, "mask": 7, "magic": 1 << 64, "shift": 50}
    with pytest.raises(InputError) as caught:
        evaluate(formula.tree, row, FOLDED)
    (problem,) = caught.value.problems
    assert problem.message == (
        "magic is 0x10000000000000000: expected less than 2^64, the width it has here"
    )
    assert problem.span is not None
    assert problem.text[problem.span.start : problem.span.end] == "magic"


def test_the_rows_whose_parameter_has_too_many_bits_are_named():
    formula = parse(FOLDED, word=128)
    values = {
        "occ": words([[1, 2], [3, 4], [5, 6]], 128),
        "mask": words([[7], [7], [7]], 128),
        "magic": words([[LOW], [1 << 64], [ALL]], 128),
        "shift": words([[50]], 64),
    }
    with pytest.raises(FitError) as caught:
        numpy_evaluate(formula.tree, values, FOLDED)
    assert caught.value.rows == [1, 2]
    shown = [problem.message.partition(":")[0] for problem in caught.value.problems]
    assert shown == [f"magic is {1 << 64:#x}", f"magic is {ALL:#x}"]
    # Where it is used at 128 bits, the same number is a number like others.
    assert numpy_evaluate(parse("occ * magic", word=128).tree, values).shape == (3, 2)


@pytest.mark.parametrize(
    ("text", "rows", "amounts"),
    [
        ("occ << a", [1, 2], ["128", f"{LOW - 1 >> 1}"]),
        ("u64(occ) >> a", [0, 1, 2], ["64", "128", f"{LOW - 1 >> 1}"]),
        ("occ >> (occ & 128)", [0, 1, 2], ["128"] * 3),
        ("occ >> occ", [0, 1, 2], ["-1"] * 3),
    ],
)
def test_the_rows_whose_shift_is_too_far_are_named(text: str, rows: list[int], amounts: list[str]):
    values = {
        "occ": words([[ALL, 0]] * 3, 128),
        "a": words([[64], [128], [LOW - 1 >> 1]], 64),
    }
    with pytest.raises(ShiftError) as caught:
        numpy_evaluate(parse(text, word=128).tree, values, text)
    assert caught.value.rows == rows
    shown = [problem.message for problem in caught.value.problems]
    assert shown == [
        f"shift by {amount}: expected less than the word's width, {64 if 'u64' in text else 128}"
        for amount in amounts
    ]


def test_shifts_at_the_ends_of_lanes():
    value = 0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210
    amounts = [0, 1, 31, 32, 63, 64, 65, 96, 127]
    values = {"occ": words([[value]], 128), "a": words([[amount] for amount in amounts], 64)}
    left = numpy_evaluate(parse("occ << a", word=128).tree, values)
    right = numpy_evaluate(parse("occ >> a", word=128).tree, values)
    assert ints(left.ravel()) == [value << amount & ALL for amount in amounts]
    assert ints(right.ravel()) == [value >> amount for amount in amounts]


def test_products_of_many_rows_are_worked_out_in_parts():
    """More than fits the processor's cache at once, and every part in its own place."""
    draw = np.random.default_rng(7)
    occ = words(np.zeros((9, 4001), dtype=object), 128)
    for lane in ("lo", "hi"):
        occ[lane] = draw.integers(0, 1 << 64, occ.shape, dtype=np.uint64)
    magics = [[(0x9E3779B97F4A7C15 ** (row + 2)) & ALL] for row in range(9)]
    values = {"occ": occ, "magic": words(magics, 128)}
    for text in ("occ * magic", "occ * occ", "magic * occ", "magic * magic", "u64(occ) * occ"):
        read = numpy_evaluate(parse(text, word=128).tree, values)
        for row, place in ((0, 0), (3, 3999), (4, 17), (8, 4000)):
            numbers = {"occ": ints(occ[row, place]), "magic": magics[row][0]}
            wanted = evaluate(parse(text, word=128).tree, numbers)
            assert ints(np.broadcast_to(read, occ.shape)[row, place]) == wanted
