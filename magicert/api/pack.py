"""The smallest buffer that can be found in a given time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from magicert.api.tables import file_of
from magicert.arguments import (
    Arguments,
    choice,
    flag,
    path_of,
    seconds_of,
    text,
    whole_number,
)
from magicert.chess import Piece
from magicert.data import find_table
from magicert.outcome import Impossible, Observer, Unknown, watched_by
from magicert.problem import InputError, Problem, libraries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from magicert.api.sets import SetQuestion
    from magicert.compact.job import PackJob, PackSettings
    from magicert.outcome import Watch
    from magicert.table import TableFile

SCHEMES = ("white", "black", "constant")
PIECES = ("both", *(piece.value for piece in Piece))
BITS = (1, 13)
"""Index bits of a square."""
LEVEL_BITS = (8, 16)
"""Bits of the numbers of a two-level table."""
MOST_EXACT, MOST_WORKERS = 12, 1024
OF_A_START = (
    "scheme", "rook_bits", "bishop_bits", "apart", "private", "fixed_shift", "pieces",
)  # fmt: skip
"""What counts only from nothing, and says which record may be begun with."""
OF_A_RUN_FROM_NOTHING = ("pools", "refills")
"""What counts only from nothing, and is of no use to whoever begins with a record."""

WITHOUT_EFFECT = (
    "output", "seconds", "two_level", "limit", "cluster", "exact", "name", "pools",
)  # fmt: skip
"""What the call in a table's provenance does not say, or says by itself."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The smallest buffer that was found: its length in `entries`, and the `path` of its file."""

    entries: int
    path: Path

    @property
    def table(self) -> TableFile:
        """The table of that file, which was verified before it was written."""
        return file_of(self.path)


