"""Lists by brackets and numbers, where there is no grammar; and `Tree`, to which both ways lead."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile, zip_longest

from magicert.languages.comments import long_strings
from magicert.languages.language import Language, number_pattern
from magicert.problem import InputError, Problem

DEEPEST = 400
"""Brackets nested deeper than this are refused: no table is written so."""
SHORTEST = 200
"""Fewer characters are no list of numbers."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of an expression.

    `kind`: list, number, text, unary, binary, cast, call, pair, name or other. `word`: the
    operator, name, function, type or key. A pair's children are its value and, if there is one,
    its subscript. The grammar reads an `expression` only when its value is asked for. What stands
    `around` lists, such as a call, makes other values of them.
    """

    kind: str
    start: int
    end: int
    word: str = ""
    children: tuple["Tree", ...] = ()


def refuse_deep(text: str, file: str) -> None:
    """InputError where brackets nest so deep that it is no engine's source."""
    depth = 0
    for mark in re.finditer(r"[(\[{]|[)\]}]", text):
        depth = depth + 1 if mark[0] in "([{" else max(0, depth - 1)
        if depth > DEEPEST:
            line = text.count("\n", 0, mark.start()) + 1
            message = f"brackets nest more than {DEEPEST} deep: expected an engine's source"
            raise InputError([Problem(message, file=file, line=line)])


@cache
def _operators(language: Language) -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """The signs before a number, and those between two, from the tightest on."""
    first, *others = (frozenset(level.lower().split()) for level in language.operators or ("-",))
    return first, tuple(others)


@cache
def _between(language: Language) -> str:
    """A pattern of the signs between numbers: those in words, and the others."""
    usual_signs = ("- +",) if language.is_lisp else ("- ~ + | ^ ! & * << >> >>>",)
    signs = " ".join(language.operators or usual_signs).split()
    longest = sorted({*signs}, key=len, reverse=True)
    words = "|".join(sign for sign in longest if sign.isalpha())
    others = "|".join(re.escape(sign) for sign in longest if not sign.isalpha())
    return rf"(?:(?i:(?<![\w.])(?:{words or '(?!)'})\b)|(?:{others}))"


@cache
def _tokens(language: Language) -> re.Pattern[str]:
    """Every letter but spaces is in one: what is no other token is one of its own."""
    lisp = language.is_lisp
    word = r":?[*A-Za-z_][\w*-]*" if lisp else r"[.$]?[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*"
    plain = [rf"{q}(?:\\.|[^{q}\\\n])*+{q}" for q in language.quotes]
    quotes = "|".join([*long_strings(language), *plain]) or "(?!)"
    assign = r":=|=>|->|<-|(?<![=<>!])=(?!=)|(?<!:):(?!:)"
    signs = _between(language)
    ends = r"[,;]|\n" + r"|\.(?=\s|$)" * (language.name == "Erlang")
    return re.compile(
        rf"(?P<number>{number_pattern(language)})|(?P<text>{quotes})|(?P<name>(?!{signs}){word})"
        rf"|(?P<open>\[\||[(\[{{])|(?P<close>\|\]|[)\]}}])|(?P<end>{ends})"
        rf"|(?P<assign>{assign})|(?P<sign>{signs})|(?P<other>\S)"
    )


@cache
def _goes_on(language: Language) -> re.Pattern[str]:
    """A line that goes on with the item of the line before: with a sign, or with a method."""
    return re.compile(rf"\s*(?:(?:{_between(language)})\s|\.[A-Za-z_])")


@cache
def literals(language: Language) -> re.Pattern[str]:
    """A literal with its sign."""
    return re.compile(rf"(?:-[ \t]*)?{number_pattern(language)}")


@cache
def flat_list(language: Language) -> re.Pattern[str]:
    """A bracket with nothing in it but literals and what stands between them."""
    number = number_pattern(language)
    between = r"[\s,;]" if ";" in language.separators else r"[\s,]"
    return re.compile(
        rf"[\[({{]\|?\s*+(?:(?:-[ \t]*)?{number}\s*+(?:{between}\s*+|(?=\|?[\])}}])))++\|?[\])}}]"
    )


