"""The analysis of which occupancy bits matter: it may say too much, never too little."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from magicert.formula import Formula, parse
from magicert.formula.arrays import RowsError, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import FUNCTIONS, OCCUPANCY, OPERATORS, SHIFTS, SIGNS, evaluate
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.verify.table.layout import Relevance, _Dependencies, relevance

ALL = (1 << 64) - 1
Row = Mapping[str, int]


def analysed(text: str, row: Row | None = None, word: int = 64) -> Relevance:
    arrays = {n: words([[v]], word) for n, v in (row or {}).items() if n != "occ"}
    return relevance(parse(text, word=word), arrays, 1)


def subsets(bits: list[int], around: int) -> list[int]:
    """All occupancies that differ from one in these bits: number n has the bits of n flipped."""
    found = [around]
    for bit in bits:
        found += [occupancy ^ 1 << bit for occupancy in found]
    return found


def check(formula: Formula, row: Row, bits: list[int]) -> None:
    """Try all combinations of some occupancy bits: whatever they change must be foretold."""
    width = formula.word
    arrays = {name: words([[value]], width) for name, value in row.items()}
    reading = _Dependencies(formula, arrays, 1)
    word = reading.value(formula.tree)
    bound = relevance(formula, arrays, 1)
    arrays[OCCUPANCY] = words([subsets(bits, row["occ"])], width)
    read = ints(numpy_evaluate(formula.tree, arrays, formula.text).ravel())
    values = np.array(read * (1 if len(read) > 1 else 1 << len(bits)), dtype=object)
    assert int(np.bitwise_or.reduce(values)) & ~int(word.may[0]) == 0
    assert int(values.max()) <= ints(bound.largest[0])
    claimed = ints(word.depends[0])
    for place, bit in enumerate(bits):
        # Number n has bit `place` flipped or not: neighbours at that distance.
        pairs = values.reshape(-1, 2, 1 << place)
        changed = int(np.bitwise_or.reduce((pairs[:, 0] ^ pairs[:, 1]).ravel()))
        assert all(claimed[i] >> bit & 1 for i in range(width) if changed >> i & 1)
        assert not changed or ints(bound.occupancy[0]) >> bit & 1


@settings(max_examples=200)
@given(st.data())
def test_no_dependency_is_missed(
    formulas: st.SearchStrategy[str],
    defined: st.SearchStrategy[str],
    rows: st.SearchStrategy[Row],
    word: int,
    data: st.DataObject,
):
    formula = parse(data.draw(st.one_of(formulas, defined)), word=word)
    row = data.draw(rows)
    bits = data.draw(st.lists(st.integers(0, word - 1), min_size=1, max_size=7, unique=True))
    try:
        check(formula, row, bits)
    except RowsError:
        assume(False)


# Words of four bits of the occupancy: low ones, high ones, at the end of 32 and of 64 bits.
FEW = ("(occ & 15)", "(occ << 60)", "u32(occ << 28)", "u32(occ & 15)", "(occ & 5) * 3", "~occ & 15")
OTHERS = (*FEW, "0", "1", "3", "15", "0xF000000000000000", "~0", "u32(~0)", "(occ >> 2 & 3)")
# The same for words of 128 bits: at the end of each lane, and across the two.
WIDE_FEW = (
    "(occ & 15)", "(occ << 124)", "u64(occ << 60)", "u64(occ & 15)", "(occ << 62 & 15 << 62)",
    "~occ & 15",
)  # fmt: skip
WIDE_OTHERS = (*WIDE_FEW, "0", "1", "3", "0xF000000000000000", "~0", "hi64(~0 ^ occ)", "(3 << 63)")


@pytest.mark.parametrize("operator", [o for o in OPERATORS if o not in SHIFTS])
def test_operators_on_few_bits(operator: str):
    for x in FEW:
        for y in OTHERS:
            for text in (f"{x} {operator} ({y})", f"({y}) {operator} ({x})"):
                check(parse(text), {"occ": 0}, [0, 1, 2, 3])


@pytest.mark.parametrize("operator", [o for o in OPERATORS if o not in SHIFTS])
def test_operators_on_few_bits_of_wide_words(operator: str):
    for x in WIDE_FEW:
        for y in WIDE_OTHERS:
            for text in (f"{x} {operator} ({y})", f"({y}) {operator} ({x})"):
                if fits(text):
                    check(parse(text, word=128), {"occ": 0}, [0, 1, 2, 3])


def fits(text: str) -> bool:
    """Whether every literal fits its place: `3 << 63` is no 64-bit word's neighbour."""
    try:
        parse(text, word=128)
    except InputError:
        return False
    return True


