"""A counterexample that stays: what was refuted, as a test in the language of the source.

    // Written by magicert ...
    #include "attack.c"
    ... bishop_attacks(31, 0x0) must be 0x810204000402010 ...

It takes the source in and looks each refuted square up, in the way in which the function was
called, with the input for which it was wrong and the set that the board says. A test is written
once the compiler takes it.
"""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert import __version__
from magicert.board import parse_board
from magicert.functions.certificate import FunctionCertificate, FunctionReport, SquareReport
from magicert.functions.compare.claim import KINDS
from magicert.functions.compare.layout import layout_of
from magicert.functions.compile.compiler_commands import CONSTEXPR_STEPS
from magicert.functions.compile.compiler_runs import compile_text
from magicert.functions.compile.compilers import C_LANGUAGES, language_in
from magicert.functions.compile.forced import helpers, wrappers
from magicert.functions.compile.forced_c import word_type_in_c
from magicert.functions.compile.forced_function import SQUARES, ForcedFunction, wrapper
from magicert.functions.compile.projects import linked, whole_path
from magicert.functions.question import FunctionQuestion, as_call
from magicert.problem import InputError, Problem
from magicert.system.deadline import Deadline

ENDINGS = {"c": ("c",), "c++": ("cpp", "cc", "cxx"), "rust": ("rs",), "zig": ("zig",)}
"""The endings of a test in each language, the usual one first."""
SANITIZED = (
    "-fsanitize=address,undefined", "-fno-sanitize=shift-base", "-fno-sanitize-recover=undefined",
)  # fmt: skip
"""With these C and C++ stop where behaviour is undefined: `address` sees what is read through a
pointer behind the end of a table, where the right set may lie by chance.
"""
NO_LEAKS = {"ASAN_OPTIONS": "detect_leaks=0"}
"""The environment of such a test: memory that an init never gives back is no finding."""
_IN_C = """\
#define main magicert_main_of_the_source
#include "{}"
#undef main

#include <stdio.h>
#include <string.h>
"""
_IN_ZIG = """\
const std = @import("std");
const source = @import("{}");
comptime {{
    _ = source; // and what it exports
}}
"""
FORMS = {
    "c": (_IN_C,),
    "c++": (_IN_C,),
    # What begins with //! or #![...] has to be a module, of which only public names are known.
    "rust": ('include!("{}");\n', '#[path = "{}"]\nmod source;\nuse source::*;\n'),
    "zig": (_IN_ZIG,),
}
"""How a source is taken in, the best form first."""
SECONDS = 300
"""What the compiler may take to look at one test."""


@dataclass(frozen=True, slots=True)
class Row:
    """One lookup: the numbers that the function is given, the set that it must give (of an index:
    an input that must not have the same index), and what was wrong.
    """

    arguments: tuple[int, ...]
    expected: int
    comment: str


@dataclass(frozen=True, slots=True)
class FailingCalls:
    """All lookups of one function, in ways to call it of which the first that compiles is taken."""

    report: FunctionReport
    ways: tuple[ForcedFunction, ...]
    rows: tuple[Row, ...]

    @property
    def bits(self) -> int:
        """Of a bitboard."""
        return self.ways[0].bits

    @property
    def by_index(self) -> bool:
        """Whether a row says what must not have the same index."""
        return self.report.kind == "index"

    @property
    def fields(self) -> list[str]:
        """What the numbers of a row are."""
        square = () if self.report.kind == "setwise" else ("square",)
        return [*square, *KINDS[self.report.kind], "other" if self.by_index else "expected"]


@dataclass(frozen=True, slots=True)
class CallForm:
    """A function of numbers that calls the source's own, by its name here, and what it takes."""

    name: str
    takes: tuple[str, ...]
    text: str
    helpers: str = ""


@dataclass(frozen=True, slots=True)
class IncludedSource:
    """A source, by lines that take it in, and the ways to call its functions."""

    language: str
    source: Path
    form: str
    init: str
    ways: tuple[CallForm, ...]