def arguments_of(
    text: str, start: int, opening: str = "([{", closing: str = ")]}"
) -> tuple[list[str], int]:
    """A call's arguments as they are written, from behind a bracket to where it ends; and the place
    behind it.
    """
    arguments, depth = [], 0
    for place in range(start, len(text)):
        depth += (text[place] in opening) - (text[place] in closing)
        if depth < 0 or (text[place] == "," and not depth):
            arguments.append(text[start:place].strip())
            start = place + 1
        if depth < 0:
            return arguments if arguments != [""] else [], place + 1
    return [], 0


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
                rows[-1] += _item(runs.pop(), language)
                inner = _bracket(opened.pop(), match.end(), tuple(rows.pop()), language)
                runs[-1].append(inner)
        elif kind == "end":
            goes_on = match[0] == "\n" and (
                not runs[-1]
                or runs[-1][-1].kind in ("assign", "sign")
                or _goes_on(language).match(text, match.end(), end)
            )
            following = text[match.end() : match.end() + 80]
            behind = text[match.start() - 1] == "}"  # {...}\n{...}: two records
            above = match[0] == "\n" and not behind and re.match(r"\s*[\n{=]", following)
            if not goes_on and not above:
                rows[-1] += _item(runs[-1], language)
                runs[-1] = []
        elif kind == "text" and _WORDS.match(match[0]):
            runs[-1].append(_words(match))
        else:
            runs[-1].append(Tree(kind, match.start(), match.end(), match[0]))
    while len(rows) > 1:  # brackets that are never closed
        rows[-1] += _item(runs.pop(), language)
        runs[-1].append(Tree("list", opened.pop(), end, "", tuple(rows.pop())))
    return (*rows[0], *_item(runs[0], language))


_WORDS = re.compile(r"(?:[%~]w|qw)\W")


def _words(match: re.Match[str]) -> Tree:
    """A list of texts without quotes: Ruby's `%w[5f 6f]`."""
    words = re.compile(r"\S+").finditer(match.string, match.start() + 3, match.end() - 1)
    texts = tuple(Tree("text", *word.span(), word[0]) for word in words)
    return Tree("list", *match.span(), "", texts)


def _bracket(start: int, end: int, items: tuple[Tree, ...], language: Language) -> Tree:
    """What stands in brackets: in Lisp the function comes first."""
    if language.is_lisp and len(items) > 1 and items[0].kind == "name":
        return Tree("call", start, end, items[0].word, items[1:])
    return Tree("list", start, end, "", items)


def _item(run: list[Tree], language: Language) -> Iterator[Tree]:
    """The items that a run of tokens is: one, with a name before `=` or `:`, or several."""
    signs = [place for place, part in enumerate(run) if part.kind == "assign"]
    if not signs:
        yield from _values(run, language)
        return
    if sum(run[place].word == ":" for place in signs) > 1 and all(p.kind != "list" for p in run):
        yield Tree("other", run[0].start, run[-1].end)  # if on: 0x5 else: 0x6
        return
    behind = run[signs[-1] + 1 :]
    values = [*_values(behind, language)]
    before = [*takewhile(lambda part: part.word != "As", run[: signs[0]])]  # Visual Basic's type
    names = [part.word.lstrip(".") for part in before if part.kind == "name"]
    index: tuple[Tree, ...] = ()
    if before and before[-1].kind == "list" and len(before[-1].children) == 1:
        index = before[-1].children  # a[3] = ...
    elif len(before) == 1 and (key := re.fullmatch(r"[\"'](\w+)[\"']", before[0].word)):
        names = [key[1]]  # "a1": ...
    elif len(before) <= 2 and before and before[-1].kind in ("number", "text"):
        index = (before[-1],)  # [3] = ..., or Haskell's f 3 = ...
    if values:
        value = values[0]
        if len(values) > 1:
            value = Tree("list", value.start, values[-1].end, "", tuple(values))
        if run[signs[0]].word == ":" and any(part.word == "?" for part in before):
            yield Tree("other", run[0].start, value.end)  # on ? 0x5 : 0x6
            return
        of_list = value.kind in ("list", "call", "around") and value.children
        if index and before[-1].kind == "list" and of_list:
            index = ()  # a[64] = { ... }
        yield Tree("pair", run[0].start, value.end, names[-1] if names else "", (value, *index))


