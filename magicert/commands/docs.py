"""`magicert docs`: the documents that ship."""

from pathlib import Path

import click

from magicert.commands.command import Answer, command
from magicert.commands.options import ShippedName
from magicert.data import documents
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem, suggestion


@command("docs")
@click.argument(
    "name", required=False, metavar="[NAME]", type=ShippedName(documents, str, files=False)
)
def run(name: str | None) -> Answer:
    """List the documents, or show one.

    For example:

        magicert docs
        magicert docs certificates
    """
    pages = documents()
    if name is None:
        titles = {key: _title(path) for key, path in pages.items()}
        lines = [f"{key:<28} {title}" for key, title in titles.items()]
        data = {key: {"title": titles[key], "file": str(pages[key])} for key in titles}
        return Answer(OutcomeKind.VALID, lines, lambda: data)
    key = name.rpartition("/")[2].removesuffix(".md")
    if key not in pages:
        hint = suggestion(key, pages) or "magicert docs lists them"
        raise InputError([Problem(f"no such document: {hint}", key=name)])
    text = pages[key].read_text("utf-8")
    return Answer(
        OutcomeKind.VALID, data=lambda: {"file": str(pages[key]), "text": text}, paged=text
    )


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return next(lines).removeprefix("# ").rstrip()
