"""`#if` alternatives: what stands in different branches is never merged.

A source with alternatives is read once for each of them, with the other branches blanked.
Only branches with many numbers are alternatives; one branch with a table, and the others
without, is no choice.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from magicert.verify.source.text.lexing import Code

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
    branches = [branch for choice in choices for branch in choice.branches]
    text = _without(text, [branch for branch in branches if _is_never(branch.condition)])
    axes = [axis for axis in _axes(choices) if axis.is_alternative(text)]
    found: dict[str, Alternative] = {}
    for chosen in _combinations([axis.size for axis in axes]):
        picks = list(zip(axes, chosen, strict=True))
        conditions = [axis.words(pick) for axis, pick in picks]
        part = _without(text, [branch for axis, pick in picks for branch in axis.dropped(pick)])
        part = _DIRECTIVE.sub(lambda match: " " * len(match[0]), part)
        found.setdefault(part, Alternative(replace(code, text=part), tuple(conditions)))
    return list(found.values())


@dataclass(slots=True)
class _Axis:
    """Choices that hang together: those by one condition, or by it and its negation.

    Each choice comes with whether its condition is the negation of the first one's.
    """

    choices: list[tuple[_Choice, bool]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return max(2, *(len(choice.branches) for choice, _ in self.choices))

    def kept(self, pick: int) -> list[_Branch]:
        """The branches that are read if `pick` is chosen."""
        found = []
        for choice, negated in self.choices:
            place = 1 - pick if negated else pick
            if place < len(choice.branches):
                found.append(choice.branches[place])
        return found

    def dropped(self, pick: int) -> list[_Branch]:
        """The branches that are not."""
        kept = {id(branch) for branch in self.kept(pick)}
        branches = [branch for choice, _ in self.choices for branch in choice.branches]
        return [branch for branch in branches if id(branch) not in kept]

    def is_alternative(self, text: str) -> bool:
        """Do at least two picks have many numbers?"""
        rich = [
            any(
                len(_ANY_NUMBER.findall(text, branch.start, branch.end)) >= MANY_NUMBERS
                for branch in self.kept(pick)
            )
            for pick in range(self.size)
        ]
        return sum(rich) >= 2

    def words(self, pick: int) -> str:
        """The condition of a pick, as in the source."""
        branches = self.choices[0][0].branches
        condition = branches[pick].condition if pick < len(branches) else ""
        if pick and not condition:
            return f"#else of #if {branches[0].condition}"
        return f"#elif {condition}" if pick else f"#if {condition}"


def _axes(choices: Iterable[_Choice]) -> list[_Axis]:
    axes: dict[tuple[str, ...], _Axis] = {}
    negations: dict[tuple[str, ...], bool] = {}
    for choice in choices:
        two = len(choice.branches) <= 2 and not any(b.condition for b in choice.branches[1:])
        key, negated = choice.key(), False
        if two:
            atom, negated = _without_not(choice.branches[0].condition)
            key = (atom,)
        axis = axes.setdefault(key, _Axis())
        first = negations.setdefault(key, negated)
        axis.choices.append((choice, negated != first))
    return list(axes.values())


def _without_not(condition: str) -> tuple[str, bool]:
    """A condition without its negation, if it is one: `!defined(X)` is not `defined(X)`."""
    plain = re.sub(r"\bdefined\s+(\w+)", r"defined(\1)", condition).replace(" ", "")
    if re.fullmatch(r"!(?:\w+(?:\(\w+\))?|\(.*\))", plain):
        return plain[1:], True
    return plain, False


def _choices(text: str) -> Iterator[_Choice]:
    open_choices: list[_Choice] = []
    for match in _DIRECTIVE.finditer(text):
        word = (match["c"] or match["p"]).lower()
        condition = (match["text"] or match["ptext"] or "").strip()
        if word in ("if", "ifdef", "ifndef"):
            open_choices.append(_Choice())
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
                choice.branches.append(_Branch(condition, match.end()))


def _is_never(condition: str) -> bool:
    return condition.strip(" ()").lower() in ("0", "false")


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


def _without(text: str, branches: Iterable[_Branch]) -> str:
    """The text with these branches blanked; lines keep their numbers."""
    parts: list[str] = []
    done = 0
    for branch in sorted(branches, key=lambda branch: branch.start):
        end = branch.end if branch.end >= 0 else len(text)
        if end > done:
            start = max(done, branch.start)
            parts += [text[done:start], re.sub(r"[^\n]", " ", text[start:end])]
            done = end
    return "".join([*parts, text[done:]])


def _without_unbalanced_defines(text: str) -> str:
    """A macro that opens a bracket for another to close would swallow what stands between."""

    def judge(match: re.Match[str]) -> str:
        body = match[0]
        balanced = all(body.count(a) == body.count(b) for a, b in ("()", "[]", "{}"))
        return body if balanced else re.sub(r"[^\n]", " ", body)

    return _DEFINE.sub(judge, text)
