"""A record made anew: the command of its file, by the code of its commit, and its numbers compared.

A command names its seed, its rounds and its rounds of refilling, so it ends by counts and never by
a clock, and its numbers are the same on every machine. Two things they do rest on: the versions of
numpy and numba that the file says, and the last digit of a logarithm of the C library.
"""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.outcome import HasOutcome, OutcomeKind
from magicert.problem import InputError, Problem
from magicert.table import Provenance, Table, read_table

CHECKOUT = Path(__file__).parents[2]
OUTPUT = "made.toml"
REPEATED, NOT_TRIED, NOT_WHOLE = "repeated", "not tried", "not whole"
KINDS = (REPEATED, NOT_TRIED, NOT_WHOLE)
"""What the text of a record's `replay` begins with: made anew with the same numbers; expected to
be, and not tried; or why its command does not give it."""


@dataclass(frozen=True, slots=True)
class Replayed(HasOutcome):
    """What came of it: the `differing` parts of the two tables."""

    record: Path
    differing: tuple[str, ...]

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind.INVALID if self.differing else OutcomeKind.VALID


def replayed(record: Path, python: str) -> Replayed:
    """Make a record anew in a folder of its own, with a Python that has the libraries.

    Raises InputError where its file says that its command does not give it, or where the command
    fails.
    """
    table = read_table(record).table
    provenance = table.provenance
    if not provenance.command or kind_of(provenance) == NOT_WHOLE:
        raise InputError([Problem(provenance.replay, key=record.stem)])
    with TemporaryDirectory() as folder:
        code = CHECKOUT if not provenance.commit else _checkout(provenance.commit, Path(folder))
        made = Path(folder) / OUTPUT
        words = [python, "-P", "-m", *_module(provenance.command), "-o", str(made)]
        environment = os.environ | {"PYTHONPATH": str(code)}
        done = subprocess.run(words, cwd=code, env=environment, check=False)
        made = second if (second := made.with_stem(f"{made.stem}-two-level")).exists() else made
        if not made.exists():
            message = f"no table was written (exit status {done.returncode})"
            raise InputError([Problem(message, key=provenance.command)])
        return Replayed(record, tuple(differences(record, made)))


def kind_of(provenance: Provenance) -> str:
    """Which of KINDS a record's `replay` is; "" where it is none."""
    return next((kind for kind in KINDS if provenance.replay.startswith(f"{kind}:")), "")


def _module(command: str) -> list[str]:
    """The words of a command behind `python -m`."""
    words = shlex.split(command)
    return words[2:] if words[0] == "python" else words


def _checkout(commit: str, folder: Path) -> Path:
    """The code of a commit, as a folder."""
    packed, code = folder / "code.tar", folder / "code"
    git = ["git", "-C", str(CHECKOUT), "archive", "--output", str(packed), commit]
    try:
        subprocess.run(git, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        message = "its code is not here: expected a git clone with all commits"
        raise InputError([Problem(message, key=f"commit {commit}")]) from error
    shutil.unpack_archive(packed, code, filter="data")
    return code


def differences(record: Path, made: Path) -> Iterator[str]:
    """What differs, but for the table's name and provenance. A finished buffer is compared where
    the record has it.
    """
    first, second = read_table(record).table, read_table(made).table
    if _numbers(first) != _numbers(second):
        yield f"the numbers ({second.buffer_size:,} entries)"
    files = zip(_buffers(first), _buffers(second), strict=True)
    for name, (ours, theirs) in zip(("numbers", "words"), files, strict=False):
        if ours is None:
            continue
        if (
            theirs is None
            or record.with_name(ours).read_bytes() != made.with_name(theirs).read_bytes()
        ):
            yield f"the finished buffer of {name}"


def _buffers(table: Table) -> tuple[str | None, str | None]:
    two_level = table.two_level
    return table.literal, None if two_level is None else two_level.literal_words


def _numbers(table: Table) -> Table:
    """A table without its name, provenance and the names of its finished buffers."""
    pieces = {
        name: replace(piece, literal=None, literal_sets=None)
        for name, piece in table.pieces.items()
    }
    levels = None if table.two_level is None else replace(table.two_level, literal_words=None)
    return replace(
        table, name="", provenance=Provenance(), literal=None, two_level=levels, pieces=pieces
    )
