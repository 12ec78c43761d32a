"""`magicert verify`: is a table right, or with `--function` an engine's compiled function?"""

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from magicert.cli.declared import declared, force, request_of
from magicert.outcome import Unknown, status_of
from magicert.problem import InputError, Problem, listed, printable
from magicert.requests.outputs import check_output
from magicert.requests.request import File, OneOf, WholeNumber, asked_by, budget, option
from magicert.requests.verify import Sources, Verify

if TYPE_CHECKING:
    from magicert.functions.certificate import FunctionCertificate
    from magicert.functions.question import FunctionFile, FunctionQuestion
    from magicert.requests.verify import Verified
    from magicert.show.document import Document

FORMATS = ("text", "json", "github", "sarif")
"""How verdicts are shown."""
_shown = partial(option, panel="What is shown")
_written = partial(option, None, panel="What is written")


@dataclass(frozen=True, slots=True)
class Shown:
    """How verdicts are shown, and where they are written as well."""

    form: str = _shown(
        FORMATS[0], "json: all reports. github: annotations on the lines of wrong numbers. sarif: "
        "the same for code scanning.", OneOf(FORMATS), flags=("--format",), shows_default=True,
    )  # fmt: skip
    as_json: bool = _shown(False, "The same as --format json.", flags=("--json",))
    full: bool = _shown(False, "Every finding with its boards, and all notes.")
    strict: bool = _shown(False, "Exit with 3 where there is a warning or an assumption.")
    sarif: Path | None = _written("Write SARIF in this file as well, whatever --format shows.")
    certificates: Path | None = _written(
        "Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
        File(folder=True), "FOLDER",
    )  # fmt: skip
    force: bool = force(panel="What is written")


PANEL = "How to certify functions"
_how = partial(option, panel=PANEL)
_seldom = partial(_how, None, seldom=True)


@dataclass(frozen=True, slots=True)
class FunctionOptions:
    """What is asked about an engine's functions, and how they are compiled."""

    functions: tuple[str, ...] = _how(
        (), "A function to certify for all occupancies, as in rook=rook_attacks. KIND: attacks, "
        "setwise, xray or index.", flags=("--function",), metavar="[KIND:]PIECE=NAME", several=True,
    )  # fmt: skip
    function_file: Path | None = _how(
        None, "Obey this file, which says all that these options can: its compiler and its init "
        "run. One that lies beside a source is not obeyed unless it is named.",
        File(there=True), "FILE.function.toml",
    )  # fmt: skip
    init: str | None = _how(
        None, "Run this function of the source before tables are read, or several: "
        "'init_masks(), init_magics()'. That runs the source's code.", metavar="NAME",
    )  # fmt: skip
    build: Path | None = _how(
        None, "Take flags from this file: folders of headers, macros, the language's version, the "
        "processor. No compiler is taken from it.", File(there=True), "compile_commands.json",
    )  # fmt: skip
    run: bool | None = _seldom(
        "Allow to load and call the compiled code: static initialisers run, and counterexamples "
        "are confirmed.",
    )  # fmt: skip
    target: str | None = _seldom("As in x86_64_v3, aarch64, or a triple.", metavar="TARGET")
    compiler: str | None = _seldom("clang, zig, rustc, or a path.", metavar="NAME")
    traps: bool | None = _seldom(
        "Look for undefined behaviour in a second build, in which it traps. The default.",
        flags=("--traps/--no-traps",),
    )  # fmt: skip
    proof: Path | None = _seldom(
        "Write clauses and a DRUP proof for each square; the verified checker looks at them.",
        File(folder=True), "FOLDER",
    )  # fmt: skip
    cached: bool | None = _seldom(
        "Take from the user's cache what was proved in an earlier run. The default.",
        flags=("--cache/--no-cache",),
    )  # fmt: skip
    seconds: float | None = budget(panel=PANEL, seldom=True)
    memory: int | None = _seldom("Memory limit.", WholeNumber(64), "MIB")


