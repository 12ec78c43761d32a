"""`#if` alternatives: what stands in different branches is never merged.

A source with alternatives is read once for each of them, with the other branches blanked.
Only branches with many numbers are alternatives; one branch with a table, and the others
without, is no choice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from verify.source.lexing import Code

MOST_ALTERNATIVES = 8
"""More combinations than this of one source are not tried."""
MANY_NUMBERS = 48

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<c>ifdef|ifndef|if|elseif|elsif|elif|else|endif|end)\b(?P<text>[^\n]*)"
    r"|\{\$(?P<p>IFDEF|IFNDEF|IF|ELSEIF|ELSE|ENDIF|IFEND)\b(?P<ptext>[^}\n]*)\}",
    re.MULTILINE | re.IGNORECASE,
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_ANY_NUMBER = re.compile(r"(?<!\w)\$?\d\w*")


@dataclass(slots=True)
class _Branch:
    condition: str
    start: int
    end: int = -1


@dataclass(slots=True)
class _Choice:
    branches: list[_Branch] = field(default_factory=list)
    exhaustive: bool = False
    depth: int = 0

    def key(self) -> tuple[str, ...]:
        return tuple(branch.condition for branch in self.branches)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to read a source: its code, and the conditions that chose it."""

    code: Code
    conditions: tuple[str, ...]
    """In words, as in the source: "#if defined(IS_64BIT)", "#else of #if ..."."""


def alternatives(code: Code) -> list[Alternative]:
    """The ways to read a source; one, with no conditions, for most."""
    choices = list(_choices(code.text))
    text = _without_unbalanced_defines(code.text)
    for choice in choices:
        for branch in choice.branches:
            if _is_never(branch.condition):
                text = _blanked(text, branch.start, branch.end)
    keys: dict[tuple[str, ...], list[_Choice]] = {}
    for choice in choices:
        keys.setdefault(choice.key(), []).append(choice)
    axes = [same for same in keys.values() if any(_is_alternative(text, c) for c in same)]
    found: dict[str, Alternative] = {}
    for chosen in _combinations([len(same[0].branches) for same in axes]):
        part, conditions = text, []
        for same, pick in zip(axes, chosen, strict=True):
            conditions.append(_words(same[0], pick))
            for choice in same:
                for place, branch in enumerate(choice.branches):
                    if place != pick:
                        part = _blanked(part, branch.start, branch.end)
        part = _DIRECTIVE.sub(lambda match: " " * len(match[0]), part)
        found.setdefault(part, Alternative(replace(code, text=part), tuple(conditions)))
    return list(found.values())


def _choices(text: str) -> Iterator[_Choice]:
    open_choices: list[_Choice] = []
    for match in _DIRECTIVE.finditer(text):
        word = (match["c"] or match["p"]).lower()
        condition = (match["text"] or match["ptext"] or "").strip()
        if word in ("if", "ifdef", "ifndef"):
            open_choices.append(_Choice(depth=len(open_choices)))
            if word != "if":
                condition = f"{'!' if word == 'ifndef' else ''}defined({condition})"
            open_choices[-1].branches.append(_Branch(condition, match.end()))
        elif open_choices:
            choice = open_choices[-1]
            if choice.branches[-1].end < 0:
                choice.branches[-1].end = match.start()
            if word in ("endif", "ifend", "end"):
                yield open_choices.pop()
            else:
                choice.exhaustive = choice.exhaustive or word == "else"
                choice.branches.append(_Branch(condition, match.end()))


def _is_never(condition: str) -> bool:
    return condition.strip(" ()").lower() in ("0", "false")


def _is_alternative(text: str, choice: _Choice) -> bool:
    rich = [
        len(_ANY_NUMBER.findall(text, branch.start, branch.end)) >= MANY_NUMBERS
        for branch in choice.branches
    ]
    return sum(rich) >= 2


def _combinations(sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """All picks, the last size fastest, up to MOST_ALTERNATIVES."""
    total = 1
    for size in sizes:
        total *= size
    for number in range(min(total, MOST_ALTERNATIVES)):
        pick: list[int] = []
        rest = number
        for size in reversed(sizes):
            rest, place = divmod(rest, size)
            pick.append(place)
        yield tuple(reversed(pick))


def _words(choice: _Choice, pick: int) -> str:
    condition = choice.branches[pick].condition
    return (
        f"#if {condition}"
        if pick == 0
        else (f"#elif {condition}" if condition else f"#else of #if {choice.branches[0].condition}")
    )


def _blanked(text: str, start: int, end: int) -> str:
    end = end if end >= 0 else len(text)
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _without_unbalanced_defines(text: str) -> str:
    """A macro that opens a bracket for another to close would swallow what stands between."""

    def judge(match: re.Match[str]) -> str:
        body = match[0]
        balanced = all(body.count(a) == body.count(b) for a, b in ("()", "[]", "{}"))
        return body if balanced else re.sub(r"[^\n]", " ", body)

    return _DEFINE.sub(judge, text)
