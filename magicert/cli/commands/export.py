"""`magicert export`: a cell as a problem for solvers."""

from magicert.cli.declared import Force, asks
from magicert.problem import printable
from magicert.requests.export import Export, Exported
from magicert.requests.request import Given
from magicert.show.document import PlainDocument


@asks("export", Export, Force)
def command(asked: Export, exported: Exported, given: Given) -> PlainDocument:
    """Write a cell as a problem for SMT or SAT solvers: does a magic exist?

    The header says what the atlas knows of the answer. A solution is a magic; in a CNF the
    comments say which variable is which of its bits. docs/models.md makes a family
    of them.

        magicert export bishop d1 --bits 4 --format smt2 -o d1-4.smt2
        magicert export bishop e1 --bits 4 --format dimacs -o e1-4.cnf
        magicert export bishop e4 --scheme black --format smt2 | bitwuzla

    Exit status: 0 written, or 2 for bad input.
    """
    if asked.output is None:
        return PlainDocument(raw=exported.text.encode())
    said = f"{exported.cell}; {exported.status}; {len(exported.text):,} bytes"
    return PlainDocument([f"{printable(asked.output)}: {said}"])
