"""Functions that a compiler leaves out of a module, for it has put them into their callers, or
nobody calls them: asked for in the source's own language, in a file that takes it in.

    rook=attacks_bb<ROOK>  ->  ... bitboard.h ...
                               inline auto f(int s, unsigned long long b) {
                                   return attacks_bb<ROOK>(Square{s}, Board{b}); }

So the compiler itself says what a name means: an inline function, an instance of a template, one of
several of a name, a method of a global object. In C and C++ that file is a copy of the source with
a few lines behind it, which the compiler finds in the source's place: what it includes and what
`__FILE__` and `__INCLUDE_LEVEL__` are stays as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from magicert.functions.compile.cargo import edition_of
from magicert.functions.compile.compilers import C_LANGUAGES
from magicert.functions.compile.crates import Crate
from magicert.functions.compile.forced_c import (
    DEDUCED,
    before_forms_in_c,
    calls_in_c,
    calls_in_cpp,
    count_from_here,
    forms_in_c,
    forms_in_cpp,
    helpers_in_cpp,
    is_deduced,
)
from magicert.functions.compile.forced_errors import (
    from_rows,
    may_be_asked_otherwise,
    reason_in_call,
)
from magicert.functions.compile.forced_function import ForcedFunction
from magicert.functions.compile.forced_rust import (
    calls_in_rust,
    forms_in_rust,
    helpers_in_rust,
    mirrored_crate,
)
from magicert.functions.compile.forced_zig import (
    HELPERS,
    before_forms_in_zig,
    calls_in_zig,
    forms_in_zig,
)
from magicert.functions.compile.projects import linked, whole_path
from magicert.problem import InputError

_Form = tuple[int, str]
"""A way to ask for a function: its number among all of these, and its text."""


def compile_with_forced(
    source: Path, language: str, forced: Sequence[ForcedFunction], folder: Path,
    compile_file: Callable[[Path], list[str]], refused: dict[str, str], *, or_alone: bool = True,
    crate: Crate | None = None,
) -> tuple[dict[str, int], list[str]]:  # fmt: skip
    """Compile a source with those functions that it knows: their names, each with the way to ask
    for it, and the command. Of the others `refused` then says why, in the compiler's words. Where
    it knows none, it is compiled alone if that is wanted.

    In Zig a file beside its project always takes it in: so it may import from all of that, and has
    no code that tells of panics. In Rust calls stand at the end of a copy, in its place, and names
    are left to the compiler. Raises what `compile_file` raises for the source alone.
    """
    if language == "rust":
        forced = [function for function in forced if function.is_call]
        if not forced and crate is None:
            return {}, compile_file(source)
    source_path = whole_path(source)
    file = root = folder / f"kept.{_LANGUAGES[language].ending}"
    if language == "rust":
        crate = crate or Crate(source_path)
        before, file, root = mirrored_crate(crate, source_path, folder, forced)
    elif language == "zig":
        before = before_forms_in_zig(linked(source_path, folder))
    else:
        before = before_forms_in_c(source, file) + helpers(language, forced)

    forms = _forms_by_name(source, language, forced)
    asked = _ForcedFile(language, file, root, before, compile_file, forms, refused)
    for ask in (asked.all_at_once, asked.one_by_one):
        numbers, command = ask()
        if command:
            return numbers, command
    if not or_alone and language != "rust":
        return {}, []
    if language != "zig" and (crate is None or (crate.root == source_path and not crate.texts)):
        return {}, compile_file(source)
    file.write_text(before, "utf-8", "surrogateescape")
    return {}, _compile_mirrored(source, language, root, compile_file)


def _forms_by_name(
    source: Path, language: str, forced: Sequence[ForcedFunction]
) -> dict[str, list[_Form]]:
    """The ways to ask for each function that is an expression, or the one that a build has used."""
    newest = language == "rust" and edition_of(source) >= "2024"  # which knows this form alone
    return {
        function.name: [
            (number, text) for number, text in enumerate(_LANGUAGES[language].forms(function))
            if function.form_number in {None, number} and (not newest or "#[unsafe(" in text)
        ]
        for function in forced
        if function.is_expression
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What came of a file with some forms: the command; or why there is none, in the compiler's
    words, and why of each function that has errors in its own rows. `deduced`: it compiles, and is
    a template's instance of types that are ours.
    """

    command: list[str]
    reason: str = ""
    reasons_by_name: Mapping[str, str] = field(default_factory=dict)
    deduced: bool = False


