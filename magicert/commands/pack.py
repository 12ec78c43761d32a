"""`magicert pack`: the smallest buffer that can be found in a given time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from magicert.api.pack import (
    BITS,
    LEVEL_BITS,
    MOST_EXACT,
    OF_A_START,
    PIECES,
    SCHEMES,
    begun,
    begun_with_set,
    job_of,
)
from magicert.commands.command import (
    Answer,
    command,
    given_options,
    only_with,
    option,
    recorded_command,
    refuse,
)
from magicert.commands.options import (
    FILE,
    TABLE,
    Choice,
    PieceName,
    WholeNumber,
    board,
    cluster,
    seed,
    workers,
)
from magicert.commands.options import budget as shared_budget
from magicert.commands.options import form as form_option
from magicert.commands.options import masks as masks_option
from magicert.data import record_tables
from magicert.outcome import Impossible, Unknown
from magicert.problem import Problem, printable
from magicert.show.outputs import check_output
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.board import Board
    from magicert.compact.job import Found, Interrupted, PackSettings

    PackOutcome = Found | Interrupted | Impossible | Unknown

BEGINNING, NOTHING = "Where to begin", "From nothing"
HOW_LONG, WRITTEN = "How long", "What is written"
Lines = Callable[[Any, str, str], Iterator[str]]
"""Lines about what was found, the name of the output, and that of the picture."""
Figures = Callable[[Any], Mapping[str, Any]]
Decorator = Callable[[Any], Any]

# Options that research/packing has, too. Their order is that of the command in a provenance.


def options(*decorators: Decorator) -> Decorator:
    """Several options as one decorator."""

    def decorate(work: Any) -> Any:  # noqa: ANN401
        for decorator in reversed(decorators):
            work = decorator(work)
        return work

    return decorate


resume = option(
    "--resume", is_flag=True, panel=BEGINNING, help="Continue with the output file, if it exists."
)
scheme = option(
    "--scheme", type=Choice(SCHEMES), default="black", show_default=True, panel=NOTHING,
    always=True, help="The index formula, also of the record to begin with (constant: white with a "
    "free added constant); with --board white.",
)  # fmt: skip
fixed_shift = option(
    "--fixed-shift/--square-shifts", default=True, show_default=True, panel=NOTHING, seldom=True,
    help="One shift for all squares (12 bits for rooks, 9 for bishops, or the widest mask), or as "
    "many bits as each mask has.",
)  # fmt: skip
refills = option(
    "--refills", type=WholeNumber(0), metavar="N", panel=NOTHING, seldom=True,
    help="With a fixed shift: rounds of refilling pages. If not given, most of the budget.",
)  # fmt: skip
how_long = options(
    seed(panel=HOW_LONG),
    workers(panel=HOW_LONG, seldom=False, always=True, recorded=True),
    option("--rounds", type=WholeNumber(0), metavar="N", panel=HOW_LONG, seldom=True,
           help="Stop after N rounds."),
    shared_budget(panel=HOW_LONG, default="10m", show_default=True, always=True, recorded=True),
    option("--limit", type=WholeNumber(1), metavar="N", panel=HOW_LONG, seldom=True,
           recorded=False, help="Stop at N entries; exit with 3 if none so short is found."),
    cluster(panel=HOW_LONG, help="Let a Dask cluster do the work of a round's --workers."),
)  # fmt: skip
written = options(
    option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
           default="packed.toml", show_default=True, metavar="FILE", panel=WRITTEN, recorded=False,
           help="The table file; its certificate and a picture of the buffer are written beside "
           "it."),
    option("--name", metavar="TEXT", panel=WRITTEN, seldom=True, recorded=False,
           help="The table's name; the output file's if not given."),
)  # fmt: skip


@command("pack", force=True)
@option("--from", "source", type=TABLE, metavar="TABLE", panel=BEGINNING,
        help="Improve this table. If its squares share no entries, packing starts afresh with its "
        "scheme.")  # fmt: skip
@option("--from-nothing", is_flag=True, panel=BEGINNING,
        help="Start afresh, not from the record that ships.")  # fmt: skip
@resume
@scheme
@option("--rook-bits", type=WholeNumber(*BITS), panel=NOTHING, seldom=True,
        help="Index bits of every rook.")  # fmt: skip
@option("--bishop-bits", type=WholeNumber(*BITS), panel=NOTHING, seldom=True,
        help="Index bits of every bishop.")  # fmt: skip
@option("--apart", is_flag=True, panel=NOTHING, seldom=True, help="One buffer for each piece.")
@option("--private", is_flag=True, panel=NOTHING, seldom=True,
        help="No shared entries at all, for comparison.")  # fmt: skip
@fixed_shift
@board(panel=BEGINNING)
@option("--piece", "pieces", type=PieceName(called=True, others=("both",)), multiple=True,
        default=("both",), metavar="PIECE", panel=BEGINNING,
        help="rook or bishop; both if not given. With --board: each piece, as in "
        "cannon=pR.")  # fmt: skip
@form_option(panel=BEGINNING, type=Choice(["whole", "lines"]),
             help="Of a --board: whole pieces, or each line by itself: one lookup for each line, "
             "far fewer bytes.")  # fmt: skip
@masks_option(panel=BEGINNING)
@option("--pools", type=FILE, metavar="FILE", panel=NOTHING, seldom=True, recorded=False,
        help="Keep found magics in this file, and begin with those in it.")  # fmt: skip
@refills
@how_long
@option("--two-level", type=Choice([*map(str, LEVEL_BITS)]), panel=WRITTEN,
        help="Also write OUTPUT-two-level.toml: entries of so many bits that number attack "
        "sets. With --board, or a table of one: the table itself.")  # fmt: skip
@option("--exact", type=WholeNumber(1, MOST_EXACT), metavar="N", panel=WRITTEN, seldom=True,
        recorded=False, help="Also prove how short the N smallest squares alone can be (OR-tools, "
        "60 s more).")  # fmt: skip
@written
def run(
    output: Path, source: Path | None, from_nothing: bool, resume: bool, two_level: str | None,
    board: "Board | None", form: str | None, masks: str | None, pieces: tuple[str, ...],
    force: bool, **more: Any,  # noqa: ANN401
) -> Answer:  # fmt: skip
    """Pack all attack sets into the smallest shared buffer that the budget allows.

    Whatever is shorter than the table that packing begins with is written at once, verified,
    with its certificate; if nothing is, no file is written. A file that is there already stays,
    unless --resume or --force is given. The same seed, workers and rounds give the same layout;
    --budget only limits the rounds.

        magicert pack --budget 10m --workers 2
        magicert pack --scheme white --budget 1h -o mine.toml
        magicert pack --from shakmaty --budget 1h -o shorter.toml
        magicert pack --from mine.toml --resume --budget 8h -o mine.toml
        magicert pack --from-nothing --budget 1h --workers 2
        magicert pack --board 9x10 --piece rook --piece cannon --budget 1h

    Without --from packing begins with the shortest record that ships and fits the options.
    With --from-nothing the first layout takes some minutes: allow at least ten.

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from magicert.compact.boards import BoardFound
    from magicert.compact.job import PackSettings
    from magicert.compact.plain import PlainJob

    refuse(problems_of(board, pieces))
    levels = None if two_level is None else int(two_level)
    chess = "both" if board is not None or len(set(pieces)) > 1 else pieces[0]
    settings = PackSettings(output=output, two_level=levels, pieces=chess, **more)
    settings.refuse_conflicts()
    inputs = [settings.pools, None if resume else source]
    refuse_files(settings, inputs, resume=resume, force=force)
    if board is None:
        settings = begun(
            settings, source, from_nothing=from_nothing, resume=resume, watch=ProgressDisplay
        )
    else:
        from magicert.api.forms import form_of
        from magicert.api.sets import SetQuestion

        shape = form_of(form, False, masks, settings.fixed_shift)
        asked = SetQuestion(
            pieces, board=board, form=shape, seed=settings.seed, workers=settings.workers
        )
        with_set = begun_with_set(settings, asked, resume=resume, watch=ProgressDisplay)
        if not isinstance(with_set, PackSettings):
            return answer(with_set, output, plain_lines, plain_figures)
        settings = with_set
    job = job_of(settings, ProgressDisplay)

    def again(rounds: int, refills: int | None) -> str:
        changed: dict[str, Any] = {"resume": settings.resumed}
        if settings.from_set:
            changed["scheme"] = None
        else:
            unread = () if settings.source is None else OF_A_START
            changed |= {"from_nothing": settings.source is None, **dict.fromkeys(unread)}
            if isinstance(job, PlainJob):
                changed["two_level"] = None
        if settings.record:
            changed["source"] = record_tables()[settings.record]
        return recorded_run(rounds, refills, **changed)

    job.settings = replace(settings, command=again)
    outcome = job.outcome()
    if isinstance(outcome, BoardFound):
        return answer(outcome, output, board_lines, board_figures)
    return answer(outcome, output, plain_lines, plain_figures)


