"""`magicert import`: the table of a source as a table file."""

from pathlib import Path

import click

from magicert.commands.command import Answer, OutputPath, command, option, refuse, wants_json
from magicert.commands.options import WholeNumber
from magicert.commands.source_options import SourceOptions, source_options
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem, printable
from magicert.show.progress import ProgressDisplay


@command("import")
@click.argument(
    "sources", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="SRC..."
)
@option(
    "-o",
    "--output",
    type=OutputPath(stream=True),
    required=True,
    metavar="FILE",
    help="The table file to write; - for standard output.",
)
@option("--reading", type=WholeNumber(1), help="Which reading, where several are valid.")
@option("--broken", is_flag=True, help="Write the nearest reading if none is valid.")
@source_options()
def run(
    sources: tuple[Path, ...], output: Path, reading: int | None, broken: bool,
    source: SourceOptions,
) -> Answer:  # fmt: skip
    """Read the table of engine source files, verify it, and keep it as a table file.

    All SRC are read together. The table is written only if it is valid (or with
    --broken); `magicert verify TABLE` then says the same of it as of the source.

        magicert import bitboard.cpp -o engine.toml
        magicert import magics.h shifts.h -o engine.toml
        magicert import magics.rs -o e.toml --map rook.magic=OLD_R --bits rook=12

    Exit status: 0 written, 1 no reading is valid, 2 bad input, 3 not decided.
    """
    from magicert.show.document import coloured
    from magicert.show.verdicts import of_source
    from magicert.table.write import table_toml, write_table
    from magicert.verify.source.read import judge_sources
    from magicert.verify.table import MAX_LOOKUPS

    to_stream = str(output) == "-"
    if wants_json() and to_stream:
        refuse([Problem("--json prints on standard output: give -o a file for the table")])
    (checked,) = judge_sources(
        sources, source.overrides, MAX_LOOKUPS, ProgressDisplay, together=True
    )
    if isinstance(checked.result, InputError):
        raise checked.result
    readings = checked.result.valid or (checked.result.nearest if broken else [])
    chosen = readings[(reading or 1) - 1 :][:1]
    if reading is None and len(readings) > 1:
        chosen = []
    table = chosen[0].table if chosen else None
    kind, remarks = OutcomeKind(checked.verdict), []
    if readings and not chosen:
        message = f"{len(readings)} readings: choose one with --reading 1 to {len(readings)}"
        kind, remarks = OutcomeKind.BAD_INPUT, [str(Problem(message, file=checked.name))]
    if table is not None and not to_stream:
        write_table(table, output)
    documents = list(of_source(checked))
    data = {
        "verdict": checked.verdict,
        "output": None if table is None else str(output),
        "reports": [document.data() for document in documents],
    }
    if table is not None and to_stream:
        return Answer(kind, raw=table_toml(table).encode())
    lines = [*coloured(documents)]
    if table is not None:
        lines.append(f"\nwritten: {printable(output)}")
    return Answer(kind, lines, lambda: data, remarks)
