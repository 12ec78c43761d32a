"""Languages: a row of data each, in grammars.toml."""

import faulthandler
import os
import re
import signal
import sys
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

LARGEST = 1 << 24
"""Bytes of the largest source that is read."""
_FAMILIES: dict[str, dict[str, object]] = {
    "c": {"comments": ["//", "/* */"], "quotes": "\"'", "octal": True, "literals": "c"},
    "slash": {"comments": ["//", "/* */"], "quotes": '"'},
    "hash": {"comments": ["#"]},
}
_ASSEMBLYSCRIPT_TYPE = re.compile(r"(?:[:<]\s*|\bas\s+)[ui]64\b")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What the reader knows of a language: a row of grammars.toml, which says what each means."""

    name: str
    endings: tuple[str, ...] = ()
    grammar: str = ""
    family: str = ""
    comments: tuple[str, ...] = ()
    quotes: str = '"'
    literals: str = "plain"
    octal: bool = False
    numbers: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    separators: str = ","
    clauses: bool = False
    """An item may be a line: `magic 3 = 0x5`, `rookMagics=1,2`."""
    narrow: Mapping[str, int] = field(default_factory=dict)
    """Bits of the types that this language calls otherwise than others; below 0: signed."""
    directives: Mapping[str, int] = field(default_factory=dict)
    """Assembly's words before numbers, with their bits."""
    largest: int = 0
    """The bits of a plain literal, where there is no wider one; 0: no limit."""
    exact: tuple[str, ...] = ()
    """Suffixes of a literal that is as wide as it says."""

    @property
    def rounds(self) -> bool:
        """Are plain numbers doubles, unless a suffix says otherwise?"""
        return self.literals == "double"

    @property
    def is_c(self) -> bool:
        """C's preprocessor, apostrophes between digits, suffixes of the user's own."""
        return self.family == "c"

    def parser(self) -> "Parser | None":
        """The parser of its grammar; None where that is not installed, or there is none."""
        return _parser(self.grammar) if self.grammar else None


SPARE, A_LETTER = 200 << 20, 100
"""Bytes that a parse may need, and those that it may need for each letter."""


def parse_within(parser: "Parser", text: bytes, seconds: float) -> "Tree | None":
    """The syntax tree; None where that takes too much time or memory.

    On some texts of a few thousand letters a grammar takes minutes and gigabytes, between two calls
    of its callbacks. So a copy of this process parses it first, and is killed where it is too much.
    """
    started = time.process_time()
    if sys.platform != "win32" and hasattr(os, "fork") and not _survives(parser, text, seconds):
        return None

    def late(*_: object) -> bool:
        return time.process_time() - started > 2 * seconds

    try:
        return parser.parse(lambda start, _: text[start : start + 4096], progress_callback=late)
    except ValueError:
        parser.reset()
        return None


def _survives(parser: "Parser", text: bytes, seconds: float) -> bool:
    """Does a copy of this process parse the text within these bounds?"""
    import resource

    try:
        child = os.fork()
    except OSError:
        return True  # no copies here: the callback is all there is
    if child == 0:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            faulthandler.disable()  # where there is no memory: not a word of it
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            whole = max(1, round(seconds))
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
            pages = Path("/proc/self/statm")
            if pages.exists():
                size = int(pages.read_text().split()[0]) * resource.getpagesize()
                most = size + SPARE + A_LETTER * len(text)
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            parser.parse(text)
            os._exit(0)
        finally:
            os._exit(1)
    try:
        return os.waitpid(child, 0)[1] == 0
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


@cache
def _parser(grammar: str) -> "Parser | None":
    module, _, function = grammar.partition(".")
    if find_spec(module) is None or find_spec("tree_sitter") is None:
        return None
    import tree_sitter

    make = getattr(import_module(module), function or "language")
    return tree_sitter.Parser(tree_sitter.Language(make()))


def _row(name: str, row: dict[str, object]) -> Language:
    known = {**_FAMILIES.get(str(row.get("family", "")), {}), **row}
    return Language(
        name,
        **{key: tuple(v) if isinstance(v, list) else v for key, v in known.items()},  # type: ignore[arg-type]
    )


@cache
def _rows() -> tuple[dict[str, Language], dict[str, str]]:
    """The languages by name, and the kinds of nodes by their types."""
    document = tomllib.loads(Path(__file__).with_name("grammars.toml").read_text("utf-8"))
    nodes = document.pop("nodes")
    kinds = {node: kind for kind, text in nodes.items() for node in text.split()}
    return {name: _row(name, row) for name, row in document.items()}, kinds


def kinds() -> dict[str, str]:
    """What a node of a syntax tree is, by its type."""
    return _rows()[1]


PLAIN = Language("unknown language", comments=("//", "/* */"), quotes='"')


@cache
def _by_ending() -> dict[str, Language]:
    return {ending: row for row in _rows()[0].values() for ending in row.endings}


def language_of(path: PurePath, text: str = "") -> Language:
    """The language of a file, by its ending; PLAIN where the ending says nothing.

    A TypeScript file that names integers of 64 bits as a type is AssemblyScript.
    """
    found = _by_ending().get(path.suffix.lower(), PLAIN)
    if found.name == "TypeScript" and _ASSEMBLYSCRIPT_TYPE.search(text):
        return _rows()[0]["AssemblyScript"]
    return found


def known_endings() -> tuple[str, ...]:
    """All endings that stand for a language."""
    return tuple(_by_ending())


def ending_called(name: str) -> str | None:
    """The ending that stands for a language: .rs for rs, .rs, rust or Rust; else None."""
    called = name.lower().removeprefix(".")
    for row in _rows()[0].values():
        if called in (row.name.lower(), *row.also):
            return row.endings[0] if row.endings else ".ts"
    return f".{called}" if f".{called}" in _by_ending() else None
