"""Numbers in the text of a source, changed in their own notation; and the patch of that."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path, PurePath

from magicert.languages.language import (
    FORMS,
    Language,
    language_of,
    literal,
    number_pattern,
    parts_of,
    read_number,
    read_text_number,
)
from magicert.verify.source.columns import Column

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_QUOTED = re.compile(r"[rRbBuU]?([\"'`])([^\"'`]*)\1")

WORD_BITS = 64
_POSITIVE = (1 << WORD_BITS - 1) - 1
"""The bits of a number that every language reads as it stands."""
_DOUBLE = _POSITIVE & ~((1 << 10) - 1)
"""The bits of one that JavaScript holds without a suffix."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Other text for the characters [start, end) of a line (from 1)."""

    line: int
    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class _Written:
    """A number as it stands: where, its text without a sign, its value without one.

    `sign_at` is the place of a minus before it, or -1. `quoted`: in a string literal; `bare`:
    there hexadecimal without a prefix.
    """

    start: int
    text: str
    value: int
    sign_at: int = -1
    quoted: bool = False
    bare: bool = False

    def respelt(self, value: int, language: Language, digits: int) -> str | None:
        if not self.bare:
            return rewritten(self.text, value, language, digits)
        new = format(value, "x").zfill(digits)
        return new.upper() if re.search("[A-F]", self.text) else new