OF_CHESS = ("from_nothing", "rook_bits", "bishop_bits", "apart", "private", "pools", "refills")
"""Options of packing chess's rooks and bishops, and no others."""


def problems_of(board: "Board | None", pieces: tuple[str, ...]) -> list[Problem]:
    """What cannot be asked together."""
    if board is None:
        problems = only_with("--board", "form", "masks")
        others = [piece for piece in pieces if piece not in PIECES]
        return problems + [Problem("needs --board", key=f"--piece {piece}") for piece in others]
    flags = given_options(("source", *OF_CHESS))
    ctx = click.get_current_context()
    scheme = ctx.params["scheme"]
    if ctx.get_parameter_source("scheme") is ParameterSource.COMMANDLINE and scheme != "white":
        flags.append(f"--scheme {scheme}")
    problems = [Problem(f"{flag} cannot be combined with --board") for flag in flags]
    if "both" in pieces:
        problems.append(Problem("--board needs --piece, such as --piece rook --piece cannon=pR"))
    return problems


def refuse_files(
    settings: "PackSettings", inputs: Iterable[Path | None], *, resume: bool, force: bool
) -> None:
    """Look at the files that are to be written. Raises InputError for one that is an input as well,
    that magicert did not write, or that took long.
    """
    output, read = settings.output, list(inputs)
    for path in settings.outputs:
        check_output(path, read, force=force)
    if not resume and not force and output.is_file() and output.stat().st_size:
        message = "exists: add --resume to continue with it, or --force, or choose another name"
        refuse([Problem(message, file=str(output))])


