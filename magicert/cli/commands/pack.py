"""`magicert pack`: the smallest buffer that can be found in a given time."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.board import Piece
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import TABLE, DurationType, NearChoice
from magicert.cli.options.work import JSON, SEED, WORKERS, file_option, options
from magicert.problem import printable

if TYPE_CHECKING:
    from magicert.jobs.packing.pack import Packed, Packing

BEGINNING = options(
    click.option(
        "--from", "source", type=TABLE,
        help="Improve this table; under its scheme from nothing if its squares share nothing.",
    ),
    click.option(
        "--layered", is_flag=True, help="Several squares in one entry: attacks = entry & line."
    ),
    click.option("--resume", is_flag=True, help="Go on from the output file, if it is there."),
    click.option(
        "--pieces", type=NearChoice(["both", *(piece.value for piece in Piece)]), default="both",
        show_default=True, help="Which pieces to pack.",
    ),
    panel="Where to begin",
)  # fmt: skip
BITS = click.IntRange(1, 13)
FROM_NOTHING = options(
    click.option(
        "--scheme", type=NearChoice(["white", "black", "constant"]), default="black",
        show_default=True, help="The index formula (constant: a free constant).",
    ),
    click.option(
        "--fixed-shift/--square-shifts", default=True, show_default=True,
        help="12 bits for every rook and 9 for every bishop, or c bits a square.",
    ),
    click.option("--rook-bits", type=BITS, help="Index bits of every rook."),
    click.option("--bishop-bits", type=BITS, help="Index bits of every bishop."),
    click.option(
        "--half", is_flag=True,
        help="Ranks 1-4 only; lookups for the others swap the ranks (bytes).",
    ),
    click.option("--apart", is_flag=True, help="One buffer for each piece."),
    click.option("--private", is_flag=True, help="No overlap at all (fancy), for comparison."),
    file_option("--pools", help="Keep the magics here, and use those it has."),
    click.option(
        "--refills", type=click.IntRange(min=0), metavar="N",
        help="With a fixed shift: rounds of refilling pages; else most of the budget.",
    ),
    panel="From nothing (without --from)",
)  # fmt: skip
HOW_LONG = options(
    click.option(
        "--budget", "seconds", type=DurationType(), default="10m", show_default=True,
        help="Stop after 90s, 10m or 2h.",
    ),
    click.option("--rounds", type=click.IntRange(min=0), help="Stop after so many rounds."),
    click.option("--limit", type=click.IntRange(min=1), help="The longest length that will do."),
    SEED, WORKERS,
    click.option(
        "--cluster", default="", metavar="tcp://...",
        help="Let a Dask cluster do the work of a round's --workers.",
    ),
    panel="How long",
)  # fmt: skip
RESULTS = options(
    click.option(
        "--two-level", type=click.Choice(["8", "16", "overlaid"]),
        help="Also write OUTPUT-two-level.toml: entries of so many bits that number attack sets. "
        "overlaid: OUTPUT has bytes, and words that several squares share.",
    ),
    click.option(
        "--exact", type=click.IntRange(1, 12), metavar="N",
        help="Also prove how short the N smallest squares alone can be (OR-tools, 60 s more).",
    ),
    click.option("--name", help="The table's name; the output file's if not given."),
    file_option(
        "-o", "--output", default=Path("packed.toml"),
        help="The table file; its certificate and a picture of the buffer are written beside it.",
    ),
    JSON, FORCE, panel="What is written",
)  # fmt: skip


@click.command("pack")
@BEGINNING
@HOW_LONG
@RESULTS
@FROM_NOTHING
def command(**given: Any) -> None:  # noqa: ANN401
    """Pack all attack sets into the smallest shared buffer that the budget allows.

    The best layout so far is always on disk, verified, with its certificate. The same
    seed, workers and rounds give the same layout; --budget only limits the rounds.

        magicert pack --budget 10m --workers 2
        magicert pack --scheme white --budget 1h -o mine.toml
        magicert pack --from shakmaty --budget 1h -o shorter.toml
        magicert pack --from mine.toml --resume --budget 8h -o mine.toml
        magicert pack --layered --budget 10m -o layered.toml
        magicert pack --two-level overlaid --budget 20m -o levels.toml
        magicert pack --budget 1h --workers 32 --cluster tcp://host:8786

    From nothing the first layout takes some minutes; a smaller budget ends before it.

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from magicert.cli.display.documents import echo_json
    from magicert.cli.display.packing import pack_json
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.packing.pack import Interrupted, Packed, pack
    from magicert.outcome import Impossible, Unknown
    from magicert.show.buffers import write_map

    as_json = given.pop("as_json")
    check_outputs(given)
    if given.pop("layered"):
        from magicert.cli.display.layered import pack_layered_command

        sys.exit(pack_layered_command(given, as_json=as_json))
    if given["two_level"] == "overlaid":
        from magicert.cli.display.overlaid import pack_overlaid_command

        sys.exit(pack_overlaid_command(given, as_json=as_json))
    asked = packing_of(given)
    outcome = pack(asked, ProgressDisplay)
    picture = write_map(asked.output) if isinstance(outcome, Packed) else None
    if as_json:
        echo_json(pack_json(outcome, asked, picture))
        sys.exit(outcome.exit_status)
    match outcome:
        case Packed():
            show(outcome, asked, picture)
        case Interrupted():
            say_interrupted(asked.output if outcome.on_disk else None)
        case Impossible():
            click.echo(f"IMPOSSIBLE {outcome.argument}")
        case Unknown():
            click.echo(f"UNKNOWN {outcome.reason}")
    sys.exit(outcome.exit_status)


