"""`magicert docs`: the documents, as they came with this installation."""

import click

from magicert.problem import InputError, Problem, suggestion


@click.command("docs")
@click.argument("name", required=False, metavar="[NAME]")
def command(name: str | None) -> None:
    """List the documents, or show one.

    For example:

        magicert docs

        magicert docs certificates
    """
    from magicert.data import documents

    found = documents()
    if name is None:
        for key, path in found.items():
            with path.open(encoding="utf-8") as lines:
                click.echo(f"{key:<28} {next(lines).removeprefix('# ').rstrip()}")
        return
    key = name.rpartition("/")[2].removesuffix(".md")
    if key not in found:
        hint = suggestion(key, found) or "magicert docs lists them"
        raise InputError([Problem(f"no such document: {hint}", key=name)])
    click.echo_via_pager(found[key].read_text("utf-8"))
