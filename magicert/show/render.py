"""Documents in the format that was asked for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from magicert.show.document import Document, PlainDocument

FORMATS = ("text", "json", "github", "sarif")
"""How verdicts are shown."""


def json_text(data: object) -> str:
    """One JSON document."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(data), indent=1).decode()


def echo_json(data: object) -> None:
    """One JSON document on stdout."""
    click.echo(json_text(data))


def tell(document: "PlainDocument", *, as_json: bool) -> None:
    """As text, or as JSON."""
    if as_json:
        echo_json(document.data())
    else:
        for line in document.lines:
            click.echo(line)
    for remark in document.remarks:
        click.echo(remark, err=True)


def for_code(documents: "Sequence[Document]", form: str) -> str:
    """What programs take that show verdicts beside the code: "github" or "sarif"."""
    from magicert.show import scanning

    said = [one for document in documents for one in document.annotations]
    return json_text(scanning.log(said)) if form == "sarif" else scanning.commands(said)


def show(
    documents: "Sequence[Document]", form: str, as_json: Callable[[], object], *, full: bool = False
) -> None:
    """The verdicts in one of FORMATS. GitHub's log has a line a verdict below the annotations."""
    match form:
        case "json":
            echo_json(as_json())
        case "github":
            click.echo(for_code(documents, form), nl=False)
            for document in documents:
                click.echo(document.line)
        case "sarif":
            click.echo(for_code(documents, form))
        case _:
            from magicert.show.text import echo

            echo(documents, full)
