"""A question with names that the compiler knows: what it makes of the sources, with the functions
that it would leave out, and what a name means that is none.

    rook=attacks_bb   ->   rook=Stockfish::attacks_bb<ROOK>, kept
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path

from magicert.functions.builds import NONE, given_names, symbols_named, text_modules
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.broken_crates import crate_of, error_of_root
from magicert.functions.compile.compilers import CompileOptions, language_in, language_of
from magicert.functions.compile.forced_function import ForcedFunction
from magicert.functions.compile.modules import Compiled, compiled
from magicert.functions.compile.names import (
    Declared,
    defined_beside,
    defined_in,
    flags_for_name,
    functions_declared,
    instances,
    is_overloaded,
    macro_calls,
    name_hint,
    with_namespaces,
)
from magicert.functions.compile.zig_build import modules_of_build
from magicert.functions.earlier import Builds
from magicert.functions.instances import claims_of
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.symbol_names import name_in_crate
from magicert.functions.question import FunctionQuestion
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import Deadline

NO_MODULE = "no module named"
"""What zig says of an import that no flag names."""


class UnknownNameError(InputError):
    """A name of the question that is none; with `flags` it would be one, where some are known."""

    def __init__(self, problems: Sequence[Problem], flags: Sequence[str] = ()) -> None:
        super().__init__(problems)
        self.flags = tuple(flags)


class NeedsMoreError(InputError):
    """What is asked for needs something of a crate that does not compile here, or a module of Zig
    that nothing names.
    """


@dataclass(frozen=True, slots=True)
class Resolved:
    """A question whose names are known, what the compiler made of its sources with them, and the
    functions that were kept for that. `twice`: a second build is to be made.
    """

    question: FunctionQuestion
    plain: Compiled
    keep: tuple[ForcedFunction, ...]
    twice: bool

    def checked(self, deadline: Deadline) -> Compiled | None:
        """The second build, with undefined behaviour as traps."""
        if not self.twice:
            return None
        return compiled_question(self.question, self.keep, deadline, traps=True)

    def builds(self, deadline: Deadline) -> Builds:
        """Both builds, with the question that they answer. Raises BudgetOverError."""
        return self.question, self.plain, self.checked(deadline)


def is_built_twice(question: FunctionQuestion) -> bool:
    """Whether there is a second build, with undefined behaviour as traps."""
    return question.traps and any(language_of(source) != "ir" for source in question.sources)


def resolved(
    question: FunctionQuestion, deadline: Deadline, made: Compiled | None = None
) -> Resolved:
    """`made` is what the compiler makes of the sources alone, where that is known.

    Raises InputError for a source that does not compile, with the compiler's words, and for names
    that are none; BudgetOverError at the deadline.
    """
    twice = is_built_twice(question)
    question, plain = (question, made) if made else _first_build(question, deadline)
    made = plain
    # Of two sources the second build says whether a name means the same in both.
    how = question.flags, question.target, question.compiler, deadline
    cpp = [one for one in question.sources if language_in(one, question.flags) == "c++"]
    function_names = {claim.name for claim in question.functions}

    @cache  # clang makes a tree of each source for that
    def declared(name: str) -> list[Declared]:
        return functions_declared(name, cpp, how, function_names)

    def has_several(name: str) -> bool:
        return name in function_names and is_overloaded(name, declared(name))

    keep = _left_out(question, plain, has_several) if twice or len(question.sources) == 1 else []
    if keep:
        lookups = _lookups(question, keep)
        plain = compiled_question(
            question, [*keep, *lookups.values()], deadline, traps=False, without=plain
        )
        tables = {
            claim: function for claim, function in lookups.items() if function.name in plain.forced
        }
        question = _of_its_file(_looking_up(question, tables), plain)
        names = {claim.name for claim in tables}
        keep = [*(function for function in keep if function.name not in names), *tables.values()]
        if language_of(question.sources[0]) != "rust":  # which keeps all of them at once
            keep = [function for function in keep if function.name in plain.forced]
        forms, known_in = plain.forced, plain.known_in
        keep = [
            replace(one, form_number=forms.get(one.name), known_in=known_in.get(one.name))
            for one in keep
        ]
    problems = _unknown(question, plain, has_several, how)
    if problems or plain.refused:
        whole = _with_instances(question, plain, how, declared)
        whole = _with_namespaces(whole, plain, how) if problems else whole
        if whole != question:
            return resolved(whole, deadline, made)
    problems = problems or _macros(question, how)
    if problems:
        of_crate = question.crate.problems if question.crate else ()
        messages = [*(problem() for problem in problems), *of_crate]
        if of_crate or any(NO_MODULE in reason for reason in plain.refused.values()):
            raise NeedsMoreError(messages)
        raise UnknownNameError(messages, _flags_of(plain.refused, question))
    return Resolved(question, plain, tuple(keep), twice)


def compiled_question(
    question: FunctionQuestion, keep: Sequence[ForcedFunction], deadline: Deadline, *, traps: bool,
    without: Compiled | None = None,
) -> Compiled:  # fmt: skip
    """What the compiler makes of a question's sources, with functions to `keep`."""
    return compiled(
        question.sources, question.flags, question.target, question.compiler,
        traps=traps, keep=keep, deadline=deadline, without=without, crate=question.crate,
    )  # fmt: skip