def check_outputs(given: dict[str, Any]) -> None:
    """Refuse to write over the table given, unless to go on with it, or over what is not
    magicert's.
    """
    output, source, force = given["output"], given["source"], given.pop("force")
    inputs = [given["pools"], None if given["resume"] else source]
    written = [output, output.with_suffix(".certificate.json"), output.with_suffix(".svg")]
    if given["two_level"] not in (None, "overlaid"):
        from magicert.compact.layouts.two_level import sidecars

        second = output.with_name(f"{output.stem}-two-level.toml")
        written += [second, second.with_suffix(".certificate.json")]
        if not second.exists():  # buffers say of themselves whose they are only through it
            written += sidecars(second, tuple(Piece))
    if output in written[1:]:
        raise click.UsageError(f"--output {output}: the map of the buffer goes there")
    for path in written:
        check_output(path, inputs, force=force)


def packing_of(given: dict[str, Any]) -> "Packing":
    """What the options ask for. Raises click.UsageError where they do not go together."""
    from magicert.jobs.packing.pack import Packing

    if given["two_level"] is not None and given["apart"]:
        raise click.UsageError("--two-level numbers one shared buffer: expected no --apart")
    if given["two_level"] is not None and given["half"]:
        raise click.UsageError("--two-level is for the whole board: expected no --half")
    pieces, numbers = given.pop("pieces"), given.pop("two_level")
    return Packing(
        pieces=tuple(Piece) if pieces == "both" else (Piece(pieces),),
        two_level=None if numbers is None else int(numbers),
        **given,
    )


def show(packed: "Packed", asked: "Packing", picture: Path | None) -> None:
    """What came of it."""
    layout = packed.layout
    click.echo(
        f"{printable(asked.output)}: "
        f"{layout.length:,} entries ({layout.scheme}), from {packed.first:,}; "
        f"{layout.used_slots:,} used, {layout.holes:,} holes, "
        f"{layout.used_slots / layout.length:.1%} full"
    )
    click.echo(
        f"  {packed.rounds} rounds, stopped: {packed.stopped}; these magics cannot go below "
        f"{layout.used_slots:,}, no magics below {packed.bound:,}"
    )
    if packed.exact is not None:
        click.echo(f"  {packed.exact}")
    if picture is not None:
        click.echo(f"  {printable(picture)}: a map of the buffer")
    if packed.second is not None:
        click.echo(f"{printable(packed.second.path)}: {packed.second.bytes:,} bytes in both levels")
    if packed.anew is not None:
        came = "packed from nothing" if packed.anew else "a start from nothing was not shorter yet"
        click.echo(f"  the given squares share nothing: {came} (same scheme and shifts)")
    if packed.shorter is not None:
        name, length = packed.shorter
        click.echo(f"  shorter: {name}, which ships, has {length:,} entries")
    if packed.stopped == "interrupted":
        say_interrupted(asked.output)
    elif not packed.within_limit:
        click.echo(
            f"UNKNOWN at most {packed.limit:,} entries: the shortest found has "
            f"{layout.length:,}; no proof that none is shorter"
        )


def say_interrupted(saved: Path | None) -> None:
    """What an interruption has left."""
    if saved is None:
        click.echo("interrupted before there was a layout")
    else:
        click.echo(f"interrupted: {saved} has the best so far (--resume goes on)")
