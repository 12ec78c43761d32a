"""Certify functions: compile their sources, then look at them in a process with limits."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.cargo import unset_cfgs
from magicert.functions.certificate import (
    FunctionCertificate,
    Lacking,
    ProcessEnded,
    SquareReport,
    TrustedInitialiser,
)
from magicert.functions.certify import (
    NONE,
    NOT_YET,
    CompiledQuestion,
    certify,
    given_names,
    kept_symbols,
)
from magicert.functions.forced import ForcedFunction
from magicert.functions.front import (
    LANGUAGES,
    Compiled,
    CompileOptions,
    DoesNotCompileError,
    all_compiled,
    compiled,
    crate_of,
    error_of_root,
    files_of,
    language_of,
    mode_asked,
    syntax_tree,
)
from magicert.functions.hints import modules_of_build
from magicert.functions.instances import claims_of
from magicert.functions.ir import NAME, Module, unquoted
from magicert.functions.markers import LEFT_OUT
from magicert.functions.metadata import without_any
from magicert.functions.names import (
    defined_beside,
    instances,
    is_overloaded,
    made_at_first_use,
    name_hint,
    undefined,
    with_namespaces,
)
from magicert.functions.question import FunctionClaim, FunctionQuestion
from magicert.functions.specialise import whole_name
from magicert.functions.writers import (
    NOWHERE,
    Tree,
    Use,
    Writer,
    in_files,
    in_modules,
    in_trees,
    is_public,
)
from magicert.outcome import Observer, Unknown
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.z3models.solvers.child import ABORTED, Budget, ChildObserver, supervise

HEADERS = frozenset({".h", ".hpp", ".hh"})
"""Endings of files that others include."""


def certify_targets(
    question: FunctionQuestion,
    watch: Callable[[FunctionQuestion], AbstractContextManager[Observer]],
) -> list[tuple[FunctionQuestion, FunctionCertificate | Unknown]]:
    """What comes of each target, in the order in which they are named; `watch` gives who hears of
    each. One for which the sources do not compile, or have no such function, is not decided. Raises
    InputError where that is so of all: what the first one says.
    """
    results: list[tuple[FunctionQuestion, FunctionCertificate | Unknown]] = []
    errors = list[InputError]()
    for one in question.for_each_target:
        with watch(one) as observer:
            try:
                result = certify_functions(one, observer)
            except InputError as error:
                errors.append(error)
                result = Unknown(_first_problem(error))
        results.append((one, result))
    if len(errors) == len(results):
        raise errors[0]
    return results


def _first_problem(error: InputError) -> str:
    if isinstance(error, DoesNotCompileError):
        return f"does not compile: {error.first}"
    return str(error.problems[0])


def certify_functions(
    question: FunctionQuestion, observer: Observer, deadline: Deadline | None = None,
    made: Compiled | None = None,
) -> FunctionCertificate | Unknown:  # fmt: skip
    """The certificate or the findings; UNKNOWN where the time or the memory was not enough. `made`
    is what the compiler makes of the sources alone, where that is known.

    Raises InputError for what cannot be asked: a source that does not compile, with the compiler's
    words, a function that is not there or has another signature.
    """
    deadline = deadline or Deadline.after(question.seconds)
    twice = question.traps and any(language_of(source) != "ir" for source in question.sources)
    if twice and (place := mode_asked(question.sources, question.flags)):
        message = f"{place}: builtin.mode, and the build with undefined behaviour as traps has "
        return Unknown(f"{message}another one; --no-traps proves the first build alone")
    try:
        question, plain = (question, made) if made else _first_build(question, deadline)
        made = plain
        # Of two sources the second build says whether a name means the same in both.
        how = question.flags, question.target, question.compiler, deadline
        cpp = [source for source in question.sources if language_of(source) == "c++"]
        function_names = {claim.name for claim in question.functions}
        several = {name for name in function_names if cpp and is_overloaded(name, cpp, how)}
        keep = _left_out(question, plain, several) if twice or len(question.sources) == 1 else []
        if keep:
            lookups = _lookups(question, keep)
            plain = _compiled(
                question, [*keep, *lookups.values()], deadline, traps=False, without=plain
            )
            tables = {
                claim: function
                for claim, function in lookups.items()
                if function.name in plain.forced
            }
            question = _looking_up(question, tables)
            names = {claim.name for claim in tables}
            keep = [
                *(function for function in keep if function.name not in names),
                *tables.values(),
            ]
            if language_of(question.sources[0]) != "rust":  # which keeps all of them at once
                keep = [function for function in keep if function.name in plain.forced]
            keep = [
                replace(function, form_number=plain.forced.get(function.name)) for function in keep
            ]
        if problems := _unknown(question, plain, several, how):
            whole = _with_instances(question, plain, how)
            whole = _with_namespaces(whole, plain, how)
            if whole != question:
                return certify_functions(whole, observer, deadline, made)
            raise InputError(
                [problem() for problem in problems]
                + [*(question.crate.problems if question.crate else ())]
            )
        checked = _compiled(question, keep, deadline, traps=True) if twice else None
    except BudgetOverError:
        return Unknown("the compiler took too long")
    result = _prove_builds(question, plain, checked, deadline, observer)
    if isinstance(result, Unknown) and result.reason.startswith(ABORTED):
        # LLVM's passes stumble over the debug metadata of some sources: once more without.
        observer.say("LLVM crashed on these line numbers: trying again without them")
        plain, checked = _without_metadata(plain), checked and _without_metadata(checked)
        result = _prove_builds(question, plain, checked, deadline, observer)
    if isinstance(result, Unknown):
        return result
    _check_compiled(result, question)
    written: dict[str, str] = {}
    while new := [variable for variable in result.initial if variable.symbol not in written]:
        # What the compiler leaves out may write to what was taken as it begins.
        try:
            writers = _writers(question, new, deadline, observer)
        except BudgetOverError:
            writers = {
                variable.symbol: Writer("what there was no time to look for", "")
                for variable in new
            }
        if not writers:
            break
        written |= {symbol: str(writer) for symbol, writer in writers.items()}
        again = _prove_builds(question, plain, checked, deadline, observer, written)
        if isinstance(again, Unknown):
            return again
        result = again
    result = _with_defining_files(result, question)
    return replace(result, assumed=tuple(dict.fromkeys(_assumed(question, result.initial))))


MOST_NAMES = 40
"""Names that files beside the sources are searched for, where an init needs several."""
FILLED = "; if static initialisers fill it, add --run; if a function does, --init NAME"
"""What helps with a variable of another file."""
_UNFILLED = re.compile(r"(\w+) is a variable whose contents are not known")
_GENERATED = re.compile(r"(?:.*/magicert-\w+/)?kept\.(?:c|cpp|zig):\d+")


def _with_defining_files(
    result: FunctionCertificate, question: FunctionQuestion
) -> FunctionCertificate:
    """The same with the files beside the sources that define what is not decided without them, and
    without lines of what was written here to keep a function.
    """
    sources = question.sources
    generated = not any(source.stem == "kept" for source in sources)

    @cache
    def named(lacks: Lacking) -> str:
        file = defined_beside(lacks.name, sources, variable=lacks.variable)
        filled = lacks.variable and not (question.run or question.init)
        return lacks.message(file, FILLED if filled else "")

    @cache
    def lazily(message: str) -> str:
        unknown = _UNFILLED.search(message)
        if unknown is None or language_of(sources[0]) != "rust":
            return message
        call = made_at_first_use(unknown[1], sources[0])
        return message.replace("--init NAME", f"--init '{call}'") if call else message

    def placed(square: SquareReport) -> SquareReport:
        gone = generated and _GENERATED.fullmatch(square.place)
        message = named(square.lacks) if square.lacks else lazily(square.message)
        return replace(square, message=message, place="" if gone else square.place)

    functions = (
        replace(report, squares=tuple(map(placed, report.squares))) for report in result.functions
    )
    return replace(result, functions=tuple(functions))


def _with_files(problem: Problem, plain: Compiled, question: FunctionQuestion) -> Problem:
    """What an init needs, with the files beside the sources that define it, and what else it and
    the functions call there. Or that it runs without being asked for.
    """
    if not isinstance(problem, ProcessEnded):
        return problem
    modules = [Module(text) for text in plain.modules if isinstance(text, str)]
    inits = re.split(r"[\s,()]+", question.init)
    started = {symbol for module in modules for symbol in _initialisers(module)}
    again = started & {symbol for module in modules for symbol in _symbols(module, inits)}
    if (lacks := problem.lacks) is None:
        both = "; it is a static initialiser as well: --run alone runs it" if again else ""
        return replace(problem, message=f"{problem.message}{both}")

    def defining_file(name: str) -> str:
        files = (
            defined_beside(name, question.sources, variable=is_variable)
            for is_variable in (False, True)
        )
        return next(filter(None, files), "")

    if not (file := defining_file(lacks.name)):
        return problem
    called_names = [*inits, *(claim.name for claim in question.functions)]
    starts = [
        *started,
        *(symbol for module in modules for symbol in _symbols(module, called_names)),
    ]
    names = dict.fromkeys(map(whole_name, undefined(modules, starts)[:MOST_NAMES]))
    files = dict.fromkeys([file, *filter(None, map(defining_file, names))])
    others = [other for other in files if other != file]
    gives = f"{file} defines it: give it, too"
    if others:
        gives = f"{file} defines it, and what else it uses is in {listed(others)}: give these, too"
    return replace(problem, message=f"{lacks.said}: {gives}")


def _initialisers(module: Module) -> list[str]:
    """The static initialisers of a module, which run first."""
    started = module.globals.get("llvm.global_ctors")
    return [*map(unquoted, re.findall(rf"@({NAME})", started.initial))] if started else []


def _symbols(module: Module, names: Sequence[str]) -> Iterator[str]:
    """The functions of these names."""
    for name in filter(None, names):
        yield from (name, *module.source_names.get(name, ()), *kept_symbols(module, name))


def _writers(
    question: FunctionQuestion,
    variables: Sequence[TrustedInitialiser],
    deadline: Deadline,
    observer: Observer,
) -> dict[str, Writer]:
    """Who may write to these variables, by their symbols: anything in the files that the compiler
    reads.
    """
    how = question.flags, question.target, question.compiler, deadline
    writers: dict[str, Writer] = {}
    for languages in ({"c", "c++"}, {"zig"}, {"rust"}):
        sources = [source for source in question.sources if language_of(source) in languages]
        if not sources:
            continue
        if "c" not in languages:
            (language,) = languages
            crate = question.crate if language == "rust" else None
            writers |= in_files(files_of(sources, *how, crate), language, variables)
            continue
        trees = []
        for source in sources:
            with TemporaryDirectory(prefix="magicert-") as folder:
                tree_file = syntax_tree(source, *how, Path(folder))
                with tree_file.open(encoding="utf-8", errors="replace") as lines:
                    trees.append(Tree(lines, variables))
        if not all(tree.whole for tree in trees):
            nobody = Writer("what the compiler gives no syntax tree of", str(sources[0]))
            return {variable.symbol: nobody for variable in variables}
        certain, uses = in_trees(trees, variables)
        writers |= certain
        if uses:
            texts = all_compiled(sources, *how)
            arguments = texts, [*map(str, sources)], uses
            budget = Budget(max(1.0, deadline.left), question.memory)
            result = supervise(_writers_in_child, arguments, observer, budget)
            if isinstance(result, dict):
                writers |= result
            else:
                writers |= {variable.symbol: NOWHERE for variable in uses}
    return writers


def _writers_in_child(
    arguments: tuple[Sequence[str], Sequence[str], Mapping[TrustedInitialiser, Sequence[Use]]],
    _: ChildObserver,
) -> dict[str, Writer]:
    """In the process with limits: LLVM may end on it."""
    return in_modules(*arguments)


def _assumed(question: FunctionQuestion, initial: Sequence[TrustedInitialiser]) -> Iterator[str]:
    """What no look at these sources can tell: that no other file writes to a variable."""
    if question.crate is not None and question.crate.left_out:
        yield (
            "what is compiled means the same without what does not compile here: "
            f"{question.crate.as_words}"
        )
    if language_of(question.sources[0]) == "rust" and (
        names := unset_cfgs(question.sources[0], question.flags)
    ):
        yield (
            f"its build script does not set {', '.join(names)}, which its code asks for "
            f"(else: -- {' '.join(f'--cfg {name}' for name in names)})"
        )
    as_ir = all(language_of(source) == "ir" for source in question.sources)
    headers = {source.name for source in question.sources if source.suffix in HEADERS}
    sources_by_name = {source.name: source for source in question.sources}
    for variable in initial:
        file = Path(variable.file)
        language = LANGUAGES.get(file.suffix, "")
        shared = (
            variable.shared or as_ir or file.name not in sources_by_name or file.name in headers
        )
        if language in {"zig", "rust"}:
            # Rust gives a private variable to other modules, too, for its generic functions.
            named = variable.symbol == variable.name if language == "rust" else variable.shared
            shared = named or file.name not in sources_by_name
            if not shared:
                text = sources_by_name[file.name].read_text("utf-8", "replace")
                shared = is_public(text, language, variable)
            if language == "rust" and question.crate is not None:
                # What a missing file has would stand in the variable's own module.
                shared |= any(item.startswith("include!") for item in question.crate.left_out)
        if shared:
            yield f"no other file writes to {variable.name or variable.symbol}"


def _without_metadata(build: Compiled) -> Compiled:
    """Without metadata, promises such as !range among it: the certificate's command says so."""
    modules = [without_any(text) if isinstance(text, str) else text for text in build.modules]
    command = f"{build.command}; then its metadata (lines, !range, !noundef) left out"
    return replace(build, modules=tuple(modules), command=command)


