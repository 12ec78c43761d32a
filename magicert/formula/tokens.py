"""The lexer of the formula language. What the language lacks is named, not just refused."""

import re
from dataclasses import dataclass

from magicert.problem import Problem, Span

MAX_LENGTH = 65_536
"""Longest formula, in characters."""

LONGEST_NUMBER = {64: 100, 128: 300}
"""Longest number, in characters, for each width of words."""

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>[0-9][0-9A-Za-z_.]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<refused>\*\*|//|>>>|<=|>=|==|!=|&&|\|\||:=|<(?!<)|>(?!>)|[=!/%.?:;@\[\]{}\"'`$\\])"
    r"|(?P<operator><<|>>|[-+*&|^~(),])"
    r"|(?P<unknown>.)",
    re.DOTALL,
)

_WHY = {
    "**": "no power operator",
    "/": "no division",
    "//": "no division",
    "%": "no remainder; use '& (2^k - 1)', written out",
    ".": "no attribute access",
    "[": "no subscripts: a parameter stands for its value on the square in question",
    "]": "no subscripts: a parameter stands for its value on the square in question",
    ">>>": "'>>' is already unsigned",
    "=": "no assignment",
    ":=": "no assignment",
    "&&": "no logical operators; use '&'",
    "||": "no logical operators; use '|'",
    "!": "no logical operators; use '~'",
    **dict.fromkeys(("<", ">", "<=", ">=", "==", "!="), "no comparisons"),
    **dict.fromkeys(('"', "'", "`"), "no strings"),
}

_NUMBER = re.compile(
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0|[1-9](?:_?[0-9])*"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `kind` is "number", "name", "operator" or "end"."""

    kind: str
    text: str
    span: Span
    value: int = 0


def tokenize(text: str, problems: list[Problem], word: int = 64) -> list[Token]:
    """The tokens of a formula, ending with an "end" token; what is refused goes to `problems`.

    Numbers have at most `word` bits.
    """
    if len(text) > MAX_LENGTH:
        problems.append(
            Problem(f"formula of {len(text):,} characters: expected at most {MAX_LENGTH:,}")
        )
        text = ""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, found = str(match.lastgroup), match.group()
        span = Span(*match.span())
        if kind == "space":
            continue
        if kind == "number":
            tokens.append(_number(text, found, span, problems, word))
            continue
        if kind in ("refused", "unknown"):
            why = _WHY.get(found, "not part of the formula language")
            problems.append(Problem(f"{found!r}: {why}", text=text, span=span))
            continue
        tokens.append(Token(kind, found, span))
    tokens.append(Token("end", "", Span(len(text), len(text) + 1)))
    return tokens


def _number(text: str, found: str, span: Span, problems: list[Problem], word: int) -> Token:
    value = 0
    if not _NUMBER.fullmatch(found):
        expected = "expected decimal, 0x, 0o or 0b digits, no suffix, no leading 0"
        problems.append(Problem(f"number {found[:40]!r}: {expected}", text=text, span=span))
    elif len(found) > LONGEST_NUMBER[word] or (value := int(found, 0)) >> word:
        problems.append(
            Problem(f"number {found[:40]}: expected less than 2^{word}", text=text, span=span)
        )
        value = 0
    return Token("number", found, span, value)
