"""`magicert export`: a cell as a problem for solvers."""

import sys
from pathlib import Path

import click

from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import NearChoice, cell_arguments
from magicert.cli.options.work import options
from magicert.problem import printable
from magicert.system.whole_file import write_whole

FORMATS = ("smt2", "dimacs")
ENCODINGS = ("table", "pairwise")


@click.command("export")
@cell_arguments(required=True)
@options(
    click.option(
        "--format", "form", type=NearChoice(FORMATS), required=True,
        help="smt2: SMT-LIB 2.6, QF_BV. dimacs: clauses for SAT solvers.",
    ),
    click.option("--bits", type=int, metavar="K", help="Index bits; popcount(mask) if not given."),
    click.option("--scheme", default="white", show_default=True, help="A scheme or a formula."),
    click.option("--largest-index", type=int, metavar="N", help="The largest index allowed."),
    click.option(
        "--encoding", type=NearChoice(ENCODINGS), default=ENCODINGS[0], show_default=True,
        help="How validity is stated: an attack set for each slot, or every pair apart.",
    ),
)  # fmt: skip
@click.option("-o", "output", type=click.Path(path_type=Path), help="Else stdout.")
@FORCE
def command(
    piece: str,
    square: int,
    form: str,
    bits: int | None,
    scheme: str,
    largest_index: int | None,
    encoding: str,
    output: Path | None,
    force: bool,
) -> None:
    """Write a cell as a problem for SMT or SAT solvers: does a magic exist?

    The header says what the atlas knows of the answer. A solution is a magic; in a CNF the
    comments say which variable is which of its bits. docs/solver-benchmarks.md makes a family
    of them.

        magicert export bishop d1 --bits 4 --format smt2 -o d1-4.smt2
        magicert export rook b2 --bits 9 --format dimacs -o b2-9.cnf
        magicert export bishop e4 --scheme black --format smt2 | bitwuzla

    Exit status: 0 written, or 2 for bad input.
    """
    from magicert.board import Piece, mask
    from magicert.cell import square_cell
    from magicert.jobs.exporting.export import Wanted, export
    from magicert.scheme import resolve_scheme

    slider = Piece(piece)
    count = mask(slider, square).bit_count() if bits is None else bits
    cell = square_cell(resolve_scheme(scheme), slider, square, count, largest_index=largest_index)
    if output is not None:
        check_output(output, [], force=force)
    exported = export(Wanted(cell, form, encoding))
    if output is None:
        for line in exported.lines:
            sys.stdout.write(f"{line}\n")
        return
    text = "".join(f"{line}\n" for line in exported.lines)
    write_whole(output, text)
    size = len(text)
    click.echo(f"{printable(output)}: {cell}; {exported.status}; {size:,} bytes")
