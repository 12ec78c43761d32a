"""`magicert report`: a table, a source or a function, verified, as a page."""

from pathlib import Path

import click

from magicert.commands.command import Answer, OutputPath, command, option
from magicert.commands.functions import (
    FunctionOptions,
    WithFlags,
    certify,
    function_options,
    has_functions,
)
from magicert.commands.options import TABLE_NAME
from magicert.commands.source_options import SourceOptions, source_options
from magicert.problem import InputError, Problem, printable
from magicert.show.progress import ProgressDisplay


@command("report", cls=WithFlags)
@click.argument("table", type=TABLE_NAME, metavar="TABLE|SOURCE")
@option("-o", "--output", type=OutputPath(), default=Path("report.html"), show_default=True,
        metavar="FILE", help="The page.")  # fmt: skip
@function_options
@source_options()
def run(table: str, output: Path, functions: FunctionOptions, source: SourceOptions) -> Answer:
    """Write a page about a table: verdict, boards, buffer map, findings, magics, certificate.

    It is one file without links to others: read it in a browser, mail it, print it.

        magicert report shakmaty
        magicert report src/bitboard.cpp -o engine.html
        magicert report attacks.h --function rook=rook_attacks -- -O2

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided.
    """
    files = [Path(table)]
    if has_functions(functions, files):
        return _of_functions(files, output, functions, source)
    return _of_numbers(table, output, source)


def _of_numbers(name: str, output: Path, source: SourceOptions) -> Answer:
    """The page about one table or source. Raises InputError where there is not one to show."""
    from magicert.api.verify_files import verify_files
    from magicert.show.report_page import page_subject, report_page
    from magicert.system.whole_file import write_whole

    if name == "-":
        message = "standard input: expected a file, or a table by name"
        raise InputError([Problem(message, file=name)])
    overrides = source.overrides
    verified = verify_files((name,), ProgressDisplay, overrides=overrides)
    if len(verified.tables) + len(verified.sources) != 1:
        message = f"{len(verified.paths)} tables or sources: expected one for a report"
        raise InputError([Problem(message, file=name)])
    subject = page_subject(name, verified, overrides, ProgressDisplay)
    document, page = subject.document, report_page(subject).encode()
    write_whole(output, page)
    lines = [] if document.verdict == "valid" else [document.headline]
    lines += [document.line, f"{printable(output)}: {len(page):,} bytes"]
    data = {
        "verdict": document.verdict, "headline": document.headline, "patch": subject.patch,
        "output": str(output), "bytes": len(page),
    }  # fmt: skip
    return Answer(verified.verdict, lines, lambda: {**data, "report": document.data()})


def _of_functions(
    paths: list[Path], output: Path, functions: FunctionOptions, source: SourceOptions
) -> Answer:
    """The page about compiled functions."""
    from magicert.system.whole_file import write_whole

    certified = certify(paths, functions, source)
    page, answer = certified.page().encode(), certified.data
    write_whole(output, page)
    lines = [document.line for document in certified.documents]
    lines.append(f"{printable(output)}: {len(page):,} bytes")
    data = {"output": str(output), "bytes": len(page), "report": answer}
    return Answer(str(answer["verdict"]), lines, lambda: data)
