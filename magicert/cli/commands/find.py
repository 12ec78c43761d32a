"""`magicert find` and `magicert disprove`: ask an engine about one cell."""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece
from magicert.cli.commands.find_set import check_usage, run, set_options
from magicert.cli.options.types import SquareType, values_by_name
from magicert.engine import ENGINES, load

if TYPE_CHECKING:
    from magicert.cell import Cell


def duration(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Seconds from "90", "90s", "10m" or "2h"."""
    if value is None:
        return None
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    number, unit = (value[:-1], units[value[-1]]) if value[-1:] in units else (value, 1.0)
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise click.BadParameter(f"{value!r}: expected a time such as 90s, 10m or 2h")
    return seconds


def cell_arguments(required: bool) -> Callable[[Any], Any]:
    """PIECE and SQUARE."""
    piece = click.argument(
        "piece", type=click.Choice([piece.value for piece in Piece]), required=required
    )
    square = click.argument("square", type=SquareType(), required=required)
    return lambda function: piece(square(function))


def cell_options(function: Any) -> Any:  # noqa: ANN401
    """The options that `find` and `disprove` share."""
    for decorate in reversed(
        (
            click.option("--bits", type=int, help="Index bits; popcount(mask) if not given."),
            click.option("--scheme", default="white", show_default=True, help="Or a formula."),
            click.option("--largest-index", type=int, help="Largest index allowed."),
            click.option(
                "--engine", type=click.Choice(list(ENGINES)),
                help="Default: trial; where magics are rare or a proof is wanted, window or z3.",
            ),
            click.option("--timeout", callback=duration, metavar="TIME", help="90s, 10m, 2h."),
            click.option("--memory", type=click.IntRange(min=64), help="Limit, in MiB."),
            click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True),
            click.option("--workers", type=click.IntRange(1, 1024), default=1, show_default=True),
            click.option(
                "--ledger", metavar="FILE",
                help="Keeps what is done: the same command resumes (window, sat).",
            ),
            click.option(
                "--cluster", metavar="tcp://...", help="Run the shards on a Dask cluster (window)."
            ),
            click.option(
                "--option", "-O", "given", multiple=True, metavar="NAME=VALUE",
                help="An option of the engine; -O help lists them.",
            ),
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


@click.command("find")
@cell_arguments(required=False)
@cell_options
@click.option("--all", "everything", is_flag=True, help="All magics of the cell.")
@set_options
def command(**options: Any) -> None:  # noqa: ANN401
    """Find a magic for one square, or prove that there is none; or a whole set.

    \b
    magicert find rook e4
    magicert find bishop d8 --bits 4
    magicert find --set -o table.toml
    magicert find --set --piece rook --scheme two-halves --fixed-shift -o table.toml

    Interrupted, a set prints what it has and keeps it beside the output; the same command
    resumes from there.

    Exit status: 0 found, 1 proved impossible, 2 bad input, 3 unknown.
    """
    check_usage(options)
    if options["whole_set"]:
        show_engine_options(options)
        sys.exit(run(options))
    sys.exit(_settle({**options, "proof": options["everything"]}).exit_status)


@click.command("disprove")
@cell_arguments(required=True)
@cell_options
def disprove(**options: Any) -> None:  # noqa: ANN401
    """Prove that a square has no magic of so many bits, or find one.

    \b
    magicert disprove bishop d1 --bits 4

    Exit status: 0 proved impossible, 1 a magic exists, 2 bad input, 3 unknown.
    """
    status = _settle({**options, "everything": False, "proof": True}).exit_status
    sys.exit({0: 1, 1: 0}.get(status, status))


def default_engine(cell: "Cell", proof: bool) -> str:
    """Trial finds at once where magics are common; where they are rare or a proof is wanted,
    the window search if it has the scheme, or else Z3.
    """
    if not proof and cell.bits >= cell.c and cell.largest_index is None:
        return "trial"
    return "window" if cell.scheme.name in ("white", "black") else "z3"


def show_engine_options(options: dict[str, Any]) -> None:
    """Answer `-O help`, and exit."""
    if "help" in options["given"]:
        for option in load(options["engine"] or "trial").OPTIONS:
            click.echo(f"{option.name}={option.default}  {option.help}")
        sys.exit(0)


def _texts(options: dict[str, Any]) -> dict[str, str]:
    """The values given for the engine's options, by name."""
    own = {name: options[name] for name in ("ledger", "cluster") if options[name]}
    return values_by_name(options["given"]) | own


def _settle(options: dict[str, Any]) -> Any:  # noqa: ANN401
    from magicert.cell import Cell, first_conflict
    from magicert.engine import Request, option_values
    from magicert.outcome import Exists
    from magicert.scheme import resolve_scheme

    show_engine_options(options)
    piece = Piece(options["piece"])
    cell = Cell(
        scheme=resolve_scheme(options["scheme"]),
        piece=piece,
        square=options["square"],
        bits=options["bits"] if options["bits"] is not None else -1,
        largest_index=options["largest_index"],
    )
    if options["bits"] is None:
        cell = Cell(cell.scheme, piece, cell.square, cell.c, cell.fixed, cell.largest_index)
    cell.check()
    name = options["engine"] or default_engine(cell, options["proof"])
    engine = load(name)
    request = Request(
        cell=cell,
        everything=options["everything"],
        seconds=options["timeout"],
        memory=options["memory"],
        seed=options["seed"],
        workers=options["workers"],
        options=option_values(engine, _texts(options)),
    )
    started = time.monotonic()
    with CommandObserver(f"{name}: {cell}") as observer:
        outcome = engine.solve(request, observer)
    if isinstance(outcome, Exists):
        # Not trusted, whoever says so: checked once more by the plain reading.
        for magic in outcome.magics[:100]:
            conflict = first_conflict(cell, magic)
            if conflict is not None:
                raise AssertionError(f"{name} reported {magic:#x}, but {conflict} conflict")
    show_outcome(str(cell), outcome, time.monotonic() - started)
    return outcome


class CommandObserver:
    """Shows an engine's progress on stderr, and its messages as lines."""

    def __init__(self, doing: str, unit: str = "") -> None:
        from magicert.cli.display.progress import ProgressDisplay

        self.display = ProgressDisplay(doing, unit)

    def __enter__(self) -> "CommandObserver":
        self.display.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401
        self.display.__exit__(*error)

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        """Pass on to the display."""
        self.display(done, total, note)

    def say(self, message: str) -> None:
        """One line on stderr."""
        click.echo(message, err=True)


def show_outcome(what: str, outcome: Any, seconds: float) -> None:  # noqa: ANN401
    """The outcome in words: the first line is for grep, the rest are figures."""
    from magicert.outcome import Exists, Impossible

    match outcome:
        case Exists():
            click.echo(f"EXISTS {what}")
            for magic in outcome.magics:
                click.echo(f"  magic {magic:#018x}")
            if outcome.complete:
                click.echo(f"  these are all {len(outcome.magics):,}, up to the LCM period")
            elif outcome.progress:
                click.echo(f"  not all of them: {outcome.progress}")
        case Impossible():
            click.echo(f"IMPOSSIBLE {what}")
            click.echo(f"  {outcome.argument}")
            click.echo(f"  certificate: {outcome.certificate or 'none'}")
        case _:
            click.echo(f"UNKNOWN {what}")
            click.echo(f"  {outcome.reason}{': ' if outcome.progress else ''}{outcome.progress}")
    figures = {**outcome.figures, "seconds": seconds}
    shown = (
        f"{name} {value:,.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in figures.items()
    )
    click.echo(f"  {', '.join(shown)}")
