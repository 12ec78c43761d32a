"""Program texts with holes: a template is a file in its own language.

`$name` is put in, `${name}` where a letter follows, and `$$` is a dollar sign. Lines that begin
with `%%` are not part of the text:

    %% for pieces          the lines below once for each of them, which brings names of its own
    %% if literal          (or: if not literal) the lines below where that is so
    %% if uses swap(       ... where the lookups call it
    %% else
    %% end
    %% include fill.h      another file of the folder, as far to the right as this line

languages/README.md lists the names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from string import Template
from typing import Any

from magicert.problem import InputError, Problem, Span, readable, suggestion

MARK = "%%"
Scope = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of a template, and where it stands."""

    text: str
    path: Path
    number: int

    def problem(self, message: str) -> Problem:
        """What is wrong with it."""
        return Problem(message, file=str(self.path), line=self.number)

    def value(self, scope: Scope, name: str) -> Any:  # noqa: ANN401
        """What a name stands for. Raises InputError where nothing is called so."""
        if name not in scope:
            raise InputError([self.problem(_unknown(name, scope, ""))])
        return scope[name]


@dataclass(frozen=True)
class Plain:
    """Lines with holes."""

    lines: Sequence[Line]

    @cached_property
    def template(self) -> Template:
        return Template("".join(f"{line.text}\n" for line in self.lines))

    def filled(self, scope: Scope) -> str:
        """The text. Raises InputError with each hole that nothing goes into, and its line."""
        try:
            return self.template.substitute(scope)
        except (KeyError, ValueError):
            found = (unfilled(x.text, scope, str(x.path), line=x.number) for x in self.lines)
            raise InputError(problem for each in found for problem in each) from None


@dataclass(frozen=True)
class Section:
    """Lines that are there on a condition, or several times."""

    kind: str
    about: str
    line: Line
    body: list["Plain | Section"] = field(default_factory=list)
    otherwise: list["Plain | Section"] = field(default_factory=list)

    def times(self, scope: Scope) -> Iterator[tuple[list["Plain | Section"], Scope]]:
        """What is written, and with which names."""
        value = self.line.value
        if self.kind == "for":
            yield from ((self.body, {**scope, **item}) for item in value(scope, self.about))
            return
        first, _, name = self.about.partition(" ")
        if first == "uses":
            holds = name in value(scope, "calls")
        else:
            holds = not value(scope, name) if first == "not" else bool(value(scope, first))
        yield (self.body if holds else self.otherwise), scope


@cache
def load(path: Path) -> list[Plain | Section]:
    """The parts of a template file. Raises InputError for a file that is not there, and for a line
    that is none of the above.
    """
    return _parsed(_lines(path, ""), path)


def _lines(path: Path, indent: str) -> list[Line]:
    lines = []
    with readable(path):
        text = path.read_text("utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(maxsplit=2)
        if words[:2] == [MARK, "include"]:
            lines += _lines(path.parent / words[2], indent + line[: line.index(MARK)])
        else:
            shown = indent + line if line and not line.startswith(MARK) else line
            lines.append(Line(shown, path, number))
    return lines


def _parsed(lines: Iterable[Line], path: Path) -> list[Plain | Section]:
    top = Section("", "", Line("", path, 0))
    inside, parts = [top], [top.body]
    plain: list[Line] = []
    for line in lines:
        if not line.text.lstrip().startswith(MARK):
            plain.append(line)
            continue
        if plain:
            parts[-1].append(Plain(plain))
            plain = []
        kind, _, about = line.text.strip().removeprefix(MARK).strip().partition(" ")
        if kind in ("for", "if"):
            section = Section(kind, about.strip(), line)
            parts[-1].append(section)
            inside.append(section)
            parts.append(section.body)
        elif kind == "else" and inside[-1].kind == "if":
            parts[-1] = inside[-1].otherwise
        elif kind == "end" and len(inside) > 1:
            inside.pop()
            parts.pop()
        else:
            message = f"{line.text!r}: expected for, if, include, or the else or end of one of them"
            raise InputError([line.problem(message)])
    if len(inside) > 1:
        raise InputError([inside[-1].line.problem(f"expected {MARK} end below")])
    return [*top.body, Plain(plain)] if plain else top.body


def render(parts: list[Plain | Section], scope: Scope) -> str:
    """The text. Raises InputError for a name that nobody gives."""
    return "".join(
        part.filled(scope)
        if isinstance(part, Plain)
        else "".join(render(body, inner) for body, inner in part.times(scope))
        for part in parts
    )


def unfilled(
    text: str, scope: Iterable[str], file: str, key: str = "", line: int | None = None
) -> Iterator[Problem]:
    """The holes of a text that nothing goes into, each a problem."""
    names = [*scope]
    for found in Template.pattern.finditer(text):
        name = found["named"] or found["braced"]
        if name in names or found["escaped"] is not None:
            continue
        message = _unknown(name, names, "$") if name else "expected a name behind $; $$ writes a $"
        yield Problem(message, file, key, line, text, Span(*found.span()))


def _unknown(name: str, names: Iterable[str], mark: str) -> str:
    hint = suggestion(name, names) or "languages/README.md lists the names"
    escape = f"; $${name} writes ${name}" if mark else ""
    return f"nothing is called {mark}{name} here: {hint}{escape}"
