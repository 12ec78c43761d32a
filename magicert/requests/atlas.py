"""The atlas: what is known of every square's magics, and what enters it: found or settled cells."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.board import CHESS, Piece
from magicert.data import atlas_path
from magicert.dataclass import dataclass
from magicert.outcome import Answered, OutcomeKind, Watch
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.request import File, Given, Kind, OneOf, Request, budget, option

if TYPE_CHECKING:
    from magicert.atlas import Atlas, Entry
    from magicert.jobs.atlas_files import Submitted
    from magicert.jobs.settle_atlas import BudgetEnded, Settled


class Cells(Kind):
    """Which cells: a piece, or a piece and a square."""

    def read(self, text: str, given: Given) -> tuple[Piece, int | None]:
        name, colon, square = text.partition(":")
        try:
            return Piece(name), CHESS.parse(square) if colon else None
        except ValueError:
            message = f"{text!r}: expected rook, bishop, or a square such as bishop:d6"
            raise ValueError(message) from None

    def accept(self, value: object, given: Given) -> object:
        return value if isinstance(value, tuple) else super().accept(value, given)


@dataclass(frozen=True, slots=True)
class AtlasRead(Answered):
    """An atlas, and the folder that its files lie in."""

    kind = OutcomeKind.EXISTS
    atlas: "Atlas"
    folder: Path


@dataclass(frozen=True, slots=True)
class Entered(Answered):
    """What came of a submission, and the atlas that was written."""

    submitted: "Submitted"
    written: Path

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.INVALID if self.submitted.reason else OutcomeKind.VALID


class SettledCells(Answered):
    """Cells of a scheme, each when it is settled. They are read once; then it is known whether all
    were `finished` in the budget.
    """

    def __init__(self, scheme: str, cells: "Iterator[Settled | BudgetEnded]") -> None:
        self.scheme = scheme
        self.cells = cells
        self.finished = True

    def __iter__(self) -> "Iterator[Settled]":
        from magicert.jobs.settle_atlas import Settled

        for cell in self.cells:
            if isinstance(cell, Settled):
                yield cell
            else:
                self.finished = False

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.EXISTS if self.finished else OutcomeKind.UNKNOWN


@dataclass(frozen=True, slots=True)
class AtlasRequest(Request[AtlasRead | Entered | SettledCells]):
    """Which atlas, how it is shown, and how to learn more.

    `only` are a piece and a square, None for all. `seconds` is for all cells.
    """

    begins = ("atlas",)
    path: Path | None = option(None, "Another atlas than the one shipped.", flags=("--atlas",))
    scheme: str | None = option(
        None, "The atlas of this scheme. [default: white]", OneOf(("white", "black"))
    )
    cells: bool = option(False, "List the open cells, the cheapest first.", flags=("--cell",))
    ranges: bool = option(False, "Draw the largest index of each square's shortest table.")
    html: Path | None = option(
        None, "Write a page: click a square for its magics and certificates."
    )
    submit: Path | None = option(
        None, "Enter a magic that was found: cell, magic, finder, date, source."
    )
    settle: bool = option(False, "Settle open cells, the cheapest first.")
    seconds: float | None = budget(panel=None)
    only: tuple[Piece | None, int | None] = option(
        (None, None), "Settle these cells only.", Cells(), "PIECE[:SQUARE]"
    )
    ledger: Path = option(
        Path("atlas.db"), "Keeps finished shards: the same command resumes.", seldom=True,
        shows_default=True,
    )  # fmt: skip
    output: Path = option(
        Path("atlas.toml"), "The atlas that --settle and --submit write; certificates go beside "
        "it.", File(), flags=("-o", "--output"), shows_default=True,
    )  # fmt: skip
    workers: int = words.workers(panel=None)
    record: bool = option(False, "Hash and check all leaves, of large cells too.", seldom=True)
    cluster: str = words.cluster(panel=None)

    def problems(self) -> Iterator[Problem]:
        if self.html is not None and self.writes:
            yield Problem("--html shows an atlas as it is: expected no --settle and no --submit")
        if self.settle and self.submit is not None:
            yield Problem("--submit: expected no --settle beside it")
        if not self.settle:
            of_settling = ("seconds", "only", "ledger", "workers", "record", "cluster")
            yield from self.only_with("--settle", *of_settling)
        if not self.writes:
            yield from self.only_with("--settle or --submit", "output")

    @property
    def writes(self) -> bool:
        return self.settle or self.submit is not None

    @property
    def where(self) -> Path:
        """The file that is read: where work went on before, that of the output."""
        path = self.output if self.writes and self.output.exists() else None
        return self.path or path or atlas_path(self.scheme or "white")

    @property
    def atlas(self) -> "Atlas":
        """What is read. Raises InputError for none, or for one of another scheme."""
        from magicert.atlas import read_atlas

        atlas = read_atlas(self.where)
        if self.scheme not in (None, atlas.scheme):
            found = f"the scheme is {atlas.scheme}: expected {self.scheme}"
            raise InputError([Problem(found, file=str(self.where))])
        if self.where != atlas_path(atlas.scheme):
            from magicert.jobs.atlas_files import refuse_contradicted

            refuse_contradicted(atlas, self.where)
        return atlas

    def wants(self, entry: "Entry") -> bool:
        piece, square, _ = entry.key
        return self.only[0] in (None, piece) and self.only[1] in (None, square)

    @property
    def outputs(self) -> Iterator[Path]:
        """A page, or an atlas; then, from what that says, certificates of what is settled."""
        if self.html is not None:
            yield self.html
        if self.writes:
            yield self.output
        if self.settle:
            from magicert.jobs.settle_atlas import cell_of, certificate_name

            atlas = self.atlas
            for entry in filter(self.wants, atlas.open()):
                beside = self.output.parent / certificate_name(cell_of(entry, atlas.scheme))
                if beside.exists():
                    yield beside

    @property
    def inputs(self) -> list[Path]:
        """An atlas that is settled may be written over."""
        used = (self.ledger, self.submit) if self.writes else (self.path,)
        return [path for path in used if path is not None]

    def run(self, watch: Watch) -> AtlasRead | Entered | SettledCells:
        """Raises InputError for an atlas, a submission, a ledger or a cluster that is none."""
        if self.submit is not None:
            from magicert.jobs.atlas_files import submit

            today = datetime.now(UTC).date()
            return Entered(submit(self.submit, self.where, self.output, today), self.output)
        atlas = self.atlas
        if not self.settle:
            return AtlasRead(atlas, self.where.parent)
        from magicert.jobs.settle_atlas import settle_atlas

        entries = filter(self.wants, atlas.open())
        cells = settle_atlas(
            atlas, entries, self.output, watch, ledger=self.ledger, seconds=self.seconds,
            workers=self.workers, record=self.record, cluster=self.cluster,
        )  # fmt: skip
        return SettledCells(atlas.scheme, cells)