SHIFTED = [
    (64, (*FEW, "0xF0000000F000000F"),
     ("0", "1", "31", "(occ & 3)", "(occ >> 2 & 3)", "(occ & 8 | 2)")),
    (128, WIDE_FEW, ("0", "1", "63", "(occ & 3)", "(occ & 8 | 2)")),
    (128, ("(occ & 15)", "(occ << 62)", "(occ << 124)", "0xF0000000F000000F"),
     ("64", "65", "127", "((occ & 3) << 5)", "(occ & 15) + 60")),
]  # fmt: skip


@pytest.mark.parametrize("operator", SHIFTS)
@pytest.mark.parametrize(("width", "words", "amounts"), SHIFTED)
def test_shifts_of_few_bits(
    operator: str, width: int, words: tuple[str, ...], amounts: tuple[str, ...]
):
    for x, amount in product(words, amounts):
        check(parse(f"({x}) {operator} {amount}", word=width), {"occ": 0}, [0, 1, 2, 3])


CALLED = [
    (64, (*FEW, "occ", "-(occ & 1)", "hi32(occ << 30)", "(occ & 12) + 0xFFFF0000"),
     ("0", "5", "33", "63", "(occ & 3)", "(occ & 1) << 5")),
    (128, (*WIDE_FEW, "occ", "-(occ & 1)", "(occ << 30)", "(occ << 62)"),
     ("0", "5", "63", "64", "(occ & 3)", "(occ & 1) << 6")),
]  # fmt: skip


@pytest.mark.parametrize("operation", [*SIGNS, *FUNCTIONS])
@pytest.mark.parametrize(("width", "words", "others"), CALLED)
def test_functions_of_few_bits(
    operation: str, width: int, words: tuple[str, ...], others: tuple[str, ...]
):
    binary = operation in FUNCTIONS and FUNCTIONS[operation].arity == 2
    for x, other in product(words, others if binary else [""]):
        text = f"{operation}({x}, {other})" if binary else f"{operation}({x})"
        check(parse(text, word=width), {"occ": 0}, [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        # Only a carry, or a borrow, brings the lowest bit to where it is looked at.
        ("((occ & 1) + 1) >> 1", 0b1),
        ("((occ & 1) - 1) >> 63", 0b1),
        ("(1 - (occ & 3)) >> 63", 0b11),
        ("-(occ & 1) >> 63", 0b1),
        ("((occ & 1) * 3) >> 1", 0b1),
        ("(u32(occ & 1) + u32(~0)) >> 31", 0b1),
        # What one side decides, the other does not: and what nobody looks at does not count.
        ("occ & 6", 0b110),
        ("(occ | 6) & 15", 0b1001),
        ("occ ^ occ & 1", ALL),
        ("occ * 4 & 31", 0b111),
        ("occ >> 60", 0xF << 60),
        ("occ << 60", 0xF),
        ("u32(occ)", 0xFFFF_FFFF),
        ("hi32(occ)", 0xFFFF_FFFF << 32),
        ("rol32(occ, 4) & 15", 0xF << 28),
        ("rol64(occ, 4) & 15", 0xF << 60),
        ("rol32(occ, occ & 1) & 1", 0xFFFF_FFFF),
        ("bswap64(occ) & 255", 0xFF << 56),
        ("pext(occ, 0b1011)", 0b1011),
        ("pext(occ >> 1, 0b1011) & 2", 0b100),
        ("pext(6, occ & 7) & 2", 0b111),
        ("popcount(occ & 7)", 0b111),
        ("ctz(occ & 7) & 64", 0b111),
        # Whether a shift is allowed at all depends on its amount, whatever becomes of its value.
        ("(1 << (occ & 64)) & 0", 1 << 6),
        ("(1 << (occ & 32)) & 0", 0),
        ("(u32(1) >> (occ & 32)) & 0", 1 << 5),
        ("(1 << (occ & 64)) & 0 | (1 << (occ & 128)) & 0", 3 << 6),
    ],
)
def test_bits_that_matter(text: str, bits: int):
    assert int(analysed(text).occupancy[0]) == bits


@pytest.mark.parametrize(
    ("text", "largest"),
    [
        ("occ & 5", 7),
        ("(occ & 1) + 1", 3),
        ("(occ & 1) + ~0", ALL),
        ("(occ & 1) - 1", ALL),
        ("(occ & 3) * 5", 15),
        ("(occ & 7) * 0x2000000000000000", ALL),
        # Words of 33 and 32 bits whose product wraps to one of 62.
        ("(occ & 0x180000000) * (occ >> 1 & 0xC0000000)", ALL),
        ("-(occ & 1)", ALL),
        ("~occ", ALL),
        ("~u32(occ)", 0xFFFF_FFFF),
        ("occ >> 52", 4095),
        ("(occ & 7) << 2", 31),
        ("(occ & 7) << (occ & 2)", ALL),
        ("(occ & 7) >> (occ & 2)", 7),
        ("u32(occ) * u32(occ)", 0xFFFF_FFFF),
        ("hi32(occ)", 0xFFFF_FFFF),
        ("rol32(occ & 1, 4)", 31),
        ("rol64(occ & 1, 63)", ALL),
        ("bswap64(occ & 1)", (1 << 57) - 1),
        ("pext(occ, 0xF000F)", 255),
        ("pext(occ & 1, 0xF000F)", 1),
        ("pext(occ, occ & 0x7001)", 15),
        ("popcount(occ)", 127),
        ("ctz(occ)", 127),
        ("occ | 7", ALL),
        ("occ & 8 | 3", 15),
        ("(occ & 8) ^ 3", 15),
        ("((occ * 3) >> 40) & 0xff", 255),
    ],
)
def test_the_bound_on_the_index(text: str, largest: int):
    assert int(analysed(text).largest[0]) == largest


