"""`magicert completion`, `magicert docs` and `magicert help`."""

import click
from click.shell_completion import get_completion_class

from magicert.cli.declared import COMPLETING, Json, declared
from magicert.problem import InputError, Problem, suggestion


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    To be put into the shell's start-up file:

        bash:  eval "$(magicert completion bash)"
        zsh:   eval "$(magicert completion zsh)"
        fish:  magicert completion fish | source
    """
    completion = get_completion_class(shell)
    assert completion is not None
    root = ctx.find_root().command
    click.echo(completion(root, {}, "magicert", COMPLETING).source())


@click.command("docs")
@click.argument("name", required=False, metavar="[NAME]")
@declared(Json)
def docs(name: str | None, as_json: bool) -> None:
    """List the documents, or show one.

    For example:

        magicert docs
        magicert docs certificates
    """
    from magicert.data import documents
    from magicert.show.document import echo_json

    found = documents()
    if name is None:
        titles = {}
        for key, path in found.items():
            with path.open(encoding="utf-8") as lines:
                titles[key] = next(lines).removeprefix("# ").rstrip()
        if as_json:
            told = {key: {"title": titles[key], "file": str(found[key])} for key in titles}
            echo_json(told)
        else:
            click.echo("\n".join(f"{key:<28} {title}" for key, title in titles.items()))
        return
    key = name.rpartition("/")[2].removesuffix(".md")
    if key not in found:
        hint = suggestion(key, found) or "magicert docs lists them"
        raise InputError([Problem(f"no such document: {hint}", key=name)])
    text = found[key].read_text("utf-8")
    if as_json:
        echo_json({"file": str(found[key]), "text": text})
    else:
        click.echo_via_pager(text)


@click.command("help")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def help_(ctx: click.Context, name: str | None) -> None:
    """Show help, for a command or for all of magicert.

    For example:

        magicert help verify

    The same as magicert verify --help.
    """
    root = ctx.find_root()
    words = [name] if name else []
    root.command.main([*words, "--help"], prog_name=root.info_name)
