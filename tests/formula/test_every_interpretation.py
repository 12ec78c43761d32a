"""Every interpretation of the formula language against the plain one, on random formulas."""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import magicert
from magicert.chess import Piece
from magicert.compact.emit import printer
from magicert.formula import parse
from magicert.formula.arrays import RowsError, dtype_of, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import (
    FUNCTIONS,
    OPERATORS,
    SHIFTS,
    SIGNS,
    Function,
    Interpretation,
    evaluate,
    operations,
    used_width,
)
from magicert.problem import InputError
from magicert.scheme import Scheme
from magicert.search.finders.compiled_formula import translate
from magicert.targets import square_cell
from magicert.z3models.interpretations.bit_vectors import Z3Interpretation
from magicert.z3models.interpretations.circuit import TRUE, BitsInterpretation, Circuit

MODULES = (
    "magicert.formula.tree",
    "magicert.formula.arrays",
    "magicert.verify.table.layout",
    "magicert.search.finders.compiled_formula",
    "magicert.z3models.interpretations.bit_vectors",
    "magicert.z3models.interpretations.circuit",
    "magicert.compact.emit.expression",
)
"""Where the interpretations are. Those of `verify` have a test of their own, test_relevance.py."""
DTYPES = {32: np.dtype(np.uint32)} | {width: dtype_of(width) for width in (64, 128, 256)}


def by_numpy(formula, row):
    # Parameters may come as words of either width.
    arrays = {name: words([[v]], formula.word if name == "occ" else 64) for name, v in row.items()}
    read = numpy_evaluate(formula.tree, arrays, formula.text)
    assert read.dtype == DTYPES[formula.tree.width]
    return ints(read[0, 0])


def by_compiled_source(formula, row):
    """The source that numba compiles, run by Python on numpy's words of 64 bits."""
    u = np.uint64

    def rotate(x, amount, width):
        left = amount % width
        return (x << left) | (x >> (width - left)) if left else x

    scope = {
        "U": u,
        "popcount": lambda x: u(int(x).bit_count()),
        "ctz": lambda x, width: u(((int(x) & -int(x)).bit_length() - 1) if x else width),
        "pext": lambda x, mask: u(evaluate(parse(f"pext({x}, {mask})").tree, {})),
        "bswap": lambda x: u(int(x).__int__()).byteswap(),
        "rotate": rotate,
    }
    scheme = Scheme("custom", formula, "magic", "")
    fixed = {name: row[name] for name in ("a", "b", "c")}
    with np.errstate(over="ignore"):
        exec(translate(square_cell(scheme, Piece.ROOK, 0, 12, fixed)), scope)
        return int(scope["index"](u(0), u(row["occ"]), u(0), u(0)))


def width_of(formula, name):
    """The bits of an unknown word: the occupancy's are the board's."""
    return formula.word if name == "occ" else used_width(formula.tree, name)


def by_z3(formula, row, *, unknown=("occ",), shift_add=True):
    words = {name: z3.BitVec(name, width_of(formula, name)) for name in unknown}
    term = Z3Interpretation(shift_add=shift_add).term(formula.tree, {**row, **words})
    assert term.size() == formula.tree.width
    known = [(word, z3.BitVecVal(row[name], word.size())) for name, word in words.items()]
    return int(z3.simplify(z3.substitute(term, *known)).as_long())


def by_z3_products(formula, row):
    return by_z3(formula, row, unknown=("occ", "a"), shift_add=False)


GATES = {
    "and": lambda a, b: a and b,
    "xor": lambda a, b: a != b,
    "mux": lambda a, b, c: b if a else c,
    "odd": lambda a, b, c: (a + b + c) % 2 == 1,
    "majority": lambda a, b, c: a + b + c >= 2,
}


def by_bits(formula, row):
    circuit, known = Circuit(), {TRUE: True}
    words = {
        name: tuple(circuit.variable() for _ in range(width_of(formula, name)))
        for name in ("occ", "a")
    }
    bits = BitsInterpretation(circuit).read(formula.tree, {**row, **words})
    assert len(bits) == formula.tree.width
    for name, word in words.items():
        known |= {bit: row[name] >> i & 1 == 1 for i, bit in enumerate(word)}
    # A gate's operands are older than the gate.
    for gate, (kind, operands) in sorted(circuit.gates.items()):
        known[gate] = GATES[kind](*(known[abs(one)] == (one > 0) for one in operands))
    return sum((known[abs(bit)] == (bit > 0)) << i for i, bit in enumerate(bits))


def by_python_text(formula, row):
    scope = dict(row)
    exec(printer("python").needed([formula.tree]), scope)
    names, widths = {name: name for name in row}, {"occ": formula.word}
    return eval(printer("python").text(formula.tree, names, widths), scope)


