"""What numba makes of every kernel: no word becomes signed, and nothing a float by accident.

In numba, uint64 beside int64 is float64 (+, -, *) or int64 with an arithmetic shift: both
silently. So no operation may have a uint64 on one side and a signed number on the other, and no
variable may be a float unless it is meant to be one. The kernels are found by walking the
package; which types they are called with is what numba has noted beside their compiled code.
"""

import ast
import hashlib
import operator
import os
import pkgutil
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_extra
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NopythonTypeInference

import magicert

MIXING = {
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.pow,
    operator.iadd, operator.isub, operator.imul, operator.ifloordiv, operator.itruediv,
    operator.imod, operator.iand, operator.ior, operator.ixor, operator.ilshift,
    operator.irshift, operator.ipow, min, max,
}  # fmt: skip
"""Operations whose result depends on the types of both sides; comparisons get signs right."""

FLOATS = {
    "next_fraction", "temperature", "cooling", "hot", "cold", "heat", "worse", "bound",
}  # fmt: skip
"""Variables that are meant to be floats: those of annealing, and bounds with noise on them."""


INLINED = re.compile(r".*_v\d+_")
"""What numba puts before the variables of a function that is inlined: function_v12_variable."""


class Typed(NamedTuple):
    """A kernel for one signature: its variables with their types, and the operations that have
    a uint64 and a signed number side by side.
    """

    kernel: str
    variables: dict[str, types.Type]
    mixed: list[str]


# -- small real calls, one for each kernel that has no signature of its own


def search_a_toy() -> None:
    from magicert.search.window import run_a_toy

    run_a_toy()


def count_a_chain_again() -> None:
    from magicert.board import Piece
    from magicert.cell import square_cell
    from magicert.scheme import SCHEMES
    from magicert.search.problem import Plan
    from magicert.search.shards.shard import Work, recount_shard

    plan = Plan.parse("55 u1 e2: " + "d1 " * 19 + "c36.4")
    recount_shard(Work(square_cell(SCHEMES["white"], Piece.ROOK, 14, 9), plan, 19), 1001 << 7)


def anneal_a_bishop() -> None:
    from magicert.board import Piece
    from magicert.compact.anneal import Offsets, Prices, annealed
    from magicert.compact.kernels import WalkEffort
    from magicert.compact.seats import Choice, cell_data

    cell = cell_data("black", Piece.BISHOP, 0, 6)
    prices = Prices(np.ones(128, dtype=np.int32), 9)
    rng = np.random.default_rng(1)
    annealed(cell, Choice(1), prices, Offsets(0, 5), WalkEffort(10, 2.0, 1.0), rng)


def cut_and_fit() -> None:
    from magicert.compact import squeeze
    from magicert.compact.kernels import lowest_fit

    words = np.zeros(4, dtype=np.uint64)
    lowest_fit(words, words[:1], 3)
    numbers = np.array([0, 1], dtype=np.int64)
    squares = squeeze._Squares(numbers[:1], numbers, numbers[:1])
    squeeze._all_overlaps(squares, words, 5, np.zeros((1, 3), dtype=np.int32))


def fill_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    from magicert.compact.pages import columns
    from magicert.compact.pages.bishops import Limits, Sets, disjoint

    for name, few in (("CANDIDATES", 50), ("WALKS", 1), ("WALKED", 50)):
        monkeypatch.setattr(columns, name, few)
    columns.collect(columns.LibraryOrder(19, True, 1))
    ones = np.ones(1, dtype=np.int64)
    sets = Sets(np.ones(1, dtype=np.uint64), np.zeros(1, dtype=np.int64), ones, ones)
    disjoint(sets, Limits(9, 9), np.uint64(1))


