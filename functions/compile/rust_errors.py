"""What rustc says of a crate: its errors, and what of a crate each of them is about."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PATTERN_LINTS = ("non_snake_case", "unreachable_patterns", "irrefutable_let_patterns")
"""What the compiler says of a name in a pattern that is a new variable's, and no constant's."""


@dataclass(frozen=True, slots=True)
class RustError:
    """What a compiler says of a place in a file, by its bytes."""

    message: str
    code: str
    file: str
    begin: int
    end: int


def variables_for_constants(output: str) -> Iterator[RustError]:
    """Patterns of a crate that compiles whose names may be of constants that are gone, and so are
    new variables: what they match is all.
    """
    for warning in errors_in(output, "warning"):
        if warning.code in PATTERN_LINTS and (
            warning.code != "non_snake_case" or warning.message.startswith("variable ")
        ):
            yield warning


def errors_in(output: str, level: str = "error") -> Iterator[RustError]:
    """The errors, or warnings, in rustc's output of JSON, a line each."""
    for line in output.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if not isinstance(said, dict) or said.get("level") != level:
            continue
        code = (said.get("code") or {}).get("code") or ""
        for span in said.get("spans") or ():
            if span.get("is_primary"):
                outer = _written(span)
                notes = (child.get("message") or "" for child in said.get("children") or ())
                yield RustError(
                    " ".join([str(said.get("message")), *notes]), code,
                    outer["file_name"], outer["byte_start"], outer["byte_end"],
                )  # fmt: skip


def _written(span: dict[str, Any]) -> dict[str, Any]:
    """Where the source has what a macro made."""
    while span.get("expansion"):
        span = span["expansion"]["span"]
    return span


@dataclass(frozen=True, slots=True)
class LostImplementation:
    """Methods and constants that a type no longer has."""

    of: str
    """The type's name; "" where it has none."""
    names: frozenset[str]
    changed: frozenset[str]
    """The names in its head, if it is of a trait that is there: what a type of this crate is
    without it nobody knows, for it may be dropped, dereferenced or added in another way.
    """
    trait: str = ""
    """The trait, by its last name."""
    converts: str = ""
    """The type to which it is a conversion, if that stays and only its error is another one:
    whoever asks for that names the type somewhere.
    """
