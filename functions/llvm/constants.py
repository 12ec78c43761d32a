"""Variables of a module that nobody writes to."""

import re
from collections.abc import Container, Sequence, Set
from functools import cached_property
from typing import Any

from magicert.functions.llvm.bindings import leave_out, library, parsed, pass_builder, set_linkage
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.reader import NAME, quoted, unquoted


def reached_from(text: str, symbols: Set[str]) -> str:
    """What some functions and constants reach of a module, and all variables: it is asked where
    they lie.
    """
    llvm_module, module = parsed(text, "module"), Module(text)
    roots = variables_of(module) | (symbols & module.globals.keys())
    linkages = {v.name: v.linkage for v in llvm_module.global_variables if v.name in roots}
    set_linkage(llvm_module, linkages, "external")
    leave_out(llvm_module, symbols)
    for variable in llvm_module.global_variables:
        variable.linkage = linkages.get(variable.name, variable.linkage)
    return str(llvm_module)


def defined_globals(module: Module) -> set[str]:
    """The variables and constants that a module defines."""
    defined = (v.name for v in module.globals.values() if not v.external)
    return {name for name in defined if not name.startswith("llvm.")}


def variables_of(module: Module) -> set[str]:
    """The variables that a module defines and may write."""
    return {name for name in defined_globals(module) if not module.globals[name].constant}


def pointed_to(module: Module) -> set[str]:
    """The functions of a module that a pointer may point to."""
    texts = [*module.bodies.values(), *(v.initial for v in module.globals.values())]
    names = {name for text in texts for name in re.findall(rf"\bptr @({NAME})", text)}
    return {unquoted(name) for name in names} & module.bodies.keys()


class Unwritten:
    """The variables of a module that keep their initial values, but for some. LLVM's passes go over
    the whole module for that: so it is looked at when the first of them is asked for.
    """

    def __init__(self, text: str, but: Container[str]) -> None:
        self._text = text
        self._but = but

    def __contains__(self, name: object) -> bool:
        return name in self._names and name not in self._but

    @cached_property
    def _names(self) -> frozenset[str]:
        return never_written(self._text)


def never_written(text: str) -> frozenset[str]:
    """The variables with an initial value that no function of the module writes: LLVM says so, of
    those that it does not see at once after it has optimised what uses them. One in a section of
    its own may be written by the section's name, one with a label by its other names.
    """
    module = Module(text)
    named = _named_in_assembly(text) | _of_several_names(module)
    variables = sorted(
        name
        for name in variables_of(module)
        if "zeroinitializer" not in module.globals[name].initial.split(",")[0]
        and not _has_section(module, name)
        and not named & {name, f"_{name}", re.sub(r"\.\d+$", "", name)}
    )
    if not variables:
        return frozenset()
    # Each is read at an unknown place, too, or LLVM would take it apart or leave it out.
    readers = "".join(
        f"define i8 @magicert.read.{n}(i64 %at) {{\n  %p = getelementptr i8, ptr @{quoted(name)}, "
        "i64 %at\n  %byte = load i8, ptr %p\n  ret i8 %byte\n}\n"
        for n, name in enumerate(variables)
    )
    llvm_module = parsed(f"{optimisable(text)}\n{readers}", "module")
    constants = _made_constant(llvm_module, variables, module.triple)
    if len(constants) < len(variables):
        set_linkage(llvm_module, variables, "external")
        builder = pass_builder(module.triple)
        builder.getModulePassManager().run(llvm_module, builder)
        constants |= _made_constant(llvm_module, variables, module.triple)
    return frozenset(constants)


def _has_section(module: Module, name: str) -> bool:
    """Whether a variable lies in a section with a name, stated on its line or, by a pragma, in its
    attributes.
    """
    stated = re.sub(r'"[^"]*"', '""', module.globals[name].initial)
    groups = re.findall(r" (#\d+)(?=,| |$)", stated)
    return ', section ""' in stated or any(
        "-section" in module.attributes.get(group, "") for group in groups
    )