def check_playback(file: Path, question: FunctionQuestion) -> None:
    """Raises InputError where a test of that name cannot be one of these sources."""
    language = language_in(question.sources[0], question.flags)
    if language == "ir":
        message = "expected a source: LLVM's IR has no test in its own language"
        raise InputError([Problem(message, file=str(question.sources[0]))])
    if file.suffix[1:] not in ENDINGS[language]:
        message = f"the source is {language}: expected a name that ends in .{ENDINGS[language][0]}"
        raise InputError([Problem(message, key=f"--playback {file}")])
    above = whole_path(file).parent
    source = whole_path(question.sources[0])
    if language == "zig" and not source.is_relative_to(above):
        message = f"Zig imports no file from above: expected a file in {source.parent} or above it"
        raise InputError([Problem(message, key=f"--playback {file}")])


def playback(certificate: FunctionCertificate, question: FunctionQuestion, file: Path) -> str:
    """The text of the test, "" where nothing was refuted.

    Raises InputError where the compiler takes no way to call a function, with its words.
    """
    reports = list(certificate.functions)
    if language_in(question.sources[0], question.flags) == "rust":
        names = {claim.name for claim in question.functions}
        # A whole name begins with the crate's.
        reports = [
            report
            if report.name in names or ForcedFunction(report.name, (("square", "target"),)).is_call
            else replace(report, name=report.name.partition("::")[2])
            for report in reports
        ]
    all_lookups = [lookups for report in reports if (lookups := _lookups(report, certificate))]
    if not all_lookups:
        return ""
    deadline = Deadline.after(SECONDS)
    included, refused = _include(all_lookups, question, deadline)
    if included is None:
        message = f"{refused}; a call may do, as in attacks(ROOK, square, occupied)"
        raise InputError([Problem(message, key=f"--playback {file}")])
    return _test(all_lookups, included, question, file)


def _lookups(report: FunctionReport, certificate: FunctionCertificate) -> FailingCalls | None:
    refuted = [square for square in report.squares if square.outcome == "refuted" and square.inputs]
    rows = [row for square in refuted if (row := _row(square, report, certificate))]
    if not rows:
        return None
    square = () if report.kind == "setwise" else ("square",)
    takes, bits = (*square, *KINDS[report.kind]), parse_board(certificate.board).word
    if ForcedFunction(report.name, (takes,)).is_call or "magicert_" in report.symbol:
        # As it was called before: a leaper with a square alone, or not.
        ways = [
            ForcedFunction(report.name, (each,), bits) for each in dict.fromkeys((takes, square))
        ]
    else:
        words = report.takes or takes
        names = tuple(word for word in takes if word in words)
        ways = [ForcedFunction(f"{report.name}({', '.join(words)})", (names,), bits)]
    return FailingCalls(report, tuple(way for way in ways if way.takes[0]), tuple(rows))


def _row(
    finding: SquareReport, report: FunctionReport, certificate: FunctionCertificate
) -> Row | None:
    board = parse_board(certificate.board)
    numbers = layout_of(certificate.order, board).numbers
    number = {board.name(square): n for square, n in numbers.items()}
    inputs = dict(finding.inputs)
    expected = inputs.pop("other", "") if report.kind == "index" else finding.expected
    if not expected:
        return None
    values = [number[text] if name in SQUARES else int(text, 16) for name, text in inputs.items()]
    square = [] if report.kind == "setwise" else [number[finding.square]]
    where = [] if report.kind == "setwise" else [finding.square]
    inputs_text = ", ".join([*where, *(f"{name} {text}" for name, text in inputs.items())])
    place = f" ({finding.place})" if finding.place else ""
    about = re.sub(r"[^ -~]|[\"\\]", "'", f"{inputs_text}: {finding.message}{place}")
    return Row((*square, *values), int(expected, 16), about)


