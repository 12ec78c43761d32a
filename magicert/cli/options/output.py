"""Files that a command writes: never over its input, nor over a file that is not magicert's."""

import re
from collections.abc import Iterable
from pathlib import Path

import rich_click as click

from magicert.problem import InputError, Problem

MARK = re.compile(rb"Written by magicert |^magicert = \d", re.MULTILINE)
"""What a file of magicert's says near its top: emitted sources, and tables."""
HEAD = 4096
"""Bytes that are its top."""

FORCE = click.option("--force", is_flag=True, help="Overwrite a file that magicert did not write.")


def check_output(output: Path, inputs: Iterable[Path], *, force: bool) -> None:
    """Look at where a command is to write, before it does its work.

    Raises InputError where that is one of its inputs, and, unless `force`, where a file stands
    that magicert did not write.
    """
    if not output.exists():
        return
    if any(path.exists() and path.samefile(output) for path in inputs):
        raise _refused(output, "is the input: expected another file for the output")
    if output.is_file() and not force:
        with output.open("rb") as file:
            head = file.read(HEAD)
        if head and not MARK.search(head):
            message = "exists and magicert did not write it: expected another name, or --force"
            raise _refused(output, message)


def _refused(output: Path, message: str) -> InputError:
    return InputError([Problem(message, file=str(output))])
