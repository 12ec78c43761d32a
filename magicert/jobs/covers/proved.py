"""Leaves as they are made, into the checker that Coq has proved right (proofs/)."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from magicert.problem import InputError, Problem
from magicert.verify.cover.file import Certificate

if TYPE_CHECKING:
    from magicert.search.shards.pipe import Pipe

NAME = "magicert-proved"
BUILT = Path(__file__).parents[3] / "build" / "proved" / NAME
"""Where `make proved` puts it in a checkout."""


@dataclass(slots=True)
class Said:
    """What the proved checker says in the end: its exit status, and its line."""

    status: int = 2
    line: str = ""


def program() -> Path:
    """Where the proved checker is. Raises InputError where it is not."""
    if found := shutil.which(NAME):
        return Path(found)
    if BUILT.exists():
        return BUILT
    message = "not found: make proved compiles it (proofs/README.md); put it on the PATH"
    raise InputError([Problem(message, file=NAME)])


@contextmanager
def piped(certificate: Certificate, settled: Path | None) -> Iterator[tuple["Pipe", Said]]:
    """A pipe into the checker for a certificate's shards, and what it says when that is closed.
    With `settled` it adds a line to that file for each shard.

    A checker that refuses a leaf hears no more: what is written then raises BrokenPipeError,
    which ends the block.
    """
    from magicert.search.shards.pipe import Pipe

    header = certificate.header
    if not (header.piece and header.square):
        message = "--proved is for squares: the proved checker knows no keys"
        raise InputError([Problem(message, file=str(certificate.path))])
    said = Said()
    keep = [] if settled is None else ["--settled", str(settled)]
    command = [str(program()), *keep, "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            pipe = Pipe(process.stdin, msgspec.to_builtins(header))
            yield pipe, said
            pipe.end()
        with suppress(BrokenPipeError):
            process.stdin.close()
        said.line = process.stdout.readline().decode().strip()
        said.status = process.wait()
