"""Certify functions: compile their sources, then look at them in a process with limits."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.advice.answers import error_with_advice, with_advice
from magicert.functions.builds import CompiledQuestion, text_modules
from magicert.functions.certificate import (
    NOT_YET,
    FunctionCertificate,
    Lacking,
    ProcessEnded,
    SquareReport,
    TrustedInitialiser,
)
from magicert.functions.certify import certify
from magicert.functions.compile.cargo import unset_cfgs
from magicert.functions.compile.clang_dumps import syntax_tree
from magicert.functions.compile.clang_tree import Tree, Use, Writer
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import (
    C_LANGUAGES,
    HEADERS,
    LANGUAGES,
    language_in,
    language_of,
)
from magicert.functions.compile.files_read import files_of, place_of_mode
from magicert.functions.compile.modules import Compiled, all_compiled
from magicert.functions.compile.names import defined_beside, made_at_first_use, reached
from magicert.functions.compile.once import sources_unchanged
from magicert.functions.compile.stand_in_headers import (
    STAND_IN,
    assumed_of_headers,
    stand_in_headers_of,
)
from magicert.functions.compile.writers import (
    NOWHERE,
    in_files,
    in_modules,
    in_trees,
    is_public,
    renamed_lines,
)
from magicert.functions.earlier import Earlier
from magicert.functions.llvm.markers import LEFT_OUT
from magicert.functions.llvm.metadata import without_any
from magicert.functions.llvm.symbol_names import whole_name
from magicert.functions.question import FunctionQuestion
from magicert.functions.resolved import NeedsMoreError, is_built_twice, resolved, symbols_of
from magicert.outcome import Observer, Unknown
from magicert.problem import InputError, Problem, listed
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.z3models.solvers.child import ABORTED, Budget, ChildObserver, supervise


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
        began = time.monotonic()
        with watch(one) as observer, sources_unchanged():
            try:
                result = certify_functions(one, observer)
                result = with_advice(result, one, time.monotonic() - began)
            except InputError as error:
                errors.append(error_with_advice(error, one, time.monotonic() - began))
                result = Unknown(_first_problem(error))
        results.append((one, result))
    if len(errors) == len(results):
        raise errors[0]
    return results


def _first_problem(error: InputError) -> str:
    if isinstance(error, DoesNotCompileError):
        return f"does not compile: {error.first}"
    return str(error.problems[0])


_NEWER_INTERPRETER = "-fexperimental-new-constant-interpreter"


def _in_less_time(question: FunctionQuestion) -> str:
    """Which flag may spare a compiler time, as the end of a message."""
    in_cpp = any(language_in(one, question.flags) == "c++" for one in question.sources)
    if not in_cpp or _NEWER_INTERPRETER in question.flags:
        return ""
    return f": where constexpr makes tables, clang may need less with -- {_NEWER_INTERPRETER}"


def certify_functions(
    question: FunctionQuestion, observer: Observer, deadline: Deadline | None = None
) -> FunctionCertificate | Unknown:
    """The certificate or the findings; UNKNOWN where the time or the memory was not enough.

    Raises InputError for what cannot be asked: a source that does not compile, with the compiler's
    words, a function that is not there or has another signature.
    """
    deadline = deadline or Deadline.after(question.seconds)
    if is_built_twice(question) and (place := place_of_mode(question.sources, question.flags)):
        message = f"{place}: builtin.mode, and the build with undefined behaviour as traps has "
        return Unknown(f"{message}another one; --no-traps proves the first build alone")
    try:
        earlier = Earlier(question, deadline)
        if (builds := earlier.build()) is None:
            builds = resolved(question, deadline).builds(deadline)
            earlier.keep_build(builds)
    except BudgetOverError:
        return Unknown(f"the compiler took too long{_in_less_time(question)}")
    asked, (question, plain, checked) = question, builds
    result: FunctionCertificate | Unknown | None
    result = earlier.certificate(builds)
    if result is None:
        result = _prove_builds(question, plain, checked, deadline, observer)
        earlier.keep_certificate(builds, result)
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
            if earlier.unwritten(new):
                break
            writers = _writers(question, new, deadline, observer)
            if not writers:
                earlier.keep_unwritten(new)
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
    if question.crate and question.crate.stand_ins and result.verdict == "invalid":
        without = replace(asked, stand_ins=False, cached=False)
        with suppress(InputError):
            alone = certify_functions(without, observer, deadline)
            if not isinstance(alone, Unknown) and alone.verdict == "invalid":
                return alone
        result = _not_by_stand_ins(result, [one.name for one in question.crate.stand_ins])
    if headers := stand_in_headers_of(question.flags):
        hint = f", with what stands in for {listed(headers)}, and may be right with these: give "
        hint += f"the folder of them in the place of {STAND_IN}, as in -- -I FOLDER"
        result = _undecided_if_refuted(result, hint)
    result = _with_defining_files(result, question)
    return replace(
        result,
        trusted=(*result.trusted, *earlier.used),
        assumed=tuple(dict.fromkeys([*result.assumed, *_assumed(question, result.initial)])),
    )


def _not_by_stand_ins(result: FunctionCertificate, crates: Sequence[str]) -> FunctionCertificate:
    """What is refuted only with stand-ins for some crates may be right with the crates."""
    hint = f", with magicert's stand-ins for {listed(crates)}, and without them it is not decided: "
    hint += "name the crates that cargo has compiled, as in -- -L target/release/deps --extern "
    return _undecided_if_refuted(result, hint + crates[0])


def _undecided_if_refuted(result: FunctionCertificate, hint: str) -> FunctionCertificate:
    functions = [
        replace(one, squares=tuple(
            square.undecided_if_refuted(square.message + hint) for square in one.squares
        ))
        for one in result.functions
    ]  # fmt: skip
    return replace(result, functions=tuple(functions))


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
    modules = text_modules(plain)
    inits = re.split(r"[\s,()]+", question.init)
    started = {symbol for module in modules for symbol in module.initialisers}
    again = started & {symbol for module in modules for symbol in symbols_of(module, inits)}
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
        *(symbol for module in modules for symbol in symbols_of(module, called_names)),
    ]
    names = dict.fromkeys(map(whole_name, reached(modules, starts)[1][:MOST_NAMES]))
    files = dict.fromkeys([file, *filter(None, map(defining_file, names))])
    others = [other for other in files if other != file]
    gives = f"{file} defines it: give it, too"
    if others:
        gives = f"{file} defines it, and what else it uses is in {listed(others)}: give these, too"
    return replace(problem, message=f"{lacks.said}: {gives}")


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
    for languages in (C_LANGUAGES, {"zig"}, {"rust"}):
        sources = [source for source in question.sources if language_of(source) in languages]
        if not sources:
            continue
        if "c" not in languages:
            (language,) = languages
            crate = question.crate if language == "rust" else None
            writers |= in_files(files_of(sources, *how, crate), language, variables)
            continue
        trees, hidden = list[Tree](), list[Writer]()
        for source in sources:
            with TemporaryDirectory(prefix="magicert-") as folder:
                tree_file, words = syntax_tree(source, *how, Path(folder), ("-ast-dump",), ("-H",))
                with tree_file.open(encoding="utf-8", errors="replace") as lines:
                    trees.append(Tree(lines, variables, source))
            hidden += renamed_lines(source, words)
        if not all(tree.whole for tree in trees):
            nobody = Writer("what the compiler gives no syntax tree of", str(sources[0]))
            return {variable.symbol: nobody for variable in variables}
        if hidden:
            return {variable.symbol: hidden[0] for variable in variables}
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
    if question.crate is not None and question.crate.stand_ins:
        crates = listed([one.name for one in question.crate.stand_ins])
        yield f"the crates {crates} do what magicert's stand-ins do (random numbers are others)"
    yield from assumed_of_headers(question.flags)
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
        if question.crate is None:
            raise InputError(problems) from None
        if any(isinstance(one, ProcessEnded) and one.lacks and one.lacks.name == LEFT_OUT
               for one in error.problems):  # fmt: skip
            message = "it needs what does not compile here"
            problems = [Problem(message, key=f"--init {question.init}")]
        raise NeedsMoreError([*problems, *question.crate.problems]) from None
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


def _check_compiled(result: FunctionCertificate, question: FunctionQuestion) -> None:
    """Raises NeedsMoreError with the compiler's words where a function needs what was left out, and
    none is decided.
    """
    if question.crate is None or any(one.verdict != "unknown" for one in result.functions):
        return
    for report in result.functions:
        for square in report.squares:
            if square.lacks is not None and square.lacks.name == LEFT_OUT:
                message = f"{report.name} needs this, which does not compile here"
                place = Problem(message, file=square.place or str(question.sources[0]))
                raise NeedsMoreError([place, *question.crate.problems])


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
