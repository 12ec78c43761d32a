"""Documents for programs that show them beside the code: GitHub's annotations, and SARIF 2.1.0.

Workflow commands are documented at docs.github.com; SARIF is OASIS's.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from magicert import __version__
from magicert.problem import json_text
from magicert.show.document import RULES, Annotation, Document, FilePlace

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def for_code(documents: Sequence[Document], form: str) -> str:
    """What programs take that show verdicts beside the code: "github" or "sarif"."""
    results = [annotation for document in documents for annotation in document.annotations]
    return f"{json_text(log(results))}\n" if form == "sarif" else commands(results)


def commands(annotations: Sequence[Annotation]) -> str:
    """Workflow commands: a line for each annotation and for each other place that it is about."""
    return "".join(
        _command(annotation, place)
        for annotation in annotations
        for place in (annotation.place, *annotation.related)
    )


def _command(annotation: Annotation, place: FilePlace) -> str:
    properties = {"file": relative(place.path)}
    if place.line:
        properties["line"] = str(place.line)
    if place.column:
        properties["col"] = str(place.column)
    properties["title"] = f"magicert: {annotation.title}"
    shown = ",".join(f"{name}={text.translate(_PROPERTY)}" for name, text in properties.items())
    return f"::{annotation.level} {shown}::{_text(annotation).translate(_DATA)}\n"


def _text(annotation: Annotation) -> str:
    """The message, with a line for each position."""
    head = f"{annotation.where}: {annotation.message}" if annotation.where else annotation.message
    rows = [f"{name} {text}" for name, text in annotation.rows]
    captions = [diagram.caption for diagram in annotation.diagrams if diagram.caption]
    return "\n".join([head, *rows, *captions])


def relative(path: Path) -> str:
    """A path as seen from where the command runs, with slashes; others as they are."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def log(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """SARIF's whole log: one run, with a result for each annotation."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "magicert", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(annotation) for annotation in annotations],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(annotation: Annotation) -> dict[str, Any]:
    # The same finding in the same file is the same alert, even when its line has moved.
    same = hashlib.sha256(
        f"{annotation.rule} {annotation.title} {_uri(annotation.place.path)}".encode()
    )
    result: dict[str, Any] = {
        "ruleId": annotation.rule,
        "ruleIndex": list(RULES).index(annotation.rule),
        "level": annotation.level,
        "message": {"text": f"{annotation.title}. {_text(annotation)}"},
        "locations": [_location(annotation.place)],
        "partialFingerprints": {"magicert/v1": same.hexdigest()},
    }
    if annotation.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place), "message": {"text": place.label or "the other"}}
            for number, place in enumerate(annotation.related, 1)
        ]
    return result


def _location(place: FilePlace) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        column = {"startColumn": place.column} if place.column else {}
        physical["region"] = {"startLine": place.line, **column}
    return {"physicalLocation": physical}


def _uri(path: Path) -> str:
    """Relative to where the command runs; a file outside is absolute."""
    shown = relative(path)
    return Path(shown).as_uri() if Path(shown).is_absolute() else quote(shown)
