"""`fix`, `import`, `report`: a source mended, kept as a table file, drawn as a page."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.commands.verify import (
    FunctionOptions,
    WithFlags,
    asks_functions,
    report_functions,
)
from magicert.cli.declared import Force, Json, answer, asks, declared, request_of
from magicert.problem import InputError, Problem, printable
from magicert.requests.request import Given
from magicert.requests.sources import Fix, Import, Imported, PageRequest
from magicert.requests.verify import ChessSources, Sources, Verified
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.jobs.fixing.fix import Fixed


@asks("fix", Fix, Json, without=ChessSources)
def fix(asked: Fix, fixed: "Fixed", given: Given) -> PlainDocument:
    """Find the smallest edit that makes the table of engine source files valid.

    All SRC are read together. A number is put back as a published table has it, or one wrong
    digit is put right; else the square gets another magic of the same bits and scheme. Where
    every square is right by itself, offsets are tried: the sum of the sizes before, or those of
    a published table. The notation of the number stays. The patched source is verified before
    the patch is shown, on standard output.

        magicert fix src/magics.h
        magicert fix src/magics.h | patch -p1
        magicert fix src/magics.rs --write
        magicert fix magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9

    Exit status: 0 valid already or a patch found, 1 invalid and no patch found, 2 bad input,
    3 not decided.
    """
    name = printable(" and ".join(asked.sources))
    valid = fixed.verdict == "valid"
    told = {
        "verdict_before": fixed.before.verdict,
        "verdict": fixed.verdict,
        "changes": [asdict(change) for change in fixed.changes],
        "patch": "".join(fixed.patches) if valid else "",
        "reasons": fixed.reasons,
    }
    if given["as_json"]:
        return PlainDocument(data=lambda: told)
    if fixed.before.verdict == "valid":
        remarks = [f"valid: {name} needs no fix"]
        remarks += [f"warning: {printable(warning)}" for warning in fixed.before.warnings]
    elif not valid:
        unknown = fixed.before.undecided or ["its verification was not brought to its end"]
        reasons = fixed.reasons or unknown
        remarks = [f"{fixed.verdict}: {name}: no patch was found:"]
        remarks += [f"  {printable(reason)}" for reason in reasons]
    else:
        done = "written" if asked.write else "--write applies it"
        remarks = [printable(str(change)) for change in fixed.changes]
        remarks.append(f"verified: with this patch {name} is valid; {done}")
    return PlainDocument(remarks=remarks, raw=str(told["patch"]).encode())


@asks("import", Import, Force, Json, without=Sources)
def import_table(asked: Import, found: Imported, given: Given) -> PlainDocument:
    """Read the table of engine source files, verify it, and keep it as a table file.

    All SRC are read together. The table is written only if it certifies (or with
    --broken); `magicert verify TABLE` then says the same of it as of the source.

        magicert import bitboard.cpp -o engine.toml
        magicert import magics.h shifts.h -o engine.toml
        magicert import magics.rs -o e.toml --map rook.magic=OLD_R --bits rook=12

    Exit status: 0 written, 1 no reading certifies, 2 bad input, 3 not decided.
    """
    from magicert.show.document import coloured
    from magicert.show.verdicts import of_source

    if given["as_json"] and not asked.outputs:
        message = "--json: expected a file, not standard output, for the table"
        raise InputError([Problem(message)])
    documents = list(of_source(found.checked))
    told = {
        "verdict": found.checked.verdict,
        "output": None if found.table is None else str(asked.output),
        "reports": [document.data() for document in documents],
    }
    remarks = [str(problem) for problem in found.problems]
    if found.table is not None and not asked.outputs:
        return PlainDocument((), lambda: told, remarks, raw=found.text.encode())
    lines = [*coloured(documents)]
    if found.table is not None:
        lines.append(f"\nwritten: {printable(asked.output)}")
    return PlainDocument(lines, lambda: told, remarks)


@click.command("report", cls=WithFlags)
@declared(PageRequest, Force, Json, FunctionOptions, without=Sources)
@declared(Sources)
def report(**given: Any) -> None:  # noqa: ANN401
    """Write a page about a table: verdict, boards, buffer map, findings, magics, certificate.

    It is one file, which asks nothing from anywhere: read it in a browser, mail it, print it.

        magicert report shakmaty
        magicert report src/bitboard.cpp -o engine.html
        magicert report attacks.h --function rook=rook_attacks -- -O2

    Exit status: as of verify: 0 valid, 1 invalid, 2 bad input, 3 not decided.
    """
    if asks_functions(given):
        report_functions(given)
    from magicert.show.progress import ProgressDisplay
    from magicert.show.report_page import page_document

    def document(asked: PageRequest, found: Verified, _: Given) -> PlainDocument:
        return page_document(asked, found, ProgressDisplay)

    answer(request_of(PageRequest, given), given, document)
