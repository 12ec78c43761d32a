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
    said = [one for document in documents for one in document.annotations]
    return f"{json_text(log(said))}\n" if form == "sarif" else commands(said)


def commands(said: Sequence[Annotation]) -> str:
    """Workflow commands: a line for each annotation and for each other place that it is about."""
    return "".join(_command(one, place) for one in said for place in (one.place, *one.related))


def _command(said: Annotation, place: FilePlace) -> str:
    properties = {"file": relative(place.path)}
    if place.line:
        properties["line"] = str(place.line)
    if place.column:
        properties["col"] = str(place.column)
    properties["title"] = f"magicert: {said.title}"
    shown = ",".join(f"{name}={text.translate(_PROPERTY)}" for name, text in properties.items())
    return f"::{said.level} {shown}::{_text(said).translate(_DATA)}\n"


def _text(said: Annotation) -> str:
    """The message, with a line for each position."""
    head = f"{said.where}: {said.message}" if said.where else said.message
    rows = [f"{name} {text}" for name, text in said.rows]
    captions = [diagram.caption for diagram in said.diagrams if diagram.caption]
    return "\n".join([head, *rows, *captions])


def relative(path: Path) -> str:
    """A path as seen from where the command runs, with slashes; others as they are."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def log(said: Sequence[Annotation]) -> dict[str, Any]:
    """SARIF's whole log: one run, with a result for each annotation."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "magicert", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one) for one in said],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(said: Annotation) -> dict[str, Any]:
    # The same finding in the same file is the same alert, even when its line has moved.
    same = hashlib.sha256(f"{said.rule} {said.title} {_uri(said.place.path)}".encode())
    result: dict[str, Any] = {
        "ruleId": said.rule,
        "ruleIndex": list(RULES).index(said.rule),
        "level": said.level,
        "message": {"text": f"{said.title}. {_text(said)}"},
        "locations": [_location(said.place)],
        "partialFingerprints": {"magicert/v1": same.hexdigest()},
    }
    if said.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place), "message": {"text": place.label or "the other"}}
            for number, place in enumerate(said.related, 1)
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