def _prove_builds(
    question: FunctionQuestion,
    plain: Compiled,
    checked: Compiled | None,
    deadline: Deadline,
    observer: Observer,
    written: Mapping[str, str] | None = None,
) -> FunctionCertificate | Unknown:
    seconds = None if question.seconds is None else max(1.0, deadline.left)
    work = CompiledQuestion(replace(question, seconds=seconds), plain, checked, written or {})
    budget = Budget(seconds, question.memory)
    try:
        result = supervise(_work, work, observer, budget, unfinished=_unfinished)
    except InputError as error:
        problems = [_with_files(problem, plain, question) for problem in error.problems]
        if question.crate is not None:  # perhaps it is what was left out
            problems += question.crate.problems
        raise InputError(problems) from None
    assert isinstance(result, FunctionCertificate | Unknown)
    if isinstance(result, Unknown):
        # Of the time that was given the compiler had a part.
        over = deadline.over
        reason = f"timeout of {question.seconds:g} s" if over else result.reason
        progress = result.progress.strip() or "before the first square"
        return replace(result, reason=reason, progress=progress)
    return result


def _unfinished(
    result: FunctionCertificate | Unknown, reason: str
) -> FunctionCertificate | Unknown:
    """What had been found when the work was stopped."""
    if isinstance(result, Unknown) or (reason.startswith(ABORTED) and result.verdict != "invalid"):
        return Unknown(reason)
    return replace(
        result,
        functions=tuple(
            replace(
                function,
                squares=tuple(
                    replace(square, message=f"{NOT_YET}: {reason.partition(' of ')[0]}")
                    if square.message == NOT_YET
                    else square
                    for square in function.squares
                ),
            )
            for function in result.functions
        ),
    )


