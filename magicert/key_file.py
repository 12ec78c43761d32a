"""A file of keys: one on a line, with or without a value.

    # colours
    red    0xff0000
    green  0x008000

A key is a number, decimal or with 0x, or a string of up to eight bytes in UTF-8, which is a word
with its first byte lowest. What begins with a digit is a number; "12" in quotes is a string, and
in quotes \" \\ and \x0a stand for a quote, a backslash and a byte. All keys of a file are of one
sort, and so are its values. Text behind # is a comment. Lines may end in CR LF, and a byte order
mark of UTF-8 may come first.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from magicert.cell import Keys
from magicert.dataclass import dataclass
from magicert.problem import InputError, Problem

MOST_KEYS = 1 << 16
"""A leaf of a certificate names its keys by 16 bits."""
LARGEST = 1 << 24
"""Bytes of a file."""
BYTES = 8
MOST_DIGITS = 20
"""Of a decimal number of 64 bits."""
MOST_SHOWN = 40
"""Characters of a word that a message shows."""
MARK = b"\xef\xbb\xbf"
TOKEN = re.compile(r'[ \t]*(?:(#.*)|("(?:[^"\\]|\\.)*")|("[^"]*)|([^\s"]+))')
NUMBER = re.compile(r"0|[1-9][0-9]*|0[xX][0-9a-fA-F]+")
LIKE_A_NUMBER = re.compile(r"[-+]?[0-9]")
ESCAPE = re.compile(rb"\\(?:([\"\\])|x([0-9a-fA-F]{2})|(.?))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KeyToken:
    """A key or a value: its word, and whether it is a string."""

    word: int
    is_text: bool

    def __str__(self) -> str:
        if not self.is_text:
            return str(self.word)
        return repr(self.word.to_bytes(BYTES, "little").rstrip(b"\0"))[1:]


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A line of the file."""

    line: int
    key: KeyToken
    value: KeyToken | None


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The different keys of a file, in its order, and what is worth saying about it."""

    path: Path
    entries: tuple[KeyLine, ...]
    remarks: tuple[str, ...] = ()

    @property
    def has_values(self) -> bool:
        return self.entries[0].value is not None

    @property
    def is_text(self) -> bool:
        """Whether its keys are strings."""
        return self.entries[0].key.is_text

    @property
    def keys(self) -> Keys:
        """What must be kept apart: keys with different values, or without any, all keys."""
        values = [entry.value.word for entry in self.entries if entry.value is not None]
        return Keys.of(self.words, values or None, self.path.name)

    @property
    def apart(self) -> Keys:
        """The keys, all of which must be kept apart, whatever their values."""
        return Keys.of(self.words, None, self.path.name)

    @property
    def words(self) -> list[int]:
        return [entry.key.word for entry in self.entries]


def read_keys(path: Path) -> KeyFile:
    """Read a file of keys. Raises InputError with every problem, each with its line."""
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        message = f"larger: expected at most {LARGEST:,} bytes"
        raise InputError([Problem(message, file=str(path))])
    return parse_keys(data, path)


def parse_keys(data: bytes, path: Path) -> KeyFile:
    """The keys in the bytes of a file. Raises InputError as `read_keys`."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "begins with a byte order mark of UTF-16: expected UTF-8"
        raise InputError([Problem(message, str(path), line=1)])
    problems: list[Problem] = []
    read: list[KeyLine] = []
    lines = data.removeprefix(MARK).split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            tokens = list(_tokens(line.removesuffix(b"\r")))
        except ValueError as error:
            problems += [Problem(message, str(path), line=number) for message in error.args]
            continue
        if tokens:
            read.append(KeyLine(number, tokens[0], tokens[1] if len(tokens) > 1 else None))
    entries, remarks, clashes = _different(read)
    wrong = [*_unlike(read), *clashes]
    problems += [Problem(message, str(path), line=number) for number, message in wrong]
    if not read and not problems:
        message = "no keys: expected lines with a key, or with a key and a value"
        problems.append(Problem(message, str(path), line=len(lines)))
    if len(entries) > MOST_KEYS:
        message = f"expected at most {MOST_KEYS:,} keys"
        problems.append(Problem(message, str(path), line=entries[MOST_KEYS].line))
    if problems:
        raise InputError(sorted(problems, key=lambda problem: problem.line or 0))
    return KeyFile(path, tuple(entries), tuple(remarks))


