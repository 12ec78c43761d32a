"""Pack attack sets into the smallest buffer that a budget allows; the best is always on disk."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from magicert.board import FIXED_BITS, Piece, mask
from magicert.compact.layouts import (
    Layout,
    from_table,
    lower_bound,
    publish_two_level,
    to_table,
    two_level,
)
from magicert.compact.pack import Mark, PackPlan, Result
from magicert.compact.pack import pack as squeeze
from magicert.compact.progress import Workers, WorkPhase
from magicert.compact.seats import CellData, Key, cell_data
from magicert.compact.start import NoPlaceError, StartPlan, from_nothing
from magicert.dataclass import dataclass
from magicert.jobs.read_sources import table_from
from magicert.outcome import Evidence, Impossible, Unknown, Watch
from magicert.problem import InputError, Problem
from magicert.requests.packing.shared import (
    MOST_REFILLS,
    AnyPack,
    ExactBound,
    Found,
    Interrupted,
    Phases,
    exact_bound,
    executor_of,
    save,
    shorter_record,
)
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import Provenance

REFILL_SHARE = 0.5
"""The part of a budget that goes into refilling pages; the rest goes into squeezing."""


def improves(asked: AnyPack, given: Layout) -> bool:
    """Whether the seats of the table given are where packing begins. Squares that share nothing
    are hardly ever moved together.
    """
    resumed = asked.given == asked.path
    return given.shares or resumed or asked.private or asked.rounds == 0


def cells_of(asked: AnyPack) -> dict[Key, CellData]:
    """What is wanted from nothing."""
    bits = {Piece.ROOK: asked.rook_bits, Piece.BISHOP: asked.bishop_bits}
    if asked.fixed_shift and not asked.private:
        bits = {piece: bits[piece] or FIXED_BITS[piece] for piece in Piece}
    return {
        (piece, square): cell_data(
            asked.scheme, piece, square, bits[piece] or mask(piece, square).bit_count()
        )
        for piece in asked.chosen
        for square in range(32 if asked.half else 64)
    }


@dataclass(frozen=True, slots=True)
class SecondFile:
    """A two-level table: its file, and the bytes of both levels."""

    path: Path
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFound(Found):
    """The best layout. It began with `first` entries, and no magics at all need fewer than
    `bound`. `anew` says whether the squares of the table given, which share nothing, were packed
    from nothing (False: nothing shorter came of that; None: they share). `shorter` is a table
    that ships, with its entries.
    """

    first: int
    anew: bool | None
    bound: int
    exact: ExactBound | None = None
    second: SecondFile | None = None
    shorter: tuple[str, int] | None = None


PackOutcome = PackFound | Interrupted | Impossible | Unknown


def pack(asked: AnyPack, watch: Watch) -> PackOutcome:
    """Pack; every better layout replaces the output file, verified, with its certificate.

    Raises InputError for a table that cannot be packed.
    """
    job = _PackJob(asked, watch)
    try:
        return job.run()
    except KeyboardInterrupt:
        return Interrupted(on_disk=job.saved)
    except NoPlaceError as error:
        if error.impossible:
            return Impossible(str(error), evidence=Evidence.COUNTING)
        return Unknown(str(error))
    except BudgetOverError:
        return Unknown(f"no layout in {asked.seconds:,.0f} s: the first one takes some minutes")


class _PackJob:
    """One run: what is wanted in, files and an outcome out."""

    def __init__(self, asked: AnyPack, watch: Watch) -> None:
        self.asked = asked
        self.watch = watch
        self.phases = Phases(watch)
        self.deadline = Deadline.after(asked.seconds)
        share = REFILL_SHARE if asked.refills is None else 1.0
        self.refill_until = Deadline.after(share * asked.seconds)
        self.saved = False

    def run(self) -> PackOutcome:
        asked = self.asked
        given = self._given()
        half = asked.half if given is None else given.half_board
        bound = lower_bound(asked.chosen, range(32 if half else 64))
        if asked.limit is not None and asked.limit < bound:
            return Impossible(
                f"at most {asked.limit:,} entries: the squares of {' and '.join(asked.chosen)} "
                f"have {bound:,} different attack sets",
                evidence=Evidence.COUNTING,
            )
        improved = given if given is not None and improves(asked, given) else None
        with self.phases.until, executor_of(asked) as executor:
            mapper = map if executor is None else executor.map
            workers = Workers(mapper, self.phases.progress, self.deadline)
            start, refills = (improved, None) if improved else self._from_nothing(given, workers)
            self._save(start, [], refills)
            rounds = 0 if asked.private else asked.rounds
            plan = PackPlan(asked.seed, asked.workers, self.deadline, rounds, asked.limit)
            result = squeeze(start, plan, executor, self._observer(refills))
        anew = None if given is None or improved else start is not given
        return self._packed(result, given or start, bound, anew=anew)

    def _given(self) -> Layout | None:
        """The layout to improve, if there is one: it also says whether the board is a half."""
        source = self.asked.given
        if source is None:
            return None
        file = table_from(source, self.watch)
        message = ""
        if self.asked.half and not file.table.half_board:
            message = "the whole board: expected a half board, or no --half"
        if self.asked.numbers is not None and file.table.half_board:
            message = "a half board: expected the whole board, or no --two-level"
        if message:
            raise InputError([Problem(message, file=str(source))])
        return from_table(file)

    def _from_nothing(self, given: Layout | None, workers: Workers) -> tuple[Layout, int | None]:
        """The shortest first layout, and its rounds of refilling. All that are found on the way
        are written down; a table given is one of them.
        """
        asked = self.asked
        refills = MOST_REFILLS if asked.refills is None else asked.refills
        cells = cells_of(asked) if given is None else {seat.key: seat.cell for seat in given.seats}
        plan = StartPlan(
            cells, asked.seed, not asked.apart, asked.private, asked.pools, refills,
            self.refill_until,
        )  # fmt: skip
        found: list[tuple[Layout, int | None]] = []

        def better(layout: Layout, rounds: int | None) -> None:
            if given is not None:
                layout = replace(layout, order=given.order, listing=given.listing)
                if layout.length >= given.length:
                    return
            found.append((layout, rounds))
            self._save(layout, [], rounds)

        if given is not None:
            found.append((given, None))
            self._save(given, [], None)
        try:
            rounds = from_nothing(plan, better, workers)
        except (BudgetOverError, NoPlaceError):
            if not found:
                raise
            return found[-1]
        return found[-1][0], rounds

    def _observer(self, refills: int | None) -> Callable[[Result, bool], None]:
        """Write down what is better, and show how far the squeezing is."""
        asked, began = self.asked, self.deadline.left
        phase = WorkPhase("squeezing", "s" if asked.rounds is None else "rounds")

        def observe(result: Result, better: bool) -> None:
            if better:
                self._save(result.layout, result.history, refills)
            length = f"best {result.layout.length:,}, {asked.output} has it"
            if asked.rounds is None:
                note = f"round {result.rounds}, {length}"
                self.phases.progress(phase, began - self.deadline.left, began, note)
            else:
                self.phases.progress(phase, result.rounds, asked.rounds, length)

        return observe

    def _save(self, layout: Layout, history: list[Mark], refills: int | None) -> None:
        asked = self.asked
        rounds = history[-1].round if history else 0
        save(layout, asked, asked.again(rounds, refills, half=layout.half_board), history)
        self.saved = True

    def _packed(self, result: Result, first: Layout, bound: int, *, anew: bool | None) -> PackFound:
        asked, layout = self.asked, result.layout
        interrupted = result.stopped == "interrupted"
        return PackFound(
            layout=layout,
            first=first.length,
            anew=anew,
            bound=bound,
            rounds=result.rounds,
            stopped=result.stopped,
            limit=asked.limit,
            exact=None if asked.exact is None or interrupted else exact_bound(layout, asked.exact),
            second=None if asked.numbers is None else self._two_level(layout, asked.numbers),
            shorter=shorter_record(layout),
        )

    def _two_level(self, layout: Layout, entry_bits: int) -> SecondFile:
        output = self.asked.path
        path = output.with_name(f"{output.stem}-two-level.toml")
        table = to_table(layout, path.stem, Provenance(notes=f"from {output.name}"))
        return SecondFile(path, publish_two_level(two_level(table, entry_bits), path))
