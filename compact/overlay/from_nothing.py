"""A first level from nothing: pairs that share bytes and single rooks on pages, bishops behind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.board import Piece
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.layered.pairs import as_library
from magicert.compact.layouts.layout import Layout, rooks_first
from magicert.compact.overlay.joint import JointLibrary, best_pairs, joint_libraries
from magicert.compact.pages.bishops import bishop_shelf, in_free_columns
from magicert.compact.pages.columns import LibraryOrder, collect
from magicert.compact.pages.filling import Page, fill_all, worth
from magicert.compact.pages.library import Library, Shelf, load_libraries, save_libraries
from magicert.compact.pages.lines import PAGE, ROW_BITS
from magicert.compact.pages.refill import refill_round
from magicert.compact.progress import ALONE, Crew, Phase
from magicert.compact.start.first_fit import place
from magicert.compact.start.pools_wanted import ready_pools
from magicert.system.deadline import BudgetOverError, Deadline

LIBRARIES = Phase("magics in whole columns", "rooks")
REFILLING = Phase("refilling pages", "rounds")
WORD = (1 << 64) - 1


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
        save_libraries(_libraries(plan, crew), path)
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
        seats += in_free_columns(plan.scheme, shelf, seats, plan.seed)
    packed = place(plan.cells, pools, plan.seed, seats, crew)
    return Layout(plan.scheme, rooks_first(packed.seats.values())), rounds


def _libraries(plan: FirstLevel, crew: Crew) -> list[Library]:
    black = plan.scheme == "black"
    orders = [LibraryOrder(square, black, plan.seed, crew.deadline) for square in plan.rooks]
    libraries: list[Library] = []
    crew.progress(LIBRARIES, 0, len(orders), "")
    for library in crew.mapper(collect, orders):
        libraries.append(library)
        crew.progress(LIBRARIES, len(libraries), len(orders), "")
    return libraries


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
    for one in page:
        if one.square not in pairs:
            yield _turned(plan, one.square, one.magic, one.turn, number)
            continue
        joint = pairs[one.square].pairs
        _, host, guest, by = map(int, joint.rows[one.magic])
        yield _turned(plan, joint.host, int(shelf[joint.host].magics[host]), one.turn, number)
        turn = (one.turn + by) % PAGE
        yield _turned(plan, joint.guest, int(shelf[joint.guest].magics[guest]), turn, number)


def _turned(plan: FirstLevel, square: int, magic: int, turn: int, page: int) -> Seat:
    """A rook whose slots are turned on its page: by an added constant, or under black by the
    magic's highest bits, since the complement of the mask is all ones below its lowest bit.
    """
    by = turn << (64 - ROW_BITS)
    constant = 0 if plan.scheme == "black" else by
    magic = (magic - by) & WORD if plan.scheme == "black" else magic
    cell = plan.cells[Piece.ROOK, square]
    return Seat.valid(cell, Choice(magic, constant, page * PAGE))
