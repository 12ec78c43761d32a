"""`magicert verify`: is a table right, or with `--function` an engine's compiled function?"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.commands.command import Answer, OutputPath, command, option, refuse, wants_json
from magicert.commands.functions import (
    FunctionOptions,
    WithFlags,
    certify,
    function_options,
    has_functions,
    listed_functions,
    without_gap,
)
from magicert.commands.options import TABLE_NAME, Choice, WholeNumber
from magicert.commands.source_options import SourceOptions, source_options
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem, json_text, listed, printable
from magicert.show.outputs import check_output
from magicert.show.progress import ProgressDisplay
from magicert.verify.table import LARGEST_BUDGET, MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.api.verify_files import Verified
    from magicert.show.document import Document
    from magicert.verify.table.report import Report

FORMATS = ("text", "json", "github", "sarif")
"""How verdicts are shown."""
_what = partial(option, panel="What to verify", seldom=True)
_shown = partial(option, panel="What is shown")
_written = partial(option, panel="What is written")


@command("verify", cls=WithFlags, json=False, force=True)
@click.argument("paths", type=TABLE_NAME, nargs=-1, metavar="[PATH...]")
@_what("--published", is_flag=True, help="All published tables.")
@_what(
    "--lang",
    metavar="LANGUAGE",
    help='The language of a source on standard input ("-"): an ending, such as cpp or rs.',
)
@_what(
    "--max-lookups",
    type=WholeNumber(1 << 18, LARGEST_BUDGET),
    default=MAX_LOOKUPS,
    show_default=True,
    metavar="N",
    help="The most lookups for one table. A usual one needs 107,648; unusual masks need more.",
)
@_shown(
    "--format",
    "form",
    type=Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="json: all reports. github: annotations on the lines of wrong numbers. sarif: the "
    "same for code scanning.",
)
@_shown("--json", "as_json", is_flag=True, help="The same as --format json.")
@_shown("--full", is_flag=True, help="Every finding with its boards, and all notes.")
@_shown(
    "--strict", is_flag=True,
    help="Exit with 3 even for a valid table, if there is a warning or an assumption.",
)  # fmt: skip
@_written(
    "--sarif",
    type=OutputPath(),
    metavar="FILE",
    help="Also write SARIF to this file, whatever --format shows.",
)
@_written(
    "--certificates",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
)
@_written(
    "--playback",
    type=OutputPath(),
    metavar="FILE",
    help="With --function: write what is refuted as a test in the source's language, C, C++, Rust "
    "or Zig, which fails until the function is right.",
)
@_written(
    "--force", is_flag=True, seldom=True, help="Overwrite a file that magicert did not write."
)
@function_options
@source_options()
def run(
    paths: tuple[str, ...], published: bool, lang: str | None, max_lookups: int, form: str,
    full: bool, strict: bool, sarif: Path | None, certificates: Path | None,
    playback: Path | None, force: bool,
    functions: FunctionOptions, source: SourceOptions,
) -> Answer:  # fmt: skip
    """Verify tables exhaustively: a certificate, or the positions that break them.

    PATH is a table file, an engine's source file in any language, a folder of either, "-"
    for standard input, or the name of a table that ships. All occupancies of
    all squares are looked up: nothing is sampled. For a source, the reading is shown: which
    of its lists and numbers were taken for what. With --function a solver proves that the
    compiled function itself is right; the numbers are verified as well. Words after -- go to
    the compiler.

        magicert verify my-engine.toml
        magicert verify src/bitboard.cpp
        magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
        magicert verify tables/ --certificates certificates/
        git show HEAD~3:src/magics.rs | magicert verify - --lang rs
        magicert verify shakmaty --json | jq .reports[0].buffers
        magicert verify src --strict --sarif magicert.sarif
        magicert verify attacks.h --function 'rook=attacks<ROOK>' -- -O2 -mavx2 -Isrc

    In a folder all tables and sources are verified; what is left out is named on standard error.

    Exit status: 0 all valid, 1 something invalid, 2 bad input, 3 not decided.
    """
    if wants_json() and form not in ("text", "json"):
        raise InputError([Problem(f"give either --json or --format {form}, not both")])
    files = [Path(path) for path in paths]
    if functions.listing:
        return listed_functions(files, functions, source)
    if has_functions(functions, files):
        verdicts = _of_functions(files, functions, source, max_lookups, playback)
    else:
        problems = []
        if playback is not None:
            problems.append(Problem("--playback: expected --function PIECE=NAME as well"))
        if not paths and not published:
            message = "expected a PATH, such as src/bitboard.cpp or shakmaty, or --published"
            problems.append(Problem(message))
        if lang is not None and "-" not in paths:
            message = '--lang is only for a source on standard input: give "-" as PATH'
            problems.append(Problem(message))
        refuse(problems)
        verdicts = _of_numbers(paths, published, lang, source, max_lookups)
    if certificates is not None and verdicts.reports is not None:
        reports = verdicts.reports(certificates)
        certificates.mkdir(parents=True, exist_ok=True)
        write_reports(reports, verdicts.inputs, force=force)
    if sarif is not None:
        from magicert.show.scanning import for_code
        from magicert.system.whole_file import write_whole

        write_whole(sarif, for_code(verdicts.documents, "sarif"))
    remarks = list(verdicts.remarks)
    kind = OutcomeKind(verdicts.kind)
    if strict and kind is OutcomeKind.VALID and verdicts.doubt:
        remarks.append(f"not decided: --strict allows no {verdicts.doubt}")
        kind = OutcomeKind.UNKNOWN
    return Answer(kind, _lines(verdicts, form, full=full), verdicts.data, remarks)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What came of all that was verified: `kind` is the gravest verdict, `doubt` what --strict does
    not take. `reports` makes the files for a folder; None where there is nothing to write. `inputs`
    are the files that must not be written over.
    """

    kind: str
    documents: "Sequence[Document]"
    data: Callable[[], object]
    reports: Callable[[Path], dict[Path, bytes]] | None
    inputs: Sequence[Path]
    doubt: str = ""
    remarks: Iterable[str] = ()


