"""Engine sources: which paths they are, and how they are judged."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem, printable

if TYPE_CHECKING:
    from magicert.verify.source.readings.judgement import Judgement
    from magicert.verify.source.readings.pins import Pins

_LONG_NUMBER = re.compile(rb"(?:0[xX]|\$|#x)[0-9a-fA-F_']{7,}|\d{10,}|[0-9a-fA-F]{16}")


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """Source files read together, and what came of them."""

    paths: tuple[Path, ...]
    result: "Judgement | InputError"

    @property
    def verdict(self) -> str:
        """The judgement's verdict, or "bad input"."""
        return "bad input" if isinstance(self.result, InputError) else self.result.verdict

    @property
    def name(self) -> str:
        """The files, for people."""
        return printable(" and ".join(map(str, self.paths)))


def is_source(path: Path) -> bool:
    """Anything but a table file is read as source: its ending says in which language."""
    return path.suffix.lower() != ".toml" and str(path) != "-" and not path.is_dir()


def sources_below(folder: Path) -> list[Path]:
    """The sources in a folder with enough long numbers for a table."""
    from magicert.verify.source.languages.language import known_endings
    from magicert.verify.source.lists.material import LARGEST

    endings = set(known_endings())
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in endings or not path.is_file():
            continue
        if path.stat().st_size <= LARGEST and len(_LONG_NUMBER.findall(path.read_bytes())) >= 64:
            found.append(path)
    return found


def read_sources(paths: Iterable[Path]) -> list[tuple[Path, bytes]]:
    """Source files with what is in them. Raises InputError with all that cannot be read."""
    from magicert.verify.source.lists.material import read_bytes

    found: list[tuple[Path, bytes]] = []
    problems: list[Problem] = []
    for path in paths:
        if path.is_file() and not is_source(path):
            message = "is a table file: expected an engine's source"
            problems.append(Problem(message, file=str(path)))
            continue
        try:
            found.append((path, read_bytes(path)))
        except InputError as error:
            problems += error.problems
        except OSError as error:
            problems.append(Problem(f"cannot be read: {error.strerror}", file=str(path)))
    if problems:
        raise InputError(problems)
    return found


def judge_sources(
    paths: Sequence[Path],
    pins: "Pins | None",
    max_lookups: int,
    watch: Watch,
    together: bool = False,
) -> list[CheckedSource]:
    """Each source by itself; all as one if one of them has no whole table of its own.

    With `together` they are one from the start.
    """
    if len(paths) == 1 or together:
        return [_judged(paths, pins, max_lookups, watch)]
    alone = [_judged([path], pins, max_lookups, watch) for path in paths]
    if all(_is_whole(checked) for checked in alone):
        return alone
    joined = _judged(paths, pins, max_lookups, watch)
    if isinstance(joined.result, InputError):
        # Files that have nothing to do with each other: what each one says is clearer.
        return alone
    return [joined]


def _beside(paths: Sequence[Path]) -> "Pins | None":
    """What a file beside the source says of its board and lists: magic.h.toml beside magic.h."""
    files = [path.with_name(f"{path.name}.toml") for path in paths]
    if not any(file.is_file() for file in files):
        return None
    from magicert.verify.source.readings.asked import pins_in, says_pins

    found = [file for file in files if file.is_file() and says_pins(file)]
    return pins_in(found[0]) if found else None


def _is_whole(checked: CheckedSource) -> bool:
    if isinstance(checked.result, InputError):
        return False
    return all(
        len(reading.table.pieces) > 1 or not reading.table.is_chess()
        for reading in [*checked.result.valid, *checked.result.nearest]
    )


def _judged(
    paths: Sequence[Path], pins: "Pins | None", max_lookups: int, watch: Watch
) -> CheckedSource:
    from magicert.verify.source.readings.judge import judge

    names = tuple(paths)
    try:
        files = read_sources(paths)
        pins = pins if pins is not None else _beside(paths)
        with watch(f"reading {paths[0].name}", "lookups") as observer:
            judgement = judge(files, pins, max_lookups=max_lookups, progress=observer.progress)
        return CheckedSource(names, judgement)
    except InputError as error:
        return CheckedSource(names, error)
