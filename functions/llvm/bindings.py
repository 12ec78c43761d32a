"""What llvmlite is asked to do with a module: parse, link, leave out, run passes."""

import re
import weakref
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Any

from magicert.functions.llvm.metadata import without_types
from magicert.problem import InputError, Problem


def library() -> Any:  # noqa: ANN401
    """Llvmlite's binding. Raises InputError where it is not installed."""
    try:
        import llvmlite.binding
    except ImportError:
        message = "needs llvmlite: pip install 'magicert[function]'"
        raise InputError([Problem(message, key="--function")]) from None
    except OSError as error:
        message = f"llvmlite cannot be loaded: is --memory enough? ({str(error)[:60]}...)"
        raise InputError([Problem(message, key="--function")]) from None
    return llvmlite.binding


def llvm_version() -> int:
    """The version of LLVM that reads modules here."""
    return int(library().llvm_version_info[0])


@cache
def _targets() -> None:
    llvm = library()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()


def parsed(data: str | bytes, file: str, context: Any = None) -> Any:  # noqa: ANN401
    """A module of LLVM, in a context of its own if none is given: in a shared one, what was read
    before gives numbers to its types. Raises InputError where LLVM cannot read it.
    """
    llvm = library()
    _targets()
    context = context or llvm.create_context()
    if isinstance(data, str):  # LLVM reads no group that all was taken from
        empty = r"^(attributes #\d+ = \{)\s*\}"
        data = re.sub(empty, r'\1 "magicert.open" }', data, flags=re.MULTILINE)
    try:
        read = llvm.parse_assembly if isinstance(data, str) else llvm.parse_bitcode
        module = read(data, context)
        module.verify()
    except RuntimeError as error:
        words = " ".join(str(error).split())[:300]
        message = f"LLVM {llvm_version()} cannot read this: {words}"
        text = data if isinstance(data, str) else ""
        if re.search(r"^define [^\n]*\bi\d+\* ", text, re.MULTILINE):
            message += ": typed pointers, as LLVM wrote them up to version 14"
        raise InputError([Problem(message, file=file)]) from None
    # Of what is garbage together, Python may dispose of the context first: so it is none yet.
    weakref.finalize(module, id, context).atexit = False
    return module


def linked(modules: Sequence[str | bytes], names: Sequence[str]) -> str:
    """Several modules as one, as text. Raises InputError where LLVM cannot read or link them."""
    context = library().create_context()
    first, *others = (
        parsed(without_types(data, declared=True) if isinstance(data, str) else data, name, context)
        for data, name in zip(modules, names, strict=True)
    )
    for other, name in zip(others, names[1:], strict=True):
        try:
            first.link_in(other)
        except RuntimeError as error:
            raise InputError([Problem(f"cannot be linked: {error}", file=name)]) from None
    # One word for what another definition may replace: the other one is given to constants here.
    return re.sub(r"^(define |@\S+ = )linkonce ", r"\1weak ", str(first), flags=re.MULTILINE)


def leave_out(llvm_module: Any, symbols: Set[str]) -> None:  # noqa: ANN401
    """All of a module of LLVM that neither these functions nor visible variables reach."""
    export(llvm_module, symbols)
    llvm = library()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(llvm_module, pass_builder(llvm_module.triple))


def export(llvm_module: Any, symbols: Set[str]) -> None:  # noqa: ANN401
    """Which defined functions of a module of LLVM are seen from outside: these and no other. What
    another definition may replace stays so.
    """
    for function in llvm_module.functions:
        if not function.is_declaration and function.linkage.name != "weak_any":
            function.linkage = "external" if function.name in symbols else "internal"


def set_linkage(llvm_module: Any, names: Iterable[str], linkage: str) -> None:  # noqa: ANN401
    """Who sees some global variables of a module of LLVM, but for those that are weak."""
    wanted_names = set(names)
    for variable in llvm_module.global_variables:
        if variable.name in wanted_names and variable.linkage.name != "weak_any":
            variable.linkage = linkage


def pass_builder(triple: str, unrolls: bool = False) -> Any:  # noqa: ANN401
    """What runs LLVM's passes, but none that makes vectors."""
    options = library().create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    if unrolls:
        options.loop_unrolling = True
        options.inlining_threshold = 100_000
    return library().create_pass_builder(_target(triple), options)


@cache
def data_layout(triple: str) -> str:
    """What LLVM says of memory where a module for this triple runs; "" where it does not know."""
    _targets()
    try:
        target = library().Target.from_triple(triple)
    except RuntimeError:
        return ""
    return str(target.create_target_machine().target_data)


def _target(triple: str) -> Any:  # noqa: ANN401
    """What a module is for; this machine, where LLVM does not know it."""
    targets = library().Target
    try:
        target = targets.from_triple(triple) if triple else targets.from_default_triple()
    except RuntimeError:
        target = targets.from_default_triple()
    return target.create_target_machine(opt=3)