def _of_numbers(
    paths: Sequence[str], published: bool, lang: str | None, source: SourceOptions,
    max_lookups: int,
) -> Verdicts:  # fmt: skip
    """Verify the numbers of tables and sources."""
    from magicert.api.verify_files import verify_files
    from magicert.show.verdicts import as_json, documents_of

    verified = verify_files(
        paths, ProgressDisplay, published=published, max_lookups=max_lookups,
        overrides=source.overrides, language=lang,
    )  # fmt: skip
    documents = documents_of(verified)
    return Verdicts(
        verified.verdict, documents, lambda: as_json(verified, documents),
        partial(report_files, verified), verified.paths, "warning" if verified.warnings else "",
        [f"left out ({why}): {printable(names)}" for why, names in _left_out(verified)],
    )  # fmt: skip


def _left_out(verified: "Verified") -> Iterator[tuple[str, str]]:
    """The files that hold no table, by the reason."""
    if not verified.left_out:
        return
    from magicert.verify.source.folder import DATA, FEW_NUMBERS

    for why in dict.fromkeys(verified.left_out.values()):
        paths = [str(path) for path in verified.left_out if verified.left_out[path] == why]
        # Most files of an engine: their names say nothing.
        many = why in (DATA, FEW_NUMBERS) and len(paths) > 1
        yield why, f"{len(paths)} files" if many else printable(listed(paths))


def _of_functions(
    paths: Sequence[Path], functions: FunctionOptions, source: SourceOptions, max_lookups: int,
    playback: Path | None,
) -> Verdicts:  # fmt: skip
    """Certify functions, and verify the numbers of their sources besides: these can be invalid, and
    else decide nothing. What is refuted is written as a test, if that is wanted.
    """
    from magicert.show.verdicts import as_json, documents_of

    certified = certify(paths, functions, source, playback)
    sources = certified.question.sources
    # With NAME alone --piece says what the function is, and not what is to be read.
    if any("=" not in text for text in functions.functions):
        source = replace(source, pieces=())
    source = without_gap(source)
    numbers = _numbers_beside(paths or sources, source, max_lookups)
    answer = certified.data
    documents, data, verdict = certified.documents, answer, str(answer["verdict"])
    if numbers is not None:
        of_numbers = documents_of(numbers)
        verdict = "invalid" if numbers.verdict == "invalid" else verdict
        data = {**answer, "verdict": verdict, "numbers": as_json(numbers, of_numbers)}
        documents = [*of_numbers, *documents]

    def reports(folder: Path) -> dict[Path, bytes]:
        certificate = {certified.certificate_file(folder): f"{json_text(answer)}\n".encode()}
        return certificate | (report_files(numbers, folder) if numbers is not None else {})

    return Verdicts(
        verdict, documents, lambda: data, reports if certified.is_decided else None,
        [*paths, *sources],
        "assumption" if answer.get("assumed") else "",
        [] if playback is None else [certified.play_back(playback)],
    )  # fmt: skip


