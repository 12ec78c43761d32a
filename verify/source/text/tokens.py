"""Numbers, names, strings, brackets, separators and operators, with their places."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from magicert.verify.source.languages.language import Language
from magicert.verify.source.languages.numbers import number_pattern, read_number
from magicert.verify.source.text.lexing import Code

Kind = Literal["number", "name", "text", "open", "close", "separator", "operator"]

MOST_TOKENS = 2_000_000


class Token(NamedTuple):
    """A piece of source: `text` is its own, `value` a number's value (None: a fraction)."""

    kind: Kind
    text: str
    value: int | None
    place: int


class TooManyTokensError(Exception):
    """The source is longer than any engine's."""


_OPERATORS = r"<<=|>>>=|>>=|>>>|<-|<<|>>|=>|->|:=|::|==|!=|<=|>=|\*%|\+%|<<%|&&|\|\|"
_NUMERIC_TEXT = re.compile(
    r"[\s,;]*(?:-?(?:0[xX][0-9a-fA-F_]+|\d+)[a-zA-Z]{0,3}[\s,;]+){7,}.*", re.DOTALL
)


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<number>{number_pattern(language)})"
        r"|(?P<name>[A-Za-z_$@\u0080-\U0010ffff][\w$]*)"
        r"|(?P<open>\[\||[\[({])"
        r"|(?P<close>\|\]|[\])}])"
        r"|(?P<separator>[,;])"
        rf"|(?P<operator>{_OPERATORS}|[^\s\w])"
    )


def tokenize(code: Code, language: Language) -> Iterator[Token]:
    """The tokens of a source. Raises TooManyTokensError beyond MOST_TOKENS."""
    for count, token in enumerate(_tokens(code, language)):
        if count >= MOST_TOKENS:
            raise TooManyTokensError
        yield token


def _tokens(code: Code, language: Language) -> Iterator[Token]:
    end = 0
    for start, string_end in code.strings:
        yield from _scan(code.text, end, start, language)
        yield from _string(code.text[start:string_end], start, language)
        end = string_end
    yield from _scan(code.text, end, len(code.text), language)


def _scan(text: str, start: int, end: int, language: Language) -> Iterator[Token]:
    for match in _pattern(language).finditer(text, start, end):
        kind: Kind = match.lastgroup  # type: ignore[assignment]
        part = match[0]
        value = read_number(part, language) if kind == "number" else None
        yield Token(kind, part, value, match.start())


def _string(literal: str, place: int, language: Language) -> Iterator[Token]:
    """A string literal; one that holds nothing but many numbers stands for their list."""
    if literal.isspace() or not literal:
        return
    inner = literal.strip("rRbBuUlL#").strip("\"'`")
    if _NUMERIC_TEXT.fullmatch(inner + " "):
        yield Token("open", "[", None, place)
        offset = place + literal.find(inner)
        for token in _scan(inner, 0, len(inner), language):
            yield token._replace(place=token.place + offset)
        yield Token("close", "]", None, place + len(literal) - 1)
    else:
        yield Token("text", inner, None, place)
