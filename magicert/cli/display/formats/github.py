"""Workflow commands of GitHub Actions: annotations on the lines of a pull request.

Documented at docs.github.com under "Workflow commands for GitHub Actions".
"""

from collections.abc import Sequence
from pathlib import Path

from magicert.cli.display.formats.annotations import Annotation, Place

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def commands(said: Sequence[Annotation]) -> str:
    """A line for each annotation and for each other place that it is about."""
    return "".join(_command(one, place) for one in said for place in (one.place, *one.related))


def _command(said: Annotation, place: Place) -> str:
    properties = {"file": relative(place.path)}
    if place.line:
        properties["line"] = str(place.line)
    if place.column:
        properties["col"] = str(place.column)
    properties["title"] = f"magicert: {said.title}"
    shown = ",".join(f"{name}={text.translate(_PROPERTY)}" for name, text in properties.items())
    return f"::{said.level} {shown}::{said.message.translate(_DATA)}\n"


def relative(path: Path) -> str:
    """A path as seen from where the command runs, with slashes; others as they are."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
