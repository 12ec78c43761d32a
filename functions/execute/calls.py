"""Calls: of functions that the module defines, through pointers, of LLVM's own functions, and of
those that this package has put in (`markers`).

A call that never returns is a violation where it is reached: a failed check, an exception, the end
of the program. What another source defines is not known.
"""

import re
from collections.abc import Callable, Sequence

from magicert.functions.certificate import Lacking
from magicert.functions.execute import access, copies, intrinsics, vectors, words
from magicert.functions.execute.memory import UndecidedError, UnresolvedLoadError
from magicert.functions.execute.stack import Stack, joined
from magicert.functions.execute.state import Run, State, Violation, not_understood
from magicert.functions.execute.values import Value, chosen, lane, lanes_of
from magicert.functions.execute.words import Word
from magicert.functions.llvm import reader
from magicert.functions.llvm.markers import (
    ALIGNED,
    ALLOCATES,
    ASSERTIONS,
    CHANGED,
    LEFT_OUT,
    UNWRITTEN,
)

FIRST_USE = ("__cxa_guard_acquire", "_Init_thread_header")
"""What C++ asks before it makes a static variable of a function."""
THROWN = "__cxa_allocate_exception"
"""What C++ asks before it throws something."""

Go = Callable[[str, Sequence[Value], Word, Stack], tuple[Value | None, Word, Stack]]
"""A function's name, its arguments, the condition and the stack, to what `execution.call` gives."""


def called(
    state: State,
    i: reader.Instruction,
    arguments: Sequence[Value],
    go: Go,
    catches: Callable[[], bool],
) -> Value | None:
    """What a call gives; the state is then that behind it. `go` goes through a function that the
    module defines. `catches` says whether the
    caller may go on behind what is thrown here.
    """
    run, name = state.run, i.names[0]
    if name in run.traps:
        trap = run.traps[name]
        if name.startswith(UNWRITTEN):
            run.origins.append(
                Violation(words.boolean(True), trap.message, trap.source_line, outside=trap.outside)
            )
            return vectors.filled(run.module.layout, i.type, poison=True)
        if state.path.value != 0:
            violation = Violation(
                state.path, trap.message, trap.source_line, trap.asserts, trap.outside
            )
            run.violations.append(violation)
        state.path = words.boolean(False)
        return None
    if name == reader.REGISTER:
        message = "a register is read before it is written, as after bsf of 0"
        run.poison(words.boolean(True), message)
        return vectors.filled(run.module.layout, i.type, poison=True)
    if name.startswith(ALIGNED):
        access.check_multiple(state, int(name.removeprefix(ALIGNED)), arguments[0], "a load")
        return None
    if name == CHANGED:
        (changed,) = lanes_of(arguments[0])
        if run.feasible(words.and_(state.path, words.or_(changed.word, changed.poison))):
            message = "writes to what it is given: expected a function without side effects"
            raise UndecidedError(message)
        return None
    if not name:
        return _called_through(state, i, arguments, go)
    if name.startswith("llvm."):
        return _intrinsic(state, i, name, arguments)
    thrown = name == THROWN and name not in run.module.bodies
    if thrown or _never_returns(run, i, name):
        if LEFT_OUT not in run.module.reached(name):
            _end(state, name, catches, thrown=thrown)
            return None
        name = LEFT_OUT  # what stands in its place does not return: the source's own may
    if name.startswith(ALLOCATES):
        source_name = name.removeprefix(ALLOCATES)
        raise UndecidedError(f"calls {source_name}: what a function allocates is not followed")
    run.store.object(name)  # another function may stand there
    if name not in run.module.bodies:
        said, rest = f"calls {name}, which is defined elsewhere", ""
        if name == LEFT_OUT:
            said = "needs what does not compile here, and is left out"
        elif name in FIRST_USE:
            rest = "; if it is made at its first use, let --init NAME call it once"
        elif others := _defined_elsewhere(run, name):
            more = f" and {len(others) - 4} more" if len(others) > 4 else ""
            rest = f"; it may need {', '.join(others[:4])}{more}, too"
        lacks = Lacking(name, variable=False, said=said, rest=rest)
        raise UndecidedError(lacks.message(), lacks=lacks)
    if i.type != run.module.signature(name)[0]:
        raise UndecidedError(f"calls {name} for another type of result than it gives")
    value, state.path, state.stack = go(name, arguments, state.path, state.stack)
    return value