def _tokens(line: bytes) -> Iterable[KeyToken]:
    """The key of a line and its value. ValueError with every reason why there are none."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {line[error.start]:#04x}: expected UTF-8") from None
    tokens: list[KeyToken] = []
    wrong: list[str] = []
    place = 0
    while match := TOKEN.match(text, place):
        place = match.end()
        comment, quoted, unclosed, bare = match.groups()
        if comment:
            break
        try:
            if unclosed:
                raise ValueError("the quote does not close")
            tokens.append(_quoted(quoted) if quoted else _bare(bare))
        except ValueError as error:
            wrong += error.args
            tokens.append(KeyToken(0, is_text=True))
        if text[place : place + 1] not in ("", " ", "\t"):
            wrong.append(f"expected a space behind {text[:place].split()[-1]}")
    if len(tokens) > 2:
        wrong.append(f"{len(tokens)} words: expected a key, or a key and a value")
    if wrong:
        raise ValueError(*wrong)
    return tokens


def _bare(text: str) -> KeyToken:
    if NUMBER.fullmatch(text):
        if text.isdecimal() and len(text) > MOST_DIGITS:
            raise ValueError(f"{_cut(text)} has {len(text)} digits: expected at most 64 bits")
        word = int(text, 0)
        if word >> 64:
            raise ValueError(f"{_cut(text)} has {word.bit_length()} bits: expected at most 64")
        return KeyToken(word, is_text=False)
    if LIKE_A_NUMBER.match(text):
        quoted = f'"{_cut(text)}"'
        message = f"{_cut(text)}: expected a number such as 12 or 0x1f, or a string: {quoted}"
        raise ValueError(message)
    if not text.isprintable():
        raise ValueError(f"{_cut(text)!r}: expected no invisible characters, or quotes")
    return _text(text.encode())


def _quoted(text: str) -> KeyToken:
    def byte(match: re.Match[bytes]) -> bytes:
        plain, digits, other = match.groups()
        if plain is None and digits is None:
            shown = other.decode(errors="replace")
            raise ValueError(rf"\{shown} in {_cut(text)}: expected \\, \" or a byte such as \x0a")
        return plain or bytes([int(digits, 16)])

    return _text(ESCAPE.sub(byte, text[1:-1].encode()))


def _text(data: bytes) -> KeyToken:
    shown = _cut(repr(data)[1:])
    if len(data) > BYTES:
        raise ValueError(f"{shown} has {len(data)} bytes: expected at most {BYTES}")
    if 0 in data:
        raise ValueError(f"{shown} has a zero byte: its word would be that of another string")
    return KeyToken(int.from_bytes(data, "little"), is_text=True)


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def _unlike(entries: list[KeyLine]) -> Iterable[tuple[int, str]]:
    """Lines that are not of the first one's sort, and why."""
    sorts = {True: "a string", False: "a number"}
    for entry in entries[1:]:
        first = entries[0]
        if entry.key.is_text != first.key.is_text:
            sort, other = sorts[entry.key.is_text], sorts[first.key.is_text]
            yield entry.line, f"the key is {sort}, that of line {first.line} is {other}"
        if (entry.value is None) != (first.value is None):
            has = "no value" if entry.value is None else "a value"
            other = "has one" if entry.value is None else "has none"
            yield entry.line, f"{has}, but line {first.line} {other}"
        elif entry.value and first.value and entry.value.is_text != first.value.is_text:
            sort, other = sorts[entry.value.is_text], sorts[first.value.is_text]
            yield entry.line, f"the value is {sort}, that of line {first.line} is {other}"


def _different(entries: list[KeyLine]) -> tuple[list[KeyLine], list[str], list[tuple[int, str]]]:
    """The entries of different keys; remarks on those that come again; and what contradicts."""
    first: dict[KeyToken, KeyLine] = {}
    remarks: list[str] = []
    clashes: list[tuple[int, str]] = []
    for entry in entries:
        before = first.setdefault(entry.key, entry)
        if before is entry:
            continue
        if before.value == entry.value:
            remarks.append(f"line {entry.line}: {entry.key} as in line {before.line}: counted once")
        elif before.value and entry.value:
            values = f"the value {entry.value}, in line {before.line} it has {before.value}"
            clashes.append((entry.line, f"the key {entry.key} has {values}"))
    return list(first.values()), remarks, clashes