def interleave(monkeypatch: pytest.MonkeyPatch) -> None:
    from magicert.compact.pages import interleave
    from magicert.compact.pages.interleave import best_turn
    from magicert.system.deadline import Deadline

    for name, few in (("CANDIDATES", 50), ("FIRST", 1), ("MORE", 0), ("WALKED", 50)):
        monkeypatch.setattr(interleave, name, few)
    interleave.half_library(Deadline(), (25, 1 << 40, 1))
    best_turn(np.zeros(4096, np.bool_), np.uint64(1), np.zeros(1, np.int64))


def put_bishops_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    from magicert.board import Piece
    from magicert.compact.pages import bishops
    from magicert.compact.seats import cell_data

    short = {64: bishops.Annealings(4, 2000, (8.0,), 24)}
    for name, few in (("EFFORTS", short), ("WALKS", 1), ("WALKED", 50)):
        monkeypatch.setattr(bishops, name, few)
    bishops.bishop_shelf([cell_data("black", Piece.BISHOP, 0, 9)], 1)


def share_entries() -> None:
    from magicert.board import Piece
    from magicert.compact.anneal import Offsets
    from magicert.compact.kernels import WalkEffort
    from magicert.compact.layered import pages
    from magicert.compact.layered.dense import Floor
    from magicert.compact.layered.pages import best_pair, find_pairs
    from magicert.compact.pages.columns import Library
    from magicert.compact.seats import Choice, cell_data

    word, rng = np.ones(1, dtype=np.uint64), np.random.default_rng(1)
    shelf = {n: Library(n, word, word << np.uint64(30), word.astype(np.uint8)) for n in (27, 36)}
    placer, page = pages.Placer(shelf, {}, "black", rng), pages.Page()
    with suppress(AssertionError):  # no magic at all
        placer.add(page, 27, placer.place(27, 0, 0))
    placer.fit(page, 36, 64, pages.LibraryEffort(1.0, 9))
    found = np.zeros((1, 4), dtype=np.uint64)
    find_pairs(word, word, 8, 64, 1, 1, np.uint64(1), found)
    best_pair(found, 8, np.uint64(0), 0, 1, 64)
    few = WalkEffort(5, 2.0, 1.0)
    floor, cell = Floor([], 1 << 12), cell_data("black", Piece.BISHOP, 0, 6)
    floor.annealed(cell, Choice(1), Offsets(0, 5), floor.prices(64), few, rng)


def join_classes() -> None:
    from magicert.compact.overlay.joint import Side, find_joint

    word = np.ones(1, dtype=np.uint64)
    side = Side(word, word, word, np.zeros(1, dtype=np.uint16), np.uint64(0))
    found = np.zeros((1, 5), dtype=np.uint64)
    find_joint(side, side, (1, 64), 1, np.uint64(1), found)


def overlay_words() -> None:
    from magicert.board import Piece
    from magicert.compact.overlay.overlay import annealed, first_overlay
    from magicert.compact.overlay.parties import parties_of
    from magicert.compact.seats import Choice, Seat, cell_data
    from magicert.system.deadline import Deadline

    cell = cell_data("white", Piece.BISHOP, 0, 6)
    seats = [Seat.valid(cell, Choice(0x0002020202020200))]
    parties = parties_of(seats)
    overlay = first_overlay(parties, 1, Deadline())
    # It may be complete at once.
    annealed(parties, overlay, np.random.default_rng(1), 0)


def compile_a_formula() -> None:
    from magicert.board import Piece
    from magicert.cell import square_cell
    from magicert.formula import parse
    from magicert.scheme import Scheme, resolve_scheme
    from magicert.search.finders.compiled_formula import _index, translate

    scheme = resolve_scheme("rol64(bswap64(pext(occ, mask)), ctz(occ)) * magic >> (64 - bits)")
    cell = square_cell(scheme, Piece.ROOK, 27, 10)
    _index(translate(cell))(*(np.uint64(word) for word in (cell.mask, 8, 1, 10)))
    text = "~occ + (occ | mask & 7) * magic - (occ ^ ctz(occ)) >> popcount(mask) << 1"
    wide = Scheme("custom", parse(text, word=128), "magic", "")
    pair = (np.uint64(8), np.uint64(1))
    _index(translate(square_cell(wide, Piece.ROOK, 27, 10)))(pair, pair, pair, np.uint64(10))


