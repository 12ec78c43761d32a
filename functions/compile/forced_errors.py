"""Why a function cannot be asked for so, in the words of a compiler that was given a form of it.

    kept.cpp:3:9: error: use of undeclared identifier 'rook'
                     use of undeclared identifier 'rook', at character 5 of the call

Several functions may be asked for at once: which error is of which one, its row says.
"""

import re
from collections.abc import Iterable, Sequence

from magicert.functions.compile.compilers import C_LANGUAGES

_UNDECLARED_INSIDE = re.compile(
    r"candidate template ignored: substitution failure.*: (use of undeclared identifier '.*)"
)


def _reason(lines: Sequence[str]) -> str:
    """What is wrong with what was asked for, in the words of clang, zig or rustc; "" where they
    say it only of what is ours.
    """
    error_lines = [line for line in lines if re.search(r"\berror\b.*?: ", line)]
    error_lines = [re.sub(r"^.*\bkept\..*? error: |^error.*?: ", "", line) for line in error_lines]
    error_lines = [line for line in error_lines if "magicert" not in line]
    marked = re.compile(r"[\s|^-]*\^ (\w.*)").fullmatch  # rustc says below what is meant
    explanations = [match[1] for line in lines if (match := marked(line))]
    if error_lines:
        return ": ".join([*error_lines[:1], *explanations[:1]])
    ignored = map(_UNDECLARED_INSIDE.search, lines)  # of what is ours
    return next((match[1] for match in ignored if match), "")


def from_rows(lines: Sequence[str], file: str, rows: range) -> Sequence[str]:
    """A compiler's words of its first error in these rows of a file, or in what is made for them;
    none without one.
    """
    is_error = re.compile(r": (?:fatal )?error: |^error\b")
    errors = [place for place, line in enumerate(lines) if is_error.search(line)]
    for place, behind in zip(errors, [*errors[1:], len(lines)], strict=True):
        in_file = re.compile(rf"(?:\s*--> (?:\S*/)?)?{re.escape(file)}:(\d+):")
        own = map(in_file.match, lines[place:behind])
        if any(match and int(match[1]) in rows for match in own):
            return lines[place:behind]
    return []


def reason_in_call(lines: Sequence[str], rows: Sequence[str], calls: Iterable[str]) -> str:
    """What is wrong, with where in one of the calls it is; "" where nothing says it. `rows` are the
    lines of the file as the compiler counts them.
    """
    reason = _reason(lines)
    return reason and reason + _in_call(lines, rows, calls)


def _in_call(lines: Sequence[str], rows: Sequence[str], calls: Iterable[str]) -> str:
    """Where in one of the calls a compiler's first error is."""
    first = next((n for n, line in enumerate(lines) if re.search(r"\berror\b", line)), 0)
    place = re.search(r"(?:kept\.\w+|--> [^:\n]+):(\d+):(\d+)", "\n".join(lines[first : first + 2]))
    if place is None or int(place[1]) > len(rows):
        return ""
    row, column = rows[int(place[1]) - 1], int(place[2]) - 1
    for call in calls:
        begin = row.rfind(call, 0, column + len(call))
        if 0 <= begin <= column < begin + len(call) and not call.isidentifier():
            return f", at character {column - begin + 1} of the call"
    return ""


_OTHER_TYPES = "mismatched types", "cannot be indexed by", "unsafe attribute"
"""What rustc says of a call that may compile with a square of another type, or be exported so."""


def may_be_asked_otherwise(language: str, name: str, message: str) -> bool:
    """Whether another way to ask may compile. A compiler of C or C++ has said of a part of this
    name that nothing is called so: no way has another scope. In Rust ways differ in the types of
    squares, and in how a name is exported.
    """
    if language == "rust":
        return any(one in message for one in _OTHER_TYPES)
    undeclared = r"use of undeclared identifier '(\w+)'|call to undeclared function '(\w+)'"
    unknown = re.match(undeclared, message) if language in C_LANGUAGES else None
    return unknown is None or (unknown[1] or unknown[2]) not in re.findall(r"\w+", name)
