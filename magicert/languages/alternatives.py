"""The branches of `#if`: which readings of a source they leave.

What stands in different branches is never merged. A source is read under as few assignments of its
conditions as take every branch that has numbers at least once. What could not be taken is said.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

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