def prove_a_contradiction() -> None:
    from magicert.verify.proof.antecedents import steps_of

    steps_of([(1,), (-1, 2), (-2,)], [()])


def exercise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call every kernel, so that numba has noted the types of what it is called with."""
    search_a_toy()
    count_a_chain_again()
    anneal_a_bishop()
    cut_and_fit()
    fill_columns(monkeypatch)
    interleave(monkeypatch)
    put_bishops_in_columns(monkeypatch)
    share_entries()
    join_classes()
    overlay_words()
    compile_a_formula()
    prove_a_contradiction()


# -- finding kernels, and asking numba for types without making code


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(magicert.__path__, "magicert."):
        if not module.name.endswith("__main__"):
            yield import_module(module.name)


def kernels() -> dict[str, Dispatcher]:
    """All compiled functions of the package by "module.name"."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__
    }


def signatures(kernel: Dispatcher) -> set[tuple[types.Type, ...]]:
    """The argument types for which a kernel is compiled, here or in numba's cache."""
    kept = getattr(kernel._cache, "_cache_file", None)
    noted = {normalize_signature(key[0])[0] for key in kept._load_index()} if kept else set()
    return noted | {overload.signature.args for overload in kernel.overloads.values()}


class Inferred(Exception):  # noqa: N818 - the way out of numba's pipeline
    def __init__(self, state: Any) -> None:
        self.state = state


@register_pass(mutates_CFG=False, analysis_only=True)
class Stop(FunctionPass):
    """Nothing behind type inference is wanted."""

    _name = "magicert_stop"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        raise Inferred(state)


