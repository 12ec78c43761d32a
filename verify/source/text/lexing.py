"""Comments out, strings marked: Pygments' token stream decides which characters are which."""

import re
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, String
from pygments.util import ClassNotFound

from magicert.verify.source.languages.language import Language
from magicert.verify.source.text.quiet import without_quiet_lines

LONGEST_LINE = 20_000
"""Beyond this many characters in a line a regex lexer may need quadratic time."""
PATIENCE = 3.0
"""Seconds of processor time for a lexer; real sources below LONGEST_TEXT take less."""
LONGEST_TEXT = 1_500_000
"""Beyond this many characters Pygments takes too long: the plain lexer has to do."""


_QUOTED_SUFFIX = re.compile(r"(?<=[0-9a-fA-F])'?[ui](?:8|16|32|64)?\b")


@dataclass(frozen=True, slots=True)
class Code:
    """A source with its comments blanked; places are those of the text that came in.

    `strings` are the [start, end) of string literals with their quotes, in order.
    """

    text: str
    strings: tuple[tuple[int, int], ...]
    newlines: tuple[int, ...]

    def spot(self, place: int) -> tuple[int, int]:
        """The line, from 1, and the characters before it in that line, of a place in the text."""
        line = self.line(place)
        return line, place - (self.newlines[line - 2] + 1 if line > 1 else 0)

    def line(self, place: int) -> int:
        """The line, from 1, of a place in the text."""
        return bisect_right(self.newlines, place - 1) + 1


def lex(text: str, language: Language, whole: bool = False) -> Code:
    """Blank the comments of a source and mark its strings.

    Lines that no list needs are blanked as well, unless the `whole` text is wanted.
    """
    newlines = tuple(match.start() for match in re.finditer("\n", text))
    kept = text if whole else without_quiet_lines(text)
    if language.quoted_suffix:
        # Pygments takes the quotes of two numbers for one string, or gives up until the next line.
        kept = _QUOTED_SUFFIX.sub(_without_quote, kept)
    longest = max(map(len, kept.split("\n")), default=0)
    short = longest <= LONGEST_LINE and len(kept) <= LONGEST_TEXT
    lexer = _lexer(language) if short else None
    classified = (lexer and _classified(lexer, kept)) or list(_plain(kept))
    parts: list[str] = []
    strings: list[tuple[int, int]] = []
    length = 0
    for kind, part in classified:
        if kind == "comment":
            parts.append(_blank(part))
        else:
            if kind == "string":
                if strings and strings[-1][1] == length:
                    strings[-1] = (strings[-1][0], length + len(part))
                else:
                    strings.append((length, length + len(part)))
            parts.append(part)
        length += len(part)
    # Emptied lines make the kept text shorter; only line numbers matter to the user.
    shortened = tuple(match.start() for match in re.finditer("\n", kept))
    assert len(shortened) == len(newlines)
    return Code("".join(parts), tuple(strings), shortened)


def _without_quote(suffix: re.Match[str]) -> str:
    """A suffix that changes the number stays, behind an underscore; any other one goes."""
    narrow = not suffix[0].endswith("64")
    return suffix[0].replace("'", "_") if narrow else " " * len(suffix[0])


def _lexer(language: Language) -> Lexer | None:
    if not language.lexer:
        return None
    try:
        return get_lexer_by_name(language.lexer)
    except ClassNotFound:
        return None


def _classified(lexer: Lexer, text: str) -> list[tuple[str, str]] | None:
    """The parts of a text; None if the lexer's expressions take more than their time, which
    they do only on a text that is no source (half a million times "/*", say).
    """
    parts: list[tuple[str, str]] = []
    started = time.process_time()
    for number, (_, kind, part) in enumerate(lexer.get_tokens_unprocessed(text)):
        if number % 64 == 0 and time.process_time() - started > PATIENCE:
            return None
        if kind in Comment and not _is_directive(kind, part):
            parts.append(("comment", part))
        elif kind in String:
            parts.append(("string", part))
        else:
            parts.append(("code", part))
    return parts


def _is_directive(kind: object, part: str) -> bool:
    """`#if` and `#define` count as comments in Pygments, and so do Pascal's `{$IFDEF}`."""
    return kind in (Comment.Preproc, Comment.PreprocFile) or part.startswith(("{$", "(*$"))


def _blank(comment: str) -> str:
    return re.sub(r"[^\n]", " ", comment)


_PLAIN = re.compile(
    r"(?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*|(?:^|(?<=\s))(?:--|;;|\#(?!\s*(?:if|el|end|def|x)))[^\n]*)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]{0,80}'(?![\w]))"
    r"|(?P<code>[^/\"'#\-;]+|.)",
    re.DOTALL | re.MULTILINE,
)


def _plain(text: str) -> Iterator[tuple[str, str]]:
    """The lexer for languages that Pygments does not know: the usual comments and strings."""
    for match in _PLAIN.finditer(text):
        yield match.lastgroup or "code", match[0]
