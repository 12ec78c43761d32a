"""Texts without comments; and, where there is no grammar, lists by brackets and numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from magicert.languages.integers import number_pattern
from magicert.languages.language import Language
from magicert.problem import InputError, Problem

DEEPEST = 400
"""Brackets nested deeper than this are refused: no table is written so."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of an expression.

    `kind`: list, number, text, unary, binary, cast, call, pair, name or other. `word`: the
    operator, name, function, type or key. A pair's children are its value and, if there is one,
    its subscript.
    """

    kind: str
    start: int
    end: int
    word: str = ""
    children: tuple["Tree", ...] = ()


# --------------------------------------------------------------------------- comments


@cache
def _lexer(language: Language) -> re.Pattern[str]:
    """Strings, comments and numbers, whichever comes first; each is found in linear time."""
    comments = []
    for text in sorted(language.comments, key=len, reverse=True):
        begin, _, end = text.removesuffix(" nested").partition(" ")
        if end and "nested" not in text:
            comments.append(
                rf"{re.escape(begin)}(?:(?:(?!{re.escape(end)})[\s\S])*+(?:{re.escape(end)})?)"
            )
        else:
            comments.append(re.escape(begin) + ("" if end else r"[^\n]*+"))
    if language.name == "Ruby":
        comments.insert(0, r"^=begin[\s\S]*?(?:^=end|\Z)")
    strings = [r"'(?:\\[^\n]|[^'\\\n])'" if language.name != "Visual Basic" else r"(?!)"]
    if language.name == "Python":
        strings[:0] = [r'"""(?:(?!""")[\s\S])*+(?:""")?', r"'''(?:(?!''')[\s\S])*+(?:''')?"]
    if language.name in ("Scala", "Kotlin", "Java", "Swift", "Julia"):
        strings.insert(0, r'"""(?:(?!""")[\s\S])*+(?:""")?')
    if language.is_c:
        strings.insert(0, r'R"(?P<raw>[^(\s"]{0,16})\((?:(?!\)(?P=raw)")[\s\S])*+(?:\)(?P=raw)")?')
    for quote in language.quotes:
        inside = r"[^`\\]" if quote == "`" else rf"[^{quote}\\\n]"
        strings.append(rf"{quote}(?:\\[\s\S]|{inside})*+{quote}?")
    number = r"(?<!\w)\d[\w']*" if language.is_c else r"(?<!\w)\d\w*"
    return re.compile(
        rf"(?P<string>{'|'.join(strings)})|(?P<comment>{'|'.join(comments)})|{number}", re.MULTILINE
    )


def _nested_end(text: str, start: int, language: Language) -> int:
    """Where the nesting comment that begins at a place ends; the place itself if it is none."""
    for comment in language.comments:
        if comment.endswith("nested"):
            begin, end = comment.split()[:2]
            if text.startswith(begin, start):
                depth = 0
                for mark in re.finditer(f"{re.escape(begin)}|{re.escape(end)}", text[start:]):
                    depth += 1 if mark[0] == begin else -1
                    if depth == 0:
                        return start + mark.end()
                return len(text)
    return start


def blank(text: str, start: int, end: int) -> str:
    """Spaces for the characters of a part of the text; its lines stay."""
    return re.sub(r"[^\n]", " ", text[start:end])


def without_comments(text: str, language: Language) -> tuple[str, str]:
    """The text with its comments blanked; and the same with its strings blanked as well."""
    plain: list[str] = []
    code: list[str] = []
    done = place = 0
    lexer = _lexer(language)
    while (match := lexer.search(text, place)) is not None:
        place = match.end()
        if match["comment"]:
            place = max(place, _nested_end(text, match.start(), language))
        elif not match["string"]:
            continue
        spaces = blank(text, match.start(), place)
        before = text[done : match.start()]
        plain += [before, spaces if match["comment"] else text[match.start() : place]]
        code += [before, spaces]
        done = place
    return "".join([*plain, text[done:]]), "".join([*code, text[done:]])


def refuse_deep(text: str, file: str) -> None:
    """InputError where brackets nest so deep that it is no engine's source."""
    depth = 0
    for mark in re.finditer(r"[(\[{]|[)\]}]", text):
        depth = depth + 1 if mark[0] in "([{" else max(0, depth - 1)
        if depth > DEEPEST:
            line = text.count("\n", 0, mark.start()) + 1
            message = f"brackets nest more than {DEEPEST} deep: expected an engine's source"
            raise InputError([Problem(message, file=file, line=line)])


# --------------------------------------------------------------------------- brackets and numbers


@cache
def _tokens(language: Language) -> re.Pattern[str]:
    lisp = language.name in ("Lisp", "Clojure")
    word = r"[*A-Za-z_][\w*-]*" if lisp else r"[.$]?[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*"
    quotes = "|".join(rf"{q}(?:\\.|[^{q}\\\n])*+{q}" for q in language.quotes) or "(?!)"
    return re.compile(
        rf"(?P<number>{number_pattern(language)})|(?P<text>{quotes})|(?P<name>{word})"
        r"|(?P<open>\[\||[(\[{])|(?P<close>\|\]|[)\]}])|(?P<end>[,;]|\n)"
        r"|(?P<assign>:=|=>|<-|(?<![=<>!])=(?!=)|(?<!:):(?!:))|(?P<sign>[-~+|^]|<<)"
    )


@cache
def literals(language: Language) -> re.Pattern[str]:
    """A literal with its sign."""
    return re.compile(rf"(?:-[ \t]*)?{number_pattern(language)}")


@cache
def flat_list(language: Language) -> re.Pattern[str]:
    """A bracket with nothing in it but literals and what stands between them."""
    one = number_pattern(language)
    between = r"[\s,;]" if ";" in language.separators else r"[\s,]"
    return re.compile(
        rf"[\[({{]\|?\s*+(?:(?:-[ \t]*)?{one}\s*+(?:{between}\s*+|(?=\|?[\])}}])))++\|?[\])}}]"
    )


def read_items(text: str, start: int, end: int, language: Language) -> tuple[Tree, ...]:
    """What stands in a part of a text without comments, by brackets and numbers."""
    rows: list[list[Tree]] = [[]]  # the items of each open bracket
    runs: list[list[Tree]] = [[]]  # the parts of the item that each is in
    opened: list[int] = [start]
    for match in _tokens(language).finditer(text, start, end):
        kind = match.lastgroup or ""
        if kind == "open":
            rows.append([])
            runs.append([])
            opened.append(match.start())
        elif kind == "close":
            if len(rows) > 1:
                rows[-1] += _item(runs.pop())
                inner = Tree("list", opened.pop(), match.end(), "", tuple(rows.pop()))
                runs[-1].append(inner)
        elif kind == "end":
            goes_on = match[0] == "\n" and (not runs[-1] or runs[-1][-1].kind in ("assign", "sign"))
            above = match[0] == "\n" and re.match(
                r"\s*[\n{=]", text[match.end() : match.end() + 80]
            )
            if not goes_on and not above:
                rows[-1] += _item(runs[-1])
                runs[-1] = []
        else:
            runs[-1].append(Tree(kind, match.start(), match.end(), match[0]))
    while len(rows) > 1:  # brackets that are never closed
        rows[-1] += _item(runs.pop())
        runs[-1].append(Tree("list", opened.pop(), end, "", tuple(rows.pop())))
    return (*rows[0], *_item(runs[0]))


def _item(run: list[Tree]) -> Iterator[Tree]:
    """The items that a run of tokens is: one, with a name before `=` or `:`, or several."""
    signs = [place for place, part in enumerate(run) if part.kind == "assign"]
    if not signs:
        yield from _values(run)
        return
    value = max(_values(run[signs[-1] + 1 :]), key=lambda v: v.end - v.start, default=None)
    before = run[: signs[0]]
    names = [part.word.lstrip(".") for part in before if part.kind == "name"]
    index: tuple[Tree, ...] = ()
    if before and before[-1].kind == "list" and len(before[-1].children) == 1:
        index = before[-1].children  # a[3] = ...
    elif len(before) <= 2 and before and before[-1].kind in ("number", "text"):
        index = (before[-1],)  # [3] = ..., or Haskell's f 3 = ...
    if value is not None:
        if (
            index
            and before[-1].kind == "list"
            and value.kind in ("list", "call")
            and value.children
        ):
            index = ()  # a[64] = { ... }
        yield Tree("pair", run[0].start, value.end, names[-1] if names else "", (value, *index))


def _values(run: list[Tree]) -> Iterator[Tree]:
    """What the tokens of a run come to: lists with the words before them, or numbers."""
    groups = [place for place, part in enumerate(run) if part.kind == "list" and part.children]
    if groups:
        main = max(groups, key=lambda place: run[place].end - run[place].start)
        names = [part for part in run[:main] if part.kind == "name"]
        start = names[-1].start if names else run[main].start
        word = names[-1].word if names else ""
        one = Tree("call" if names else "list", start, run[main].end, word, run[main].children)
        left = [part for part in run[:main] if part.kind == "sign"]
        yield Tree("unary", left[0].start, one.end, left[0].word, (one,)) if left else one
        return
    plain = [part for part in run if part.kind in ("number", "text")]
    if len(plain) == 2 and len(run) == 3 and run[1].kind == "sign":
        yield Tree("binary", run[0].start, run[2].end, run[1].word, (run[0], run[2]))
        return
    if not plain:
        yield from (part for part in run[:1] if part.kind == "name")
        return
    for place, part in enumerate(run):
        if part.kind in ("number", "text"):
            sign = run[place - 1] if place and run[place - 1].kind == "sign" else None
            yield Tree("unary", sign.start, part.end, sign.word, (part,)) if sign else part
