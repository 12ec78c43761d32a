"""`magicert pack`: the smallest buffer that can be found in a given time."""

import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece
from magicert.cli import INTERRUPTED
from magicert.cli.options.types import DurationType, TableType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magicert.compact.anneal.pools import PoolEntry
    from magicert.compact.layouts.arrangement import Seat
    from magicert.compact.layouts.layout import Layout
    from magicert.compact.pack import Mark, Result


MOST_REFILLS = 10_000
REFILL_SHARE = 0.5
"""The part of a budget that goes into refilling pages; the rest goes into squeezing."""


@click.command("pack")
@click.option("--from", "source", type=TableType(), help="Improve this table, under its scheme.")
@click.option(
    "--scheme", type=click.Choice(["white", "black", "constant"]), default="black",
    show_default=True, help="From nothing: the index formula (constant: a free added constant).",
)  # fmt: skip
@click.option(
    "--fixed-shift/--square-shifts", default=True, show_default=True,
    help="From nothing: 12 bits for every rook and 9 for every bishop, or c bits a square.",
)  # fmt: skip
@click.option("--rook-bits", type=click.IntRange(1, 13), help="From nothing: for every rook.")
@click.option("--bishop-bits", type=click.IntRange(1, 13), help="From nothing: for every bishop.")
@click.option(
    "--pieces", type=click.Choice(["both", "rook", "bishop"]), default="both", show_default=True,
    help="Which pieces to pack.",
)  # fmt: skip
@click.option(
    "--half", is_flag=True,
    help="From nothing: ranks 1-4 only; lookups for the others swap the ranks (bytes).",
)  # fmt: skip
@click.option("--apart", is_flag=True, help="One buffer for each piece instead of a shared one.")
@click.option("--private", is_flag=True, help="No overlap at all (fancy), for comparison.")
@click.option(
    "--pools", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="From nothing: keep the squares' magics in this file, and use those it has.",
)  # fmt: skip
@click.option("--budget", type=DurationType(), default="10m", show_default=True)
@click.option("--rounds", type=click.IntRange(min=0), help="Stop after so many rounds.")
@click.option(
    "--refills", type=click.IntRange(min=0), metavar="N",
    help="From nothing, fixed shift: rounds of refilling pages; else most of the budget.",
)  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), help="The longest length that will do.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option("--resume", is_flag=True, help="Go on from the output file, if it is there.")
@click.option(
    "--two-level", type=click.Choice(["8", "16"]),
    help="Also write OUTPUT-two-level.toml: entries of so many bits that number attack sets.",
)  # fmt: skip
@click.option(
    "--exact", type=click.IntRange(1, 12), metavar="N",
    help="Also prove how short the N smallest squares alone can be (OR-tools).",
)  # fmt: skip
@click.option("--name", help="The table's name; the output file's if not given.")
@click.option(
    "-o", "output", type=click.Path(dir_okay=False, path_type=Path), default="packed.toml",
    show_default=True, help="The table file; its certificate is written beside it.",
)  # fmt: skip
def command(**options: Any) -> None:  # noqa: ANN401
    """Pack all attack sets into the smallest shared buffer that the budget allows.

    The best layout so far is always on disk, verified, with its certificate. The same
    seed, workers and rounds give the same layout; --budget only limits the rounds.

    \b
    magicert pack --budget 10m --workers 2
    magicert pack --scheme white --budget 1h -o mine.toml
    magicert pack --from shakmaty --budget 1h -o shorter.toml
    magicert pack --from mine.toml --resume --budget 8h -o mine.toml

    From nothing the first layout takes one or two minutes, whatever the budget.

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from magicert.compact.start.first_fit import NoPlaceError

    packing = _Packing(options)
    try:
        sys.exit(packing.run())
    except KeyboardInterrupt:  # before the packing itself began, or after
        packing.say_interrupted()
        sys.exit(INTERRUPTED)
    except NoPlaceError as error:
        click.echo(f"{'IMPOSSIBLE' if error.impossible else 'UNKNOWN'} {error}")
        sys.exit(1 if error.impossible else 3)


class _Packing:
    """One run of the command: options in, files and an exit status out."""

    def __init__(self, options: dict[str, Any]) -> None:
        from magicert.cli.display.progress import ProgressDisplay

        self.options = options
        self.output: Path = options["output"]
        self.began = time.monotonic()
        self.display = ProgressDisplay("packing", "s")
        self.saved = 0
        self.refills: int | None = None

    def run(self) -> int:
        from magicert.compact.layouts.bounds import lower_bound
        from magicert.compact.pack import Plan, pack
        from magicert.system.processes import process_pool

        options = self.options
        limit: int | None = options["limit"]
        if options["two_level"] is not None and options["apart"]:
            raise click.UsageError("--two-level numbers one shared buffer: expected no --apart")
        if options["two_level"] is not None and options["half"]:
            raise click.UsageError("--two-level is for the whole board: expected no --half")
        workers: int = options["workers"]
        with self.display, process_pool(workers) if workers > 1 else nullcontext() as executor:
            pieces = self._pieces()
            given = self._given()
            bound = lower_bound(pieces, self._squares())
            if limit is not None and limit < bound:
                click.echo(
                    f"IMPOSSIBLE at most {limit:,} entries: the squares of "
                    f"{' and '.join(pieces)} have {bound:,} different attack sets"
                )
                return 1
            start = given or self._fresh(executor)
            plan = Plan(
                seed=options["seed"],
                workers=options["workers"],
                seconds=max(0.0, options["budget"] - (time.monotonic() - self.began)),
                rounds=0 if options["private"] else options["rounds"],
                goal=limit,
            )
            self._save(start, [])
            result = pack(start, plan, executor, self._save, self._progress)
        self._report(result, bound)
        if options["exact"] is not None:
            self._exact(result.layout, options["exact"])
        if options["two_level"] is not None:
            self._two_level(result.layout, int(options["two_level"]))
        if result.stopped == "interrupted":
            self.say_interrupted()
            return INTERRUPTED
        if limit is not None and result.layout.length > limit:
            click.echo(
                f"UNKNOWN at most {limit:,} entries: the shortest found has "
                f"{result.layout.length:,}; no proof that none is shorter"
            )
            return 3
        return 0

    def say_interrupted(self) -> None:
        """What an interruption has left."""
        if self.output.exists():
            click.echo(f"interrupted: {self.output} has the best so far (--resume goes on)")
        else:
            click.echo("interrupted before there was a layout")

    def _pieces(self) -> list[Piece]:
        chosen = self.options["pieces"]
        return list(Piece) if chosen == "both" else [Piece(chosen)]

    def _squares(self) -> range:
        return range(32 if self.options["half"] else 64)

    def _given(self) -> "Layout | None":
        """The layout to improve, if there is one: it also says whether the board is a half."""
        from magicert.compact.layouts.layout import from_table
        from magicert.problem import InputError, Problem
        from magicert.table import read_table

        source = self.options["source"]
        if self.options["resume"] and self.output.exists():
            source = self.output
        if source is None:
            return None
        file = read_table(source)
        if self.options["half"] and not file.table.half_board:
            message = "the whole board: expected a half board, or no --half"
            raise InputError([Problem(message, file=str(source))])
        if self.options["two_level"] is not None and file.table.half_board:
            message = "a half board: expected the whole board, or no --two-level"
            raise InputError([Problem(message, file=str(source))])
        self.options["half"] = file.table.half_board
        return from_table(file)

    def _fresh(self, executor: Any) -> "Layout":  # noqa: ANN401
        from magicert.compact.pages.lines import ROW_BITS
        from magicert.compact.start.first_fit import Wish, fresh_layout, ready_pools

        options = self.options
        wish = Wish(options["scheme"], self._index_bits())
        mapper = executor.map if executor is not None else map
        rooks = {key: bits for key, bits in wish.bits.items() if key[0] is Piece.ROOK}
        on_pages = (
            set(rooks.values()) == {ROW_BITS}
            and not options["private"]
            and options["pools"] is None
        )
        pools: dict[tuple[Piece, int], list[PoolEntry]] = {}

        def pool(keys: "Iterable[tuple[Piece, int]]") -> None:
            wanted = Wish(wish.scheme, {key: wish.bits[key] for key in keys if key not in pools})
            pools.update(
                ready_pools(
                    wanted,
                    options["seed"],
                    mapper,
                    lambda done, total, note: self.display(done, total, f"pools: {note}"),
                    options["pools"],
                )
            )

        # What cannot be shall be said before the long work begins.
        pool(key for key in wish.bits if not on_pages or key not in rooks)

        def layout(seated: "list[Seat]") -> "Layout":
            done = {(one.data.piece, one.data.square) for one in seated}
            pool(key for key in wish.bits if key not in done)
            shared = not options["apart"]
            return fresh_layout(wish, pools, options["seed"], shared, options["private"], seated)

        return self._paged(mapper, layout) if on_pages else layout([])

    def _index_bits(self) -> "dict[tuple[Piece, int], int]":
        from magicert.board import mask

        fixed = {Piece.ROOK: self.options["rook_bits"], Piece.BISHOP: self.options["bishop_bits"]}
        if self.options["fixed_shift"] and not self.options["private"]:
            fixed = {Piece.ROOK: fixed[Piece.ROOK] or 12, Piece.BISHOP: fixed[Piece.BISHOP] or 9}
        return {
            (piece, square): fixed[piece] or mask(piece, square).bit_count()
            for piece in self._pieces()
            for square in self._squares()
        }

    def _paged(self, mapper: Any, layout: "Callable[[list[Seat]], Layout]") -> "Layout":  # noqa: ANN401
        """The rooks on pages. What is found on the way is written down as a whole layout."""
        from magicert.compact.start.paged import PagePlan, paged_rooks, without_last_page

        options = self.options
        rounds, share = options["refills"], 1.0
        if rounds is None:
            rounds, share = MOST_REFILLS, REFILL_SHARE
        deadline = self.began + share * options["budget"]
        plan = PagePlan(options["seed"], rounds, deadline)
        found: list[Layout] = []

        def better(seats: "list[Seat]") -> None:
            whole = layout(seats)
            if all(whole.length < other.length for other in found):
                found.append(whole)
                self._save(whole, [])

        seats, self.refills = paged_rooks(
            options["scheme"], plan, mapper, self.display, better, self._squares()
        )
        better(seats)
        better(without_last_page(seats))
        return found[-1]

    def _save(self, layout: "Layout", history: "list[Mark]") -> None:
        from magicert.compact.layouts.layout import publish, to_table

        certificate = self.output.with_suffix(".certificate.json")
        name = self.options["name"] or self.output.stem
        table = to_table(layout, name, self._provenance(history, certificate.name))
        publish(table, self.output, certificate)
        self.saved = layout.length

    def _provenance(self, history: "list[Mark]", certificate: str) -> Any:  # noqa: ANN401
        from magicert.compact.records import history_text
        from magicert.table import Provenance

        rounds = history[-1].round if history else 0
        return Provenance(
            command=_command_text(self.options, rounds, self.refills),
            seed=self.options["seed"],
            certificate=certificate,
            notes=history_text(history),
        )

    def _progress(self, rounds: int, seconds: float, length: int) -> None:
        total = self.options["budget"]
        self.display(seconds, total, f"round {rounds}, best {length:,}, {self.output} has it")

    def _exact(self, layout: "Layout", squares: int) -> None:
        from magicert.board import square_name
        from magicert.compact.exact import shortest

        smallest = sorted(layout.seats, key=lambda seat: (len(seat.used), seat.data.square))
        group = smallest[:squares]
        _, found = shortest([seat.used for seat in group], seconds=60.0)
        names = " ".join(f"{seat.data.piece}-{square_name(seat.data.square)}" for seat in group)
        if found is None:
            click.echo(f"  {names}: no exact bound in 60 s")
            return
        proved = "exactly" if found.length == found.bound else f"{found.bound:,} to"
        click.echo(f"  {names}: alone they need {proved} {found.length:,} entries")

    def _two_level(self, layout: "Layout", entry_bits: int) -> None:
        from magicert.compact.layouts.layout import to_table
        from magicert.compact.layouts.two_level import publish_two_level, two_level
        from magicert.table import Provenance

        path = self.output.with_name(f"{self.output.stem}-two-level.toml")
        table = to_table(layout, path.stem, Provenance(notes=f"from {self.output.name}"))
        size = publish_two_level(two_level(table, entry_bits), path)
        click.echo(f"{path}: {size:,} bytes in both levels")

    def _report(self, result: "Result", bound: int) -> None:
        layout = result.layout
        first = result.history[0]
        click.echo(
            f"{self.output}: {layout.length:,} entries ({layout.scheme}), from {first.length:,}; "
            f"{layout.used_slots:,} used, {layout.holes:,} holes, {layout.fill:.1%} full"
        )
        click.echo(
            f"  {result.rounds} rounds, stopped: {result.stopped}; these magics cannot go below "
            f"{layout.used_slots:,}, no magics below {bound:,}"
        )


def _command_text(options: dict[str, Any], rounds: int, refills: int | None) -> str:
    """The command that gives this layout again, on any machine."""
    words = ["magicert pack"]
    if options["source"] is not None:
        words.append(f"--from {options['source'].name}")
    else:
        words.append(f"--scheme {options['scheme']}")
        words += [
            f"--{name.replace('_', '-')} {options[name]}"
            for name in ("rook_bits", "bishop_bits")
            if options[name] is not None
        ]
        words += [f"--{name}" for name in ("half", "apart", "private") if options[name]]
        if not options["fixed_shift"]:
            words.append("--square-shifts")
        if refills is not None:
            words.append(f"--refills {refills}")
        if options["pieces"] != "both":
            words.append(f"--pieces {options['pieces']}")
    words.append(f"--seed {options['seed']} --workers {options['workers']} --rounds {rounds}")
    words.append("--budget 24h")  # no limit on any machine
    return " ".join(words)
