"""A question mended, where a compiler refuses it or takes it for something else.

    no member named 'popcount' in 'std'         -- -std=c++20
    attacks, which is a macro                   --function 'rook=attacks(square, occupied)'
    attacks.h, which does not compile alone     attacks.cpp, which takes it in
    table, which two sources define             the header once, or -- -fcommon

What is asked stays the same. A question that comes back as it was is one that nothing here mends.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from magicert.functions.advice.calls import with_calls
from magicert.functions.advice.missing import shown_path
from magicert.functions.builds import text_modules
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.call_texts import cuts_of
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import HEADERS, language_in, language_of
from magicert.functions.compile.includers import defined_twice, including, takes_in
from magicert.functions.compile.names import macro_calls, without_scopes
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import PointerType
from magicert.functions.question import FunctionQuestion
from magicert.functions.resolved import Resolved, UnknownNameError, symbols_of
from magicert.problem import InputError
from magicert.system.deadline import Deadline

MOST_INCLUDERS = 4
"""Files that are tried in the place of a header which they take in."""


def mended_question(
    question: FunctionQuestion, error: InputError, known: FunctionQuestion, deadline: Deadline,
    said: list[str],
) -> FunctionQuestion:  # fmt: skip
    """The question with what an error asks for: flags, a macro's call, a function's, of which is
    `said` what it wants, or without those files, new to the `known` question, that do not compile.
    """
    if not isinstance(error, DoesNotCompileError | UnknownNameError):
        return question  # what was added means nothing here
    if (flagged := question.with_flags(error.flags)) != question:
        return flagged
    if (called := _calling_macros(question, deadline)) != question:
        return called
    if isinstance(error, UnknownNameError):
        return with_calls(question, None, deadline, said)
    bad = {one.file for one in error.problems} - {str(one) for one in known.sources}
    return replace(question, sources=tuple(one for one in question.sources if str(one) not in bad))


def _calling_macros(question: FunctionQuestion, deadline: Deadline) -> FunctionQuestion:
    """The question with the call of each macro in the place of its name."""
    how = question.flags, question.target, question.compiler, deadline
    names = [
        claim.name for claim in question.functions
        if claim.name.isidentifier() and len(claim.takes[0]) == 2
    ]  # fmt: skip
    calls = macro_calls(names, question.sources, how)
    functions = (
        replace(claim, name=calls.get(claim.name) or claim.name) for claim in question.functions
    )
    return replace(question, functions=tuple(functions))


def with_whole_names(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question with the namespaces of its functions, which the compiler is asked for once."""
    whole = names.question.functions
    if len(whole) != len(question.functions):
        return question  # instances of templates
    functions = (
        new if without_scopes(new.name) == without_scopes(old.name) else old
        for old, new in zip(question.functions, whole, strict=True)
    )
    return replace(question, functions=tuple(functions))


def with_calls_of_c(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question with a call of each function that several sources of C have from a header, or
    that cuts its result to more sets of squares than the occupied ones.
    """
    modules = text_modules(names.plain)

    def symbols_of_name(name: str) -> list[tuple[Module, str]]:
        symbols = ((one, symbol) for one in modules for symbol in symbols_of(one, [name]))
        return [(module, symbol) for module, symbol in symbols if symbol in module.bodies]

    def called(claim: FunctionClaim) -> FunctionClaim:
        named = symbols_of_name(claim.name)
        if len(claim.takes[0]) != 2 or not named:
            return claim
        module, symbol = named[0]
        kinds = [kind for kind, _, _ in module.signature(symbol)[1]]
        if any(isinstance(kind, PointerType) for kind in kinds):
            return claim  # no square, and no set of squares
        sizes = [*map(module.layout.size, kinds)]
        parameters, cuts = [""] * len(sizes), dict[str, str]()
        if len(sizes) > 2:
            texts = (cuts_of(claim.name, source.read_bytes()) for source in question.sources)
            same = (one for one in texts if len(one[0]) == len(sizes))
            parameters, cuts = next(same, (parameters, cuts))
        elif sum(claim.name in one.bodies for one in modules) < 2:
            return claim
        open_sizes = [size for one, size in zip(parameters, sizes, strict=True) if one not in cuts]
        if len(open_sizes) != 2 or open_sizes[0] == open_sizes[1]:
            return claim  # which one is the square, nothing here tells
        words = iter(claim.takes[0] if open_sizes[0] < open_sizes[1] else claim.takes[0][::-1])
        given = [cuts[one] if one in cuts else next(words) for one in parameters]
        return replace(claim, name=f"{claim.name}({', '.join(given)})")

    return replace(question, functions=tuple(map(called, question.functions)))


def defining_once(question: FunctionQuestion, names: Resolved) -> FunctionQuestion:
    """The question without headers that its sources take in, where both define the same; or with
    the flag by which C takes that of variables.
    """
    if len(question.sources) < 2 or not defined_twice(names.plain.modules):
        return question
    others = [one for one in question.sources if one.suffix not in HEADERS]
    headers = [one for one in question.sources if one.suffix in HEADERS]
    left = [one for one in headers if not any(takes_in(other, one) for other in others)]
    if left != headers:
        kept = tuple(one for one in question.sources if one in others or one in left)
        flags = [*question.flags]
        with suppress(ValueError):
            if not left and {language_of(one) for one in kept} == {"c"}:
                place = flags.index("-x")
                del flags[place : place + 2]
        return replace(question, sources=kept, flags=tuple(flags))
    in_c = {language_in(one, question.flags) for one in question.sources} == {"c"}
    return question.with_flags(["-fcommon"]) if in_c else question


class Includers:
    """The files that take in the header of a question, for one that does not compile alone."""

    def __init__(self, question: FunctionQuestion) -> None:
        headers = (one for one in question.sources if one.suffix in HEADERS)
        self._header = self._last = next(headers, None)
        self._left: Iterator[Path] | None = None

    def in_place_of_header(
        self, question: FunctionQuestion, error: InputError, mended: FunctionQuestion
    ) -> FunctionQuestion:  # fmt: skip
        """The question as it is `mended`, or where it is not, with the next one of them; the same
        where there is none, or where the error is of something else.
        """
        if mended != question and mended.sources:
            return mended
        if self._header is None or self._last not in question.sources:
            return question
        if isinstance(error, DoesNotCompileError):
            is_its_own = error.problems[0].file == str(self._last)
        else:  # what a macro stands for may be declared where it is used
            is_its_own = isinstance(error, UnknownNameError)
            is_its_own &= any("(" in claim.name for claim in question.functions)
        if not is_its_own:
            return question
        if self._left is None:
            self._left = islice(including(self._header), MOST_INCLUDERS)
        if (path := next(self._left, None)) is None:
            return question
        last, self._last = self._last, Path(shown_path(str(path)))
        sources = (self._last if one == last else one for one in question.sources)
        return replace(question, sources=tuple(dict.fromkeys(sources)))
