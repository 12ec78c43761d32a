"""`magicert import`: a table file from an engine's source."""

import sys
from pathlib import Path
from typing import Any

import click

from magicert.cli.declared import check_outputs, declared, request_of
from magicert.cli.options.output import Force, Json
from magicert.outcome import status_of
from magicert.problem import InputError, Problem, printable
from magicert.requests.reading import Sources
from magicert.requests.verify import Import


@click.command("import")
@declared(Import, Force, Json, without=Sources)
@declared(Sources)
def command(**given: Any) -> None:  # noqa: ANN401
    """Read the table of engine source files, verify it, and keep it as a table file.

    All SRC are read together. The table is written only if it certifies (or with
    --broken); `magicert verify TABLE` then says the same of it as of the source.

        magicert import bitboard.cpp -o engine.toml
        magicert import magics.h shifts.h -o engine.toml
        magicert import magics.rs -o e.toml --map rook.magic=OLD_R --bits rook=12

    Exit status: 0 written, 1 no reading certifies, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.show.render import echo_json
    from magicert.show.text import echo
    from magicert.show.verdicts import of_source
    from magicert.table.write import table_toml, write_table

    asked, as_json = request_of(Import, given), given["as_json"]
    to_file = str(asked.output) != "-"
    if as_json and not to_file:
        raise click.UsageError("--json: expected a file, not standard output, for the table")
    check_outputs(asked, force=given["force"], inputs=map(Path, asked.sources))
    found = asked.run(ProgressDisplay)
    table, documents = found.table, list(of_source(found.checked))
    if table is not None and to_file:
        write_table(table, asked.output)
    if as_json:
        written = None if table is None else str(asked.output)
        told = [document.data() for document in documents]
        echo_json({"verdict": found.checked.verdict, "output": written, "reports": told})
    elif table is None or to_file:
        echo(documents)
    else:
        click.echo(table_toml(table), nl=False)
    if table is None and found.readings:
        message = f"{found.readings} readings: say which with --reading 1 to {found.readings}"
        raise InputError([Problem(message, file=found.checked.name)])
    if table is not None and to_file and not as_json:
        click.echo(f"\nwritten: {printable(asked.output)}")
    sys.exit(status_of(found.checked.verdict))
