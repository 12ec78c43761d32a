"""`magicert help`: the same as --help."""

import click


def _group(ctx: click.Context) -> click.Group:
    group = ctx.find_root().command
    assert isinstance(group, click.Group)
    return group


@click.command("help")
@click.argument(
    "name", required=False, metavar="[COMMAND]",
    shell_complete=lambda ctx, _, begun: [
        name for name in _group(ctx).list_commands(ctx) if name.startswith(begun)
    ],
)  # fmt: skip
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
