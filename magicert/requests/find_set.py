"""Find a magic for every square of some pieces on any board; or what each form of a table takes."""

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from magicert.board import Board
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.request import Request
from magicert.requests.set_question import SetQuestion, chosen_pieces, pieces_of

if TYPE_CHECKING:
    from magicert.requests.set_search import SetFound, SetNotFound, Sizes


@dataclass(frozen=True, slots=True)
class SetRequest(SetQuestion["SetFound | SetNotFound"]):
    """Find a magic for every square of these pieces, as a table that has been verified."""

    def run(self, watch: Watch) -> "SetFound | SetNotFound":
        """Search what is missing; verify and write the table, or keep what there is.

        The same question again goes on from what an interrupted one has kept. Raises InputError
        for a question that is none, and for a kept file that does not belong to it.
        """
        if self.output is not None and not self.output.parent.is_dir():
            raise InputError([Problem("no such folder", file=str(self.output.parent))])
        from magicert.requests.set_search import SetSearch

        with watch(self.title, "squares") as observer:
            return SetSearch(self, observer).run()


@dataclass(frozen=True, slots=True)
class SizesRequest(Request["Sizes"]):
    """What each form of a table of these pieces takes."""

    begins = ("find", "--set", "--sizes")
    pieces: tuple[str, ...] = chosen_pieces()
    _: KW_ONLY
    board: Board | str | None = words.board()

    def run(self, watch: Watch) -> "Sizes":
        from magicert.requests.set_search import sizes

        asked = SetRequest(board=self.board, pieces=self.pieces)
        return sizes(asked.on, pieces_of(asked.names, asked.on))