class WithFlags(click.Command):
    """A command whose words behind `--` are a compiler's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            flags = args[place + 1 :]
            asked = {word.partition("=")[0] for word in args[:place]}
            functions = {"--function", "--function-file"} & asked
            if functions or any(flag.startswith("-") for flag in flags):
                ctx.meta["magicert.flags"] = tuple(flags)
                args = args[:place]
        return super().parse_args(ctx, args)


@click.command("verify", cls=WithFlags)
@declared(Verify, Shown, FunctionOptions, without=Sources)
@declared(Sources)
def command(**given: Any) -> None:  # noqa: ANN401
    """Verify tables exhaustively: a certificate, or the positions that break them.

    PATH is a table file, an engine's source file in any language, a folder of either, "-"
    for standard input, or the name of a table that ships. All occupancies of
    all squares are looked up: nothing is sampled. For a source, the reading is shown: which
    of its lists and numbers were taken for what. With --function the compiled function itself
    is proved to be right, by a solver, and the numbers are verified besides; words behind --
    are the compiler's.

        magicert verify my-engine.toml
        magicert verify src/bitboard.cpp
        magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
        magicert verify tables/ --certificates certificates/
        git show HEAD~3:src/magics.rs | magicert verify - --lang rs
        magicert verify shakmaty --json | jq .reports[0].buffers
        magicert verify src --strict --sarif magicert.sarif
        magicert verify attacks.h --function 'rook=attacks<ROOK>' -- -O2 -mavx2 -Isrc

    Of a folder, tables and sources are verified, and what is left out is said on standard error.

    Exit status: 0 all valid, 1 something invalid, 2 bad input, 3 not decided.
    """
    if given["as_json"] and given["form"] not in ("text", "json"):
        form = given["form"]
        raise InputError([Problem(f"--json and --format {form}: expected one of them")])
    given["form"] = "json" if given["as_json"] else given["form"]
    if asks_functions(given):
        verify_functions(given)
    from magicert.cli.progress import ProgressDisplay
    from magicert.requests.verify import report_files, write_reports
    from magicert.show import verdicts

    asked = request_of(Verify, given)
    check_sarif(asked.paths, given)
    verified = asked.run(ProgressDisplay)
    documents = verdicts.documents_of(verified)
    if (folder := given["certificates"]) is not None:
        reports = report_files(verified, folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_reports(reports, verified.paths, force=given["force"])
    show(documents, given, lambda: verdicts.as_json(verified, documents))
    for why, names in _left_out(verified):
        click.echo(f"left out, {why}: {printable(names)}", err=True)
    status = status_of(verified.verdict)
    if given["strict"] and not status and verified.warnings:
        click.echo("not decided: --strict takes no warning", err=True)
        status = status_of("unknown")
    sys.exit(status)


def check_sarif(paths: Iterable[str | Path], given: dict[str, Any]) -> None:
    """InputError where --sarif must not be written."""
    if given["sarif"] is not None:
        check_output(given["sarif"], map(Path, paths), force=given["force"])


def show(
    documents: "Sequence[Document]", given: dict[str, Any], as_json: Callable[[], object]
) -> None:
    """The verdicts in one of FORMATS, and as --sarif besides. GitHub's log has a line a verdict
    below the annotations.
    """
    from magicert.show.document import echo, echo_json

    form = given["form"]
    if given["sarif"] is not None:
        from magicert.show.scanning import for_code
        from magicert.system.whole_file import write_whole

        write_whole(given["sarif"], for_code(documents, "sarif"))
    if form == "text":
        echo(documents, given["full"])
    elif form == "json":
        echo_json(as_json())
    else:
        from magicert.show.scanning import for_code

        click.echo(for_code(documents, form), nl=False)
        for document in documents if form == "github" else ():
            click.echo(document.line)


def _left_out(verified: "Verified") -> Iterator[tuple[str, str]]:
    """The files that hold no table, by the reason."""
    if not verified.left_out:
        return
    from magicert.jobs.read_sources import DATA, FEW_NUMBERS

    for why in dict.fromkeys(verified.left_out.values()):
        paths = [str(path) for path in verified.left_out if verified.left_out[path] == why]
        # Most files of an engine: their names say nothing.
        many = why in (DATA, FEW_NUMBERS) and len(paths) > 1
        yield why, f"{len(paths)} files" if many else printable(listed(paths))


# --function, which `report` has as well.


def asks_functions(given: dict[str, Any]) -> bool:
    """Whether functions are asked about. Raises InputError for options that go with --function
    only, and for a file beside a source that says what would be asked: whoever relied on it must
    not take a verdict on the numbers for one on the function.
    """
    if given["functions"] or given["function_file"] is not None:
        return True
    stray = [one.flag for one in asked_by(FunctionOptions) if one.is_given(given[one.name])]
    if _flags():
        stray.append("flags behind --")
    if stray:
        raise InputError([Problem(f"{stray[0]}: expected --function PIECE=NAME as well")])
    if problems := [_not_obeyed(*found) for found in _function_files(_paths(given))]:
        raise InputError(problems)
    return False


def _function_files(paths: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """The files beside sources that say something of functions, but for other people's folders."""
    if not any(path.exists() for path in paths):
        return
    from magicert.functions.question import function_files
    from magicert.jobs.read_sources import VENDORED

    for top in paths:
        for file, source in function_files([top]):
            inside = file.relative_to(top).parts[:-1] if top.is_dir() else ()
            if not any(part.lower() in VENDORED or part[:1] == "." for part in inside):
                yield file, source


