"""How long the lookups of tables take, as engines are compiled and with warm caches."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from magicert.compact.emit import prepare_table
from magicert.compact.timing.boards import program_of_board
from magicert.compact.timing.games import POSITIONS, write_lookups
from magicert.compact.timing.programs import NotCompiledError, TimedWay, WrongError, program_of
from magicert.problem import InputError, Problem
from magicert.table.files import TableFile

AS_RELEASED = "-O2 -DPIECES=2 -DKINDS=1"
"""Without -march=native, as released engines leave it out; no queens, and nothing that waits."""
PASSES = 40
"""Passes over all lookups in one turn of a table."""


@dataclass(frozen=True, slots=True)
class Speed:
    """One table's figures: entries, bytes of all buffers, ns per lookup by kind of positions: of
    the best turn, and of the median one.
    """

    name: str
    entries: int
    bytes: int
    nanoseconds: dict[str, float]
    medians: dict[str, float]

    @property
    def unsteady(self) -> float:
        """How much longer the median turn took than the best, as a part of that, at the worst."""
        return max(self.medians[kind] / best - 1 for kind, best in self.nanoseconds.items())


def speeds(
    files: Sequence[TableFile], games: Path, folder: Path, compiler: str, turns: int
) -> list[Speed]:
    """Measure tables in turns, in a folder for temporary files: all pieces of a table alike.
    Whatever else the machine does can only slow a turn down.

    Raises InputError where a table cannot be emitted, or where one answers wrongly, and for tables
    of chess beside others: their lookups differ.
    """
    others = [file for file in files if not file.table.is_chess()]
    if others:
        if len(others) < len(files):
            (chess, *_) = (file for file in files if file.table.is_chess())
            message = "a table of chess beside one of other pieces: expected a run for each"
            raise InputError([Problem(message, file=str(chess.path))])
        return _board_speeds(files, folder, compiler, turns)
    lookups = folder / "lookups"
    write_lookups(lookups, games)
    programs = []
    for number, file in enumerate(files):
        way = TimedWay(f"table_{number}", file.path.stem, "", str(file.path))
        try:
            programs.append(program_of(way, file, folder, compiler, AS_RELEASED))
        except (NotCompiledError, WrongError) as error:
            raise InputError([Problem(str(error), file=str(file.path))]) from None
    times: list[dict[str, list[float]]] = [{kind: [] for kind in POSITIONS} for _ in files]
    for _ in range(turns):
        for program, figures in zip(programs, times, strict=True):
            rows = program.measure(lookups, 0, [0] * PASSES)
            for kind, turn in figures.items():
                turn.append(fmean(float(ns) for positions, *_, ns in rows if positions == kind))
    return [
        Speed(
            file.path.stem, prepare_table(file, "").entries, program.table_bytes,
            {kind: min(turn) for kind, turn in figures.items()},
            {kind: median(turn) for kind, turn in figures.items()},
        )
        for file, program, figures in zip(files, programs, times, strict=True)
    ]  # fmt: skip


def _board_speeds(
    files: Sequence[TableFile], folder: Path, compiler: str, turns: int
) -> list[Speed]:
    """Tables of other boards, by random positions: nobody has their games."""
    programs = [
        program_of_board(file, f"table_{number}", folder, compiler)
        for number, file in enumerate(files)
    ]
    times: list[list[float]] = [[] for _ in files]
    for _ in range(turns):
        for program, seconds in zip(programs, times, strict=True):
            seconds.append(program.measure(PASSES))
    return [
        Speed(
            file.path.stem, program.entries, program.bytes, {POSITIONS[0]: min(seconds)},
            {POSITIONS[0]: median(seconds)},
        )
        for file, program, seconds in zip(files, programs, times, strict=True)
    ]  # fmt: skip