def _values(run: list[Tree], language: Language) -> Iterator[Tree]:
    """What the tokens of a run come to: a list with the words before it, an expression, or several
    numbers side by side. What is not understood is no number.
    """
    run = run[1:] if run and run[0].word == "return" else run
    if len(run) < 2:
        yield from run
        return
    start, end = run[0].start, run[-1].end
    groups = [part for part in run if part.kind in ("list", "call") and part.children]
    if _is_row(run, language):
        yield from _side_by_side(run, language)
        return
    called = [part for part in run if part.kind in ("name", "list")]
    short = end - start <= SHORTEST
    if short and language.parser() is not None and len(called) < len(run):
        yield Tree("expression", start, end, "", tuple(groups))
        return
    known = _Expression(run, language).read() if short else None
    if known is not None or not groups:
        yield known or Tree("other", start, end)
        return
    main = max(groups, key=lambda group: group.end - group.start)
    place = next(place for place, part in enumerate(run) if part is main)
    names = [part for part in run[:place] if part.kind == "name"]
    first = names[-1].start if names else main.start
    kind = "call" if names else "list"
    numbers = all(
        child.kind in ("number", "unary", "binary", "cast", "text") for child in main.children
    )
    # Haskell's `reverse [...]`: what stands apart from a name in small letters is its argument.
    applied = (
        kind == "call"
        and numbers
        and run[place - 1] is names[-1]
        and names[-1].end < main.start
        and names[-1].word.rpartition(".")[2][:1].islower()
    )
    inside = (main,) if applied else main.children
    child = Tree(kind, first, main.end, names[-1].word if names else "", inside)
    if names and language.is_lisp:
        head = names[0]
        child = main if re.match(language.defines, head.word) else _call(head, main)
        child = Tree("pair", first, main.end, names[-1].word, (child,)) if names[1:] else child
    changed = _is_changed(run, place, language)
    record = run[-1] is main and (len(main.children) > 1 or main.children[0].kind == "pair")
    if changed:
        words = (part.word or ("[...]" if part is main else "(...)") for part in run)
        yield Tree("around", start, end, " ".join(words), (child,))
    elif record or not short:
        yield child
    else:
        yield Tree("other", start, end, "", tuple(groups))


def _call(head: Tree, argument: Tree) -> Tree:
    return Tree("call", head.start, argument.end, head.word, (argument,))


def _is_changed(run: list[Tree], place: int, language: Language) -> bool:
    """Does an operator, a method or a subscript make something else of the list in a run?"""
    before, behind = run[:place], run[place + 1 :]
    if before and before[-1].kind == "sign" and all(part.word != "<" for part in before):
        return True
    if not behind or behind[0].word in ("return", "of"):  # a statement, or Crystal's type
        return False
    first, *rest = behind
    if first.kind == "name" and first.word[0] != ".":
        return behind[-1].kind != "list"  # else {...}
    is_constant = first.kind == "name" and all(map(language.keeps, first.word[1:].split(".")))
    return not (is_constant and all(part.kind == "list" for part in rest[:1]) and len(rest) < 2)


def _is_row(run: list[Tree], language: Language) -> bool:
    """Are these several items side by side, perhaps behind a name: `Magic 0x5 52`?"""
    if language.is_lisp:
        names = any(part.kind == "name" and part.word[0] != ":" for part in run)
        lists = any(part.kind in ("list", "call") for part in run)
        return not (names and lists and run[-1].end - run[0].start > SHORTEST)
    if run[0].kind == "name" and run[0].word.rpartition(".")[2][:1].islower():
        return False  # Haskell's `xor 0x5 52`
    rest = run[1:] if run[0].kind in ("name", "sign") else run
    return len(rest) > 1 and all(part.kind in ("number", "text") for part in rest)


