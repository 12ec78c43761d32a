"""Every reading of the language against the plain one, on formulas drawn from the language."""

import ast
import json
import re
import shutil
import subprocess
import sys
from abc import abstractmethod, update_abstractmethods
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import magicert
from magicert.board import Piece
from magicert.cell import square_cell
from magicert.compact.emit import printer
from magicert.compact.emit.pairs import pair
from magicert.formula import Formula, parse
from magicert.formula.arrays import WIDE, ints, words
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.formula.tree import (
    FUNCTIONS,
    OPERATORS,
    SIGNS,
    Function,
    Reading,
    evaluate,
    operations,
)
from magicert.problem import InputError
from magicert.scheme import Scheme
from magicert.search.finders.compiled_formula import OPERATIONS, translate
from magicert.z3models.readings.bit_vectors import Z3Reading
from magicert.z3models.readings.circuit import TRUE, BitsReading, Circuit

Row = Mapping[str, int]
Value = Callable[[Formula, Row], int]

MODULES = (
    "magicert.formula.tree",
    "magicert.formula.arrays",
    "magicert.verify.table.layout",
    "magicert.verify.table.layered",
    "magicert.search.finders.compiled_formula",
    "magicert.z3models.readings.bit_vectors",
    "magicert.z3models.readings.circuit",
    "magicert.compact.emit.expression",
    "magicert.compact.emit.pairs",
)
"""Where the readings are. `relevance`, `sources` and `pairs` have tests of their own."""


def by_numpy(formula: Formula, row: Row) -> int:
    # Parameters may come as words of either width.
    arrays = {name: words([[v]], formula.word if name == "occ" else 64) for name, v in row.items()}
    read = numpy_evaluate(formula.tree, arrays, formula.text)
    assert read.dtype == {32: np.uint32, 64: np.uint64, 128: WIDE}[formula.tree.width]
    value: int = ints(read[0, 0])
    return value


def by_compiled_source(formula: Formula, row: Row) -> int:
    """The source that numba compiles, run by Python on numpy's words. An index has 64 bits."""
    if formula.tree.width == 128:
        lanes = (parse(f"{lane}({formula.text})", word=128) for lane in ("u64", "hi64"))
        low, high = (by_compiled_source(lane, row) for lane in lanes)
        assert compiled_index_of(formula, row) == (low if high == 0 else 2**64 - 1)
        return low | high << 64
    return compiled_index_of(formula, row)


def compiled_index_of(formula: Formula, row: Row) -> int:
    u = np.uint64

    def rotate(x: Any, amount: Any, width: Any) -> Any:
        left = amount % width
        return (x << left) | (x >> (width - left)) if left else x

    fixed = {name: row[name] for name in ("a", "b", "c")}
    scheme = Scheme("custom", formula, "magic", "")
    scope = {
        "U": u,
        "popcount": lambda x: u(int(x).bit_count()),
        "ctz": lambda x, width: u(((int(x) & -int(x)).bit_length() - 1) if x else width),
        "pext": lambda x, mask: u(evaluate(parse(f"pext({x}, {mask})").tree, {})),
        "bswap": lambda x: u(int(x).__int__()).byteswap(),
        "rotate": rotate,
        "high_product": lambda x, y: u(int(x) * int(y) >> 64),
    }
    # Compiled functions as Python, with each other and those above in sight.
    own = vars(import_module("magicert.search.finders.compiled_formula"))
    for name, operation in OPERATIONS.items():
        scope[name] = FunctionType(operation.py_func.__code__, {**own, **scope})

    def word(value: int) -> Any:
        return (u(value % 2**64), u(value >> 64)) if formula.word == 128 else u(value)

    with np.errstate(over="ignore"):
        exec(translate(square_cell(scheme, Piece.ROOK, 0, 12, fixed)), scope)
        index: Any = scope["index"]
        return int(index(word(0), word(row["occ"]), word(0), u(0)))