def _numbers_beside(
    paths: Iterable[Path], source: SourceOptions, max_lookups: int
) -> "Verified | None":
    """The tables in the numbers of sources, as far as they are valid or invalid. A function that is
    right need not use them: so what is not decided of them is said, and decides nothing. None
    where there are none.
    """
    from magicert.api.verify_files import verify_files

    readable = [str(path) for path in paths if path.suffix.lower() not in {".ll", ".bc"}]
    if not readable:
        return None
    try:
        verified = verify_files(
            readable, ProgressDisplay, max_lookups=max_lookups, overrides=source.overrides
        )
    except InputError as error:
        _say_why_not(error.problems)
        return None
    results = [
        *(checked.result for checked in verified.tables),
        *(checked.result for checked in verified.sources),
    ]
    for result in results:
        _say_why_not(result.problems if isinstance(result, InputError) else ())
    for checked in verified.sources:
        if checked.verdict == "unknown":
            message = "the numbers are not decided, which the proof of a function does not need"
            click.echo(
                f"{checked.name}: {message}: magicert verify {checked.name} says why", err=True
            )
    tables = [table for table in verified.tables if table.verdict in {"valid", "invalid"}]
    sources = [checked for checked in verified.sources if checked.verdict in {"valid", "invalid"}]
    return replace(verified, tables=tables, sources=sources) if tables or sources else None


def _say_why_not(problems: Iterable[Problem]) -> None:
    from magicert.api.verify_files import NO_TABLE

    for problem in problems:
        if not problem.message.startswith(NO_TABLE):
            click.echo(f"the numbers are not verified: {problem}", err=True)


def _lines(verdicts: Verdicts, form: str, *, full: bool) -> Iterator[str]:
    """The verdicts in one of FORMATS. GitHub's log has a line a verdict below the annotations."""
    from magicert.show.document import coloured

    if form == "text":
        yield from coloured(verdicts.documents, full)
    elif form == "json":
        yield json_text(verdicts.data())
    else:
        from magicert.show.scanning import for_code

        if text := for_code(verdicts.documents, form):
            yield text.removesuffix("\n")
        if form == "github":
            yield from (document.line for document in verdicts.documents)


# --certificates: the reports as files.

KINDS = {True: ".certificate.json", False: ".findings.json"}
"""How the file of a valid table's report ends, and that of others."""


def report_files(verified: "Verified", folder: Path) -> dict[Path, bytes]:
    """The reports by their files: NAME.certificate.json, or NAME.findings.json where one is not
    valid. Raises InputError where two reports would have one name.
    """
    from magicert.verify.table.report import to_json

    reports = list(_named_reports(verified))
    stems = [stem for stem, _ in reports]
    twice = sorted({stem for stem in stems if stems.count(stem) > 1})
    if twice:
        message = "several files of that name: their reports would overwrite one another"
        raise InputError([Problem(message, file=stem) for stem in twice])
    return {
        folder / (stem + KINDS[report.verdict == "valid"]): to_json(report)
        for stem, report in reports
    }


def write_reports(reports: Mapping[Path, bytes], inputs: Collection[Path], *, force: bool) -> None:
    """Write each report to its file. An older one of the other kind, which would contradict it,
    is removed. InputError, before anything is written, for a file that must not be touched.
    """
    from magicert.system.whole_file import write_whole

    for path in reports:
        for touched in (path, other_kind(path)):
            check_output(touched, inputs, force=force)
    for path, data in reports.items():
        write_whole(path, data)
        other_kind(path).unlink(missing_ok=True)


def other_kind(report: Path) -> Path:
    """Where a report of the other kind about the same file lies."""
    (kind,) = (kind for kind in KINDS.values() if report.name.endswith(kind))
    (other,) = (other for other in KINDS.values() if other != kind)
    return report.with_name(report.name.removesuffix(kind) + other)


def _named_reports(verified: "Verified") -> "Iterator[tuple[str, Report]]":
    """The reports, each with the name of its file; several readings of a source are numbered."""
    from magicert.api.verify_files import STDIN

    for item in verified.tables:
        if not isinstance(item.result, InputError):
            yield item.path.stem if item.path != STDIN else "stdin", item.result
    for source in verified.sources:
        if isinstance(source.result, InputError):
            continue
        readings = [*source.result.valid, *source.result.nearest]
        for number, reading in enumerate(readings, 1):
            name = source.paths[0].name
            yield f"{name}-{number}" if len(readings) > 1 else name, reading.report