def _first_build(
    question: FunctionQuestion, deadline: Deadline
) -> tuple[FunctionQuestion, Compiled]:
    """What the compiler makes of the sources alone; of a crate of Rust that does not compile,
    without the items that are the reason. Raises InputError with the compiler's words.
    """
    try:
        plain = compiled_question(question, (), deadline, traps=False)
        return (_of_its_file(question, plain) if question.crate else question), plain
    except InputError as error:
        if [language_of(source) for source in question.sources] != ["rust"]:
            raise
        how = question.flags, question.target, question.compiler, deadline
        crate = crate_of(question.sources[0], *how, stand_ins=question.stand_ins)
        of_crate = error_of_root(question.sources[0], *how) or error
        if crate is None:
            raise of_crate from None
        question = replace(question, crate=replace(crate, problems=tuple(of_crate.problems)))
        with suppress(InputError):
            plain = compiled_question(question, (), deadline, traps=False)
            return _of_its_file(question, plain), plain
        raise


def _of_its_file(question: FunctionQuestion, plain: Compiled) -> FunctionQuestion:
    """The question with names by which only functions of its source are meant, where that has them,
    and other files of a crate or a project have functions of the same names.
    """
    if not {language_of(source) for source in question.sources} <= {"rust", "zig"}:
        return question
    modules = text_modules(plain)
    sources = {source.resolve() for source in question.sources}
    paths = [question.crate.module_of(question.sources[0])] if question.crate else []

    def whole(name: str) -> str:
        for module in modules:
            known = module.source_names
            own = [f"{path}::{name}" for path in paths if f"{path}::{name}" in known]
            symbols = {
                symbol for symbol in known.get(name, ())
                if Path(module.defined_at(symbol).file).resolve() in sources
            }  # fmt: skip
            if own or len({*known.get(name, ())}) < 2 or len(symbols) != 1:
                return own[0] if own else name
            alone = (one for one, of in known.items() if {*of} == symbols)
            return min((one for one in alone if one.endswith(f"::{name}")), key=len, default=name)
        return name

    functions = tuple(replace(claim, name=whole(claim.name)) for claim in question.functions)
    return replace(question, functions=functions, init=whole(question.init))


def _unknown(
    question: FunctionQuestion,
    plain: Compiled,
    has_several: Callable[[str], bool],
    how: CompileOptions,
) -> list[Callable[[], Problem]]:
    """What is wrong with names that no module has, and with those that several functions have of
    which the compiler cannot choose. Each is a call that says it: what the user may mean, compilers
    are asked for.
    """
    modules = text_modules(plain)
    if len(modules) < len(plain.modules):  # of bitcode nothing is known here
        return []
    names = {claim.option: claim.name for claim in question.functions}
    if question.init:
        names[f"--init {question.init}"] = question.init
    problems = list[Callable[[], Problem]]()
    for key, name in names.items():
        symbols = {name}.union(*(symbols_named(module, name) for module in modules))
        there = any(
            name in module.source_names or symbols & {*module.bodies, *module.unsure}
            for module in modules
        )
        declared = any(symbols & module.declared.keys() for module in modules)
        # Clang says it of what some module has; of all else it makes no difference.
        unclear = (there or declared) and name not in plain.forced and has_several(name)
        if there and not unclear:
            continue
        elsewhere = declared and not unclear
        say = _defined_elsewhere if elsewhere else _no_function
        problems.append(partial(say, key, name, question, plain, how))
    return problems