def by_z3(formula: Formula, row: Row, *, shift_add: bool = True) -> int:
    word = z3.BitVec("occ", formula.word)
    term = Z3Reading(shift_add=shift_add).term(formula.tree, {**row, "occ": word})
    assert term.size() == formula.tree.width
    substituted = z3.substitute(term, (word, z3.BitVecVal(row["occ"], formula.word)))
    return int(z3.simplify(substituted).as_long())


def by_z3_products(formula: Formula, row: Row) -> int:
    return by_z3(formula, row, shift_add=False)


GATES: dict[str, Callable[..., bool]] = {
    "and": lambda a, b: a and b,
    "xor": lambda a, b: a != b,
    "mux": lambda a, b, c: b if a else c,
    "odd": lambda a, b, c: (a + b + c) % 2 == 1,
    "majority": lambda a, b, c: a + b + c >= 2,
}


def by_bits(formula: Formula, row: Row) -> int:
    circuit = Circuit()
    occ = tuple(circuit.variable() for _ in range(formula.word))
    bits = BitsReading(circuit).read(formula.tree, {**row, "occ": occ})
    assert len(bits) == formula.tree.width
    known = {TRUE: True} | {bit: row["occ"] >> i & 1 == 1 for i, bit in enumerate(occ)}

    def value(literal: int) -> bool:
        if abs(literal) not in known:
            kind, operands = circuit.gates[abs(literal)]
            known[abs(literal)] = GATES[kind](*map(value, operands))
        return known[abs(literal)] == (literal > 0)

    # A gate's operands are older than the gate: no deep recursion.
    for gate in sorted(circuit.gates):
        value(gate)
    return sum(value(bit) << i for i, bit in enumerate(bits))


def by_python_text(formula: Formula, row: Row) -> int:
    scope: dict[str, Any] = dict(row)
    exec(printer("python").needed([formula.tree]), scope)
    names, widths = {name: name for name in row}, {"occ": formula.word}
    value: int = eval(printer("python").text(formula.tree, names, widths), scope)
    return value


READINGS: tuple[Value, ...] = (
    by_numpy, by_compiled_source, by_z3, by_z3_products, by_bits, by_python_text,
)  # fmt: skip


@pytest.mark.parametrize("read", READINGS)
@settings(max_examples=100)
@given(st.data())
def test_it_reads_what_integers_read(
    read: Value,
    defined: st.SearchStrategy[str],
    rows: st.SearchStrategy[Row],
    word: int,
    data: st.DataObject,
):
    formula, row = parse(data.draw(defined), word=word), data.draw(rows)
    assert read(formula, row) == evaluate(formula.tree, row, formula.text)