def _side_by_side(run: list[Tree], language: Language) -> Iterator[Tree]:
    """The items of such a run, without the names of what they are."""
    lisp, sign = language.is_lisp, None
    for part, following in zip_longest(run, run[1:]):
        alone = following is None or following.start > part.end
        item = part.kind in ("number", "text", "list")
        if lisp and not item:  # neither :magic nor '( is one
            item = alone if part.kind in ("sign", "other") else part.word[0] != ":"
        if sign is not None:
            yield Tree("unary", sign.start, part.end, sign.word, (part,))
        elif item:
            yield part
        negative = part.kind == "sign" and following and following.kind == "number"
        sign = part if negative and not (lisp and alone) else None


class _Expression:
    """Reads a run of tokens as one expression, by the language's operators."""

    def __init__(self, run: list[Tree], language: Language) -> None:
        self.prefixes, self.levels = _operators(language)
        self.typed = language.typed
        self.remaining = run[::-1]
        self.sole = len(run) == 2
        """Is it a sign and a number, whichever binds tighter?"""

    def read(self) -> Tree | None:
        """The expression; None where the tokens are none, or not all of it."""
        tree = self.level(len(self.levels) - 1)
        return tree if not self.remaining else None

    def follows(self, *kinds: str) -> bool:
        return bool(self.remaining) and self.remaining[-1].kind in kinds

    def level(self, number: int) -> Tree | None:
        """What the operators of a level stand between, and those that bind tighter."""
        if number < 0:
            return self.operand()
        tree = self.level(number - 1)
        while (
            tree and self.follows("sign") and self.remaining[-1].word.lower() in self.levels[number]
        ):
            sign = self.remaining.pop().word.strip("`")
            right = self.level(number - 1)
            if right is None:
                return None
            if sign == "::":  # Haskell's 5 :: Word64
                tree = Tree("cast", tree.start, right.end, right.word, (tree,))
            else:
                tree = Tree("binary", tree.start, right.end, sign, (tree, right))
        return tree

    def operand(self) -> Tree | None:
        """A number with the signs before it and the methods behind it, a call or brackets."""
        part = self.remaining.pop() if self.remaining else None
        tree: Tree | None = None
        if part is not None and part.kind == "sign":
            inner = self.operand() if self.sole or part.word.lower() in self.prefixes else None
            return inner and Tree("unary", part.start, inner.end, part.word, (inner,))
        if part is not None and part.kind in ("number", "text"):
            tree = part
        if part is not None and part.kind == "name":
            tree = self.called(part)
        if part is not None and part.kind == "list":
            tree = self.bracket(part)
        while tree and self.follows("name") and self.remaining[-1].word[0] == ".":
            method = self.remaining.pop()
            rest = self.remaining.pop().children if self.follows("list") else ()
            if rest and tree.kind != "text":
                return None
            kind = "call" if rest else "cast"  # "5f".toULong(16), 5.toULong()
            tree = Tree(kind, tree.start, method.end, method.word[1:], (tree, *rest))
        return tree

    def called(self, name: Tree) -> Tree | None:
        """A name, or a call: `f(5)`, Haskell's `f 5`, Ada's `U64'(5)`."""
        if (
            len(self.remaining) > 1
            and self.remaining[-1].word == "'"
            and self.remaining[-2].kind == "list"
        ):
            self.remaining.pop()
        if not self.follows("list", "number"):
            return name
        argument_list = self.remaining.pop()
        if name.word == "cast" and self.follows("number", "name", "list"):  # D's cast(ulong) 5
            return self.bracket(argument_list)
        children = argument_list.children if argument_list.kind == "list" else (argument_list,)
        if name.word.lower() in self.typed:
            children = children[:1]
        return Tree("call", name.start, argument_list.end, name.word, children)

    def bracket(self, part: Tree) -> Tree | None:
        """Brackets around one number, or around a type: `(ulong) 5`."""
        if len(part.children) != 1 or part.children[0].kind == "pair":
            return None
        (inner,) = part.children
        if inner.kind == "name" and self.follows("number", "name", "list"):
            value = self.operand()
            return value and Tree("cast", part.start, value.end, inner.word, (value,))
        return Tree("cast", part.start, part.end, "", (inner,))