def _compiled(
    question: FunctionQuestion, keep: Sequence[ForcedFunction], deadline: Deadline, *, traps: bool,
    without: Compiled | None = None,
) -> Compiled:  # fmt: skip
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
        return question, _compiled(question, (), deadline, traps=False)
    except InputError as error:
        if [language_of(source) for source in question.sources] != ["rust"]:
            raise
        how = question.flags, question.target, question.compiler, deadline
        crate = crate_of(question.sources[0], *how)
        of_crate = error_of_root(question.sources[0], *how) or error
        if crate is None:
            raise of_crate from None
        question = replace(question, crate=replace(crate, problems=tuple(of_crate.problems)))
        with suppress(InputError):
            plain = _compiled(question, (), deadline, traps=False)
            return _in_its_module(question, plain), plain
        raise


def _check_compiled(result: FunctionCertificate, question: FunctionQuestion) -> None:
    """Raises InputError with the compiler's words where a function needs what was left out."""
    if question.crate is None or result.verdict != "unknown":
        return
    for report in result.functions:
        for square in report.squares:
            if square.lacks is not None and square.lacks.name == LEFT_OUT:
                message = f"{report.name} needs this, which does not compile here"
                place = Problem(message, file=square.place or str(question.sources[0]))
                raise InputError([place, *question.crate.problems])