def _include(
    all_lookups: Sequence[FailingCalls], question: FunctionQuestion, deadline: Deadline
) -> tuple[IncludedSource | None, str]:
    """The first source, and the first ways, that the compiler takes; else its first words."""
    language = language_in(question.sources[0], question.flags)
    how = question.flags, question.target, question.compiler, deadline
    inits = _inits(question.init, all_lookups)
    refused = ""
    with TemporaryDirectory(prefix="magicert-") as name:
        folder = Path(name)
        for source, form, init in product(question.sources, FORMS[language], inits):
            there = whole_path(source)
            include = linked(there, folder) if language == "zig" else there.as_posix()
            chosen = []
            for lookups in all_lookups:
                for way in _ways(lookups, language):
                    alone = IncludedSource(language, source, form, init, (way,))
                    text = "\n".join([*_top(alone, include), way.text, ""])
                    file = folder / f"played.{ENDINGS[language][0]}"
                    if not (words := compile_text(text, file, language, source, *how)):
                        chosen.append(way)
                        break
                    refused = refused or words
                else:
                    break
            if len(chosen) == len(all_lookups):
                return IncludedSource(language, source, form, init, tuple(chosen)), ""
    return None, refused


def _inits(init: str, all_lookups: Sequence[FailingCalls]) -> list[str]:
    """What the init may be called here: a part of its name was enough, and it may stand where the
    functions do.
    """
    scopes = [""]
    for lookups in all_lookups if re.fullmatch(r"[\w:]+", init) else ():
        *outer, _ = lookups.report.name.split("::") if lookups.report.name.count("(") == 0 else [""]
        scopes += [f"{'::'.join(outer[: n + 1])}::" for n in range(len(outer))]
    return [f"{scope}{init}" for scope in dict.fromkeys(scopes)]


def _ways(lookups: FailingCalls, language: str) -> Iterator[CallForm]:
    by_name = ForcedFunction(lookups.report.name, (tuple(lookups.fields),)).is_call is False
    for forced in lookups.ways:
        texts = wrappers(language, forced)
        if language == "rust" and by_name:
            texts = [*_by_name_in_rust(forced, texts[0])]
        for text in texts:
            needs = language in {"rust", "zig"} or "magicert_kept" in text
            more = helpers(language, [forced]) if needs else ""
            yield CallForm(wrapper(forced), forced.takes[0], text, more)
    if language == "zig" and lookups.report.name.isidentifier():
        # What is exported need not be public.
        name, takes, board = lookups.report.name, lookups.report.takes, f"u{lookups.bits}"
        typed = (f"{word}: {'u32' if word in SQUARES else board}" for word in takes)
        yield CallForm(name, takes, f"extern fn {name}({', '.join(typed)}) {board};")


def _by_name_in_rust(forced: ForcedFunction, text: str) -> Iterator[str]:
    """A square and an occupancy as whatever types the function has for them."""
    for form in "{} as _", "magicert_given({} as u128)":
        renderings = {word: form.format(word) for word in forced.takes[0]}
        name, _, words = forced.name.rpartition("(")
        words = ", ".join(renderings[word] for word in words.rstrip(")").split(", "))
        yield text.replace(forced.name, f"{name}({words})")


def _top(included: IncludedSource, include: str) -> Iterator[str]:
    """The source, and what the calls need."""
    yield included.form.format(include)
    yield from dict.fromkeys(way.helpers for way in included.ways if way.helpers)
    if any("magicert_given(" in way.text for way in included.ways):
        yield _GIVEN
    init = as_call(included.init) if included.init else ""
    if included.language == "rust":
        yield f"fn magicert_init() {{ {f'let _ = {init};' * bool(init)} }}\n"
    elif included.language == "zig":
        yield f"fn magicert_init() void {{ {f'source.{init};' * bool(init)} }}\n"
    else:
        yield f"static void magicert_init(void) {{ {f'{init};' * bool(init)} }}\n"


_GIVEN = """\
/// A number as a type of the source's own: its low bytes.
fn magicert_given<T>(number: u128) -> T {
    assert!(::core::mem::size_of::<T>() <= 16);
    unsafe { ::core::mem::transmute_copy(&number) }
}
"""


