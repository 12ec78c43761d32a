"""What stands in for headers of C and C++ that are not here, as a flag says.

    error: 'tbprobe.h' file not found     ->  -- --stand-in=tbprobe.h      an empty file
    error: 'intrin.h' file not found      ->  -- --stand-in=intrin.h       stand_in_headers/intrin.h

An attack function seldom needs what a header of tablebases, a network or a window has: if the
source compiles with an empty one, nothing of it was needed, but for what its macros may change.
Windows' own <intrin.h> has a stand-in with a few of its functions. A compiler looks there last, so
a header that is there is taken. A certificate names them among what is assumed.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.problem import InputError, Problem

FOLDER = Path(__file__).with_name("stand_in_headers")
STAND_IN = "--stand-in="
_NAME = re.compile(r"\w[\w.+-]*(?:/\w[\w.+-]*)*")
_SEARCHED_LAST = "-idirafter"


def flag_for(header: str) -> str:
    """The flag with which something stands in for a header; "" for a name that leads elsewhere."""
    return STAND_IN + header if _NAME.fullmatch(header) and ".." not in header else ""


def stand_in_headers_of(flags: Sequence[str]) -> list[str]:
    """The headers for which something stands in."""
    return [flag.removeprefix(STAND_IN) for flag in flags if flag.startswith(STAND_IN)]


def as_compilers_take_them(flags: Sequence[str]) -> list[str]:
    """The same flags as a compiler knows them: each such flag as a folder that is searched last.
    Raises InputError for one that names no header.
    """
    return [word for flag in flags for word in _as_taken(flag)]


def _as_taken(flag: str) -> Iterator[str]:
    if not flag.startswith(STAND_IN):
        yield flag
        return
    if not flag_for(header := flag.removeprefix(STAND_IN)):
        message = f"expected the name of a header, such as {STAND_IN}tbprobe.h"
        raise InputError([Problem(message, key=flag)])
    yield from (_SEARCHED_LAST, str(_folder_with(header)))


@cache
def _folder_with(header: str) -> Path:
    if (FOLDER / header).is_file():
        return FOLDER
    folder = Path(_made_folder().name) / header.replace("/", "@")
    place = folder / header
    place.parent.mkdir(parents=True)
    place.touch()
    return folder


@cache
def _made_folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="magicert-headers-")


def with_stand_ins_shown(command: str, flags: Sequence[str]) -> str:
    """The words of a command with these flags, as the user gave them."""
    for header in stand_in_headers_of(flags):
        if flag_for(header):
            command = command.replace(f"{_SEARCHED_LAST} {_folder_with(header)}", STAND_IN + header)
    return command


def assumed_of_headers(flags: Sequence[str]) -> Iterator[str]:
    """What is assumed of them."""
    for header in stand_in_headers_of(flags):
        if (FOLDER / header).is_file():
            yield f"the functions of {header} do what those of magicert's stand-in do"
        else:
            yield f"{header}, which is not here, changes nothing: an empty file stands in for it"
