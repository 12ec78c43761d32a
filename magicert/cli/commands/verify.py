"""`magicert verify`: is a table right, or with `--function` an engine's compiled function?"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from magicert.cli.declared import declared, force, request_of
from magicert.dataclass import dataclass
from magicert.outcome import Unknown, status_of
from magicert.problem import InputError, Problem, listed, printable
from magicert.requests.outputs import check_output
from magicert.requests.request import File, OneOf, WholeNumber, asked_by, budget, option
from magicert.requests.verify import Sources, Verify

if TYPE_CHECKING:
    from magicert.requests.verify import Verified
    from magicert.show.document import Document
    from magicert.verify.function.certificate import FunctionCertificate
    from magicert.verify.function.question import FunctionQuestion

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
    init: str | None = _how(
        None, "Run this function of the source before tables are read. That runs the source's "
        "code.", metavar="NAME",
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
    seconds: float | None = budget(panel=PANEL, seldom=True)
    memory: int | None = _seldom("Memory limit.", WholeNumber(64), "MIB")


class WithFlags(click.Command):
    """A command whose words behind `--` are a compiler's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            place = args.index("--")
            flags = args[place + 1 :]
            if any(flag.startswith("-") for flag in flags) or "--function" in args[:place]:
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
    is proved to be right, by a solver; words behind -- are the compiler's.

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
    """Whether functions are asked about, by options or by a file beside the source. Raises
    InputError for options that go with --function only.
    """
    paths = _paths(given)
    if given["functions"] or (paths and _stated_beside(paths[0])):
        return True
    stray = [one.flag for one in asked_by(FunctionOptions) if one.is_given(given[one.name])]
    if _flags():
        stray.append("flags behind --")
    if stray:
        raise InputError([Problem(f"{stray[0]}: expected --function PIECE=NAME as well")])
    return False


def _flags() -> tuple[str, ...]:
    """The compiler's words."""
    return cast("tuple[str, ...]", click.get_current_context().meta.get("magicert.flags", ()))


def _paths(given: dict[str, Any]) -> tuple[Path, ...]:
    return tuple(Path(path) for path in given.get("paths", [given.get("table")]))


def _stated_beside(path: Path) -> bool:
    return path.is_file() and path.with_name(f"{path.stem}.function.toml").is_file()


def verify_functions(given: dict[str, Any]) -> None:
    """Certify functions and show what came of them. Ends with the verdict's exit status."""
    from magicert.jobs.verify_functions import certificate_file
    from magicert.requests.verify import write_reports
    from magicert.show.document import json_text
    from magicert.show.functions import as_json, documents_of

    paths, folder = _paths(given), given["certificates"]
    check_sarif(paths, given)
    question, result = _certified(paths, given)
    told = as_json(result)
    if folder is not None and not isinstance(result, Unknown):
        folder.mkdir(parents=True, exist_ok=True)
        report = {
            certificate_file(question, folder, result.verdict): f"{json_text(told)}\n".encode()
        }
        write_reports(report, paths, force=given["force"])
    show(list(documents_of(result, question)), given, lambda: told)
    status = status_of(str(told["verdict"]))
    if given["strict"] and not status and told["assumed"]:
        click.echo("not decided: --strict takes no assumption", err=True)
        status = status_of("unknown")
    sys.exit(status)


def report_functions(given: dict[str, Any]) -> None:
    """Certify functions and write the page about them. Ends with the verdict's exit status."""
    from magicert.show.document import PlainDocument, tell
    from magicert.show.function_page import function_page
    from magicert.show.functions import as_json, documents_of
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
    from magicert.jobs.verify_functions import certify_functions
    from magicert.verify.function.question import question_of

    if not paths:
        raise InputError([Problem("expected the PATH of a source")])
    own = {one.name: given[one.name] for one in asked_by(FunctionOptions)}
    own["functions"] = _functions(own["functions"], given["pieces"])
    own |= {"flags": _flags(), "order": given["order"], "board": given["board"]}
    question = question_of(paths, own)
    if question.proof is not None:
        question.proof.mkdir(parents=True, exist_ok=True)
    with ProgressDisplay(f"certifying {paths[0].name}", "squares") as observer:
        return question, certify_functions(question, observer)


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