def _in_its_module(question: FunctionQuestion, plain: Compiled) -> FunctionQuestion:
    """The question with names of the source's own module, where that has them."""
    assert question.crate is not None
    module_path = question.crate.module_of(question.sources[0])
    (text,) = plain.modules
    known = Module(text).source_names if isinstance(text, str) else {}

    def whole(name: str) -> str:
        return inside if (inside := f"{module_path}::{name}") in known else name

    functions = tuple(replace(claim, name=whole(claim.name)) for claim in question.functions)
    return replace(question, functions=functions, init=whole(question.init))


def _unknown(
    question: FunctionQuestion, plain: Compiled, several: Set[str], how: CompileOptions
) -> list[Callable[[], Problem]]:
    """What is wrong with names that no module has, and with those that `several` functions have of
    which the compiler cannot choose. Each is a call that says it: what the user may mean, compilers
    are asked for.
    """
    modules = [Module(text) for text in plain.modules if isinstance(text, str)]
    if len(modules) < len(plain.modules):  # of bitcode nothing is known here
        return []
    names = {f"--function {claim.key}={claim.name}": claim.name for claim in question.functions}
    if question.init:
        names[f"--init {question.init}"] = question.init
    problems = list[Callable[[], Problem]]()
    for key, name in names.items():
        symbols = {name}.union(*(kept_symbols(module, name) for module in modules))
        unclear = name in several and name not in plain.forced
        if not unclear and any(
            name in module.source_names or symbols & {*module.bodies, *module.unsure}
            for module in modules
        ):
            continue
        elsewhere = not unclear and any(symbols & module.declared.keys() for module in modules)
        say = _defined_elsewhere if elsewhere else _no_function
        problems.append(partial(say, key, name, question, plain, how))
    return problems