def _test(
    all_lookups: Sequence[FailingCalls],
    included: IncludedSource,
    question: FunctionQuestion,
    file: Path,
) -> str:
    include = Path(os.path.relpath(included.source, file.parent)).as_posix()
    count = sum(len(lookups.rows) for lookups in all_lookups)
    undefined = not all(map(_was_wrong, all_lookups))
    head = [
        f"Written by magicert {__version__}: {count} lookup{'s' * (count != 1)} that {include} got "
        "wrong, and what the rules say.",
        "",
        f"    {_command(included, question, file, undefined=undefined)}",
        "",
        "It ends with exit status 0 if all are right.",
    ]
    if undefined:
        head.append(
            "Undefined behaviour may give any set, the right one, too: a row says what it is."
        )
    body = _BODIES[included.language](all_lookups, included.ways)
    texts = [f"// {line}".rstrip() for line in head]
    texts += ["", *_top(included, include), *(f"{way.text}\n" for way in included.ways)]
    return "\n".join([*texts, *body, ""])


def _was_wrong(lookups: FailingCalls) -> bool:
    """Whether each row is a set that was computed, and not undefined behaviour."""
    refuted = (square for square in lookups.report.squares if square.outcome == "refuted")
    return all(square.found or lookups.report.kind == "index" for square in refuted)


def _command(
    included: IncludedSource, question: FunctionQuestion, file: Path, *, undefined: bool
) -> str:
    """How the test is run, in the folder in which magicert was."""
    program = file.with_suffix("")
    run = shlex.quote(str(program) if program.is_absolute() else f"./{program}")
    others = [str(source) for source in question.sources if source != included.source]
    compiler = {"rust": ["rustc", "--test"], "zig": ["zig", "test"], "c": ["clang"]}
    words = [*compiler.get(included.language, ["clang++"]), *question.flags]
    if included.language in C_LANGUAGES and not any(word.startswith("-O") for word in words):
        words.append("-O2")
    if included.language == "c++" and not any(word.startswith("-std") for word in words):
        words.append("-std=gnu++17")
    if included.language == "c++" and "constexpr" in included.source.read_text("utf-8", "replace"):
        words.append(f"-fconstexpr-steps={CONSTEXPR_STEPS}")
    if undefined and included.language in C_LANGUAGES:
        words += SANITIZED
        run = f"{shlex.join(f'{name}={value}' for name, value in NO_LEAKS.items())} {run}"
    words += [str(file), *others]
    if included.language == "zig":
        return shlex.join(words)
    return f"{shlex.join([*words, '-o', str(program)])} && {run}"


def _in_c(
    all_lookups: Sequence[FailingCalls], ways: Sequence[CallForm], number: str = ""
) -> Iterator[str]:
    yield f"typedef {word_type_in_c([all_lookups[0].ways[0]])} magicert_set;"
    yield _NUMBER_IN_CPP * bool(number) + _SHOWN_IN_C
    for n, (lookups, way) in enumerate(zip(all_lookups, ways, strict=True)):
        fields = [f"{'int' if f in SQUARES else 'magicert_set'} {f};" for f in lookups.fields]
        rows = f"magicert_rows_{n}"
        yield "static const struct {"
        yield f"    {' '.join(fields)}"
        yield "    const char *about;"
        yield f"}} {rows}[] = {{"
        for row in lookups.rows:
            numbers = zip(lookups.fields, (*row.arguments, row.expected), strict=True)
            cells = ", ".join(str(x) if f in SQUARES else _number_in_c(x) for f, x in numbers)
            yield f'    {{{cells}, "{row.comment}"}},'
        yield "};"
        yield ""
        call = f"{way.name}({', '.join(f'{rows}[n].{word}' for word in way.takes)})"
        other = call.replace("].occupied", "].other")
        if lookups.by_index:
            call, expected, wrong = f"(magicert_set){call}", f"(magicert_set){other}", "=="
        else:
            call, expected, wrong = f"{number}({call})", f"{rows}[n].expected", "!="
        yield f"static int magicert_wrong_{n}(void)"
        yield "{"
        yield "    int wrong = 0;"
        yield f"    for (unsigned n = 0; n < sizeof {rows} / sizeof {rows}[0]; n++) {{"
        yield f"        magicert_set found = {call}, expected = {expected};"
        yield f"        if (found {wrong} expected)"
        yield f"            wrong += magicert_shown({rows}[n].about, found, expected);"
        yield "    }"
        yield "    return wrong;"
        yield "}"
        yield ""
    yield "int main(void)"
    yield "{"
    yield "    magicert_init();"
    yield f"    return {' + '.join(f'magicert_wrong_{n}()' for n in range(len(ways)))} != 0;"
    yield "}"


