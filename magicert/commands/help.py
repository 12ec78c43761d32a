"""`magicert help`: the same as --help."""

import click
from click.shell_completion import CompletionItem


class CommandName(click.ParamType[str]):
    """A command; the group refuses what is none."""

    name = "command"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        group = ctx.find_root().command
        assert isinstance(group, click.Group)
        names = group.list_commands(ctx)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("help")
@click.argument("name", type=CommandName(), required=False, metavar="[COMMAND]")
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