def pack(
    output: str | PathLike[str],
    seconds: float = 600.0,
    *,
    source: str | PathLike[str] | None = None,
    from_nothing: bool = False,
    resume: bool = False,
    scheme: str = "black",
    rook_bits: int | None = None,
    bishop_bits: int | None = None,
    apart: bool = False,
    private: bool = False,
    fixed_shift: bool = True,
    pieces: str = "both",
    pools: str | PathLike[str] | None = None,
    refills: int | None = None,
    two_level: int | str | None = None,
    seed: int = 1,
    workers: int = 1,
    rounds: int | None = None,
    limit: int | None = None,
    cluster: str = "",
    exact: int | None = None,
    name: str | None = None,
    observer: Observer | None = None,
) -> Packed | Impossible | Unknown:
    """Pack all attack sets into the smallest buffer that `seconds` allow.

        packed = magicert.pack("smaller.toml", 60, source="shakmaty")
        print(packed.entries)

    `output` is the table file: it always holds the best so far, verified, with its certificate
    beside it (NAME.certificate.json). What stood there is written over. If nothing shorter than the
    table that it began with was found, no file is written, and the answer is Unknown; it is written
    all the same if the table is within `limit`, with `two_level`, and if `rounds` is 0.

    Where a run begins: with the table `source` (a table file, an engine's source, or the name of
    one that ships; if its squares share no entries, packing starts afresh with its scheme and
    shifts); with the output of an earlier run, if it is
    there and `resume` is true; without either with the shortest record that ships of the scheme,
    bits and pieces that are wanted, or with nothing where there is none such, and if
    `from_nothing`. The table may be one of another board or other pieces, which `find_set` makes:
    then `two_level` is about the file that is written itself.

    What is wanted from nothing: `scheme` (white, black, or constant: a free constant), 12 bits for
    every rook and 9 for every bishop, `rook_bits` and `bishop_bits`, or with `fixed_shift` false
    as many as the mask of each square; `apart` is a buffer for each piece, `private` no overlap at
    all, `pieces` both, rook or bishop. `pools` is a file that keeps the magics, `refills` the
    rounds of refilling pages (else most of the time).

    How long: `seconds`, `rounds`, or until there are no more than `limit` entries. A round has
    `workers`; they work on this machine, or on a Dask `cluster` at tcp://..., with the same result
    for the same `seed`, workers and rounds.

    With `two_level` 8 or 16 a second file OUTPUT-two-level.toml has entries of so many bits.
    `exact` proves how short so many of the smallest squares alone can be (OR-tools, a minute more).
    `name` is the table's. `observer` sees how far the work is.

    Impossible says why no buffer can be so short, Unknown that the time was not enough. Raises
    InputError for wrong values, and for a table that cannot be packed; KeyboardInterrupt where
    Ctrl-C comes before there is a table, else the best so far is the result.
    """
    read = Arguments()
    settings = {
        "output": read.read("output", output, _output),
        "seconds": read.read("seconds", seconds, seconds_of),
        "scheme": read.read("scheme", scheme, lambda value: choice(value, SCHEMES)),
        "rook_bits": read.optional("rook_bits", rook_bits, lambda n: whole_number(n, *BITS)),
        "bishop_bits": read.optional("bishop_bits", bishop_bits, lambda n: whole_number(n, *BITS)),
        "apart": read.read("apart", apart, flag),
        "private": read.read("private", private, flag),
        "fixed_shift": read.read("fixed_shift", fixed_shift, flag),
        "pieces": read.read("pieces", pieces, lambda value: choice(value, PIECES)),
        "pools": read.optional("pools", pools, path_of),
        "refills": read.optional("refills", refills, lambda n: whole_number(n, 0)),
        "two_level": read.optional("two_level", two_level, _level_bits),
        "seed": read.read("seed", seed, lambda n: whole_number(n, 0)),
        "workers": read.read("workers", workers, lambda n: whole_number(n, 1, MOST_WORKERS)),
        "rounds": read.optional("rounds", rounds, lambda n: whole_number(n, 0)),
        "limit": read.optional("limit", limit, lambda n: whole_number(n, 1)),
        "cluster": read.read("cluster", cluster, text),
        "exact": read.optional("exact", exact, lambda n: whole_number(n, 1, MOST_EXACT)),
        "name": read.optional("name", name, text),
    }
    table = read.optional("source", source, lambda value: find_table(str(path_of(value))))
    read.read("from_nothing", from_nothing, flag)
    read.read("resume", resume, flag)
    read.refuse()
    with libraries():
        from magicert.compact.job import DAY, Found, Interrupted, PackSettings

        watch = watched_by(observer)
        begun_settings = begun(
            PackSettings(**settings), table, from_nothing=from_nothing, resume=resume, watch=watch
        )

        def call(rounds: int, refills: int | None) -> str:
            arguments = {**settings, "rounds": rounds, "refills": refills, "seconds": DAY}
            return _call(begun_settings, None if source is None else fspath(source), arguments)

        outcome = job_of(replace(begun_settings, command=call), watch).outcome()
        if isinstance(outcome, Interrupted):
            raise KeyboardInterrupt
        return (
            Packed(outcome.entries, begun_settings.output)
            if isinstance(outcome, Found)
            else outcome
        )


def job_of(settings: PackSettings, watch: Watch) -> PackJob:
    """The run for a table of chess's rooks and bishops, or for one of any board."""
    if settings.from_set or (settings.source and not settings.source.table.is_chess()):
        from magicert.compact.boards import BoardJob

        return BoardJob(settings, watch)
    from magicert.compact.plain import PlainJob

    return PlainJob(settings, watch)


def begun_with_set(
    settings: PackSettings, question: SetQuestion, *, resume: bool, watch: Watch
) -> PackSettings | Impossible | Unknown:
    """The settings with a set of magics that is found for the run, or with the output that is
    there; or why there is no set.
    """
    from magicert.api.sets import SetFound, search_set
    from magicert.table import parse_table, read_table

    problems = [*_not_to_be_packed(question, settings.two_level)]
    if problems:
        raise InputError(problems)

    if resume and settings.output.exists():
        source = read_table(settings.output)
        if source.table.board != question.geometry:
            message = f"a table of {source.table.extent}: expected one of {question.geometry}"
            raise InputError([Problem(message, file=str(settings.output))])
        wanted = question.form.parts_of(question.movements)
        there = {name: piece.movement for name, piece in source.table.pieces.items()}
        if there != wanted:
            message = f"a table of {', '.join(there)}: expected one of {', '.join(wanted)}"
            raise InputError([Problem(message, file=str(settings.output))])
        return replace(settings, source=source, resumed=True, from_set=True)
    with watch(question.title, "squares") as observer:
        result = search_set(question, observer)
    if isinstance(result, SetFound):
        source = parse_table(result.text.encode(), settings.output)
        return replace(settings, source=source, from_set=True)
    (piece, square), outcome = next(iter(result.missing.items()))
    where = f"{piece} {result.board.name(square)}"
    if isinstance(outcome, Impossible):
        return Impossible(f"{where}: {outcome.argument}", evidence=outcome.evidence)
    return Unknown(f"{where}: no magic found")