WIDE_ALL = (1 << 128) - 1


@pytest.mark.parametrize(
    ("text", "bits", "largest"),
    [
        ("((occ & 1) - 1) >> 127", 0b1, 1),
        ("((occ & 1) + 0xFFFFFFFFFFFFFFFF) >> 64", 0b1, 1),
        ("(u64(occ & 1) + 0xFFFFFFFFFFFFFFFF) & 3", 0b1, 3),
        ("(occ & 1 << 64) * 3 >> 64", 1 << 64, 3),
        ("u64(occ & 3 << 63)", 1 << 63, ALL),
        ("hi64(occ & 3 << 63)", 1 << 64, 1),
        ("u64(hi64(u64(occ)))", 0, 0),
        ("occ >> 124", 0xF << 124, 15),
        ("occ << 124", 0xF, WIDE_ALL),
        ("(occ >> 64) + (occ & 1)", ALL << 64 | 1, (1 << 65) - 1),
        ("u64(occ | occ >> 63)", (1 << 127) - 1, ALL),
        ("hi32(occ)", 0xFFFF_FFFF << 32, 0xFFFF_FFFF),
        ("rol64(occ, 4) & 15", 0xF << 60, 15),
        ("bswap64(occ) & 255", 0xFF << 56, 255),
        ("popcount(occ & 5 << 80)", 5 << 80, 255),
        ("popcount(u64(occ))", ALL, 127),
        ("ctz(occ & 7) & 128", 0b111, 255),
        ("(1 << (occ & 128)) & 0", 1 << 7, 0),
        ("(1 << (occ & 64)) & 0", 0, 0),
        ("(u64(occ) >> (occ & 64)) & 0", 1 << 6, 0),
        ("~occ", WIDE_ALL, WIDE_ALL),
        ("(u64(occ & 7) << 62) * 2", 1, 1 << 63 | ALL),
    ],
)
def test_bits_of_wide_words(text: str, bits: int, largest: int):
    found = analysed(text, word=128)
    assert (ints(found.occupancy[0]), ints(found.largest[0])) == (bits, largest)


@given(st.integers(0, ALL), st.integers(0, ALL), st.integers(1, 16))
def test_of_a_masked_scheme_at_most_the_mask_is_relevant(mask: int, magic: int, bits: int) -> None:
    values = {"mask": mask, "magic": magic, "bits": bits, "constant": magic ^ mask}
    for scheme in SCHEMES.values():
        bounds = analysed(scheme.formula.text, values)
        assert int(bounds.occupancy[0]) & ~mask == 0
        assert int(bounds.largest[0]) < 1 << bits


def test_an_unmasked_formula_depends_on_the_whole_board() -> None:
    bounds = analysed("occ * magic >> 60", {"magic": 3})
    assert int(bounds.occupancy[0]) == ALL
    assert int(bounds.largest[0]) == 15


def test_bits_above_a_window_of_the_product_do_not_reach_it() -> None:
    bounds = analysed("((occ * magic) >> 40) & 0xff", {"magic": 3})
    assert int(bounds.occupancy[0]) == (1 << 48) - 1


def test_rows_are_analysed_apart() -> None:
    masks = np.array([[1], [6]], dtype=np.uint64)
    bounds = relevance(parse("(occ & mask) >> 1"), {"mask": masks}, 2)
    assert bounds.occupancy.tolist() == [0, 6]
    assert bounds.largest.tolist() == [0, 3]


@given(st.data())
def test_what_is_irrelevant_anywhere_on_the_board_changes_nothing(
    formulas: st.SearchStrategy[str],
    rows: st.SearchStrategy[Row],
    word: int,
    data: st.DataObject,
):
    """The plain reading, and all bits outside the claimed set at once."""
    text, row = data.draw(formulas), data.draw(rows)
    other = data.draw(rows)["occ"]
    try:
        relevant = ints(analysed(text, row, word).occupancy[0])
        occupancies = [row["occ"], (row["occ"] & relevant) | (other & ~relevant)]
        tree = parse(text, word=word).tree
        one, two = (evaluate(tree, {**row, "occ": o}, text) for o in occupancies)
    except InputError:
        assume(False)
    assert one == two