def _called_through(
    state: State, i: reader.Instruction, arguments: Sequence[Value], go: Go
) -> Value | None:
    """A call of each function that a pointer may point to."""
    *operands, target = arguments
    (pointer,) = lanes_of(target)
    state.decide(pointer.poison)
    result: Value | None = None
    returned, stack = words.boolean(False), state.stack
    for condition, item, place in pointer.address.choices:
        path = words.and_(state.path, condition)
        if path.value == 0:
            continue
        if item is None:
            state.run.violate(path, "a call through a null pointer")
            continue
        if not item.function or place.value != 0:
            raise UndecidedError(f"a call of {item.name}, which is no function")
        _check_callable(state.run, item.name, i)
        value, here, after = go(item.name, operands, path, state.stack)
        if value is not None:
            result = value if result is None else chosen(here, value, result)
        stack = joined(here, after, stack)
        returned = words.or_(returned, here)
    state.path, state.stack = returned, stack
    return result


def _check_callable(run: Run, name: str, i: reader.Instruction) -> None:
    """Raises UndecidedError where a pointer leads to another function than the instruction says."""
    module = run.module
    if name not in module.bodies:
        if run.store.native is not None and name not in run.store.held:
            raise UnresolvedLoadError(name)
        raise UndecidedError(f"calls {name}, which is not in this build", run.place)
    if reader.convention(module.bodies[name]) != reader.convention(i.text):
        raise UndecidedError(f"calls {name} by another convention than its own", run.place)
    result, parameters = module.signature(name)
    taken = [operand.type for operand in i.operands[:-1]]
    if (result, [kind for kind, *_ in parameters]) != (i.type, taken):
        raise UndecidedError(f"calls {name} as a function of another type", run.place)


def _end(state: State, name: str, catches: Callable[[], bool], *, thrown: bool) -> None:
    """The program ends in what is called, or an exception leaves it."""
    run = state.run
    caught = run.catching or (thrown and catches())
    caught = caught and (thrown or "nounwind" not in run.module.stated(name))
    if caught and run.feasible(state.path):
        raise UndecidedError(f"calls {name}: exceptions that are caught are not followed")
    message = "an exception is thrown" if thrown else f"the program stops in {name}"
    asserts = name in ASSERTIONS and name not in run.module.bodies
    run.violate(state.path, message, asserts=asserts)
    state.path = words.boolean(False)


def _never_returns(run: Run, i: reader.Instruction, name: str) -> bool:
    module = run.module
    groups = [module.attributes.get(flag, flag) for flag in i.flags]
    return "noreturn" in " ".join([*groups, *module.stated(name)]).split()


def _intrinsic(
    state: State, i: reader.Instruction, name: str, arguments: Sequence[Value]
) -> Value | None:
    if name.startswith(
        ("llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias", "llvm.invariant.")
    ):
        return None
    if name in {"llvm.trap", "llvm.ubsantrap", "llvm.debugtrap"}:
        state.run.violate(state.path, "a check fails")
        state.path = words.boolean(False)
        return None
    if name == "llvm.assume":
        (condition,) = lanes_of(arguments[0])
        broken = words.or_(words.not_(condition.word), condition.poison)
        state.run.violate(words.and_(state.path, broken), "what the code assumes does not hold")
        return None
    if name.startswith("llvm.is.constant."):
        return (lane(words.boolean(False)),)
    if name.startswith("llvm.threadlocal.address"):
        return arguments[0]
    if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
        copies.copy(state, name, arguments)
        return None
    if name.startswith(("llvm.masked.load", "llvm.masked.gather")):
        pointer, *_, mask, others = arguments
        return copies.masked(state, i.type, pointer, lanes_of(mask), others)
    if name.startswith(("llvm.masked.store", "llvm.masked.scatter")):
        new, pointer, *_, mask = arguments
        copies.masked(state, i.operands[0].type, pointer, lanes_of(mask), new, stores=True)
        return None
    if name.startswith("llvm.x86.avx2.maskload."):
        nothing = vectors.filled(state.run.module.layout, i.type, poison=False)
        return copies.masked(state, i.type, arguments[0], copies.signs(arguments[1]), nothing)
    if re.match(r"llvm\.x86\.(avx2|avx512\.mask)\.gather", name):
        return copies.gathered(state, i.type, arguments)
    meaning = intrinsics.meaning_of(name)
    result = meaning(arguments) if meaning else None
    if result is None:
        raise UndecidedError(not_understood(i))
    return result


def _defined_elsewhere(run: Run, besides: str) -> list[str]:
    """What else this code names that stands in other sources."""
    module = run.module
    names = (name for name in (*module.declared, *filter(run.is_external, module.globals)))
    ours = ("llvm.", "magicert.")
    known = {besides, *run.traps}
    return [
        n for n in names
        if n not in known and not n.startswith(ours) and "noreturn" not in module.stated(n)
    ]  # fmt: skip