def _of_several_names(module: Module) -> set[str]:
    """What may lie where another global or function does: to the linker \\01_T is T, or _T."""
    names = {*module.globals, *module.bodies, *module.declared}
    labels = {name for name in names if name.startswith("\\01")}
    if not labels:
        return set()
    several: dict[str, set[str]] = {}
    for name in names:
        several.setdefault(name.removeprefix("\\01").removeprefix("_"), set()).add(name)
    return set().union(*(one for one in several.values() if len(one) > 1 and one & labels))


def _named_in_assembly(text: str) -> set[str]:
    """The words of all assembly: LLVM does not look into it, and it may write to what it names. So
    may the other names of that.
    """
    assembly = " ".join(re.findall(r'\basm (?:[a-z]+ )*"([^"]*)"', text))
    assembly = re.sub(
        r"\\(\\|[0-9A-F]{2})", lambda m: "\\" if m[1] in {"\\", "5C"} else " ", assembly
    )
    words_found = set(re.findall(r"[\w.$]+", assembly))
    if "\\" in assembly or {".altmacro", ".include"} & {word.lower() for word in words_found}:
        # Names are made of parts, or stand in another file.
        return variables_of(Module(text))
    for name, target in re.findall(r"^@(\S+) = .*\balias .*ptr @([^ ,)]+)\)?$", text, re.MULTILINE):
        words_found |= {target} if name in words_found else set()
    return words_found


def _made_constant(llvm_module: Any, variables: Sequence[str], triple: str) -> set[str]:  # noqa: ANN401
    """The variables that LLVM makes constant if nothing outside sees them."""
    llvm = library()
    set_linkage(llvm_module, variables, "internal")
    for function in llvm_module.functions:
        if not function.is_declaration:
            function.linkage = "external"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_opt_pass()
    passes.run(llvm_module, pass_builder(triple))
    after = Module(str(llvm_module)).globals
    return {name for name in variables if name in after and after[name].constant}


def optimisable(text: str) -> str:
    """The module without what forbids, and without promises; strings stay as they are."""
    return "".join(
        part if number % 2 else _without_promises(part)
        for number, part in enumerate(re.split(r'((?<=\] )c"[^"]*")', text))
    )


_PROMISES = re.compile(
    r"(?<!,) (?:noalias|nonnull|noundef|returned|readonly|readnone|writeonly|writable|nofree|immarg"
    r"|dead_on_unwind|align \d+(?![^()\n]*\{$)|(?:dereferenceable|dereferenceable_or_null|range"
    r"|nofpclass|captures|initializes|dead_on_return)\((?:[^()]|\([^()]*\))*\))(?=[ ,)])",
    re.MULTILINE,
)
"""What is said of a parameter or a result; `align` behind all of them is the function's own."""


def _without_promises(text: str) -> str:
    """Attributes that forbid to inline are taken away, and what only promises something: that a
    loop ends, that two addresses or two types do not meet, where an address points, in which range
    a number is. LLVM would believe it. Beside instructions stand promises, too, but for lines and
    what is said of loops.
    """
    forbids = re.compile(
        r" ?(?<![-\w])(?:noinline|optnone|minsize|optsize|mustprogress|willreturn|memory\([^)]*\))"
        r"(?![-\w])"
    )
    text = re.sub(r"^attributes #\d+ = .*$", lambda m: forbids.sub("", m[0]), text, flags=re.M)
    text = re.sub(r", !(?!dbg |llvm\.loop )[A-Za-z][\w.]* !\d+", "", text)
    text = _PROMISES.sub("", text)
    text = re.sub(r"(@llvm\.assume\(i1 [^()]*\)) \[ .* \]", r"\1", text)
    text = text.replace('!"llvm.loop.mustprogress"', '!"magicert.loop"')
    # Nothing is constant but in the wrappers, which put the square in. Only there, too, may it be
    # known what a pointer points to: LLVM must not say its size.
    constant = r"(?:tail )?call i1 @llvm\.is\.constant\.\w+\([^()\n]*\)(?: #\d+)?"
    text = re.sub(constant, "xor i1 false, false", text)
    return text.replace("@llvm.objectsize.", "@llvm.magicert.objectsize.")
