"""Program texts with holes: a template is a file in its own language.

`$name` is put in. Lines that begin with `%%` are not part of the text:

    %% for pieces          the lines below once for each of them, which brings names of its own
    %% if literal          (or: if not literal) the lines below where that is so
    %% if uses swap(       ... where the lookups call it
    %% else
    %% end
    %% include fill.h      another file of the folder, as far to the right as this line
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

MARK = "%%"
Scope = Mapping[str, Any]


@dataclass(frozen=True)
class Section:
    """Lines that are there on a condition, or several times."""

    kind: str
    about: str
    body: list["Template | Section"] = field(default_factory=list)
    otherwise: list["Template | Section"] = field(default_factory=list)

    def times(self, scope: Scope) -> Iterator[tuple[list["Template | Section"], Scope]]:
        """What is written, and with which names."""
        if self.kind == "for":
            yield from ((self.body, {**scope, **item}) for item in scope[self.about])
            return
        first, _, name = self.about.partition(" ")
        if first == "uses":
            holds = name in scope["calls"]
        else:
            holds = not scope[name] if first == "not" else bool(scope[first])
        yield (self.body if holds else self.otherwise), scope


@cache
def load(path: Path) -> list[Template | Section]:
    """The parts of a template file. Raises ValueError for a line that is none of the above."""
    return parse(_lines(path, ""), str(path))


def _lines(path: Path, indent: str) -> list[str]:
    lines = []
    for line in path.read_text("utf-8").splitlines():
        words = line.split(maxsplit=2)
        if words[:2] == [MARK, "include"]:
            lines += _lines(path.parent / words[2], indent + line[: line.index(MARK)])
        else:
            lines.append(indent + line if line and not line.startswith(MARK) else line)
    return lines


def parse(lines: list[str], where: str) -> list[Template | Section]:
    """The parts of a template's lines."""
    top = Section("", "")
    inside, parts, plain = [top], [top.body], ""
    for line in lines:
        if not line.lstrip().startswith(MARK):
            plain += f"{line}\n"
            continue
        if plain:
            parts[-1].append(Template(plain))
            plain = ""
        kind, _, about = line.strip().removeprefix(MARK).strip().partition(" ")
        if kind in ("for", "if"):
            section = Section(kind, about.strip())
            parts[-1].append(section)
            inside.append(section)
            parts.append(section.body)
        elif kind == "else" and inside[-1].kind == "if":
            parts[-1] = inside[-1].otherwise
        elif kind == "end" and len(inside) > 1:
            inside.pop()
            parts.pop()
        else:
            raise ValueError(f"{where}: {line!r}")
    if len(inside) > 1:
        raise ValueError(f"{where}: expected %% end of {inside[-1].kind} {inside[-1].about}")
    return [*top.body, Template(plain)] if plain else top.body


def render(parts: list[Template | Section], scope: Scope) -> str:
    """The text. Raises KeyError for a name that nobody gives."""
    return "".join(
        part.substitute(scope)
        if isinstance(part, Template)
        else "".join(render(body, inner) for body, inner in part.times(scope))
        for part in parts
    )
