"""`magicert verify --function`: is what an engine's function computes right, for everything?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.output import check_output
from magicert.outcome import Unknown
from magicert.problem import InputError, Problem, printable

if TYPE_CHECKING:
    from magicert.verify.function.certificate import FunctionCertificate
    from magicert.verify.function.question import FunctionQuestion


def verify_functions(
    paths: tuple[Path, ...], own: dict[str, Any], flags: tuple[str, ...], given: dict[str, Any]
) -> None:
    """Certify functions and show what came of them. Ends with the verdict's exit status."""
    from magicert.jobs.verify_functions import certificate_file
    from magicert.show.functions import as_json, documents_of
    from magicert.show.render import for_code, json_text, show
    from magicert.system.whole_file import write_whole

    form = "json" if given["as_json"] else given["form"]
    if given["sarif"] is not None:
        check_output(given["sarif"], paths, force=given["force"])
    question, result = _certified(paths, own, flags, given)
    documents = list(documents_of(result, question))
    if given["sarif"] is not None:
        write_whole(given["sarif"], f"{for_code(documents, 'sarif')}\n".encode())
    folder = given["certificates"]
    if folder is not None and not isinstance(result, Unknown):
        folder.mkdir(parents=True, exist_ok=True)
        file = certificate_file(question, folder, result.verdict)
        check_output(file, paths, force=given["force"])
        write_whole(file, f"{json_text(as_json(result))}\n".encode())
    show(documents, form, lambda: as_json(result), full=given["full"])
    sys.exit(VERDICT_STATUS["unknown" if isinstance(result, Unknown) else result.verdict])


def report_functions(
    paths: tuple[Path, ...], own: dict[str, Any], flags: tuple[str, ...], given: dict[str, Any]
) -> None:
    """Certify functions and write the page about them. Ends with the verdict's exit status."""
    from magicert.show.function_page import function_page
    from magicert.show.functions import as_json, documents_of
    from magicert.show.render import echo_json
    from magicert.system.whole_file import write_whole

    output = given["output"]
    check_output(output, paths, force=given["force"])
    question, result = _certified(paths, own, flags, given)
    documents = list(documents_of(result, question))
    data = function_page(result, question, documents).encode()
    write_whole(output, data)
    if given["as_json"]:
        echo_json({"output": str(output), "bytes": len(data), "report": as_json(result)})
    else:
        for document in documents:
            click.echo(document.line)
        click.echo(f"{printable(output)}: {len(data):,} bytes")
    sys.exit(VERDICT_STATUS["unknown" if isinstance(result, Unknown) else result.verdict])


def _certified(
    paths: tuple[Path, ...], own: dict[str, Any], flags: tuple[str, ...], given: dict[str, Any]
) -> "tuple[FunctionQuestion, FunctionCertificate | Unknown]":
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.verify_functions import certify_functions
    from magicert.verify.function.question import question_of

    if not paths:
        raise click.UsageError("expected the PATH of a source")
    question = question_of(
        paths,
        {
            **{key: value for key, value in own.items() if key != "functions"},
            "functions": _functions(own["functions"], given.get("pieces", ())),
            "flags": flags, "order": given["order"], "board": given["board"],
        },
    )  # fmt: skip
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
