"""SARIF 2.1.0 (OASIS): what code scanning takes."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from magicert import __version__
from magicert.cli.display.formats.annotations import RULES, Annotation, Place
from magicert.cli.display.formats.github import relative

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def log(said: Sequence[Annotation]) -> dict[str, Any]:
    """The whole log: one run, with a result for each annotation."""
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
        "message": {"text": f"{said.title}. {said.message}"},
        "locations": [_location(said.place)],
        "partialFingerprints": {"magicert/v1": same.hexdigest()},
    }
    if said.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place), "message": {"text": place.label or "the other"}}
            for number, place in enumerate(said.related, 1)
        ]
    return result


def _location(place: Place) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(place.path)}}
    if place.line:
        column = {"startColumn": place.column} if place.column else {}
        physical["region"] = {"startLine": place.line, **column}
    return {"physicalLocation": physical}


def _uri(path: Path) -> str:
    """Relative to where the command runs; a file outside is absolute."""
    shown = relative(path)
    return Path(shown).as_uri() if Path(shown).is_absolute() else quote(shown)