@dataclass(frozen=True, slots=True)
class _ForcedFile:
    """The file that takes a source in, with the forms of functions behind what stands `before`
    them; `root` is what the compiler is given. What is known not to compile leaves `forms`, and a
    function without any is `refused`.
    """

    language: str
    file: Path
    root: Path
    before: str
    compile_file: Callable[[Path], list[str]]
    forms: dict[str, list[_Form]]
    refused: dict[str, str]

    def all_at_once(self) -> tuple[dict[str, int], list[str]]:
        """Compile the first form of each, and the next ones of those that have errors, while the
        compiler says which these are: alone they would have the same errors.
        """
        while len(self.forms) > 1:
            first = {name: forms[0] for name, forms in self.forms.items()}
            attempt = self._compiled(first)
            if attempt.command:
                return _numbers(first), attempt.command
            if self.language == "zig" or not attempt.reasons_by_name:
                break
            self._go_on_to_next_forms(attempt.reasons_by_name)
        return {}, []

    def one_by_one(self) -> tuple[dict[str, int], list[str]]:
        """Compile each alone, in its first form that does, and then all of these."""
        command, found = list[str](), dict[str, _Form]()
        for name in self.forms:
            form, command = self._first_form(name)
            if form is not None:
                found[name] = form
        if len(self.forms) > 1 and found:
            command = self._compiled(found).command
        return _numbers(found), command

    def _first_form(self, name: str) -> tuple[_Form | None, list[str]]:
        """The first form of a function that compiles, and the command; or why none does."""
        reasons = list[str]()
        for form in self.forms[name]:
            attempt = self._compiled({name: form})
            if attempt.command:
                return form, attempt.command
            reasons.append(attempt.reason)
            # Any other way would be another instance.
            if attempt.deduced or not may_be_asked_otherwise(self.language, name, attempt.reason):
                break
        first, last = reasons[:1], reasons[-1:]
        self.refused[name] = "".join(first if self.language == "rust" else last)
        return None, []

    def _go_on_to_next_forms(self, reasons_by_name: Mapping[str, str]) -> None:
        """Leave out the first form of each of these; and a function that has no other, or that the
        compiler does not know.
        """
        for name, reason in reasons_by_name.items():
            may_be = may_be_asked_otherwise(self.language, name, reason)
            self.forms[name] = self.forms[name][1:] if may_be else []
            if not self.forms[name]:
                self.refused[name] = reason
                del self.forms[name]

    def _compiled(self, forms: Mapping[str, _Form]) -> _Attempt:
        """Compile the file with one form of each of these functions."""
        texts = [text for _, text in forms.values()]
        end = ["#endif"] * (self.language in C_LANGUAGES)
        text = "\n".join([self.before, *texts, *end, ""])
        self.file.write_text(text, "utf-8", "surrogateescape")
        try:
            command = self.compile_file(self.root)
        except InputError as error:
            words = getattr(error, "output", ()) or [problem.message for problem in error.problems]
            return self._failed(text, forms, words)
        if self.language == "c++" and is_deduced(self.file.with_name("module.ll")):
            reason = f"{DEDUCED}, as in attacks<int> or attacks<Square>"
            return _Attempt([], reason, deduced=True)
        return _Attempt(command)

    def _failed(self, text: str, forms: Mapping[str, _Form], output: Sequence[str]) -> _Attempt:
        """Why a text with these forms does not compile, by what the compiler says."""
        mark = count_from_here(self.file)
        rows = text.rpartition(mark)[2].split("\n")
        row = self.before.rpartition(mark)[2].count("\n") + 2
        reasons_by_name = dict[str, str]()
        for name, (_, form) in forms.items():
            behind = row + form.count("\n") + 1
            if own_words := from_rows(output, self.file.name, range(row, behind)):
                reasons_by_name[name] = reason_in_call(own_words, rows, self.forms)
            row = behind
        return _Attempt([], reason_in_call(output, rows, self.forms), reasons_by_name)


def _numbers(forms: Mapping[str, _Form]) -> dict[str, int]:
    return {name: number for name, (number, _) in forms.items()}


def _compile_mirrored(
    source: Path, language: str, root: Path, compile_file: Callable[[Path], list[str]]
) -> list[str]:
    """Compile the file that takes a source in, and keeps nothing. Where Zig cannot, its words are
    those of the source alone.
    """
    try:
        return compile_file(root)
    except InputError:
        if language == "zig":
            with suppress(InputError):
                return compile_file(source)
        raise


@dataclass(frozen=True, slots=True)
class _Language:
    """How a function is asked for in a language: the ways, the best first, those to call it, what
    calls need, and a file's ending.
    """

    forms: Callable[[ForcedFunction], list[str]]
    calls: Callable[[ForcedFunction], list[str]]
    helpers: Callable[[Sequence[ForcedFunction]], str]
    ending: str


_LANGUAGES = {
    "c": _Language(forms_in_c, calls_in_c, lambda _: "", "c"),
    "c++": _Language(forms_in_cpp, calls_in_cpp, helpers_in_cpp, "cpp"),
    "zig": _Language(forms_in_zig, calls_in_zig, lambda _: HELPERS, "zig"),
    "rust": _Language(forms_in_rust, calls_in_rust, helpers_in_rust, "rs"),
}


def wrappers(language: str, forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first: of numbers, named as `wrapper` says. They
    stand behind the source, and behind what `helpers` gives.
    """
    return _LANGUAGES[language].calls(forced)


def helpers(language: str, forced: Sequence[ForcedFunction]) -> str:
    """What these functions need."""
    return _LANGUAGES[language].helpers(forced)