def _macros(question: FunctionQuestion, how: CompileOptions) -> list[Callable[[], Problem]]:
    """What is wrong with names that are macros' as well: the source's own calls mean those."""
    names = {claim.option: claim.name for claim in question.functions}
    names |= {f"--init {question.init}": question.init} if question.init else {}
    last = {key: name.rpartition("::")[2] for key, name in names.items()}
    plain = {key: name for key, name in last.items() if name.isidentifier()}
    calls = macro_calls(plain.values(), question.sources, how)

    def problem(key: str, name: str) -> Problem:
        message = f"{name} is a macro, too, and whoever calls it in the source means that: "
        message += f"name the call, {calls[name] or f'{name}(square, occupied)'}, "
        return Problem(f"{message}or the function's, ({names[key]})(square, occupied)", key=key)

    return [partial(problem, key, name) for key, name in plain.items() if name in calls]


def _defined_elsewhere(
    key: str, name: str, question: FunctionQuestion, _plain: Compiled, _how: CompileOptions
) -> Problem:
    other = defined_beside(name, question.sources)
    advice = f"{other} defines it" if other else "give the source that defines it"
    return Problem(f"declared, but not defined in these sources: {advice}", key=key)


def _no_function(
    key: str, name: str, question: FunctionQuestion, plain: Compiled, how: CompileOptions
) -> Problem:
    modules = text_modules(plain)
    known = given_names({name for m in modules for name in (*m.bodies, *m.source_names)})
    refused = plain.refused.get(name, "")
    words = [word for claim in question.functions for takes in claim.takes for word in takes]
    hint = name_hint(name, refused, [*words, *known], question.sources, how)
    if NO_MODULE in refused and (of_build := modules_of_build(question.sources[0])):
        hint = f"its modules, by build.zig: {of_build}"
    parts = ["no such function" if refused else NONE, *filter(None, [refused, hint])]
    if not question.traps and question.sources[1:]:
        message = "what the compiler leaves out of several sources is compiled once more only where"
        parts.append(f"{message} a second build shows that it is the same in each: no --no-traps")
    if len(parts) == 1:
        parts.append(f"expected one of {listed(known)}" if known else "it is empty")
        parts[-1] += " (or a call, as in attacks(ROOK, square, occupied)); --functions lists what "
        parts[-1] += "can be proved"
    return Problem(": ".join(parts), key=key)


def _with_namespaces(
    question: FunctionQuestion, plain: Compiled, how: CompileOptions
) -> FunctionQuestion:
    """The question with the namespaces of what the compiler does not know without them. Raises
    InputError for a call, or an instance, that may mean several things.
    """
    words = {word for claim in question.functions for takes in claim.takes for word in takes}
    called_names = [*(claim.name for claim in question.functions), question.init]
    names = [name for name in dict.fromkeys(called_names) if name in plain.refused]
    meanings = with_namespaces(names, words, question.sources, how)

    def whole(name: str, takes: tuple[tuple[str, ...], ...]) -> str:
        if name not in meanings:
            return name
        several = meanings[name]
        if len(several) == 1:
            return several[0]
        compiled_names = _compiled_with(several, takes, question, plain, how)
        known = [one for one in several if one in compiled_names.forced]
        known = (len(known) > 1 and defined_in(known, question.sources)) or known
        if not known and (flags := _flags_of(compiled_names.refused, question)):
            (reason, *_) = compiled_names.refused.values()
            raise UnknownNameError([Problem(reason, key=f"--function {name}")], flags)
        if len(known) > 1 and "<" in name:
            message = f"{name} may be {listed(known)}: give one of these"
            raise InputError([Problem(message, key=f"--function {name}")])
        return known[0] if len(known) == 1 else name

    functions = tuple(
        replace(claim, name=whole(claim.name, claim.takes)) for claim in question.functions
    )
    return replace(question, functions=functions, init=whole(question.init, ()))


def _known_to_the_compiler(
    names: Sequence[str], takes: tuple[tuple[str, ...], ...], question: FunctionQuestion,
    plain: Compiled, how: CompileOptions,
) -> list[str]:  # fmt: skip
    """Which of these names the sources know as something that is called so."""
    compiled_names = _compiled_with(names, takes, question, plain, how)
    return [name for name in names if name in compiled_names.forced]


