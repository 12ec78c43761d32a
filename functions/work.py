"""Certify functions: compile their sources, then look at them in a process with limits."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from magicert.functions.certificate import FunctionCertificate
from magicert.functions.certify import NOT_YET, CompiledQuestion, certify
from magicert.functions.front import Compiled, compiled, language_of, mode_asked
from magicert.functions.ir import Module
from magicert.functions.kept import Wanted
from magicert.functions.metadata import without_any
from magicert.functions.question import FunctionQuestion
from magicert.functions.specialise import whole_name
from magicert.outcome import Observer, Unknown
from magicert.problem import InputError, Problem
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.z3models.solvers.child import ABORTED, Budget, ChildObserver, supervise


def certify_functions(
    question: FunctionQuestion, observer: Observer
) -> FunctionCertificate | Unknown:
    """The certificate or the findings; UNKNOWN where the time or the memory was not enough.

    Raises InputError for what cannot be asked: a source that does not compile, with the compiler's
    words, a function that is not there or has another signature.
    """
    deadline = Deadline.after(question.seconds)
    twice = question.traps and any(language_of(source) != "ir" for source in question.sources)
    if twice and (place := mode_asked(question.sources, question.flags)):
        message = f"{place}: builtin.mode, and the build with undefined behaviour as traps has "
        return Unknown(f"{message}another one; --no-traps proves the first build alone")
    try:
        made = _compiled(question, (), deadline, traps=False)
        # Of two sources the second build says whether a name means the same in both.
        keep = _left_out(question, made) if twice or len(question.sources) == 1 else []
        if keep:
            made = _compiled(question, keep, deadline, traps=False)
            if language_of(question.sources[0]) != "rust":  # which keeps all of them at once
                keep = [one for one in keep if one.name in made.kept]
        checked = _compiled(question, keep, deadline, traps=True) if twice else None
    except BudgetOverError:
        return Unknown("the compiler took too long")
    result = _looked_at(question, made, checked, deadline, observer)
    if isinstance(result, Unknown) and result.reason.startswith(ABORTED):
        # LLVM's passes stumble over the debug metadata of some sources: once more without.
        observer.say("LLVM ended with these line numbers: again without them")
        bare = checked and _bare(checked)
        result = _looked_at(question, _bare(made), bare, deadline, observer)
    return result


def _bare(made: Compiled) -> Compiled:
    """Without metadata, promises such as !range among it: the certificate's command says so."""
    modules = [without_any(text) if isinstance(text, str) else text for text in made.modules]
    said = f"{made.command}; then its metadata (lines, !range, !noundef) left out"
    return replace(made, modules=tuple(modules), command=said)


def _looked_at(
    question: FunctionQuestion,
    made: Compiled,
    checked: Compiled | None,
    deadline: Deadline,
    observer: Observer,
) -> FunctionCertificate | Unknown:
    seconds = None if question.seconds is None else max(1.0, deadline.left)
    work = CompiledQuestion(replace(question, seconds=seconds), made, checked)
    budget = Budget(seconds, question.memory)
    result = supervise(_work, work, observer, budget, unfinished=_unfinished)
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
    question: FunctionQuestion, keep: Sequence[Wanted], deadline: Deadline, *, traps: bool
) -> Compiled:
    return compiled(
        question.sources, question.flags, question.target, question.compiler,
        traps=traps, keep=keep, deadline=deadline,
    )  # fmt: skip


def _left_out(question: FunctionQuestion, made: Compiled) -> list[Wanted]:
    """The functions that no module has by their whole name, or several have: in the source it may
    be another's.
    """
    modules = [Module(text) for text in made.modules if isinstance(text, str)]
    in_rust = language_of(question.sources[0]) == "rust"

    def is_there(name: str) -> bool:
        if any(name in module.bodies or name in module.unsure for module in modules):
            return True
        symbols = set(chain.from_iterable(m.source_names.get(name, ()) for m in modules))
        if len(symbols) != 1:
            return False
        whole = whole_name(symbols.pop())
        return name == (whole.partition("::")[2] if in_rust else whole)  # behind the crate's

    in_words = question.board.word == 64
    asked = [Wanted(one.name, one.takes if in_words else ()) for one in question.functions]
    asked += [Wanted(question.init)] if question.init else []
    return [one for one in asked if not is_there(one.name)]


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
