"""A first level from nothing: pairs that share bytes and single rooks on pages, bishops behind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.board import Piece
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.layouts.layout import Layout, rooks_first
from magicert.compact.overlay.joint import JointLibrary, best_pairs, joint_libraries
from magicert.compact.pages.bishops import bishop_shelf, in_free_columns
from magicert.compact.pages.columns import rook_libraries
from magicert.compact.pages.filling import Page, fill_all, worth
from magicert.compact.pages.library import Library, Shelf, load_libraries, save_libraries
from magicert.compact.pages.pairs import as_library, turned_seat
from magicert.compact.pages.refill import refill_round
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.compact.start.first_fit import place
from magicert.compact.start.pools_wanted import ready_pools
from magicert.system.deadline import BudgetOverError, Deadline

REFILLING = WorkPhase("refilling pages", "rounds")


@dataclass(frozen=True)
class FirstLevel:
    """What is wanted: cells of 12 bits a rook, a seed, at most so many rounds of refilling pages,
    and until when. The scheme is one in which columns turn: black or constant.
    """

    cells: Mapping[Key, CellData]
    scheme: str
    seed: int
    refills: int
    refill_until: Deadline

    @property
    def rooks(self) -> list[int]:
        """The squares of the rooks that are wanted."""
        return [square for piece, square in self.cells if piece is Piece.ROOK]


def first_level(plan: FirstLevel, crew: Crew = ALONE) -> tuple[Layout, int]:
    """A layout in which rooks of a file may share slots, and the rounds of refilling it took.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    bishops = {key: cell for key, cell in plan.cells.items() if key[0] is Piece.BISHOP}
    pools = ready_pools(bishops, plan.seed, crew)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        black = plan.scheme == "black"
        save_libraries(rook_libraries(plan.rooks, black, plan.seed, crew), path)
        shelf = load_libraries(path)
        found = joint_libraries(path, plan.scheme, plan.seed, crew)
        pairs = {64 + n: one for n, one in enumerate(best_pairs(shelf, found))}
        mixed = path.with_suffix(".mixed")
        save_libraries([*_mixed(shelf, pairs, plan.seed)], mixed)
        pages = fill_all(mixed, plan.seed, crew)
        rounds = 0
        crew.progress(REFILLING, 0, plan.refills, f"{len(pages)} pages")
        try:
            for number in range(plan.refills):
                plan.refill_until.check()
                until = crew._replace(deadline=plan.refill_until)
                pages = refill_round(mixed, pages, (plan.seed, number), until)
                rounds = number + 1
                note = f"{len(pages)} pages, {min(map(worth, pages))} columns on the last"
                crew.progress(REFILLING, rounds, plan.refills, note)
        except BudgetOverError:
            pass
        fullest = sorted(pages, key=lambda page: -worth(page))
        seats = [
            seat for n, page in enumerate(fullest) for seat in _seats(plan, shelf, pairs, page, n)
        ]
        shelf = bishop_shelf(list(bishops.values()), plan.seed, crew)
    packed = []
    for behind in (False, True):
        columns = in_free_columns(plan.scheme, shelf, seats, plan.seed, behind=behind)
        packed.append(place(plan.cells, pools, plan.seed, [*seats, *columns], crew))
    shortest = min(packed, key=lambda one: one.length)
    return Layout(plan.scheme, rooks_first(shortest.seats.values())), rounds


def _mixed(shelf: Shelf, pairs: Mapping[int, JointLibrary], seed: int) -> Iterator[Library]:
    """Libraries for the page filling: pairs as if they were squares from 64 on, and the others."""
    paired = {square for one in pairs.values() for square in one.pairs.key}
    for number, one in pairs.items():
        yield as_library(one.pairs, number, seed)
    for square, library in shelf.items():
        if square not in paired:
            yield library


def _seats(
    plan: FirstLevel, shelf: Shelf, pairs: Mapping[int, JointLibrary], page: Page, number: int
) -> Iterator[Seat]:
    def cell(square: int) -> CellData:
        return plan.cells[Piece.ROOK, square]

    for one in page:
        if one.square not in pairs:
            yield turned_seat(cell(one.square), one.magic, one.turn, number)
            continue
        joint = pairs[one.square].pairs
        _, host, guest, by = map(int, joint.rows[one.magic])
        magics = int(shelf[joint.host].magics[host]), int(shelf[joint.guest].magics[guest])
        yield turned_seat(cell(joint.host), magics[0], one.turn, number)
        yield turned_seat(cell(joint.guest), magics[1], one.turn + by, number)
