"""Write a cell as a problem for solvers: SMT-LIB bit vectors, or clauses."""

import os
import time
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from magicert import __version__
from magicert.board import Piece
from magicert.cell import Cell
from magicert.outcome import Answered, Exists, Impossible, OutcomeKind, Watch
from magicert.requests import words
from magicert.requests.find import Find, known
from magicert.requests.request import File, OfSquare, OneOf, Option, Request, option
from magicert.system.whole_file import write_whole

LICENCE = "https://creativecommons.org/licenses/by/4.0/"
"""The licence that SMT-LIB asks of its benchmarks."""
Status = Literal["sat", "unsat", "unknown"]


@dataclass(frozen=True, slots=True)
class Exported(Answered):
    """The file, and what is known of the answer."""

    kind = OutcomeKind.EXISTS
    cell: Cell
    status: Status
    text: str


@dataclass(frozen=True, slots=True)
class Export(Request[Exported]):
    """A cell of chess as a problem: does a magic exist?"""

    begins = ("export",)
    piece: Annotated[
        str, Option(kind=OneOf(str(one) for one in Piece), argument=True, metavar="[rook|bishop]")
    ]
    square: Annotated[str | int, Option(kind=OfSquare(), argument=True)]
    _: KW_ONLY
    bits: int | None = option(
        None, "Index bits; popcount(mask) if not given.", always=True, metavar="K"
    )
    form: Annotated[
        str,
        Option(
            "smt2: SMT-LIB 2.6, QF_BV. dimacs: clauses for SAT solvers.", flags=("--format",),
            kind=OneOf(["smt2", "dimacs"]), always=True,
        ),
    ]  # fmt: skip
    scheme: str = words.scheme(panel=None)
    largest_index: int | None = words.largest_index(panel=None)
    encoding: str = option(
        "table", "How validity is stated: an attack set for each slot, or every pair apart.",
        OneOf(["table", "pairwise"]), shows_default=True, seldom=True,
    )  # fmt: skip
    output: Path | None = option(
        None, "Else stdout.", File(output=True, stream=True), flags=("-o", "--output"), told=False
    )

    @property
    def cell(self) -> Cell:
        """The cell. Raises InputError with every reason why it is none."""
        return Find(
            Piece(self.piece), self.square, self.bits, scheme=self.scheme,
            largest_index=self.largest_index,
        ).cell  # fmt: skip

    def run(self, watch: Watch) -> Exported:
        """Write a cell. Raises InputError for a question or an encoding that is none."""
        cell = self.cell
        found = known(cell)
        about = [
            f"Is there a magic for this cell? {cell}",
            f"index: {cell.scheme.formula.text}",
            "Two occupancies with one index must have the same attack set.",
        ]
        status: Status = "unknown"
        match None if found is None else found.outcome:
            case Exists() as outcome:
                status = "sat"
                about.append(f"A magic: {outcome.magic:#018x}")
            case Impossible(certificate=certificate):
                status = "unsat"
                about += [f"Certificate: {certificate}"] if certificate else []
        lines = _smt2 if self.form == "smt2" else _dimacs
        asked = replace(self, bits=cell.bits)
        with watch(f"writing {cell}", ""):
            text = "".join(f"{line}\n" for line in lines(asked, cell, status, about))
        for path in self.outputs:
            write_whole(path, text)
        return Exported(cell, status, text)


def _smt2(asked: Export, cell: Cell, status: Status, about: list[str]) -> Iterator[str]:
    from magicert.z3models.question import question_of
    from magicert.z3models.readings.circuit import wired_bits
    from magicert.z3models.smt2 import smt2

    question = question_of(cell)
    source = [*_made(asked), "Application: magic bitboards, perfect hashing for chess", *about]
    header = "\n".join(
        [
            "(set-info :source |",
            *(line.replace("|", "or").replace("\\", "/") for line in source),
            "|)",
            f'(set-info :license "{LICENCE}")',
            '(set-info :category "crafted")',
            f"(set-info :status {status})",
        ]
    )
    return smt2(question, header, asked.encoding, wired_bits(question))


def _dimacs(asked: Export, cell: Cell, status: Status, about: list[str]) -> Iterator[str]:
    from magicert.verify.proof.cnf import asked_of, formula_of
    from magicert.z3models.question import question_of
    from magicert.z3models.readings.circuit import clauses_of, dimacs

    comments = [*_made(asked), *about, f"status: {status}", f"licence: {LICENCE}"]
    comments.append("lines `magic BIT VARIABLE` say which bit of the magic a variable is")
    if cell.scheme.name == "white" and cell.largest_index is None:
        formula = formula_of(asked_of(cell))
        comments.append(f"clauses: sha256 {formula.digest()} without comments, as in our proofs")
        bits = dict(enumerate(formula.magic))
        clauses = [list(clause) for clause in formula.clauses]
        return dimacs(comments, formula.variables, clauses, bits)
    variables, clauses, bits = clauses_of(question_of(cell), asked.encoding)
    return dimacs(comments, variables, clauses, bits)


def _made(asked: Export) -> list[str]:
    """By whom, when (SOURCE_DATE_EPOCH, if it is set), with what."""
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    return [
        "Generated by: the magicert authors",
        f"Generated on: {time.strftime('%Y-%m-%d', time.gmtime(seconds))}",
        f"Generator: magicert {__version__}: {asked.command}",
    ]