class SourceFile:
    """A source file with its lines as they are, line ends and encoding included."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.codec = _codec(data)
        self.lines: list[str] = _LINE.findall(data.decode(self.codec))
        self.language = language_of(path, data.decode(self.codec))

    def radix(self, column: Column, row: int) -> int:
        """The radix that a number is written in: 10 or 16."""
        written = self._written(*column.spots[row], column.values[row])
        plain = written and not written.bare and written.text
        return 10 if plain and re.fullmatch(r"[1-9][\d_']*[uUlLnN]*", plain) else 16

    def usable(self, column: Column, row: int) -> int:
        """The bits that a number may have where it stands: a double keeps 53 of them."""
        written = self._written(*column.spots[row])
        plain = self.language.rounds and written and not (written.quoted or written.text[-1] == "n")
        if plain and not column.halves:
            return _DOUBLE
        wide = column.variant.word > WORD_BITS and max(column.words) >> WORD_BITS
        return column.variant.whole >> 1 if wide else _POSITIVE

    def edits(self, column: Column, row: int, value: int) -> list[Edit] | None:
        """The edits that make `value` of a column's number; None where it is not a number that
        stands by itself in the text, but is computed, or the notation has no such number.
        """
        if column.halves:
            edits: list[Edit] = []
            width = column.variant.word // len(column.halves)
            starts = range(0, column.variant.word, width)
            words = [value >> start & (1 << width) - 1 for start in starts]
            for half, word in zip(column.halves, words, strict=True):
                if half.values[row] & (1 << width) - 1 != word:
                    edit = self._edit(half, row, word, width)
                    if edit is None:
                        return None
                    edits.append(edit)
            return edits
        edit = self._edit(column, row, value, column.variant.word)
        return self._in_two_halves(column, row, value) if edit is None else [edit]

    def _in_two_halves(self, column: Column, row: int, value: int) -> list[Edit] | None:
        """The edits of a word that is computed of two literals, as in B(0x1, 0x2), where they are
        its halves.
        """
        line, start = column.spots[row]
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        number, width = number_pattern(self.language), column.variant.word // 2
        pair = re.compile(
            rf"[A-Za-z_][\w:]*!?\s*[({{]\s*(?P<a>{number})\s*,\s*(?P<b>{number})\s*[)}}]"
        ).match(text, start)
        if pair is None:
            return None
        halves = {name: read_number(pair[name], self.language) for name in "ab"}
        for high, low in ("ab", "ba"):
            first, second = halves[high], halves[low]
            if first is None or second is None or first << width | second != column.values[row]:
                continue
            words = {high: value >> width, low: value & (1 << width) - 1}
            edits = []
            for name in "ab":
                new = rewritten(pair[name], words[name], self.language)
                if new is None or not self._holds(new, words[name], width):
                    return None
                if words[name] != halves[name]:
                    edits.append(Edit(line, *pair.span(name), pair[name], new))
            return edits
        return None

    def _edit(self, column: Column, row: int, value: int, width: int) -> Edit | None:
        line, start = column.spots[row]
        written = self._written(line, start, column.values[row])
        if written is None:
            return None
        mask = (1 << width) - 1
        current, at, sign = column.values[row] & mask, written.start, ""
        if current == -written.value & mask and written.sign_at >= 0:
            at = written.sign_at
        elif current == ~written.value & mask:
            value = ~value & mask
        elif current != written.value & mask:
            return None
        digits = self._common_digits(column, row)
        new = written.respelt(value, self.language, digits)
        if value >> (width - 1) and self._wants_sign(column, new, width, quoted=written.quoted):
            value, sign = (1 << width) - value, "-"
            new = written.respelt(value, self.language, digits)
        if new is None or not (written.quoted or self._holds(new, value, width)):
            return None
        end = written.start + len(written.text)
        return Edit(line, at, end, self.lines[line - 1][at:end], sign + new)

    def _wants_sign(self, column: Column, text: str | None, width: int, *, quoted: bool) -> bool:
        """Is a number of all bits, whose text this would be, written as one below 0?"""
        below = min(column.values) < 0
        if quoted or text is None:
            return below
        number = literal(text, self.language)
        if number is None or number.problem:
            return True
        wraps = number.value < 0  # Java's 0x8000000000000000L
        return not wraps and (below or column.type == (width, True))

    def _holds(self, text: str, value: int, width: int) -> bool:
        """Is a literal the number that it says, in its language?"""
        number = literal(text, self.language)
        return (
            number is not None and number.value & (1 << width) - 1 == value and not number.problem
        )

    def _common_digits(self, column: Column, row: int) -> int:
        """The digits that all other numbers of a list have, if some begin with zeros; else none."""
        spots = [*column.spots[:row], *column.spots[row + 1 :]]
        literals = [self._written(line, start) for line, start in spots]
        texts = [written.text if written else "" for written in literals]
        counts = {digit_count(text, self.language) for text in texts}
        padded = any(re.match(r"(?:0[xXbBoO]|\$)?0[0-9a-fA-F]", text) for text in texts)
        return counts.pop() if len(counts) == 1 and padded else 0

    def _written(self, line: int, start: int, value: int | None = None) -> _Written | None:
        """The number that begins at a place of the text. `value` is what it was read as."""
        if not 0 < line <= len(self.lines):
            return None
        text = self.lines[line - 1]
        if quoted := _QUOTED.match(text, start):
            return _quoted(quoted, value)
        signed = re.compile(rf"([-~]\s*)?({number_pattern(self.language)})").match(text, start)
        number = read_number(signed[2], self.language) if signed else None
        if signed is None or number is None:
            return None
        return _Written(signed.start(2), signed[2], number, start if text[start] == "-" else -1)

    def with_edits(self, edits: Iterable[Edit]) -> list[str]:
        lines = list(self.lines)
        for edit in sorted(set(edits), key=lambda e: (e.line, e.start), reverse=True):
            line = lines[edit.line - 1]
            lines[edit.line - 1] = line[: edit.start] + edit.new + line[edit.end :]
        return lines

    def encoded(self, lines: Iterable[str]) -> bytes:
        return "".join(lines).encode(self.codec)

    def patch(self, lines: list[str]) -> str:
        """The unified patch from the file to these lines, for `patch -p1` and `git apply`."""
        name = PurePath(self.path).as_posix().lstrip("/")
        patched = []
        for line in unified_diff(self.lines, lines, f"a/{name}", f"b/{name}"):
            ended = line.endswith(("\n", "\r"))
            patched.append(line if ended else f"{line}\n\\ No newline at end of file\n")
        return "".join(patched)


def _quoted(quoted: re.Match[str], value: int | None) -> _Written | None:
    """A number inside a string literal: with a prefix, or else in the base of its column."""
    start, inner = quoted.start(2), quoted[2]
    if (inner.isdecimal() and int(inner, 16) != value) or inner.startswith(("0x", "0X")):
        number = read_text_number(inner)
        return None if number is None else _Written(start, inner, number, quoted=True)
    if re.fullmatch("[0-9a-fA-F]+", inner):
        return _Written(start, inner, int(inner, 16), quoted=True, bare=True)
    return None


def _codec(data: bytes) -> str:
    """The encoding of a source, as it is read."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"


def rewritten(text: str, value: int, language: Language, digits: int = 0) -> str | None:
    """The text of another number in the notation of this one: radix, case, separators, suffix.

    It has at least so many `digits`; None where the notation cannot be told.
    """
    split = parts_of(text, language)
    if split is None:
        return None
    match, group = split
    old = match[group].rstrip("_'")
    octal = group == "dec" and language.octal and re.fullmatch(r"0[0-7_']+", old)
    if octal:
        old = old[1:]
    sign = next((separator for separator in "_'" if separator in old), "")
    new = format(value, "o" if octal else FORMS[group][1])
    new = new.upper() if re.search("[A-F]", old) else new
    if octal or group not in ("dec", "asm"):
        new = new.zfill(digits)
    if sign:
        size = len(old) - old.rindex(sign) - 1
        head = len(new) % size or size
        parts = [new[:head], *(new[at : at + size] for at in range(head, len(new), size))]
        new = sign.join(parts)
    start = match.start(group) + bool(octal)
    whole = text[:start] + new + text[start + len(old) :]
    return whole if read_number(whole, language) == value else None


def digit_count(text: str, language: Language) -> int:
    """How many digits a number's text has after its prefix, leading zeros included."""
    parts = parts_of(text, language)
    return sum(character.isalnum() for character in parts[0][parts[1]]) if parts else 0
