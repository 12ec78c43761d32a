"""An answer, or an error, with the whole command that has what was missing.

    verify src/attacks.h --function rook=rook     rook_table is defined elsewhere
    ->  verify src/attacks.h src/tables.cpp --function rook=rook --init init_tables -- -std=c++20

Which kind of command that is, the answer tells: with files and calls that fill tables, behind what
cargo or zig would make, behind what fetches a header, or in another order of squares.
"""

from contextlib import suppress
from dataclasses import replace

from magicert.functions.advice.build_steps import (
    command_behind_cargo,
    command_that_fetches,
    command_with_zigs_build,
)
from magicert.functions.advice.calls import with_makers
from magicert.functions.advice.whole_command import whole_command
from magicert.functions.certificate import FunctionCertificate, ProcessEnded
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import C_LANGUAGES, language_of
from magicert.functions.compile.made_before import made_before
from magicert.functions.function_proof import NAMES_A_MAKER
from magicert.functions.llvm.call_shapes import OtherShape
from magicert.functions.other_orders import (
    ANOTHER_ORDER,
    OFF_ITSELF,
    ON_ITSELF,
    SAY_SO,
    call_on_or_off_itself,
    order_for_all,
    turn_for_all,
    turned_call,
)
from magicert.functions.question import FunctionQuestion, as_command
from magicert.functions.resolved import NeedsMoreError, UnknownNameError, resolved
from magicert.outcome import Unknown
from magicert.problem import InputError, Problem
from magicert.system.deadline import BudgetOverError, Deadline

SECONDS = 240
"""At most, for all that compilers are asked for an advice."""
LEAST_SECONDS = 200
"""What an advice may take behind an answer that came at once."""
TIMES_THE_ANSWER = 2
"""How much longer an advice may take than the answer that it stands behind."""
INTERRUPTED = "interrupted"
"""How a square's message ends where whoever asked has stopped the work."""
_ADVICE = "this command has what is missing, as far as the project's text tells: "


def with_advice(
    result: FunctionCertificate | Unknown, question: FunctionQuestion, seconds: float
) -> FunctionCertificate | Unknown:
    """The same with a command, where it is not decided for what is not given; the answer took so
    many `seconds`.
    """
    if isinstance(result, Unknown):
        return result
    squares = [square for report in result.functions for square in report.squares]
    lacking = any(square.lacks or square.unfilled for square in squares)
    if any(square.message.endswith(INTERRUPTED) for square in squares):
        return result  # whoever stops the work waits for no more
    command = _command_in_time(question, seconds) if lacking else ""
    if not command and any(ANOTHER_ORDER in square.message for square in squares):
        order = order_for_all(result.functions, question)
        stated = replace(question, order=order, states_order=True)
        command = as_command(stated) if order else ""
    if not command and any(SAY_SO in square.message for square in squares):
        command = _command_turned(result, question)
    if not command:
        command = _command_on_or_off_itself(result, question)
    if not command and any(NAMES_A_MAKER in square.message for square in squares):
        command = _command_with_makers(question, seconds)
    return replace(result, advice=_ADVICE + command) if command else result


def error_with_advice(error: InputError, question: FunctionQuestion, seconds: float) -> InputError:
    """The same with a command, where flags are missing, a call, what an init needs, or what cargo
    makes.
    """
    lacking = any(isinstance(one, ProcessEnded) and one.lacks for one in error.problems)
    lacking |= isinstance(error, UnknownNameError)
    is_there = any(isinstance(one, OtherShape) for one in error.problems)
    lacking |= is_there
    said = list[str]()
    needs_more = isinstance(error, DoesNotCompileError | NeedsMoreError)
    languages = [language_of(source) for source in question.sources]
    if needs_more and languages == ["rust"]:
        # A function that is there wants a call first, whatever else of its crate is not.
        command = _command_in_time(question, seconds, said) if is_there else ""
        if not command or made_before(question.sources[0], question.flags):
            command = command_behind_cargo(question, _limit(seconds), said, command)
    elif needs_more and languages == ["zig"]:
        words = "\n".join(problem.message for problem in error.problems)
        command = command_with_zigs_build(question, words)
    else:
        in_c = {*languages} <= C_LANGUAGES
        command = _command_in_time(question, seconds, said) if in_c or lacking else ""
        if in_c and not command and isinstance(error, DoesNotCompileError):
            command = command_that_fetches(question, error)
    if not command and not said:
        return error
    problems = [*error.problems, *map(Problem, said)]
    problems += [Problem(_ADVICE + command)] if command else []
    if isinstance(error, DoesNotCompileError):
        return DoesNotCompileError(problems, error.first, error.flags)
    return InputError(problems)


def _command_in_time(
    question: FunctionQuestion, seconds: float, said: list[str] | None = None
) -> str:
    """The command, unless it takes far longer than the answer, or the user stops it: the answer is
    known, and is not to be lost.
    """
    return whole_command(question, Deadline.after(min(SECONDS, _limit(seconds))), said)


def _command_turned(result: FunctionCertificate, question: FunctionQuestion) -> str:
    """The command with the board seen from another side, where all functions are right so."""
    if (found := turn_for_all(result.functions, question)) is None:
        return ""
    order, turned = found
    asked = zip(question.functions, result.functions, strict=True)
    functions = tuple(replace(claim, name=turned_call(report, turned)) for claim, report in asked)
    turned_question = replace(question, functions=functions)
    if order != question.order:
        turned_question = replace(turned_question, order=order, states_order=True)
    return as_command(turned_question)


def _command_on_or_off_itself(result: FunctionCertificate, question: FunctionQuestion) -> str:
    """The command with calls that occupy the function's own square, or empty it; "" for none."""
    functions = list[FunctionClaim]()
    for claim, report in zip(question.functions, result.functions, strict=True):
        messages = " ".join(square.message for square in report.squares)
        on, language = ON_ITSELF in messages, language_of(question.sources[0])
        is_called = (on or OFF_ITSELF in messages) and "(" not in claim.name
        call = call_on_or_off_itself(claim.name, language, on=on)
        functions.append(replace(claim, name=call) if is_called else claim)
    called = replace(question, functions=tuple(functions))
    return as_command(called) if called != question else ""


def _command_with_makers(question: FunctionQuestion, seconds: float) -> str:
    """The command with calls that make the squares, where the sources have what makes them."""
    deadline = Deadline.after(min(SECONDS, _limit(seconds)))
    with suppress(InputError, BudgetOverError):
        known = resolved(question, deadline).question
        asked = with_makers(known, deadline)
        return as_command(asked) if asked.functions != known.functions else ""
    return ""


def _limit(seconds: float) -> float:
    """What an advice may take behind an answer that took so many seconds."""
    return max(LEAST_SECONDS, TIMES_THE_ANSWER * seconds)