def recorded_run(rounds: int, refills: int | None, **changed: Any) -> str:  # noqa: ANN401
    """The command that gives a layout again, after so many rounds."""
    from magicert.compact.job import DAY

    return recorded_command(rounds=rounds, refills=refills, seconds=DAY, **changed)


# What came of it. research/packing says what its tables are by lines and figures of its own.


def answer(outcome: "PackOutcome", output: Path, lines: Lines, figures: Figures) -> Answer:
    """What came of it, with a drawing of the buffer beside the table. `lines` and `figures` say
    what was found, as text and as data.
    """
    from magicert.compact.job import Found
    from magicert.show.buffers import write_map

    picture = write_map(output) if isinstance(outcome, Found) else None
    shown = _lines(outcome, printable(output), printable(picture), lines)
    return Answer(outcome.kind, shown, lambda: _data(outcome, output, picture, figures))


def _lines(outcome: "PackOutcome", output: str, picture: str, lines: Lines) -> Iterator[str]:
    from magicert.compact.job import Interrupted

    match outcome:
        case Impossible():
            yield f"IMPOSSIBLE {outcome.argument}"
            return
        case Unknown():
            yield f"UNKNOWN {outcome.reason}"
            return
        case Interrupted():
            nothing = "interrupted: nothing was written yet"
            yield _resumes(output) if outcome.on_disk else nothing
            return
    yield from lines(outcome, output, picture)
    if outcome.stopped == "interrupted":
        yield _resumes(output)
    elif not outcome.within_limit:
        yield f"UNKNOWN {outcome.shortfall}"


def _resumes(output: str) -> str:
    return f"interrupted: {output} has the best so far (--resume continues)"