@pytest.mark.parametrize("read", READINGS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_by_itself(read: Value, name: str, word: int):
    text = f"{name}(occ)" if FUNCTIONS[name].arity == 1 else f"{name}(occ, 37)"
    formula = parse(text, word=word)
    for occupancy in (0, 1, (1 << word) - 1, 0x0123_4567_89AB_CDEF << word - 64 | 0xF0E1_D2C3):
        row = {"occ": occupancy, "a": 0, "b": 0, "c": 0}
        assert read(formula, row) == evaluate(formula.tree, row, formula.text)


JAVASCRIPT = """import { readFileSync } from "node:fs";
HELPERS
const pages = JSON.parse(readFileSync(0)).map(([text, names, words]) =>
  new Function(...HELPER_NAMES, ...names, `return [${text}];`)(...HELPER_FUNCTIONS, ...words));
console.log(JSON.stringify(pages.map(([high, low]) => [high >>> 0, low >>> 0])));
"""


class Every:
    """Calls of everything."""

    def __contains__(self, _: object) -> bool:
        return True


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@settings(max_examples=4)
@given(st.data())
def test_two_words_of_javascript_read_what_integers_read(
    defined: st.SearchStrategy[str],
    rows: st.SearchStrategy[Row],
    word: int,
    tmp_path: Path,
    data: st.DataObject,
):
    if word > 64:
        pytest.skip("two words of 32 bits")
    asked, expected = [], []
    for text, row in data.draw(st.lists(st.tuples(defined, rows), min_size=40, max_size=80)):
        formula = parse(text)
        try:
            high, low = pair(formula.tree, {n: (f"{n}_high", f"{n}_low") for n in row})
        except InputError:  # it would be several pages long
            continue
        names = [f"{name}_{word}" for name in row for word in ("high", "low")]
        words = [w for value in row.values() for w in (value >> 32, value & 0xFFFFFFFF)]
        asked.append([f"{high}, {low}", names, words])
        value = evaluate(formula.tree, row, text)
        expected.append([value >> 32, value & 0xFFFFFFFF])
    helpers = printer("javascript-32").helpers(Every())
    functions = re.findall(r"function (\w+)", helpers)
    script = JAVASCRIPT.replace("HELPERS", helpers, 1)
    script = script.replace("HELPER_NAMES", json.dumps(functions))
    (tmp_path / "read.mjs").write_text(
        script.replace("HELPER_FUNCTIONS", f"[{', '.join(functions)}]")
    )
    done = subprocess.run(
        ["node", "read.mjs"], cwd=tmp_path, input=json.dumps(asked).encode(),
        capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == expected


# ----------------------------------------------------------------------------------------
# No reading is imported that lacks an operation.


def test_these_are_all_readings():
    for module in MODULES:
        import_module(module)
    package = {cls for cls in Reading.__subclasses__() if cls.__module__.startswith("magicert.")}
    assert {cls.__module__ for cls in package} == set(MODULES)
    assert len(package) == len(MODULES)


def test_the_language_is_what_readings_must_read():
    methods = {operator.method for operator in OPERATORS.values()} | {*SIGNS.values(), *FUNCTIONS}
    assert {*operations()} == methods | {"literal", "name"} == set(Reading.__abstractmethods__)


UNKNOWN = """
from importlib import import_module
from magicert.formula.tree import FUNCTIONS, Function
FUNCTIONS["brev64"] = Function(1, 64, "x with its bits reversed")
for module in MODULES:
    try:
        import_module(module)
    except TypeError as error:
        print(module, error)
"""


def test_no_module_of_a_reading_is_imported_with_an_unknown_function():
    modules = MODULES[1:]  # the first one has the language, too
    command = [sys.executable, "-P", "-c", f"MODULES = {modules}{UNKNOWN}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = "Reading and the language differ in: brev64"
    assert done.stdout.splitlines() == [f"{module} {said}" for module in modules]


@pytest.mark.parametrize("module", MODULES)
def test_each_reading_needs_a_method_of_its_own(module: str, monkeypatch: pytest.MonkeyPatch):
    (reading,) = (
        value
        for value in vars(import_module(module)).values()
        if isinstance(value, type)
        and issubclass(value, Reading)
        and value is not Reading
        and value.__module__ == module
    )
    monkeypatch.setitem(FUNCTIONS, "brev64", Function(1, 64, "x with its bits reversed"))
    monkeypatch.setattr(Reading, "brev64", abstractmethod(lambda _self: None), raising=False)
    update_abstractmethods(Reading)
    try:
        with pytest.raises(TypeError, match="Same does not read: brev64"):
            type("Same", (reading,), {})
    finally:
        monkeypatch.undo()
        update_abstractmethods(Reading)


def test_functions_are_told_apart_by_the_walk_alone():
    """Whoever asks `node.function == "u32"` has a default case for the others."""
    package = Path(str(magicert.__file__)).parent
    rooms = [package / name for name in ("verify", "search", "compact", "z3models", ".")]
    found = []
    for path in {path for room in rooms for path in room.rglob("*.py")}:
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if ".function" in text else ():
            asked = [node.subject] if isinstance(node, ast.Match) else []
            asked += [node.left] if isinstance(node, ast.Compare) else []
            if any(isinstance(one, ast.Attribute) and one.attr == "function" for one in asked):
                found.append(f"{path}:{node.lineno}")
    assert found == []
