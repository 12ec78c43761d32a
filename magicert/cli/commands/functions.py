"""`verify` and `report` with `--function`: is what an engine's function computes right?"""

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from magicert.cli.output import check_output
from magicert.outcome import Unknown, status_of
from magicert.problem import InputError, Problem, printable
from magicert.requests import words
from magicert.requests.kinds import File, WholeNumber
from magicert.requests.request import asked_by, option

if TYPE_CHECKING:
    from magicert.verify.function.certificate import FunctionCertificate
    from magicert.verify.function.question import FunctionQuestion

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
    seconds: float | None = words.seconds(panel=PANEL, seldom=True)
    memory: int | None = _seldom("Memory limit.", WholeNumber(64), "MIB")


class WithFlags(click.Command):
    """A command whose words behind `--` are a compiler's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What stands before `--` is the command's own."""
        if "--" in args:
            place = args.index("--")
            flags = args[place + 1 :]
            if any(flag.startswith("-") for flag in flags) or "--function" in args[:place]:
                ctx.meta["magicert.flags"] = tuple(flags)
                args = args[:place]
        return super().parse_args(ctx, args)


def asks_functions(given: dict[str, Any]) -> bool:
    """Whether functions are asked about, by options or by a file beside the source. Raises
    click.UsageError for options that go with --function only.
    """
    paths = _paths(given)
    if given["functions"] or (paths and _stated_beside(paths[0])):
        return True
    stray = [one.flag for one in asked_by(FunctionOptions) if one.is_given(given[one.name])]
    if _flags():
        stray.append("flags behind --")
    if stray:
        raise click.UsageError(f"{stray[0]}: expected --function PIECE=NAME as well")
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
    from magicert.show.functions import as_json, documents_of
    from magicert.show.render import for_code, json_text, show
    from magicert.system.whole_file import write_whole

    paths, sarif, folder = _paths(given), given["sarif"], given["certificates"]
    if sarif is not None:
        check_output(sarif, paths, force=given["force"])
    question, result = _certified(paths, given)
    documents = list(documents_of(result, question))
    if sarif is not None:
        write_whole(sarif, f"{for_code(documents, 'sarif')}\n".encode())
    if folder is not None and not isinstance(result, Unknown):
        folder.mkdir(parents=True, exist_ok=True)
        file = certificate_file(question, folder, result.verdict)
        check_output(file, paths, force=given["force"])
        write_whole(file, f"{json_text(as_json(result))}\n".encode())
    show(documents, given["form"], lambda: as_json(result), full=given["full"])
    sys.exit(status_of("unknown" if isinstance(result, Unknown) else result.verdict))


def report_functions(given: dict[str, Any]) -> None:
    """Certify functions and write the page about them. Ends with the verdict's exit status."""
    from magicert.show.function_page import function_page
    from magicert.show.functions import as_json, documents_of
    from magicert.show.render import echo_json
    from magicert.system.whole_file import write_whole

    paths, output = _paths(given), given["output"]
    check_output(output, paths, force=given["force"])
    question, result = _certified(paths, given)
    documents = list(documents_of(result, question))
    data = function_page(result, question, documents).encode()
    write_whole(output, data)
    if given["as_json"]:
        echo_json({"output": str(output), "bytes": len(data), "report": as_json(result)})
    else:
        for document in documents:
            click.echo(document.line)
        click.echo(f"{printable(output)}: {len(data):,} bytes")
    sys.exit(status_of("unknown" if isinstance(result, Unknown) else result.verdict))


def _certified(
    paths: tuple[Path, ...], given: dict[str, Any]
) -> "tuple[FunctionQuestion, FunctionCertificate | Unknown]":
    from magicert.cli.progress import ProgressDisplay
    from magicert.jobs.verify_functions import certify_functions
    from magicert.verify.function.question import question_of

    if not paths:
        raise click.UsageError("expected the PATH of a source")
    own = {one.name: given[one.name] for one in asked_by(FunctionOptions)}
    own["functions"] = _functions(own["functions"], given["pieces"])
    own |= {"flags": _flags(), "order": given["order"], "board": given["board"]}
    question = question_of(paths, own)
    if question.proof is not None:
        question.proof.mkdir(parents=True, exist_ok=True)
    if question.init or question.run:
        what = f"{question.init}()" if question.init else "its static initialisers"
        click.echo(f"running code of {paths[0]}: {what}", err=True)
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
            problems.append(Problem(f"{key} stands there twice", key=f"--function {text}"))
        found[key] = name
    if problems:
        raise InputError(problems)
    return found