def _defined_elsewhere(
    key: str, name: str, question: FunctionQuestion, _plain: Compiled, _how: CompileOptions
) -> Problem:
    other = defined_beside(name, question.sources)
    advice = f"{other} defines it" if other else "give the source that defines it"
    return Problem(f"declared, but not defined in these sources: {advice}", key=key)


def _no_function(
    key: str, name: str, question: FunctionQuestion, plain: Compiled, how: CompileOptions
) -> Problem:
    modules = [Module(text) for text in plain.modules if isinstance(text, str)]
    known = given_names({name for m in modules for name in (*m.bodies, *m.source_names)})
    refused = plain.refused.get(name, "")
    words = [word for claim in question.functions for takes in claim.takes for word in takes]
    hint = name_hint(name, refused, [*words, *known], question.sources, how)
    if "no module named" in refused and (flags := modules_of_build(question.sources[0])):
        hint = f"its modules, by build.zig: -- {flags}"
    parts = ["no such function" if refused else NONE, *filter(None, [refused, hint])]
    if len(parts) == 1:
        parts.append(f"expected one of {listed(known)}" if known else "it is empty")
        parts[-1] += " (or a call, as in attacks(ROOK, square, occupied))"
    return Problem(": ".join(parts), key=key)


def _with_namespaces(
    question: FunctionQuestion, plain: Compiled, how: CompileOptions
) -> FunctionQuestion:
    """The question with the namespaces of what the compiler does not know without them. Raises
    InputError for a call, or an instance, that may mean several things.
    """
    words = {word for claim in question.functions for takes in claim.takes for word in takes}

    def whole(name: str, takes: tuple[tuple[str, ...], ...]) -> str:
        if name not in plain.refused:
            return name
        several = with_namespaces(name, words, question.sources, how)
        if len(several) == 1:
            return several[0]
        known = _known_to_the_compiler(several, takes, question, plain, how)
        if len(known) > 1 and "<" in name:
            message = f"{name} may be {listed(known)}: give one of these"
            raise InputError([Problem(message, key=f"--function {name}")])
        return known[0] if len(known) == 1 else name

    functions = tuple(
        replace(claim, name=whole(claim.name, claim.takes)) for claim in question.functions
    )
    return replace(question, functions=functions, init=question.init and whole(question.init, ()))


