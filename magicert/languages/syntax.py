"""From a source's text to the trees that are worked out: by a grammar's nodes, or by brackets.

Comments and strings are blanked first, and the branches of `#if` that are not taken. Where there is
no grammar, lists are brackets and numbers.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product, takewhile, zip_longest
from typing import TYPE_CHECKING

from magicert.languages.language import Language, kinds, number_pattern, parse_within
from magicert.problem import InputError, Problem

if TYPE_CHECKING:
    from tree_sitter import Node


DEEPEST = 400
"""Brackets nested deeper than this are refused: no table is written so."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A part of an expression.

    `kind`: list, number, text, unary, binary, cast, call, pair, name or other. `word`: the
    operator, name, function, type or key. A pair's children are its value and, if there is one,
    its subscript. An `expression` is read by the grammar when its value is asked for; what is
    `around` lists makes something else of them.
    """

    kind: str
    start: int
    end: int
    word: str = ""
    children: tuple["Tree", ...] = ()


# --------------------------------------------------------------------------- comments


def _long_strings(language: Language) -> list[str]:
    """Patterns of the strings in which nothing is escaped."""
    patterns = []
    for text in sorted(language.texts, key=len, reverse=True):
        begin, _, end = text.partition(" ")
        rest = rf"(?:(?!{re.escape(end)})[\s\S])*+(?:{re.escape(end)})?" if end else r"[^\n]*+"
        patterns.append((r"(?<!\w)" if begin[0].isalpha() else "") + re.escape(begin) + rest)
    return patterns


@cache
def _lexer(language: Language) -> re.Pattern[str]:
    """Strings, comments and numbers, whichever comes first; each is found in linear time."""
    comments = []
    for text in sorted(language.comments, key=len, reverse=True):
        begin, _, end = text.removesuffix(" nested").partition(" ")
        if end and "nested" not in text:
            last = re.escape(end)
            comments.append(rf"{re.escape(begin)}(?:(?:(?!{last})[\s\S])*+(?:{last})?)")
        else:
            # C joins lines before it knows of comments.
            line = r"(?:[^\n\\]|\\[ \t]*\n|\\)*+" if language.is_c else r"[^\n]*+"
            comments.append(re.escape(begin) + ("" if end else line))
    if language.continued:
        comments.append(language.continued)
    if language.name == "Ruby":
        comments.insert(0, r"^=begin[\s\S]*?(?:^=end|\Z)")
    strings = _long_strings(language)
    if language.name != "Visual Basic":
        strings.append(r"'(?:\\[^\n]|[^'\\\n])'")
    if language.is_c:
        strings.insert(0, r'R"(?P<raw>[^(\s"]{0,16})\((?:(?!\)(?P=raw)")[\s\S])*+(?:\)(?P=raw)")?')
    for quote in language.quotes:
        inside = r"[^`\\]" if quote == "`" else rf"[^{quote}\\\n]"
        strings.append(rf"{quote}(?:\\[\s\S]|{inside})*+{quote}?")
    # Of numbers those that hide nothing are passed over: large tables have hundreds of thousands.
    number = r"(?<!\w)\d\w*+'[\w']*+" if language.is_c else r"(?<!\w)\d\w*"
    number = "(?!)" if language.family == "slash" else number
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


# --------------------------------------------------------------------------- alternatives

# What stands in different branches of `#if` is never merged. A source is read under as few
# assignments of its conditions as take every branch that has numbers at least once. What could not
# be taken is said.

MOST_ALTERNATIVES = 24
"""Readings of one source beyond these are not made; the branches that they leave are named."""
_MOST_ATOMS = 8
_MOST_SIGNS = 60
"""A condition with more brackets is taken for one that nothing defines."""
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<c>ifdef|ifndef|if|elseif|elsif|elif|else|endif|end)\b"
    r"(?P<text>(?:[^\n\\]|\\[^\n]|\\\n)*)"
    r"|\{\$(?P<p>IFDEF|IFNDEF|IF|ELSEIF|ELSE|ENDIF|IFEND)\b(?P<ptext>[^{}\n]*+)\}",
    re.MULTILINE | re.IGNORECASE,
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_GUARDED = re.compile(
    r"[ \t]*#[ \t]*if(?:ndef|[ \t]*![ \t]*defined)[ \t(]+(\w+)[ \t)]*\n"
    r"\s*#[ \t]*define[ \t]+\1[ \t]*$",
    re.MULTILINE,
)
"""What guards a header against a second reading: a name, given at once, and no value."""
_TELLING = re.compile(
    r"0[xX][0-9a-fA-F_']{5,}|\$[0-9a-fA-F]{6,}|\d{7,}|^[ \t]*[\w.]+[ \t]*,|#[ \t]*define"
    r"|^[^\n;=]*+=[^\n;\d]*+\d",
    re.MULTILINE,
)
_LINE = re.compile(".+")
_TOKEN = re.compile(r"defined\s*\(\s*\w+\s*\)|defined\s+\w+|&&|\|\||[!()]|[^!()&|]+|.")


@dataclass(eq=False, slots=True)
class Branch:
    """A branch: its condition as written ("" of an #else), its place, what must not hold."""

    condition: str
    start: int
    before: tuple[str, ...]
    parent: "Branch | None"
    end: int = -1
    first: str = ""

    @property
    def words(self) -> str:
        """The branch as the source says it."""
        if self.condition:
            return f"#{'elif' if self.before else 'if'} {self.condition}"
        return f"#else of #if {self.first}"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to read a source: the parts left out, and the branches with numbers that it takes."""

    omitted: tuple[tuple[int, int], ...] = ()
    taken: tuple[Branch, ...] = ()


@dataclass(slots=True)
class Alternatives:
    """All ways to read a source, and the branches that none of them takes."""

    readings: list[Alternative] = field(default_factory=list)
    not_read: list[Branch] = field(default_factory=list)


def alternatives(code: str) -> Alternatives:
    """The ways to read a source without comments and strings; one, for most."""
    branches = list(_branches(code))
    marks = tuple((match.start(), match.end()) for match in _DIRECTIVE.finditer(code))
    if not branches:
        return Alternatives([Alternative(marks)])
    known = dict.fromkeys(_defined(code, branches), True)
    lines = [line.start() for line in _LINE.finditer(code) if _TELLING.search(code, *line.span())]
    telling = {id(b) for b in branches if _is_telling(code, lines, b.start, b.end)}
    neighbours = {(b.parent and id(b.parent), b.first) for b in branches if id(b) in telling}
    remaining = [
        b
        for b in branches
        if id(b) in telling or (b.parent and id(b.parent), b.first) in neighbours
    ]
    alternatives_read = Alternatives()
    chosen: dict[str, bool] | None = {**known}
    signatures: set[tuple[int, ...]] = set()
    while chosen is not None and len(alternatives_read.readings) < MOST_ALTERNATIVES:
        taken = [b for b in branches if _is_taken(b, chosen)]
        ids = {id(b) for b in taken}
        signature = tuple(id(b) for b in taken if id(b) in telling)
        if signature not in signatures:
            out = tuple((b.start, b.end) for b in branches if id(b) not in ids)
            has = tuple(b for b in taken if id(b) in telling)
            alternatives_read.readings.append(Alternative((*marks, *out), has))
            signatures.add(signature)
        remaining = [b for b in remaining if id(b) not in ids]
        chosen = None
        while remaining and chosen is None:
            chosen = _taking(remaining[0], known)
            if chosen is None:
                never = remaining.pop(0)
                if not _is_never(never):
                    alternatives_read.not_read.append(never)
        for other in remaining[1:]:
            chosen = (_taking(other, chosen) or chosen) if chosen is not None else None
    alternatives_read.not_read += remaining
    return alternatives_read


def _is_telling(code: str, lines: list[int], start: int, end: int) -> bool:
    """Has a part of the code numbers? `lines` begin the ones that have: of thousands of branches
    inside each other no line is read twice.
    """
    first = code.find("\n", start, end)
    if first < 0:
        return _TELLING.search(code, start, end) is not None
    last = code.rfind("\n", start, end) + 1
    whole = bisect(lines, first)
    return (
        (whole < len(lines) and lines[whole] < last)
        or _TELLING.search(code, start, first) is not None
        or _TELLING.search(code, last, end) is not None
    )


def _is_never(branch: Branch) -> bool:
    """Is this under #if 0, or behind #if 1?"""
    zero = branch.condition.strip(" ()").lower() in ("0", "false")
    parent = branch.parent is not None and _is_never(branch.parent)
    return (
        zero or parent or any(text.strip(" ()").lower() in ("1", "true") for text in branch.before)
    )


def _defined(code: str, branches: Iterable[Branch]) -> Iterator[str]:
    """The names that the source itself defines, whatever the conditions."""
    spans = [(b.start, b.end) for b in branches]
    for match in _DEFINE.finditer(code):
        if not any(start <= match.start() < end for start, end in spans):
            yield match[1]


def _branches(code: str) -> Iterator[Branch]:
    """All branches but include guards: of these the first reading is the one that counts."""
    stack: list[list[Branch]] = []
    for match in _DIRECTIVE.finditer(code):
        word = (match["c"] or match["p"]).lower()
        text = re.sub(
            r"\s+", " ", (match["text"] or match["ptext"] or "").replace("\\\n", " ")
        ).strip()
        if word in ("if", "ifdef", "ifndef"):
            if _GUARDED.match(code, match.start()):
                stack.append([])
                continue
            if word != "if":
                text = f"{'!' if word == 'ifndef' else ''}defined({text.split(' ')[0]})"
            stack.append([Branch(text, match.end(), (), _innermost(stack), first=text)])
        elif stack:
            open_branches = stack[-1]
            if open_branches:
                open_branches[-1].end = match.start()
            if word in ("endif", "ifend", "end"):
                yield from stack.pop()
            elif open_branches:
                before, first = (
                    tuple(b.condition for b in open_branches),
                    open_branches[0].condition,
                )
                open_branches.append(
                    Branch(text, match.end(), before, open_branches[-1].parent, first=first)
                )
            else:
                open_branches.append(Branch("0", match.end(), (), _innermost(stack), first="0"))
    for open_branches in filter(None, stack):
        open_branches[-1].end = len(code)
        yield from open_branches


def _innermost(stack: Sequence[Sequence[Branch]]) -> Branch | None:
    return next((open_branches[-1] for open_branches in reversed(stack) if open_branches), None)


def _path(branch: Branch) -> Iterator[tuple[str, bool]]:
    """The conditions that must hold, or must not, for a branch to be taken."""
    enclosing: Branch | None = branch
    while enclosing is not None:
        if enclosing.condition:
            yield enclosing.condition, True
        yield from ((text, False) for text in enclosing.before)
        enclosing = enclosing.parent


def _is_taken(branch: Branch, chosen: Mapping[str, bool]) -> bool:
    return all(_holds(text, chosen) == required for text, required in _path(branch))


def _taking(branch: Branch, fixed: Mapping[str, bool]) -> dict[str, bool] | None:
    """An assignment that takes a branch and keeps what is fixed; None where there is none."""
    atoms = {atom for text, _ in _path(branch) for atom in _atoms(text)} - fixed.keys()
    free = sorted(atoms)[:_MOST_ATOMS]
    for values in sorted(product((False, True), repeat=len(free)), key=sum):
        chosen = {**fixed, **dict(zip(free, values, strict=True))}
        if _is_taken(branch, chosen):
            return chosen
    return None


_Condition = Callable[[Mapping[str, bool]], bool]
_FIXED = {"0": False, "1": True, "false": False, "true": True}


def _signs(text: str) -> list[str]:
    """A condition's parts: signs, and atoms. `defined(X)` is X."""
    if text.count("(") + text.count("!") > _MOST_SIGNS:
        return [text]
    signs = []
    for part in _TOKEN.findall(text):
        name = re.fullmatch(r"defined\s*+(?:\(\s*+)?(\w+)\s*+\)?", part)
        plain = name[1] if name else re.sub(r"\s+", "", part)
        if plain:
            signs.append(plain)
    return signs


@cache
def _atoms(text: str) -> frozenset[str]:
    return frozenset(_signs(text)) - {"!", "(", ")", "&&", "||", *_FIXED}


@cache
def _condition(text: str) -> _Condition:
    """Does a condition hold? What is not assigned is not defined."""
    tokens = _signs(text)[::-1]

    def several(sign: str, part: Callable[[], _Condition], join: Callable[..., bool]) -> _Condition:
        parts = [part()]
        while tokens and tokens[-1] == sign:
            tokens.pop()
            parts.append(part())
        return (
            parts[0]
            if len(parts) == 1
            else lambda chosen: join(operand(chosen) for operand in parts)
        )

    def either() -> _Condition:
        return several("||", lambda: several("&&", operand, all), any)

    def operand() -> _Condition:
        token = tokens.pop() if tokens else "0"
        if token == "!":
            inner = operand()
            return lambda chosen: not inner(chosen)
        if token == "(":
            inside = either()
            if tokens and tokens[-1] == ")":
                tokens.pop()
            return inside
        if token.lower() in _FIXED:
            return lambda _: _FIXED[token.lower()]
        return lambda chosen: chosen.get(token, False)

    return either()


def _holds(text: str, chosen: Mapping[str, bool]) -> bool:
    return _condition(text)(chosen)


# --------------------------------------------------------------------------- brackets and numbers


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
    quotes = "|".join([*_long_strings(language), *plain]) or "(?!)"
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


# From the nodes of a grammar's syntax tree to the trees that are worked out (`Tree`).


def for_grammar(text: str, language: Language) -> bytes:
    """The text as a grammar is given it, each character in its place.

    What a C macro pastes to a number, `U64(8a801040, 00800020)`, is no number yet: its first digit
    becomes a letter.
    """
    pasted = _pasted(language).sub("_", text) if language.is_c else text
    return pasted.encode("ascii", "replace")


@cache
def _pasted(language: Language) -> re.Pattern[str]:
    """The first digit of what begins as a number, and is none."""
    return re.compile(rf"(?<![\w.'])(?!{number_pattern(language)}(?![\w']))\d(?=[\w']*+(?![.+-]))")


_LISTS = ("list", "record", "call", "token_tree")
SHORTEST = 200
"""Fewer characters are no list of numbers."""
_STOPS = ("declaration", "function", "enum")
_ENDS = re.compile(
    r".*(?:statement|body|block|declaration_list|source_file|program|unit|module|field_declaration"
    r"|_declaration|_definition|_item|_clause|initializer_list_declaration|declarator|class|ERROR)$|ERROR"
)
_ARGUMENTS = re.compile(r".*arguments?(?:_list)?$|token_tree|call_suffix")


SHORT, SECONDS = 512, 2.0
"""Letters of an expression that any grammar reads at once, and CPU time of a longer one."""
_AROUND = {
    "Rust": "const x: T =", "Go": "package p; var x =", "Java": "class A { T x =",
    "C#": "class A { T x =", "Zig": "const x =", "C": "T x =", "C++": "T x =",
}  # fmt: skip
"""What stands before an expression to make a text of it that the grammar reads."""


def read_expression(text: str, language: Language, place: int = 0) -> Tree | None:
    """A text that is one expression, which stands at a place; None where it is not."""
    parser = language.parser()
    if parser is None:
        items = read_items(text, 0, len(text), language)
        return _moved(items[0], place) if len(items) == 1 else None
    before = f"{_AROUND.get(language.name, 'x =')} "
    end = "; }" if "{" in before else "" if language.name == "Python" else ";"
    whole = f"{before}{text}{end}"
    prepared = for_grammar(whole, language)
    read = (
        parser.parse(prepared) if len(whole) <= SHORT else parse_within(parser, prepared, SECONDS)
    )
    if read is None:
        return None
    root = read.root_node
    first = len(before) + len(text) - len(text.lstrip())
    node = root.descendant_for_byte_range(first, len(before) + len(text.rstrip()))
    if root.has_error or node is None or node.start_byte != first:
        return None
    whole = whole.encode("ascii", "replace").decode()
    return _moved(Syntax(whole, language).tree(node), place - len(before))


def _moved(tree: Tree, by: int) -> Tree:
    """A tree as many characters further on."""
    children = tuple(_moved(child, by) for child in tree.children)
    return Tree(tree.kind, tree.start + by, tree.end + by, tree.word, children)


def _field(node: "Node", *names: str) -> "Node | None":
    """The first of these fields that a node has."""
    return next((child for name in names if (child := node.child_by_field_name(name))), None)


def _parts(node: "Node") -> "list[Node]":
    """What stands in a node, without comments."""
    return [child for child in node.named_children if not child.is_extra]


class Syntax:
    """Reads nodes. The text is that of the tree, one byte a character."""

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language = language
        self.kinds = kinds()

    def kind(self, node: "Node") -> str:
        """What a node is. An assignment inside a list is a field; an enumeration's entries are a
        list where they have arguments.
        """
        kind = self.kinds.get(node.type, "")
        if kind == "entries":
            return "list" if any(self.arguments_of(child) for child in node.children) else "enum"
        if node.type == "field_expression" and node.parent and "record" in node.parent.type:
            return "pair"  # OCaml's
        if node.type in ("assignment_expression", "field_declaration", "pair", "field"):
            parent = node.parent
            inside = parent is not None and self.kinds.get(parent.type) == "list"
            return "pair" if inside else "declaration"
        return kind

    def outermost(self, node: "Node") -> "Node | None":
        """The outermost list around a node, inside its statement or declaration."""
        best: Node | None = None
        ancestor: Node | None = node
        while ancestor is not None:
            kind = self.kind(ancestor)
            if kind in _STOPS or (not kind and _ENDS.fullmatch(ancestor.type)):
                break
            joins = (
                kind == "binary"
                and self.joins(ancestor)
                and best in (None, *ancestor.named_children)
            )
            if joins or (kind in _LISTS and ancestor.named_child_count):
                best = ancestor
            if kind == "text" and ancestor.end_byte - ancestor.start_byte > SHORTEST:
                best = ancestor
            ancestor = ancestor.parent
        return best

    def around(self, node: "Node") -> str:
        """The operator, subscript or field that a list stands in, `[...]` for it; "" if in none."""
        whole = node.parent
        if whole is None or not (
            self.kind(whole) in ("unary", "binary", "name") or "subscript" in whole.type
        ):
            return ""
        before = self.text[whole.start_byte : node.start_byte]
        return f"{before}[...]{self.text[node.end_byte : whole.end_byte]}"

    def tree(self, node: "Node") -> Tree:
        start, end = node.start_byte, node.end_byte
        kind = self.kind(node)
        match kind:
            case "number" if self.text[start] in "+-":
                inner = Tree("number", start + 1, end, self.text[start + 1 : end].strip())
                return Tree("unary", start, end, self.text[start], (inner,))
            case "number" | "name":
                return Tree(kind, start, end, self.node_text(node))
            case "text":
                return Tree("text", start, end, self.node_text(node))
            case "list":
                return self.listed(node)
            case "token_tree":
                return Tree("list", start, end, "", self.arguments(start, end))
            case "record":
                return self.record(node)
            case "unary":
                inner = self.tree(node.named_children[-1])
                return Tree("unary", start, end, self.sign(node), (inner,))
            case "binary":
                return self.binary(node)
            case "cast":
                return self.cast(node)
            case "call":
                return self.call(node)
            case "pair":
                return self.pair(node)
            case "entry":
                return self.entry(node)
            case "lambda" if end - start <= SHORTEST:
                return Tree("other", start, end)
            case _:
                return self.wrapped(node)

    def listed(self, node: "Node") -> Tree:
        """A list of its items; or of one, and how often it is repeated: Rust's `[11; 64]`."""
        start, end = node.start_byte, node.end_byte
        if self.text[start] == "." and node.named_children:  # Zig's .{ ... }
            return self.tree(node.named_children[-1])
        length = node.child_by_field_name("length")
        if length is not None:
            inner = Tree("list", start, end, "", (self.tree(node.named_children[0]),))
            return Tree("binary", start, end, ";", (inner, self.tree(length)))
        if flat_list(self.language).fullmatch(self.text, start, end):
            return Tree("flat", start, end)
        return Tree("list", start, end, "", self.children(node))

    def joins(self, node: "Node") -> bool:
        """Is a node a list that is made of lists: joined, or repeated?"""
        return (
            self.kind(node) == "binary"
            and self.sign(node) in self.language.joins
            and any(
                self.kind(child) in ("list", "record") or self.joins(child)
                for child in node.named_children
            )
        )

    def arguments(self, start: int, end: int) -> tuple[Tree, ...]:
        """What stands between a Rust macro's brackets: expressions, or else what it makes of it."""
        text = f"f({self.text[start + 1 : end - 1]})"
        tree = read_expression(text, self.language, start - 1)
        if tree is not None and tree.kind == "flat":
            return (Tree("flat", start, end),)
        if tree is not None and tree.kind == "call":
            return tree.children
        repeated = f"f([{self.text[start + 1 : end - 1]}])"  # vec![11; 64]
        tree = read_expression(repeated, self.language, start - 2)
        if tree is not None and tree.kind == "call":
            return tree.children
        return read_items(self.text, start + 1, end - 1, self.language)

    def node_text(self, node: "Node") -> str:
        return self.text[node.start_byte : node.end_byte]

    def children(self, node: "Node") -> tuple[Tree, ...]:
        named = _parts(node)
        if self.kinds.get(node.type) == "entries":
            named = [child for child in named if self.arguments_of(child)]
        return tuple(self.tree(child) for child in named)

    def arguments_of(self, node: "Node") -> "Node | None":
        """What an entry of an enumeration is made from: `A1(0x5L, 0x6L)`."""
        if self.kinds.get(node.type) != "entry":
            return None
        return next((c for c in node.named_children if _ARGUMENTS.fullmatch(c.type)), None)

    def entry(self, node: "Node") -> Tree:
        """An entry of an enumeration, as a named record."""
        arguments, start, end = self.arguments_of(node), node.start_byte, node.end_byte
        if arguments is None:
            return Tree("other", start, end)
        children = self.children(arguments)
        inner = Tree("list", arguments.start_byte, end, "", children)
        value = children[0] if len(children) == 1 else inner
        return Tree("pair", start, end, self.node_text(node.named_children[0]), (value,))

    def wrapped(self, node: "Node") -> Tree:
        """A node that only stands around another; anything else is not known."""
        named = [child for child in _parts(node) if self.node_text(child) != "!"]  # Swift's
        if len(named) == 1 and not node.is_error:
            inner = self.tree(named[0])
            before = self.text[node.start_byte : named[0].start_byte].split()
            unread = inner.kind in ("other", "name", "binary") or (
                inner.kind == "cast" and not inner.word
            )
            if unread and before and before[0] in _OF_ADDRESSES:
                return Tree("other", node.start_byte, node.end_byte, self.node_text(node)[:40])
            if node.type == "parenthesized_expression":
                return Tree("cast", node.start_byte, node.end_byte, "", (inner,))
            return inner
        if len(named) == 2 and _ARGUMENTS.fullmatch(node.type):  # name: value
            word = re.search(r"\w+", self.node_text(named[0]))
            value = self.tree(named[1])
            return Tree("pair", node.start_byte, node.end_byte, word[0] if word else "", (value,))
        return Tree("other", node.start_byte, node.end_byte, self.node_text(node)[:40])

    def sign(self, node: "Node") -> str:
        operator = _field(node, "operator", "operation")
        if operator is not None:
            return self.node_text(operator)
        return next((self.node_text(child) for child in node.children if not child.is_named), "")

    def binary(self, node: "Node") -> Tree:
        """Two operands and the sign between them."""
        named = _parts(node)
        first_node = node.child_by_field_name("left") or named[0]
        right = node.child_by_field_name("right") or named[-1]
        operator = self.sign(node) or (self.node_text(named[1]) if len(named) == 3 else "")
        start, end = node.start_byte, node.end_byte
        if len(named) < 2:
            return Tree("other", start, end)
        # (Bitboard)-0x1 may be read as a subtraction, a product or a call.
        first = self.tree(first_node)
        inside = first.children[0] if first.kind == "cast" and not first.word else None
        if operator in ("-", "+", "&", "*") and inside is not None and inside.kind == "name":
            value = self.tree(right)
            if operator in "-+":
                value = Tree("unary", right.start_byte, end, operator, (value,))
            return Tree("cast", start, end, inside.word, (value,))
        return Tree("binary", start, end, operator, (first, self.tree(right)))

    def cast(self, node: "Node") -> Tree:
        """A number with the type that it becomes."""
        named = _parts(node)
        value = _field(node, "value", "operand", "argument", "expression")
        if value is None:
            value = named[0] if node.type == "as_expression" else named[-1]
        kind = node.child_by_field_name("type")
        kind = kind or next((child for child in named if child.id != value.id), None)
        word = self.node_text(kind) if kind is not None else ""
        return Tree("cast", node.start_byte, node.end_byte, word, (self.tree(value),))

    def record(self, node: "Node") -> Tree:
        """A constructor: `Magic { ... }`, `[64]u64{ ... }`."""
        lists = (c for c in node.named_children if self.kinds.get(c.type) == "list")
        body = _field(node, "body", "value") or next(lists, None)
        kind = _field(node, "type", "name")
        kind = kind or next((c for c in node.named_children if c != body), None)  # Zig has no field
        word = self.node_text(kind) if kind is not None else ""
        start, end = node.start_byte, node.end_byte
        if body is None:
            return Tree("other", start, end)
        flat = flat_list(self.language).fullmatch(self.text, body.start_byte, body.end_byte)
        if flat and body.named_child_count > 1:
            return Tree("flat", body.start_byte, end, word)
        return Tree("call", start, end, word, self.children(body))

    def call(self, node: "Node") -> Tree:
        """A function, type or macro before its arguments."""
        start, end = node.start_byte, node.end_byte
        named = _parts(node)
        called = _field(node, "function", "type", "name", "macro", "constructor")
        arguments = _field(node, "arguments", "argument")
        if arguments is None or not _ARGUMENTS.fullmatch(arguments.type):
            brackets = (c for c in reversed(named) if _ARGUMENTS.fullmatch(c.type))
            arguments = next(brackets, arguments)
        called = called or (named[0] if named and named[0] != arguments else None)
        callee = called.named_children[0] if called is not None and called.named_children else None
        length = callee.end_byte - callee.start_byte if callee is not None else 0
        if callee is not None and self.kind(callee) in _LISTS and length > SHORTEST:
            behind = self.text[callee.end_byte : end]  # [0x..., 0x...].map(...)
            return Tree("call", start, end, behind, (self.tree(callee),))
        initial = next((c for c in named if self.kinds.get(c.type) == "list" and c != called), None)
        word = self.node_text(called)[:80] if called is not None else ""
        if arguments is None or (initial is not None and not arguments.named_child_count):
            if initial is not None:  # new ulong[] { ... }
                inner = self.tree(initial)
                call = Tree("call", start, end, word, inner.children)
                return inner if inner.kind == "flat" else call
            operands = tuple(self.tree(child) for child in named if child != called)  # Zig's
            return Tree("call" if operands else "other", start, end, word, operands)
        if arguments.type == "call_suffix":
            arguments = arguments.named_children[0] if arguments.named_child_count else arguments
        if callee is not None and self.kind(callee) == "text":  # "5f".toULong(16)
            operands = (self.tree(callee), *self.children(arguments))
            return Tree("call", start, end, word.rpartition(".")[2], operands)
        if not arguments.named_child_count and called is not None and called.named_child_count:
            inner = self.tree(called.named_children[0])  # 5.toULong()
            if inner.kind == "number":
                return Tree("cast", start, end, word.rpartition(".")[2], (inner,))
        if arguments.type == "token_tree":
            children = self.arguments(arguments.start_byte, arguments.end_byte)
            return Tree("call", start, end, word, children)
        if not _ARGUMENTS.fullmatch(arguments.type):  # OCaml: f x
            return Tree("call", start, end, word, (self.tree(arguments),))
        first, last = arguments.start_byte, arguments.end_byte
        flat = flat_list(self.language).fullmatch(self.text, first, last)
        if flat and arguments.named_child_count > 4:
            return Tree("flat", first, end, word)
        return Tree("call", start, end, word, self.children(arguments))

    def pair(self, node: "Node") -> Tree:
        """A named field, or an item with its subscript."""
        named = _parts(node)
        key = _field(node, "designator", "key", "field", "name", "left") or named[0]
        value = _field(node, "value", "right") or named[-1]
        start, end = node.start_byte, node.end_byte
        if key == value:  # Rust's shorthand
            return Tree("other", start, end)
        value_tree = self.tree(value)
        if key.type == "subscript_range_designator":  # [0 ... 63] = 11
            return Tree("pair", start, end, "", (value_tree, *map(self.tree, key.named_children)))
        if key.type == "subscript_designator" or self.kinds.get(key.type) == "number":
            return Tree("pair", start, end, "", (value_tree, self.tree(key)))
        word = re.search(r"[A-Za-z_]\w*", self.node_text(key))
        index = (self.tree(key),) if word is None or key.type == "literal_element" else ()
        if index and index[0].kind in ("number", "cast", "binary"):
            return Tree("pair", start, end, "", (value_tree, *index))
        return Tree("pair", start, end, word[0] if word else "", (value_tree,))


_OF_ADDRESSES = ("&", "*", "ref", "unsafe")
"""What stands before an item whose address is meant, or before an address."""
_BEHIND_A_TYPE = re.compile(r"(?:[A-Za-z_][\w:]*[\s*&]+)+(?=[A-Za-z_][\w:]*\s*\[)")
_ITEM = re.compile(r"(?:subscript|index|access|element)\w{0,40}$")
"""Nodes of an item of a list."""
_SUBSCRIPTS = ("index", "subscript", "indices", "argument")


class Declaration:
    """The declaration that a list stands in: its name, type, and the names around it."""

    def __init__(self, syntax: Syntax, node: "Node") -> None:
        self.name = self.type = ""
        self.subscript: Node | None = None
        self.declaration: Node | None = None
        around: list[str] = []
        if syntax.kinds.get(node.type) == "entries" and node.parent is not None:
            called = node.parent.child_by_field_name("name") or node.parent.named_children[0]
            self.name = syntax.node_text(called)[:80]
        ancestor = node.parent
        while ancestor is not None:
            kind = syntax.kind(ancestor)
            if self.declaration is None and kind in ("declaration", "function"):
                self.declaration = ancestor
                self._declared(syntax, ancestor, node)
            elif (label := _field(ancestor, "name", "type")) is not None:
                if label.end_byte <= node.start_byte and self.declaration is not None:
                    around.append(syntax.node_text(label)[:80])
            elif (
                kind == "function"
                and (label := ancestor.child_by_field_name("declarator")) is not None
            ):
                around.append(syntax.node_text(label)[:80])
            if self.declaration is None and "if_statement" in ancestor.type:
                around.append(syntax.node_text(ancestor)[:80].split("{")[0])
            ancestor = ancestor.parent
        self.around = tuple(around)

    def _declared(self, syntax: Syntax, node: "Node", inner: "Node") -> None:
        declarator = _field(node, "declarator", "name", "pattern", "left", "key", "property")
        if declarator is None:
            before = [c for c in node.named_children if c.end_byte <= inner.start_byte]
            named = [c for c in before if re.search("identifier|^variable_declaration$", c.type)]
            items = [c for c in before if re.search("index|subscript", c.type)]
            declarator = next(iter(named + items), None)
        if declarator is not None:
            target: Node = declarator
            while (
                target.type in ("expression_list", "directly_assignable_expression")
                and target.named_children
            ):
                target = target.named_children[0]
            last = ""
            if syntax.kinds.get(target.type) == "name" and target.named_child_count == 2:
                record, member = target.named_children
                if _ITEM.search(record.type):  # rook[5].magic
                    target, last = record, f".{syntax.node_text(member)[:80]}"
            text = syntax.node_text(target)[:200]
            if _ITEM.search(target.type) and text.rstrip()[-1:] in "])":
                fields = (target.child_by_field_name(name) for name in _SUBSCRIPTS)
                declarators = [f for f in fields if f is not None] or list(
                    target.named_children[-1:]
                )
                self.subscript = next(
                    (f for f in declarators if f.start_byte > target.start_byte), None
                )
            # A macro before its type makes the grammar take the type for the name.
            behind = _BEHIND_A_TYPE.match(text) if syntax.language.is_c else None
            text = text[behind.end() :] if behind else text
            match = re.search(r"[A-Za-z_$][\w$]*(?:(?:::|\.|->)[A-Za-z_]\w*)*", text)
            row = re.fullmatch(r"\w+(\[\w+\])\[[^\[\]]*\]", text)
            last = row[1] + last if row and self.subscript is not None else last
            self.name = self.name or (f"{match[0]}{last}" if match else "")
        for holder in (node, node.parent):
            kind = holder.child_by_field_name("type") if holder is not None else None
            if kind is not None and kind.end_byte <= inner.start_byte:
                self.type = syntax.node_text(kind)[:200]
                break