def plain_lines(packed: Any, output: str, picture: str) -> Iterator[str]:  # noqa: ANN401
    """What came of packing a plain table."""
    layout = packed.layout
    yield (
        f"{output}: {layout.length:,} entries ({layout.scheme}), from {packed.first:,}; "
        f"{layout.used_slots:,} used, {layout.holes:,} holes, "
        f"{layout.used_slots / layout.length:.1%} full"
    )
    yield (
        f"  {packed.rounds} rounds, stopped: {packed.stopped}; at least {layout.least:,} entries "
        f"are needed with these magics, {packed.bound:,} with any"
    )
    if packed.exact is not None:
        yield f"  {packed.exact}"
    yield f"  {picture}: a map of the buffer"
    if packed.second is not None:
        second = packed.second
        yield f"{printable(second.path)}: {second.bytes:,} bytes in both levels"
    if packed.anew is not None:
        if packed.anew:
            yield "  no two squares of the given table share an entry: packed with new magics"
        else:
            yield "  no improvement found yet: try a longer --budget"
    if packed.record and layout.length >= packed.first:
        yield f"  nothing shorter found: this is the record {packed.record}, which ships"
    if packed.shorter is not None:
        name, length = packed.shorter
        yield f"  shorter: {name}, which ships, has {length:,} entries"


def _data(
    outcome: "PackOutcome", output: Path, picture: Path | None, figures: Figures
) -> dict[str, Any]:
    """The outcome ("packed", "interrupted", "impossible", "unknown"), and the table if any."""
    from magicert.compact.job import Interrupted

    if isinstance(outcome, Impossible):
        return {"outcome": "impossible", "argument": outcome.argument}
    if isinstance(outcome, Unknown):
        return {"outcome": "unknown", "reason": outcome.reason}
    if isinstance(outcome, Interrupted):
        saved = str(output) if outcome.on_disk else None
        return {"outcome": "interrupted", "output": saved}
    word = "packed" if outcome.within_limit else "unknown"
    if outcome.stopped == "interrupted":
        word = "interrupted"
    rest = {
        "rounds": outcome.rounds,
        "stopped": outcome.stopped,
        "limit": outcome.limit,
        "picture": picture and str(picture),
    }
    return {"outcome": word, "output": str(output), **figures(outcome), **rest}


def plain_figures(packed: Any) -> dict[str, Any]:  # noqa: ANN401
    """The same as data."""
    layout, second, shorter = packed.layout, packed.second, packed.shorter
    return {
        "scheme": layout.scheme,
        "entries": layout.length,
        "used": layout.used_slots,
        "holes": layout.holes,
        "first": packed.first,
        "bound": packed.bound,
        "exact": None if packed.exact is None else str(packed.exact),
        "two_level": second and {"output": str(second.path), "bytes": second.bytes},
        "record": packed.record or None,
        "shorter": shorter and {"table": shorter[0], "entries": shorter[1]},
    }


def board_lines(packed: Any, output: str, picture: str) -> Iterator[str]:  # noqa: ANN401
    """What came of packing a table of any board."""
    layout, bits = packed.layout, packed.layout.levels.entry_bits
    entries = f"{layout.length:,} entries"
    if bits is not None:
        entries += f" of {bits} bits, which number {len(layout.levels.attacks):,} words"
    yield f"{output}: {layout.bytes:,} bytes, from {packed.first:,}"
    yield (
        f"  {entries}, from {packed.slots:,}; {layout.used_slots:,} used, {layout.holes:,} holes, "
        f"{layout.used_slots / layout.length:.1%} full"
    )
    unit = "" if bits is None else " bytes"
    yield (
        f"  {packed.rounds} rounds, stopped: {packed.stopped}; at least {layout.least:,} entries "
        f"are needed with these magics, {packed.bound:,}{unit} by any table of this form"
    )
    if packed.exact is not None:
        yield f"  {packed.exact}"
    yield f"  {picture}: a map of the buffer"


def board_figures(packed: Any) -> dict[str, Any]:  # noqa: ANN401
    """The same as data."""
    layout = packed.layout
    return {
        "board": str(layout.table.board),
        "entries": layout.length,
        "entry_bits": layout.levels.entry_bits,
        "words": layout.levels.entry_bits and len(layout.levels.attacks),
        "bytes": layout.bytes,
        "used": layout.used_slots,
        "holes": layout.holes,
        "first": {"entries": packed.slots, "bytes": packed.first},
        "least": layout.least,
        "bound": packed.bound,
        "exact": None if packed.exact is None else str(packed.exact),
    }
