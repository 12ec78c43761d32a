"""Files that a command writes: never over its input, nor over a file that is not magicert's."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from magicert.problem import InputError, Problem
from magicert.requests.request import option

MARK = re.compile(
    rb"Written by magicert |"  # emitted sources, tables
    rb"^# What is known about the magics|"  # atlases
    rb'"format": ?"magicert-|'  # reports of verify
    rb'"driver": ?\{\s*"name": ?"magicert"|'  # its SARIF
    rb"\A(c )?magicert (cover|proof) ",
    re.MULTILINE,
)
"""What a file of magicert's says near its top."""
HEAD = 4096
"""Bytes that are its top."""
XZ = b"\xfd7zXZ\x00"
"""How a packed file begins: its top is what is packed in it."""

force = partial(option, False, "Overwrite a file that magicert did not write.", seldom=True)
as_json = partial(option, False, "Print one JSON document.", flags=("--json",))


@dataclass(frozen=True, slots=True)
class Force:
    """The option --force."""

    force: bool = force()


@dataclass(frozen=True, slots=True)
class Json:
    """The option --json."""

    as_json: bool = as_json()


def check_output(output: Path, inputs: Iterable[Path | None], *, force: bool) -> None:
    """Look at where a command is to write, before it does its work.

    Raises InputError where there is no such folder, where that is one of its inputs or will be
    (a ledger), and, unless `force`, where a file stands that magicert did not write.
    """
    if not output.parent.is_dir():
        raise _refused(output.parent, "no such folder")
    if any(path is not None and _same(path, output) for path in inputs):
        raise _refused(output, "is the input: expected another file for the output")
    if not output.exists():
        return
    if output.is_dir():
        raise _refused(output, "is a folder: expected a file")
    if output.is_file() and not force and not _is_ours(output):
        message = "exists and magicert did not write it: expected another name, or --force"
        raise _refused(output, message)


def _same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def _is_ours(path: Path) -> bool:
    """Whether magicert wrote it; an empty file is nobody's, and may be written."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith(XZ):
        import lzma

        try:
            with lzma.open(path) as packed:
                head = packed.read(HEAD)
        except (lzma.LZMAError, EOFError):
            return False
    return not head or MARK.search(head) is not None


def _refused(output: Path, message: str) -> InputError:
    return InputError([Problem(message, file=str(output))])