def _not_obeyed(file: Path, source: Path) -> Problem:
    message = (
        f"lies beside {printable(source)} and is not obeyed unasked, for it can run programs: "
    )
    message += f"--function-file {shlex.quote(str(file))} obeys it; rename it if nobody needs it"
    return Problem(message, file=str(file))


def _flags() -> tuple[str, ...]:
    """The compiler's words."""
    return cast("tuple[str, ...]", click.get_current_context().meta.get("magicert.flags", ()))


def _paths(given: dict[str, Any]) -> tuple[Path, ...]:
    return tuple(Path(path) for path in given.get("paths", [given.get("table")]))


def verify_functions(given: dict[str, Any]) -> None:
    """Certify functions, verify the numbers of their sources besides, and show what came of both.
    Ends with the functions' exit status, or with that of invalid numbers.
    """
    from magicert.functions.documents import as_json, documents_of
    from magicert.functions.work import certificate_file
    from magicert.requests.verify import report_files, write_reports
    from magicert.show import verdicts
    from magicert.show.document import json_text

    paths, folder = _paths(given), given["certificates"]
    check_sarif(paths, given)
    question, result = _certified(paths, given)
    numbers = _numbers(paths or question.sources, given)
    told = as_json(result)
    if folder is not None and not isinstance(result, Unknown):
        folder.mkdir(parents=True, exist_ok=True)
        report = {
            certificate_file(question, folder, result.verdict): f"{json_text(told)}\n".encode()
        }
        if numbers is not None:
            report |= report_files(numbers, folder)
        write_reports(report, [*paths, *question.sources], force=given["force"])
    documents = list(documents_of(result, question))
    if numbers is not None:
        own = verdicts.documents_of(numbers)
        verdict = "invalid" if numbers.verdict == "invalid" else told["verdict"]
        told = {**told, "verdict": verdict, "numbers": verdicts.as_json(numbers, own)}
        documents = [*own, *documents]
    show(documents, given, lambda: told)
    status = status_of(str(told["verdict"]))
    if given["strict"] and not status and told["assumed"]:
        click.echo("not decided: --strict takes no assumption", err=True)
        status = status_of("unknown")
    sys.exit(status)


def _numbers(paths: Iterable[Path], given: dict[str, Any]) -> "Verified | None":
    """The tables in the numbers of sources, as far as they are valid or invalid. A function that is
    right need not use them: so what is not decided of them is said, and decides nothing. None
    where there are none.
    """
    from magicert.cli.progress import ProgressDisplay

    readable = [path for path in paths if path.suffix.lower() not in {".ll", ".bc"}]
    if not readable:
        return None
    # With NAME alone --piece says what the function is, and not what is to be read.
    named = any("=" not in text for text in given["functions"])
    asked = {**given, "paths": tuple(map(str, readable)), "published": False, "lang": None}
    asked["pieces"] = () if named else given["pieces"]
    try:
        found = request_of(Verify, asked).run(ProgressDisplay)
    except InputError as error:
        _say_why_not(error.problems)
        return None
    results = [*(one.result for one in found.tables), *(one.result for one in found.sources)]
    for result in results:
        _say_why_not(result.problems if isinstance(result, InputError) else ())
    for one in found.sources:
        if one.verdict == "unknown":
            message = "the numbers are not decided, which a function does not need; magicert verify"
            click.echo(f"{one.name}: {message} {one.name} says why", err=True)
    tables = [one for one in found.tables if one.verdict in {"valid", "invalid"}]
    sources = [one for one in found.sources if one.verdict in {"valid", "invalid"}]
    return replace(found, tables=tables, sources=sources) if tables or sources else None


