"""Which line of a TOML file a key stands on: the TOML reader itself does not say.

This walks over text that a real TOML reader judges; it finds places, not errors,
except that it also notices a key that is defined twice, so that all of those can be
reported. Where the text is not TOML it stops and keeps what it has.
"""

import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NoReturn

KeyPath = tuple[str | int, ...]
"""A key path with list positions: ("rook", "magic", 3)."""

_KEY = re.compile(
    r"""(?P<bare>[A-Za-z0-9_-]+)|"(?P<basic>(?:[^"\\\n]|\\.)*)"|'(?P<literal>[^'\n]*)'"""
)
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:[^"\\\n]|\\.)*"|' r"'[^'\n]*'",
    re.DOTALL,
)
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_SCALAR = re.compile(r"[^\s,\]}#=\[{]+(?: [0-9][^\s,\]}#]*)?")
_MAX_NESTING = 60
_MAX_PARTS = 20


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key or section that was already defined: characters [start, end) define it again."""

    path: KeyPath
    first_line: int
    line: int
    start: int
    end: int


@dataclass(slots=True)
class Places:
    """The line of every key path found, and the duplicates.

    `too_deep` is the line where values or keys nest deeper than any table's: what is
    built like that only wants to exhaust its reader.
    """

    lines: dict[KeyPath, int] = field(default_factory=dict)
    duplicates: list[Duplicate] = field(default_factory=list)
    too_deep: int | None = None

    def line(self, path: KeyPath) -> int | None:
        """The line of a path, or of its nearest ancestor that has one."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None


def locate(text: str) -> Places:
    """Find the place of every key of a TOML text."""
    walker = _Walker(text)
    with suppress(_NotTomlError):
        walker.document()
    return walker.outcome


class _NotTomlError(Exception):
    pass


class _Walker:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.outcome = self.places = Places()
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.array_tables: dict[KeyPath, int] = {}

    def line(self, at: int) -> int:
        return bisect_right(self.newlines, at - 1) + 1

    def document(self) -> None:
        section: KeyPath = ()
        repeated: Duplicate | None = None
        while True:
            self.skip(_BLANK)
            if self.at >= len(self.text):
                break
            start = self.at
            if self.text[self.at] == "[":
                if repeated is not None:
                    self.close(repeated, start)
                section, repeated = self.section()
            else:
                self.statement(section, inside_repeated=repeated is not None)
        if repeated is not None:
            self.close(repeated, len(self.text))

    def close(self, repeated: Duplicate, end: int) -> None:
        self.places.duplicates.append(
            Duplicate(repeated.path, repeated.first_line, repeated.line, repeated.start, end)
        )

    def section(self) -> tuple[KeyPath, Duplicate | None]:
        start, line = self.at, self.line(self.at)
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path = self.key()
        self.expect("]]" if many else "]")
        if many:
            number = self.array_tables.get(path, 0)
            self.array_tables[path] = number + 1
            self.places.lines.setdefault((*path, number), line)
            return (*path, number), None
        if path in self.places.lines:
            first = self.places.lines[path]
            return path, Duplicate(path, first, line, start, start)
        self.places.lines[path] = line
        return path, None

    def statement(self, section: KeyPath, inside_repeated: bool) -> None:
        start, line = self.at, self.line(self.at)
        path = section + self.key()
        self.expect("=")
        self.skip(_SPACE)
        if inside_repeated or path in self.places.lines:
            first = self.places.lines.get(path)
            places, self.places = self.places, Places()
            self.value(path, 0)
            self.places = places
            if not inside_repeated and first is not None:
                self.places.duplicates.append(Duplicate(path, first, line, start, self.at))
            return
        self.places.lines[path] = line
        self.value(path, 0)

    def key(self) -> KeyPath:
        parts: list[str | int] = []
        while True:
            self.skip(_SPACE)
            match = _KEY.match(self.text, self.at)
            if not match:
                raise _NotTomlError
            self.at = match.end()
            parts.append(match["bare"] or match["basic"] or match["literal"] or "")
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return tuple(parts)
            if len(parts) == _MAX_PARTS:
                self.give_up()
            self.at += 1

    def value(self, path: KeyPath, nesting: int) -> None:
        if nesting > _MAX_NESTING:
            self.give_up()
        if self.text.startswith("[", self.at):
            self.array(path, nesting)
        elif self.text.startswith("{", self.at):
            self.inline_table(path, nesting)
        else:
            match = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            if not match:
                raise _NotTomlError
            self.at = match.end()

    def array(self, path: KeyPath, nesting: int) -> None:
        self.at += 1
        number = 0
        while True:
            self.skip(_BLANK)
            if self.text.startswith("]", self.at):
                self.at += 1
                return
            self.places.lines[(*path, number)] = self.line(self.at)
            self.value((*path, number), nesting + 1)
            number += 1
            self.skip(_BLANK)
            if self.text.startswith(",", self.at):
                self.at += 1

    def inline_table(self, path: KeyPath, nesting: int) -> None:
        self.at += 1
        comma = self.at
        while True:
            self.skip(_BLANK)
            if self.text.startswith("}", self.at):
                self.at += 1
                return
            # What is blanked takes the comma before it along, or the rest is not TOML.
            start, line = comma, self.line(self.at)
            inner = path + self.key()
            self.expect("=")
            self.skip(_SPACE)
            if inner in self.places.lines:
                first = self.places.lines[inner]
                self.value(inner, nesting + 1)
                self.places.duplicates.append(Duplicate(inner, first, line, start, self.at))
            else:
                self.places.lines[inner] = line
                self.value(inner, nesting + 1)
            self.skip(_BLANK)
            comma = self.at
            if self.text.startswith(",", self.at):
                self.at += 1

    def give_up(self) -> NoReturn:
        self.outcome.too_deep = self.line(self.at)
        raise _NotTomlError

    def skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def expect(self, text: str) -> None:
        self.skip(_SPACE)
        if not self.text.startswith(text, self.at):
            raise _NotTomlError
        self.at += len(text)
