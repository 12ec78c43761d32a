"""Find a magic for a square, or for all of them, or prove that there is none."""

from pathlib import Path

from magicert.api.asked import asking
from magicert.outcome import Outcome
from magicert.problem import InputError, Problem
from magicert.requests.find import Answer, CellRequest, Disprove, Find
from magicert.requests.find_set import SetRequest
from magicert.requests.set_search import SetFound, SetLeft
from magicert.table import TableFile, parse_table


def _outcome(answer: Answer, _: CellRequest) -> Outcome:
    return answer.outcome


def _table(found: SetFound | SetLeft, _: SetRequest) -> TableFile:
    if isinstance(found, SetFound):
        return parse_table(found.text.encode(), Path("magicert"))
    word = "no magic" if found.kind == "impossible" else "no magic found in time"
    raise InputError(
        Problem(word, key=f"{piece} {found.board.name(square)}") for piece, square in found.left
    )


find = asking("find", Find, _outcome)
disprove = asking("disprove", Disprove, _outcome)
find_set = asking("find_set", SetRequest, _table)