class TypesOnly(CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("types")
        manager.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        manager.add_pass(NopythonTypeInference, "types")
        manager.add_pass(Stop, "stop")
        manager.finalize()
        return [manager]


def inferred(kernel: Callable[..., Any], arguments: tuple[types.Type, ...]) -> Any:
    """numba's state after type inference."""
    flags = Flags()
    flags.nrt = True
    try:
        compile_extra(
            cpu_target.typing_context, cpu_target.target_context, kernel, arguments, None,
            flags, {}, pipeline_class=TypesOnly,
        )  # fmt: skip
    except Inferred as told:
        return told.state
    raise AssertionError("numba went on after its types were known")


def typed(name: str, kernel: Callable[..., Any], arguments: tuple[types.Type, ...]) -> Typed:
    state = inferred(kernel, arguments)
    mixed = []
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            sides = operands(state, statement.value)
            if any(map(is_word, sides)) and any(map(is_signed, sides)):
                mixed.append(f"{statement.loc.filename}:{statement.loc.line}: {sides}")
    return Typed(name, state.typemap, mixed)


def operands(state: Any, value: Any) -> list[types.Type]:
    """The types on both sides of an operation that must not mix them."""
    if not isinstance(value, ir.Expr):
        return []
    if value.op in ("binop", "inplace_binop"):
        function = value.fn if value.op == "binop" else value.immutable_fn
        return [state.typemap[v.name] for v in (value.lhs, value.rhs)] if function in MIXING else []
    if value.op == "call":
        called = getattr(state.typemap[value.func.name], "typing_key", None)
        return [state.typemap[v.name] for v in value.args] if called in MIXING else []
    return []


def is_word(kind: types.Type) -> bool:
    return bool(types.unliteral(kind) == types.uint64)


def is_signed(kind: types.Type) -> bool:
    kind = types.unliteral(kind)
    return isinstance(kind, types.Integer) and bool(kind.signed)


def floats(one: Typed) -> list[str]:
    """Variables that are floats, though nobody meant them to be. (numba's own begin with $, or
    with an underscore where a function was inlined.)
    """
    found = []
    for name, kind in one.variables.items():
        own = INLINED.sub("", name).removeprefix("arg.").partition(".")[0]
        if isinstance(getattr(kind, "dtype", kind), types.Float) and own[:1] not in "$_":
            found += [name] if own not in FLOATS else []
    return found


ROOT = Path(__file__).parents[2]
SEEN = Path(__file__).with_name("kernel_types.sha256")
COMPILED = re.compile(
    r"^from magicert\.(search|compact|system)\.compiled import|^import numba", re.M
)


def definitions(text: str) -> Iterator[str]:
    """What a module defines. Where it stands, its comments and its imports change no type."""
    for node in ast.parse(text).body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            yield ast.unparse(node)


def fingerprint() -> str:
    """The SHA-256 of all that modules with kernels define, of this test, and numba's version."""
    rooms = ("search", "compact", "magicert/system")
    sources = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    texts = [path.read_text("utf-8") for path in sources if path.name != "compiled.py"]
    kernels = [text for text in texts if COMPILED.search(text)]
    kernels.append(Path(__file__).read_text("utf-8"))
    parts = sorted(part for text in kernels for part in definitions(text))
    return hashlib.sha256("\0".join([numba.__version__, *parts]).encode()).hexdigest()


@pytest.fixture(scope="module")
def everything() -> dict[str, list[Typed]]:
    """All kernels. Those that were looked at before, unchanged, are not compiled again."""
    if SEEN.read_text("ascii").strip() == fingerprint() and not os.environ.get("MAGICERT_KERNELS"):
        pytest.skip("the kernels are those of kernel_types.sha256; MAGICERT_KERNELS=1 looks again")
    return look_at_all()


def look_at_all() -> dict[str, list[Typed]]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        exercise(monkeypatch)
    return {
        name: [typed(name, kernel.py_func, arguments) for arguments in signatures(kernel)]
        for name, kernel in kernels().items()
    }


def test_every_kernel_is_looked_at(everything: dict[str, list[Typed]]):
    """One that is always inlined has no code of its own: its variables are in its callers'."""
    assert len(everything) > 60
    variables = {v for found in everything.values() for one in found for v in one.variables}
    text = " ".join(variables)
    nowhere = [
        name
        for name, found in everything.items()
        if not found and not re.search(rf"{name.split('.')[-1]}_v\d+", text)
    ]
    assert nowhere == []


def test_no_word_meets_a_signed_number(everything: dict[str, list[Typed]]):
    assert {m for found in everything.values() for one in found for m in one.mixed} == set()


def test_nothing_becomes_a_float_by_accident(everything: dict[str, list[Typed]]):
    found = {(name, v) for name, seen in everything.items() for one in seen for v in floats(one)}
    assert found == set()


@pytest.mark.usefixtures("everything")
def test_the_fingerprint_is_kept_where_all_was_right(request: pytest.FixtureRequest):
    if os.environ.get("MAGICERT_KERNELS") == "write" and not request.session.testsfailed:
        SEEN.write_text(f"{fingerprint()}\n", "ascii")
    assert SEEN.read_text("ascii").strip() == fingerprint(), "say MAGICERT_KERNELS=write"


def added(word: int, number: int) -> int:
    return word + number


def shifted(word: int, number: int) -> int:
    return word >> number


def larger(word: int, number: int) -> int:
    return max(word, number)


def with_a_literal(word: int, number: int) -> int:
    return (word & 1) + np.uint64(number)


def wrapped(word: int, number: int) -> int:
    return word >> np.uint64(number + 1)


@pytest.mark.parametrize(
    ("code", "mixed", "is_float"),
    [
        (added, True, False),
        (shifted, True, False),
        (larger, True, True),
        (with_a_literal, True, False),
        (wrapped, False, False),
    ],
)
def test_a_mixture_is_noticed(code: Callable[..., Any], mixed: bool, is_float: bool):
    one = typed("code", code, (types.uint64, types.int64))
    assert bool(one.mixed) == mixed
    assert any(isinstance(kind, types.Float) for kind in one.variables.values()) == is_float
