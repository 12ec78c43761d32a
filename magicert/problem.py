"""What is wrong with an input: every error names the file, the key or line, what was
found and what was expected, and all of them are reported, not the first.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

SUGGESTED = 3
"""Most names that are suggested for a mistyped one."""
LISTED = 24
"""Most names that a message lists."""


def listed(names: Collection[str], most: int = LISTED) -> str:
    """Names for a message: a comma between them, and not hundreds of them."""
    shown = ", ".join(list(names)[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def nearly(name: str, known: Iterable[str]) -> list[str]:
    """The names, of those that are known, which somebody may have meant by `name`."""
    from difflib import get_close_matches

    # Below 0.65 "black" would be taken for "lance".
    close = partial(get_close_matches, cutoff=0.65)

    words = list(known)
    return close(name, words, SUGGESTED) or close(name.lower(), words)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A question that names what nearly is `name`, or ""."""
    return did_you_mean(nearly(name, known))


def did_you_mean(names: Collection[str]) -> str:
    """The question, or "" where there is no name."""
    if not names:
        return ""
    *others, last = names
    return f"did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def printable(text: object) -> str:
    """Text for one line of a terminal: whatever could move the cursor is escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))


def json_text(data: object) -> str:
    """One JSON document. A byte that is no UTF-8, in a file's name, is escaped as in texts."""
    import msgspec

    try:
        encoded = msgspec.json.encode(data)
    except UnicodeEncodeError:
        import json
        import re

        text = json.dumps(msgspec.to_builtins(data), ensure_ascii=False)
        escaped = re.sub(r"[\ud800-\udfff]", lambda byte: f"\\\\u{ord(byte[0]):x}", text)
        encoded = escaped.encode()
    return msgspec.json.format(encoded, indent=1).decode()


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a text."""

    start: int
    end: int


EXCERPT = 100
"""Columns of a line that are shown."""


def underlined(text: str, span: Span) -> list[str]:
    """The line of a text that a span begins in, and a line that marks the span."""
    start = min(span.start, len(text))
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", start)
    line = text[first : last if last >= 0 else len(text)]
    column = start - first
    width = max(1, min(span.end, first + len(line)) - start)
    # A window keeps a very long line readable, with the marked text inside.
    begin = max(0, column - EXCERPT // 2)
    window = "".join(c if c.isprintable() else " " for c in line[begin : begin + EXCERPT])
    width = min(width, EXCERPT - (column - begin))
    return [f"    {window}", f"    {' ' * (column - begin)}{'^' * max(1, width)}"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One error in an input. `line` counts from 1; `text` with `span` is underlined."""

    message: str
    file: str = ""
    key: str = ""
    line: int | None = None
    text: str = ""
    span: Span | None = None

    def at(self, file: str, key: str, line: int | None) -> "Problem":
        """The same problem, placed in a file."""
        return replace(self, file=file, key=key, line=line)

    def __str__(self) -> str:
        where = self.file
        if self.line is not None:
            where = f"{where or 'line'}:{self.line}"
        head = printable(": ".join(part for part in (where, self.key, self.message) if part))
        return "\n".join([head, *([] if self.span is None else underlined(self.text, self.span))])


def _ends(path: Path) -> list[str]:
    """A path's last name, with more and more of what is above it."""
    parts = printable(f"{'' if path.is_absolute() else './'}{path.as_posix()}").split("/")
    return ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]


def names_apart(paths: Iterable[Path]) -> dict[Path, str]:
    """As much of the end of each path as none of the others has."""
    ends = {path: _ends(path) for path in paths}
    count = Counter(end for endings in ends.values() for end in endings)
    return {
        path: next((end for end in endings if count[end] == 1), endings[-1])
        for path, endings in ends.items()
    }


def path_called(name: str, paths: Sequence[Path]) -> Path:
    """The file that a message calls by its path, or by the end of that."""
    matching = [path for path in paths if name == str(path)] or [
        path for path in paths if name in _ends(path)
    ]
    return matching[0] if matching else Path(name) if name else paths[0]


class InputError(ValueError):
    """An input that cannot be used, with all of its problems. The exit status is 2."""

    exit_status = 2

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NothingThereError(InputError):
    """An input that can be read, and has nothing in it of what was looked for."""


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """What the system says of a file that cannot be read becomes an InputError."""
    try:
        yield
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise InputError([Problem(message, file=str(error.filename or path))]) from None


def read_at_most(path: Path, most: int) -> bytes:
    """A file's bytes. Raises InputError, before it is read whole, where there are more than `most`;
    OSError where it cannot be read.
    """
    with path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise InputError([Problem(f"larger: expected at most {most:,} bytes", file=str(path))])
    return data


EXTRAS = {
    "numba": "search",
    "llvmlite": "search",
    "pysat": "sat",
    "bitwuzla": "sat",
    "ziglang": "function",
    "distributed": "cluster",
    "ortools": "bounds",
    "drup": "proofs",
    **{
        f"tree_sitter_{name}": "grammars" for name in ("julia", "kotlin", "ocaml", "scala", "swift")
    },
}
"""Optional libraries, and the extra of this package that brings each."""


def missing(error: ImportError, key: str = "") -> InputError:
    """A library that is not here as an input error that says what brings it. Any other error is
    raised.
    """
    library = (error.name or "").partition(".")[0]
    if library == "z3":  # comes with magicert, and somebody took it away
        return InputError([Problem("needs z3: pip install z3-solver", key=key)])
    if library not in EXTRAS:
        raise error
    return InputError(
        [Problem(f"needs {library}: pip install 'magicert[{EXTRAS[library]}]'", key=key)]
    )


@contextmanager
def libraries() -> Iterator[None]:
    """What needs a library that is not here raises InputError."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing(error) from None