READINGS = (by_numpy, by_compiled_source, by_z3, by_z3_products, by_bits, by_python_text)
WIDEST = {by_compiled_source: 64, by_bits: 128, by_z3_products: 128}
"""No solver is asked about wider words; by_z3 is what lemmas are proved by."""
each_interpretation = pytest.mark.parametrize(
    ("read", "drawn"),
    [(read, word) for read in READINGS for word in (64, 128, 256) if word <= WIDEST.get(read, 256)],
    indirect=["drawn"],
)


@each_interpretation
@settings(max_examples=60)
@given(st.data())
def test_it_reads_what_integers_read(read, drawn, data):
    formula, row = parse(data.draw(drawn.defined), word=drawn.word), data.draw(drawn.rows)
    assert read(formula, row) == evaluate(formula.tree, row, formula.text)


def each_operation(word):
    """Each operation on known, unknown and narrower words."""
    narrow = "u32(occ)" if word == 64 else "u64(occ)"
    yield f"({narrow} * a) ^ occ - ~a"  # used at two widths
    pairs = [("occ", "a"), ("a", "occ"), ("occ", "occ"), (narrow, "occ"), ("occ", narrow)]
    for operator in OPERATORS:
        right = [(x, y) for x in ("occ", narrow) for y in ("17", "(a & 31)")]
        both = right if operator in SHIFTS else [*pairs, (narrow, "a")]
        yield from (f"{x} {operator} {y}" for x, y in both)
    yield from (f"{sign}({x})" for sign in SIGNS for x in ("occ", narrow))
    for name, function in FUNCTIONS.items():
        if function.arity == 1:
            yield from (f"{name}({x})" for x in ("occ", "u32(occ)", "u64(occ)"))
        else:
            yield from (f"{name}({x}, {y})" for x, y in [*pairs, ("occ", "37")])


@each_interpretation
def test_each_operation_by_itself(read, drawn):
    word, chance = drawn.word, 0x0123_4567_89AB_CDEF
    for text in each_operation(word):
        formula = parse(text, word=word)
        for occupancy in (0, chance << word - 64 | 0xF0E1_D2C3):
            row = {"occ": occupancy, "a": chance, "b": 0, "c": 0}
            assert read(formula, row) == evaluate(formula.tree, row, text), text


def first_refusal(formula, row):
    """The plain interpretation's error for a row; empty if it has a value."""
    try:
        evaluate(formula.tree, row, formula.text)
    except InputError as error:
        return str(error).splitlines()[0].partition(":")[2]
    return ""


@settings(max_examples=100)
@given(st.data())
def test_numpy_reads_many_rows_and_refuses_what_integers_refuse(drawn, data):
    rows = data.draw(st.lists(drawn.wide_rows, min_size=1, max_size=5))
    formula = parse(data.draw(drawn.formulas), word=drawn.word)
    arrays = {name: words([[row[name]] for row in rows], drawn.word) for name in rows[0]}
    refusals = {first_refusal(formula, row) for row in rows} - {""}
    if refusals:
        with pytest.raises(RowsError) as caught:
            numpy_evaluate(formula.tree, arrays, formula.text)
        # Where several rows are refused, which place comes first may differ.
        assert str(caught.value).splitlines()[0].partition(":")[2] in refusals
    else:
        found = numpy_evaluate(formula.tree, arrays, formula.text)
        read = np.broadcast_to(found, (len(rows), 1))
        assert ints(read[:, 0]) == [evaluate(formula.tree, row, formula.text) for row in rows]
        assert read.dtype == DTYPES[formula.tree.width]


# No interpretation is imported that lacks an operation.


def test_a_reading_needs_a_method_for_each_operation(monkeypatch):
    """A class that lacks one cannot be made: its module is not imported."""
    methods = {operator.method for operator in OPERATORS.values()} | {*SIGNS.values()}
    methods |= {*FUNCTIONS} - {"lo32", "lo64"} | {"literal", "name"}
    assert {*operations()} == methods
    for module in MODULES:
        import_module(module)
    interpretations = [
        cls for cls in Interpretation.__subclasses__() if cls.__module__.startswith("magicert.")
    ]
    assert sorted(cls.__module__ for cls in interpretations) == sorted(MODULES)
    monkeypatch.setitem(
        FUNCTIONS, "unread64", Function(1, 64, "a function that no interpretation has")
    )
    for interpretation in interpretations:
        with pytest.raises(TypeError, match="Same does not read: unread64"):
            type("Same", (interpretation,), {})


def test_functions_are_told_apart_by_the_walk_alone():
    """Whoever asks `node.function == "u32"` has a default case for the others."""
    asked = re.compile(
        r"\bmatch [\w.]+\.function\b|\.function\)? *(==|!=|\bis\b|\bin\b|\bnot in\b)"
    )
    package = Path(str(magicert.__file__)).parent
    rooms = [package / name for name in ("verify", "search", "compact", "z3models", ".")]
    paths = {path for room in rooms for path in room.rglob("*.py")}
    assert len(paths) > 100
    assert not [path for path in paths if asked.search(path.read_text("utf-8"))]
