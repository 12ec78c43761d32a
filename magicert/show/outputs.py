"""Files and folders that a question writes: never its input, nor what is not magicert's."""

import re
from collections.abc import Iterable
from pathlib import Path

from magicert.problem import InputError, Problem

MARK = re.compile(
    rb"Written by magicert |"  # emitted sources, tables
    rb"^# What is known about the magics|"  # atlases
    rb'"format": ?"magicert-|'  # reports of verify
    rb'"driver": ?\{\s*"name": ?"magicert"|'  # its SARIF
    rb"\A(c )?magicert (cover|proof|leaves) ",
    re.MULTILINE,
)
"""What a file of magicert's says near its top."""
HEAD = 4096
"""Bytes that are its top."""
XZ = b"\xfd7zXZ\x00"
"""How a packed file begins: its top is what is packed in it."""


def check_output(output: Path, inputs: Iterable[Path | None], *, force: bool) -> None:
    """Look at where a command is to write, before it does its work.

    Raises InputError where there is no such folder, where that is one of its inputs or will be
    (a ledger), and, unless `force`, where a file stands that magicert did not write.
    """
    if str(output) == "-":
        raise _refused(output, "cannot be written to standard output: expected a file's name")
    if not output.parent.is_dir():
        raise _refused(output.parent, "no such folder")
    refuse_overwriting(output, inputs)
    if not output.exists():
        return
    if output.is_dir():
        raise _refused(output, "is a folder: expected a file")
    if output.is_file() and not force and not _is_ours(output):
        message = "exists, and magicert did not write it: choose another name, or add --force"
        raise _refused(output, message)


def check_folder(folder: Path, *, force: bool) -> None:
    """InputError unless the folder is new or empty, or `force`."""
    if folder.exists() and not folder.is_dir():
        raise _refused(folder, "is a file: expected a folder")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise _refused(folder, "is not empty: choose a new folder, or add --force")
    if not folder.absolute().parent.is_dir():
        raise _refused(folder, "the folder above it does not exist")


def refuse_overwriting(output: Path, inputs: Iterable[Path | None]) -> None:
    """InputError where a file is one of the inputs."""
    if any(path is not None and _same(path, output) for path in inputs):
        raise _refused(output, "is an input: choose another file for the output")


def _same(first: Path, second: Path) -> bool:
    if first.exists() and second.exists():
        return first.samefile(second)
    return first.resolve() == second.resolve()


def _is_ours(path: Path) -> bool:
    """Whether magicert wrote it; an empty file is nobody's, and may be written."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith(XZ):
        import lzma

        from magicert.verify.cover.file import first_bytes

        try:
            head = first_bytes(path, HEAD)
        except lzma.LZMAError:
            return False
    return not head or MARK.search(head) is not None


def _refused(output: Path, message: str) -> InputError:
    return InputError([Problem(message, file=str(output))])