def _not_to_be_packed(question: SetQuestion, entry_bits: int | None) -> Iterator[Problem]:
    """What is wrong with a set, as far as that can be said before it is searched."""
    from magicert.api.forms import attack_sets
    from magicert.compact.boards import too_narrow, too_wide
    from magicert.movement import least_mask

    board = question.geometry
    yield from too_wide(board)
    for name, movement in question.movements.items():
        if not any(least_mask(board, movement, square) for square in board.playable):
            message = "nothing blocks it, so it has one attack set a square and nothing to pack"
            yield Problem(message, key=f"--piece {name}")
    parts = question.form.parts_of(question.movements) if entry_bits is not None else {}
    for name, movement in parts.items():
        most = max(attack_sets(board, movement))
        if entry_bits is not None and most > 1 << entry_bits:
            yield too_narrow(entry_bits, most, name)


def _output(value: str | PathLike[str] | None) -> Path:
    if value is None or value == "":
        raise ValueError("expected the path of the table file to write")
    return path_of(value)


def _level_bits(value: int | str) -> int:
    return int(choice(str(value), tuple(map(str, LEVEL_BITS))))


def _call(settings: PackSettings, source: str | None, arguments: dict[str, Any]) -> str:
    """The call of Python that gives a layout again."""
    usual = pack.__kwdefaults__ or {}
    shown: dict[str, Any] = {}
    if settings.resumed:
        shown["resume"] = True
    elif settings.source is not None:
        shown["source"] = settings.record or source
    else:
        shown["from_nothing"] = True
    unread = () if settings.source is None else OF_A_START
    unwritten = {*unread, *WITHOUT_EFFECT}
    always = {"scheme", "seed", "workers"}
    shown |= {
        key: value
        for key, value in arguments.items()
        if key not in unwritten and (key in always or value != usual[key])
    }
    words = [repr(settings.output.name), *(f"{key}={value!r}" for key, value in shown.items())]
    return f"magicert.pack({', '.join(words)}, seconds={arguments['seconds']:g})"


def begun(
    settings: PackSettings, source: Path | None, *, from_nothing: bool, resume: bool, watch: Watch
) -> PackSettings:
    """The settings with the table that a run begins with: `source`, the output that is there, or a
    record that ships.

    Raises InputError for settings that contradict each other, and for a table that cannot be read.
    """
    from magicert.compact.plain import fitting_record
    from magicert.verify.source.read import table_from

    if from_nothing and source is not None:
        raise InputError([Problem("--from-nothing cannot be combined with --from")])
    settings.refuse_conflicts()
    if resume and settings.output.exists():
        return replace(settings, source=table_from(settings.output, watch), resumed=True)
    if source is not None:
        return replace(settings, source=table_from(source, watch))
    from_nothing_only = [
        name for name in OF_A_RUN_FROM_NOTHING if getattr(settings, name) is not None
    ]
    record = None if from_nothing or from_nothing_only else fitting_record(settings)
    if record is None:
        if not from_nothing:
            why = (
                f"--{from_nothing_only[0]} is only for packing from nothing"
                if from_nothing_only
                else "no record fits"
            )
            with watch("packing", "") as observer:
                observer.say(f"{why}: starting afresh, as with --from-nothing")
        return settings
    name, file = record
    return replace(settings, source=file, record=name)
