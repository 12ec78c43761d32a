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
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager
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
    """A kernel for one signature: its variables' types, and where a uint64 meets a signed one."""

    variables: dict[str, types.Type]
    mixed: list[str]


def exercise() -> None:
    """Small real calls of kernels whose types numba notes in no cache, or which few tests call."""
    from magicert.chess import Piece
    from magicert.scheme import SCHEMES, resolve_scheme
    from magicert.search.finders.compiled_formula import _index, translate
    from magicert.search.problem import Plan
    from magicert.search.shards.shard import Work, recount_shard
    from magicert.search.window import compile_by_sampling
    from magicert.targets import square_cell
    from magicert.verify.proof.antecedents import steps_of

    u64 = np.uint64
    compile_by_sampling()
    plan = Plan.parse("55 u1 e2: " + "d1 " * 19 + "c36.4")
    recount_shard(Work(square_cell(SCHEMES["white"], Piece.ROOK, 14, 9), plan, 19), 1001 << 7)
    steps_of([(1,), (-1, 2), (-2,)], [()])

    formula = "rol64(bswap64(pext(occ, mask)), ctz(occ)) * magic >> (64 - bits)"
    cell = square_cell(resolve_scheme(formula), Piece.ROOK, 27, 10)
    _index(translate(cell))(*map(u64, (cell.mask, 8, 1, 10)))


def kernels() -> dict[str, Dispatcher]:
    """All compiled functions of the package by "module.name"."""
    found = pkgutil.walk_packages(magicert.__path__, "magicert.")
    modules = [import_module(one.name) for one in found if not one.name.endswith("__main__")]
    return {
        f"{module.__name__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__
    }


def signatures(kernel: Dispatcher) -> set[tuple[types.Type, ...]]:
    """The argument types for which a kernel is compiled, here or in numba's cache."""
    kept = getattr(kernel._cache, "_cache_file", None)
    noted = {normalize_signature(key[0])[0] for key in kept._load_index()} if kept else set()
    return noted | {overload.signature.args for overload in kernel.overloads.values()}


class TypesOnly(CompilerBase):
    """Nothing behind type inference is wanted."""

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("types")
        manager.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        manager.add_pass(NopythonTypeInference, "types")
        manager.finalize()
        return [manager]


def inferred(kernel: Callable[..., Any], arguments: tuple[types.Type, ...]) -> Any:
    """numba's state after type inference."""
    flags, contexts = Flags(), (cpu_target.typing_context, cpu_target.target_context)
    flags.nrt = True
    compiler = TypesOnly(*contexts, None, arguments, None, flags, {})
    compiler.state.cr = compiler.state  # what is asked for, in place of a compiled function
    return compiler.compile_extra(kernel)


def typed(kernel: Callable[..., Any], arguments: tuple[types.Type, ...]) -> Typed:
    state = inferred(kernel, arguments)
    mixed = []
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            sides = [types.unliteral(kind) for kind in operands(state, statement.value)]
            signed = [kind for kind in sides if isinstance(kind, types.Integer) and kind.signed]
            if types.uint64 in sides and signed:
                mixed.append(f"{statement.loc.filename}:{statement.loc.line}: {sides}")
    return Typed(state.typemap, mixed)


def operands(state: Any, value: Any) -> list[types.Type]:
    """The types on both sides of an operation that must not mix them."""
    function, sides = None, []
    if isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop"):
        function = value.fn if value.op == "binop" else value.immutable_fn
        sides = [value.lhs, value.rhs]
    elif isinstance(value, ir.Expr) and value.op == "call":
        function = getattr(state.typemap[value.func.name], "typing_key", None)
        sides = value.args
    return [state.typemap[side.name] for side in sides] if function in MIXING else []


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
    r"^from magicert\.(search\.compiled|compact\.kernels|system\.compiled) import|^import numba",
    re.M,
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


def test_no_word_meets_a_signed_number_and_nothing_is_a_float_by_accident():
    """Kernels that were looked at before, unchanged, are not compiled again."""
    asked = os.environ.get("MAGICERT_KERNELS")
    if SEEN.read_text("ascii").strip() == fingerprint() and not asked:
        pytest.skip("the kernels are those of kernel_types.sha256; MAGICERT_KERNELS=1 looks again")
    exercise()
    looked = {
        name: [typed(kernel.py_func, arguments) for arguments in signatures(kernel)]
        for name, kernel in kernels().items()
    }
    assert len(looked) > 60
    # One that is always inlined has no code of its own: its variables are in its callers'.
    names = " ".join(name for found in looked.values() for one in found for name in one.variables)
    nowhere = [
        name
        for name, found in looked.items()
        if not found and not re.search(rf"{name.split('.')[-1]}_v\d+", names)
    ]
    assert nowhere == [], "no call has been compiled: run the tests of that room first"
    assert {mixed for found in looked.values() for one in found for mixed in one.mixed} == set()
    assert {(n, v) for n, found in looked.items() for one in found for v in floats(one)} == set()
    if asked == "write":
        SEEN.write_text(f"{fingerprint()}\n", "ascii")
    assert SEEN.read_text("ascii").strip() == fingerprint(), "say MAGICERT_KERNELS=write"


@pytest.mark.cases_of("a_mixture_is_noticed.tsv")
def test_a_mixture_is_noticed(code: str, mixed: str, is_float: str):
    one = typed(eval(f"lambda word, number: {code}", {"np": np}), (types.uint64, types.int64))
    assert bool(one.mixed) == bool(mixed)
    assert any(isinstance(kind, types.Float) for kind in one.variables.values()) == bool(is_float)