def _compiled_with(
    names: Sequence[str], takes: tuple[tuple[str, ...], ...], question: FunctionQuestion,
    plain: Compiled, how: CompileOptions,
) -> Compiled:  # fmt: skip
    """What the compiler makes of the sources with those of these names that they know."""
    forced = [ForcedFunction(name, takes, question.board.word) for name in names]
    return compiled(
        question.sources, *how[:3], traps=False, keep=forced, deadline=how[3], without=plain
    )


def _flags_of(refused: Mapping[str, str], question: FunctionQuestion) -> list[str]:
    """The flags with which the compiler would have known names, by what it has said of them."""
    how = question.sources[0], question.flags
    flags = (flags_for_name(name, words, *how) for name, words in refused.items())
    return list(dict.fromkeys(chain.from_iterable(flags)))


def _with_instances(
    question: FunctionQuestion, plain: Compiled, how: CompileOptions,
    declared: Callable[[str], Sequence[Declared]],
) -> FunctionQuestion:  # fmt: skip
    """The question with each instance of a template that the source calls, and that can be called
    as the claim says, in the place of a name that is the template's.
    """
    modules = text_modules(plain)
    claims = list[FunctionClaim]()
    for claim in question.functions:
        # Of one that cannot be called so the source may have a template as well.
        there = any(
            claim.name in module.bodies
            or (claim.name in module.source_names and claim.name not in plain.refused)
            for module in modules
        )
        given = claim.name in plain.forced or there
        found = list[str]()
        if not given:
            found = instances(claim.name, question.sources, modules, declared(claim.name))
        if found and language_of(question.sources[0]) != "rust":
            found = _known_to_the_compiler(found, claim.takes, question, plain, how)
        others = [other for other in question.functions if other != claim]
        claims += claims_of(claim, found, others, question.board) if found else [claim]
    return replace(question, functions=tuple(dict.fromkeys(claims)))


def _left_out(
    question: FunctionQuestion, plain: Compiled, has_several: Callable[[str], bool]
) -> list[ForcedFunction]:
    """The functions that no module has by their whole name, or several have: in the source it may
    be another's. So it may where several functions of the source have it.
    """
    modules = text_modules(plain)
    sources = [path for path in question.sources if language_of(path) == "zig"]
    exports = "\n".join(path.read_text("utf-8", "replace") for path in sources)

    def is_there(name: str) -> bool:
        if f'"{name}"' in exports:  # which may give its symbol to another function
            return False
        if any(
            name in module.unsure or (name in module.bodies and module.is_called(name, name))
            for module in modules
        ):
            return True
        symbols = set(chain.from_iterable(m.source_names.get(name, ()) for m in modules))
        if len(symbols) != 1:
            return False
        return name == name_in_crate(symbols.pop())

    bits = question.board.word
    forced = [ForcedFunction(claim.name, claim.takes, bits) for claim in question.functions]
    forced += [ForcedFunction(question.init)] if question.init else []
    return [one for one in forced if not is_there(one.name) or has_several(one.name)]


def _lookups(
    question: FunctionQuestion, left_out: Sequence[ForcedFunction]
) -> dict[FunctionClaim, ForcedFunction]:
    """The names of two squares that may be tables, each as a lookup in one."""
    index = " as usize" if language_of(question.sources[0]) == "rust" else ""
    names = {function.name for function in left_out if not function.is_call}
    return {
        claim: ForcedFunction(
            f"{claim.name}[square{index}][target{index}]", claim.takes, question.board.word
        )
        for claim in question.functions
        if claim.of_two_squares and claim.name in names
    }


def _looking_up(
    question: FunctionQuestion, tables: Mapping[FunctionClaim, ForcedFunction]
) -> FunctionQuestion:
    """The question with a lookup for each name of a table."""
    functions = tuple(
        replace(claim, name=tables[claim].name) if claim in tables else claim
        for claim in question.functions
    )
    return replace(question, functions=functions)


def symbols_of(module: Module, names: Sequence[str]) -> Iterator[str]:
    """The functions of these names."""
    for name in filter(None, names):
        yield from (name, *module.source_names.get(name, ()), *symbols_named(module, name))
