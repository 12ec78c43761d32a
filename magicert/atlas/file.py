"""The atlas as TOML."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from magicert.atlas.cells import Atlas
from magicert.atlas.entry import Entry, SchemeName
from magicert.board import square_name
from magicert.problem import InputError, Problem
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole


class _File(msgspec.Struct, forbid_unknown_fields=True):
    cell: list[Entry]
    scheme: SchemeName = "white"
    as_of: str = ""
    looked_through: list[str] = []


def read_atlas(path: Path) -> Atlas:
    """Read an atlas. Raises InputError with every problem."""
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _File)
        atlas = Atlas(file.cell, file.scheme, file.as_of, tuple(file.looked_through))
        problems = [*_twice(file.cell), *atlas.problems()]
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    except (ValueError, msgspec.ValidationError) as error:
        raise InputError([Problem(f"no atlas: {error}", file=str(path))]) from None
    if problems:
        raise InputError([Problem(problem, file=str(path)) for problem in problems])
    return atlas


def _twice(entries: list[Entry]) -> Iterator[str]:
    """Cells that are there more than once: which of them counts?"""
    for key, count in Counter(entry.key for entry in entries).items():
        if count > 1:
            yield f"{key[0]} {square_name(key[1])}, {-key[2]} bits: is there {count} times"


def atlas_toml(atlas: Atlas) -> str:
    """An atlas as TOML, most bits first."""
    lines = [
        f"# What is known about the magics of the {atlas.scheme} scheme, square by square.",
        "# docs/atlas.md explains the keys; `magicert atlas` draws it.",
    ]
    if atlas.scheme != "white":
        lines += ["", f"scheme = {quoted(atlas.scheme)}"]
    if atlas.as_of or atlas.looked_through:
        lines += [
            "",
            f"as_of = {quoted(atlas.as_of)}",
            *_list("looked_through", atlas.looked_through),
        ]
    for entry in atlas:
        lines += ["", "[[cell]]", *_keys(msgspec.to_builtins(entry))]
    return "\n".join(lines) + "\n"


def _keys(values: dict[str, Any]) -> Iterator[str]:
    """The keys of a cell; its range is a table of its own, the last."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield f"[cell.{name}]"
            yield from _keys(value)
        elif isinstance(value, list):
            yield from _list(name, value)
        else:
            yield f"{name} = {quoted(value) if isinstance(value, str) else value}"


def _list(name: str, texts: Iterable[str]) -> list[str]:
    """Texts, one on a line."""
    return [f"{name} = [", *(f"  {quoted(text)}," for text in texts), "]"]


def write_atlas(path: Path, atlas: Atlas) -> None:
    """Write an atlas, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, atlas_toml(atlas))