def _say_why_not(problems: Iterable[Problem]) -> None:
    from magicert.requests.verify import NO_TABLE

    for problem in problems:
        if not problem.message.startswith(NO_TABLE):
            click.echo(f"the numbers are not verified: {problem}", err=True)


def report_functions(given: dict[str, Any]) -> None:
    """Certify functions and write the page about them. Ends with the verdict's exit status."""
    from magicert.functions.documents import as_json, documents_of
    from magicert.functions.page import function_page
    from magicert.show.document import PlainDocument, tell
    from magicert.system.whole_file import write_whole

    paths, output = _paths(given), given["output"]
    check_output(output, paths, force=given["force"])
    question, result = _certified(paths, given)
    documents, report = list(documents_of(result, question)), as_json(result)
    data = function_page(result, question, documents).encode()
    write_whole(output, data)
    told = {"output": str(output), "bytes": len(data), "report": report}
    lines = [document.line for document in documents]
    lines.append(f"{printable(output)}: {len(data):,} bytes")
    tell(PlainDocument(lines, lambda: told), as_json=given["as_json"])
    sys.exit(status_of(str(report["verdict"])))


def _certified(
    paths: tuple[Path, ...], given: dict[str, Any]
) -> "tuple[FunctionQuestion, FunctionCertificate | Unknown]":
    from magicert.cli.progress import ProgressDisplay
    from magicert.functions.question import question_of, sources_of
    from magicert.functions.work import certify_functions

    if not paths and given["function_file"] is None:
        raise InputError([Problem("expected the PATH of a source")])
    own = {one.name: given[one.name] for one in asked_by(FunctionOptions)}
    own["functions"] = _functions(own["functions"], given["pieces"])
    own["cached"] = own["cached"] is not False
    own |= {"flags": _flags(), "order": given["order"], "board": given["board"]}
    build, file = own.pop("build"), _obeyed(paths, own)
    if file is not None and all(path.is_dir() for path in paths):
        paths = tuple(sources_of(file.path)[:1])
        if not paths:
            message = f"no source of that name beside it, such as {_stem(file.path)}.c"
            raise InputError([Problem(message, file=str(file.path))])
    if build is not None:
        flags = own["flags"] or (file.stated.get("flags", ()) if file is not None else ())
        own["flags"] = (*_taken_from(build, paths), *flags)
    question = question_of(paths, own, file)
    if question.proof is not None:
        question.proof.mkdir(parents=True, exist_ok=True)
    with ProgressDisplay(f"certifying {paths[0].name}", "squares") as observer:
        return question, certify_functions(question, observer)


def _obeyed(paths: tuple[Path, ...], own: dict[str, Any]) -> "FunctionFile | None":
    """The file that --function-file names: what it adds is shown before anything comes of it. So is
    one that lies beside a source and is not named.
    """
    from magicert.functions.question import read_function_file

    named = own.pop("function_file")
    for file, _ in _function_files(paths):
        if named is None or not file.samefile(named):
            click.echo(f"{printable(file)}: not obeyed: --function-file would name it", err=True)
    if named is None:
        return None
    found = read_function_file(named)
    for line in found.shown(own):
        click.echo(printable(line), err=True)
    return found


def _taken_from(build: Path, sources: tuple[Path, ...]) -> tuple[str, ...]:
    """The flags of a build, which are shown before they are obeyed."""
    from magicert.functions.build import flags_of

    found = flags_of(build, sources)
    click.echo(printable(found.shown), err=True)
    return found.taken


def _stem(file: Path) -> str:
    from magicert.functions.question import ENDING

    return file.name.removesuffix(ENDING)


def _functions(texts: tuple[str, ...], pieces: tuple[str, ...]) -> dict[str, str]:
    """PIECE=NAME, or NAME with --piece."""
    found: dict[str, str] = {}
    problems = []
    for number, text in enumerate(texts):
        key, equals, name = text.partition("=")
        if not equals and number < len(pieces):
            key, name = pieces[number], text
        elif not equals:
            message = "expected PIECE=NAME, such as rook=rook_attacks"
            problems.append(Problem(message, key=f"--function {text}"))
            continue
        if key in found:
            message = f"{key} stands there twice: give the other one a command of its own"
            problems.append(Problem(message, key=f"--function {text}"))
        found[key] = name
    if problems:
        raise InputError(problems)
    return found
