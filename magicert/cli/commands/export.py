"""`magicert export`: a cell as a problem for solvers."""

import sys
from typing import Any

import click

from magicert.cli.declared import Force, check_outputs, declared, request_of
from magicert.problem import printable
from magicert.requests.export import Export


@click.command("export")
@declared(Export, Force)
def command(**given: Any) -> None:  # noqa: ANN401
    """Write a cell as a problem for SMT or SAT solvers: does a magic exist?

    The header says what the atlas knows of the answer. A solution is a magic; in a CNF the
    comments say which variable is which of its bits. docs/models.md makes a family
    of them.

        magicert export bishop d1 --bits 4 --format smt2 -o d1-4.smt2
        magicert export rook b2 --bits 9 --format dimacs -o b2-9.cnf
        magicert export bishop e4 --scheme black --format smt2 | bitwuzla

    Exit status: 0 written, or 2 for bad input.
    """
    from magicert.outcome import Unseen
    from magicert.system.whole_file import write_whole

    asked = request_of(Export, given)
    check_outputs(asked, force=given["force"])
    exported = asked.run(Unseen)
    if asked.output is None:
        for line in exported.lines:
            sys.stdout.write(f"{line}\n")
        return
    text = "".join(f"{line}\n" for line in exported.lines)
    write_whole(asked.output, text)
    said = f"{exported.cell}; {exported.status}; {len(text):,} bytes"
    click.echo(f"{printable(asked.output)}: {said}")