_NUMBER_IN_CPP = """\
template <class T> static magicert_set magicert_number(const T &set)
{
    static_assert(sizeof set == sizeof(magicert_set), "expected a bitboard");
    magicert_set word;
    memcpy(&word, &set, sizeof word);
    return word;
}
"""
_SHOWN_IN_C = """\

static void magicert_print(magicert_set set)
{
    if (sizeof set > 8)
        printf("%#llx, above 64 bits that are ", (unsigned long long)(set >> 4 * sizeof set));
    printf("%#llx", (unsigned long long)set);
}

static int magicert_shown(const char *about, magicert_set found, magicert_set expected)
{
    printf("%s: returns ", about);
    magicert_print(found);
    printf(", compared with ");
    magicert_print(expected);
    printf("\\n");
    return 1;
}
"""


def _number_in_c(number: int) -> str:
    if number < 1 << 31:
        return hex(number)
    low = f"{number & (1 << 64) - 1:#x}u"
    return f"(unsigned __int128){number >> 64:#x}u << 64 | {low}" if number >> 64 else low


def _in_rust(all_lookups: Sequence[FailingCalls], ways: Sequence[CallForm]) -> Iterator[str]:
    yield "#[test]"
    yield "fn magicert_what_was_refuted() {"
    yield "    magicert_init();"
    for lookups, way in zip(all_lookups, ways, strict=True):
        board, fields = f"u{lookups.bits}", lookups.fields
        kinds = ", ".join("u8" if field in SQUARES else board for field in fields)
        yield f"    let rows: &[({kinds}, &str)] = &["
        for row in lookups.rows:
            cells = ", ".join(f"{number:#x}" for number in (*row.arguments, row.expected))
            yield f'        ({cells}, "{row.comment}"),'
        yield "    ];"
        yield f"    for &({', '.join(fields)}, about) in rows {{"
        call = f"{way.name}({', '.join(way.takes)})"
        if lookups.by_index:
            other = call.replace("occupied", "other")
            yield f'        assert_ne!({call}, {other}, "{{}}", about);'
        else:
            yield f'        assert_eq!({call}, expected, "{{}}", about);'
        yield "    }"
    yield "}"


def _in_zig(all_lookups: Sequence[FailingCalls], ways: Sequence[CallForm]) -> Iterator[str]:
    yield 'test "what was refuted" {'
    yield "    magicert_init();"
    for n, (lookups, way) in enumerate(zip(all_lookups, ways, strict=True)):
        board, fields = f"u{lookups.bits}", lookups.fields
        kinds = ", ".join(f"{f}: {'u32' if f in SQUARES else board}" for f in fields)
        yield f"    const rows_{n} = [_]struct {{ {kinds}, about: []const u8 }}{{"
        for row in lookups.rows:
            numbers = zip(fields, (*row.arguments, row.expected), strict=True)
            cells = ", ".join(f".{field} = {number:#x}" for field, number in numbers)
            yield f'        .{{ {cells}, .about = "{row.comment}" }},'
        yield "    };"
        yield f"    for (rows_{n}) |row| {{"
        call = f"{way.name}({', '.join(f'row.{word}' for word in way.takes)})"
        yield '        errdefer std.debug.print("{s}\\n", .{row.about});'
        if lookups.by_index:
            other = call.replace("row.occupied", "row.other")
            yield f"        try std.testing.expect({call} != {other});"
        else:
            yield f"        try std.testing.expectEqual(row.expected, @as({board}, {call}));"
        yield "    }"
    yield "}"


_BODIES: dict[str, Callable[[Sequence[FailingCalls], Sequence[CallForm]], Iterator[str]]] = {
    "c": _in_c,
    "c++": partial(_in_c, number="magicert_number"),
    "rust": _in_rust,
    "zig": _in_zig,
}
