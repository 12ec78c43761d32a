"""Packing tables that are not plain, and making records anew."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.commands.command import Answer, command, option, recorded_command, refuse
from magicert.commands.options import TABLE, WholeNumber, seed
from magicert.commands.pack import (
    BEGINNING,
    HOW_LONG,
    answer,
    fixed_shift,
    how_long,
    options,
    recorded_run,
    refills,
    refuse_files,
    resume,
    scheme,
    written,
)
from magicert.problem import Problem
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.compact.job import PackSettings
    from research.packing.layered_job import PackedInLayers
    from research.packing.overlaid_job import Overlaid

source = option(
    "--from", "source", type=TABLE, metavar="TABLE", panel=BEGINNING, help="Improve this table."
)
beginning, ending = options(source, resume, scheme), options(refills, how_long, written)


def settings_of(
    output: Path, source: Path | None, *, resume: bool, force: bool, **more: Any,  # noqa: ANN401
) -> "PackSettings":  # fmt: skip
    """The settings of a run, once its files have been looked at."""
    from magicert.compact.job import PackSettings
    from magicert.verify.source.read import table_from

    settings = PackSettings(output=output, command=recorded_run, **more)
    settings.refuse_conflicts()
    refuse_files(settings, [None if resume else source], resume=resume, force=force)
    given = output if resume and output.exists() else source
    file = None if given is None else table_from(given, ProgressDisplay)

    def again(rounds: int, refills: int | None) -> str:
        unread = () if given is None else ("scheme", "fixed_shift")
        return recorded_run(rounds, refills, source=given, resume=False, **dict.fromkeys(unread))

    return replace(settings, source=file, resumed=given == output, command=again)


@command("layered", force=True)
@beginning
@fixed_shift
@ending
def layered(**given: Any) -> Answer:  # noqa: ANN401
    """Pack several squares into one entry: attacks = entry & line (research/packing/layered.md).

    The best table so far is always on disk, verified, with its certificate.

        python -m research.packing layered --budget 10m -o layered.toml
        python -m research.packing layered --from layered_48036 --budget 1h -o smaller.toml

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from research.packing.layered_job import LayeredJob

    settings = settings_of(**given)
    outcome = LayeredJob(settings, ProgressDisplay).outcome()
    return answer(outcome, settings.output, layered_lines, layered_figures)


def layered_lines(found: "PackedInLayers", output: str, picture: str) -> Iterator[str]:
    """What came of it."""
    layout = found.layout
    yield (
        f"{output}: {layout.length:,} entries (layered, {layout.scheme}); "
        f"{found.used:,} used; {found.rounds} rounds, stopped: {found.stopped}"
    )
    yield f"  {picture}: a map of the buffer"


def layered_figures(found: "PackedInLayers") -> Mapping[str, Any]:
    """The same as data."""
    layout = found.layout
    return {"scheme": layout.scheme, "entries": layout.length, "used": found.used}


@command("overlaid", force=True)
@beginning
@ending
def overlaid(**given: Any) -> Answer:  # noqa: ANN401
    """Pack into two levels: bytes, and words that several squares share
    (research/packing/layered.md).

    The best table so far is always on disk, verified, with its certificate.

        python -m research.packing overlaid --budget 20m -o levels.toml
        python -m research.packing overlaid --from two_level_79593 --resume --budget 1h -o x.toml

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from research.packing.overlaid_job import OverlaidJob

    if given["scheme"] == "white" and given["source"] is None:
        refuse([Problem("--scheme white: expected --from as well")])
    settings = settings_of(**given)
    outcome = OverlaidJob(settings, ProgressDisplay).outcome()
    return answer(outcome, settings.output, overlaid_lines, overlaid_figures)


def overlaid_lines(found: "Overlaid", output: str, picture: str) -> Iterator[str]:
    """What came of it."""
    yield (
        f"{output}: {found.bytes:,} bytes in both levels ({found.layout.scheme}): "
        f"{found.entries:,} entries, {found.words:,} words"
    )
    yield (
        f"  a word serves {found.demand / found.words:.1f} attack sets, "
        f"{128 - found.parties} pairs of rooks share bytes; "
        f"{found.rounds} rounds, stopped: {found.stopped}"
    )
    yield f"  {picture}: a map of the bytes"


def overlaid_figures(found: "Overlaid") -> Mapping[str, Any]:
    """The same as data."""
    return {
        "scheme": found.layout.scheme,
        "bytes": found.bytes,
        "entries": found.entries,
        "words": found.words,
    }


@command("replay")
@click.argument("record", metavar="RECORD", type=TABLE)
@option("--python", default=sys.executable, help="The Python to run: with its commit's libraries.")
def replay(record: Path, python: str) -> Answer:
    """Make a record of tables/records anew, by the command and the commit of its file.

        python -m research.packing replay black_two_level

    Its numbers are compared with those of the file. A commit's code comes from the git clone.

    Exit status: 0 the same numbers, 1 others, 2 bad input, or a record of which its file says
    that no command gives it.
    """
    from research.packing.replay import replayed

    made = replayed(record, python)
    found = ", ".join(made.differing) or "the same numbers"
    lines = [f"{record.stem}: {found}"]
    return Answer(made.kind, lines, lambda: {"record": record.stem, "differing": made.differing})


@command("exact", force=True)
@option(
    "--from",
    "source",
    type=TABLE,
    metavar="TABLE",
    default="black",
    show_default=True,
    always=True,
    panel=BEGINNING,
    help="Begin with the pages of this plain table, of black.",
)
@option(
    "--rounds",
    type=WholeNumber(0),
    metavar="N",
    default=100,
    show_default=True,
    always=True,
    panel=HOW_LONG,
    help="Draw pages and choose some N times.",
)
@option(
    "--libraries",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    recorded=False,
    panel=BEGINNING,
    help="Write what may be chosen to this file, or read it from there.",
)
@seed(panel=HOW_LONG)
@written
def exact(
    source: Path,
    rounds: int,
    libraries: Path | None,
    seed: int,
    output: Path,
    name: str | None,
    *,
    force: bool,
) -> Answer:
    """Choose pages of rooks and bands of bishops by an exact solver (compact/README.md).

        python -m research.packing exact --rounds 200 -o smaller.toml

    Exit status: 0 a table was written, 3 not all squares got a place, 2 bad input.
    """
    from magicert.compact.job import PackSettings, save
    from magicert.compact.layouts import from_table
    from magicert.compact.progress import Workers
    from magicert.table import read_table
    from research.packing import exact as solving

    settings = PackSettings(output=output, seed=seed, name=name)
    refuse_files(settings, [source], resume=False, force=force)
    layout = from_table(read_table(source))
    with ProgressDisplay("choosing", "") as observer:
        workers = Workers(
            progress=lambda phase, done, total, note: observer.progress(
                done, total, f"{phase.doing}: {note}"
            )
        )
        made = solving.libraries(layout, seed, libraries, workers)
        found = solving.solved(made, layout, seed, rounds, workers)
    if found.layout is not None:
        save(found.layout, settings, recorded_command(), f"from {source.stem}")
    figures = solving.figures(found, made)
    return Answer(
        found.kind, [f"{what}: {value:,}" for what, value in figures.items()], lambda: figures
    )
