"""`magicert help`: the same as --help."""

import click


@click.command("help")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.pass_context
def run(ctx: click.Context, name: str | None) -> None:
    """Show help, for a command or for all of magicert.

    For example:

        magicert help verify

    The same as magicert verify --help.
    """
    root = ctx.find_root()
    words = [name] if name else []
    root.command.main([*words, "--help"], prog_name=root.info_name)