def _known_to_the_compiler(
    names: Sequence[str], takes: tuple[tuple[str, ...], ...], question: FunctionQuestion,
    plain: Compiled, how: CompileOptions,
) -> list[str]:  # fmt: skip
    """Which of these names the sources know as something that is called so."""
    forced = [ForcedFunction(name, takes, question.board.word) for name in names]
    compiled_names = compiled(
        question.sources, *how[:3], traps=False, keep=forced, deadline=how[3], without=plain
    )
    return [name for name in names if name in compiled_names.forced]


def _with_instances(
    question: FunctionQuestion, plain: Compiled, how: CompileOptions
) -> FunctionQuestion:
    """The question with each instance of a template that the source calls, and that can be called
    as the claim says, in the place of a name that is the template's.
    """
    modules = [Module(text) for text in plain.modules if isinstance(text, str)]
    claims = list[FunctionClaim]()
    for claim in question.functions:
        there = any(claim.name in {*module.bodies, *module.source_names} for module in modules)
        given = claim.name in plain.forced or there
        found = [] if given else instances(claim.name, question.sources, modules, how)
        if found and language_of(question.sources[0]) != "rust":
            found = _known_to_the_compiler(found, claim.takes, question, plain, how)
        others = [other for other in question.functions if other != claim]
        claims += claims_of(claim, found, others, question.board) if found else [claim]
    return replace(question, functions=tuple(dict.fromkeys(claims)))


def _left_out(
    question: FunctionQuestion, plain: Compiled, several: Set[str]
) -> list[ForcedFunction]:
    """The functions that no module has by their whole name, or several have: in the source it may
    be another's. So it may where `several` functions of the source have it.
    """
    modules = [Module(text) for text in plain.modules if isinstance(text, str)]
    in_rust = language_of(question.sources[0]) == "rust"

    def is_there(name: str) -> bool:
        if any(name in module.bodies or name in module.unsure for module in modules):
            return True
        symbols = set(chain.from_iterable(m.source_names.get(name, ()) for m in modules))
        if len(symbols) != 1:
            return False
        whole = whole_name(symbols.pop())
        return name == (whole.partition("::")[2] if in_rust else whole)  # behind the crate's

    bits = question.board.word
    forced = [ForcedFunction(claim.name, claim.takes, bits) for claim in question.functions]
    forced += [ForcedFunction(question.init)] if question.init else []
    return [
        function for function in forced if function.name in several or not is_there(function.name)
    ]


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


def _work(work: CompiledQuestion, report: ChildObserver) -> FunctionCertificate | Unknown:
    """In the process with limits."""
    try:
        return certify(work, report)
    except RecursionError:
        message = "an expression inside an expression, thousands of times: it is not followed"
        raise InputError([Problem(message, file=str(work.question.sources[0]))]) from None


def certificate_file(question: FunctionQuestion, folder: Path, verdict: str) -> Path:
    """Where the certificate or the findings of a question are written."""
    kind = "certificate" if verdict == "valid" else "findings"
    return folder / f"{question.sources[0].name}.function.{kind}.json"
