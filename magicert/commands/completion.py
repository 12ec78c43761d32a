"""`magicert completion`: the completion script of a shell."""

import click
from click.shell_completion import get_completion_class

from magicert.commands.command import COMPLETING
from magicert.commands.options import Choice


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=Choice(["bash", "zsh", "fish"]))
@click.pass_context
def run(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell: bash, zsh or fish.

    Add the line of your shell to its start-up file:

        bash:  eval "$(magicert completion bash)"
        zsh:   eval "$(magicert completion zsh)"
        fish:  magicert completion fish | source
    """
    completion = get_completion_class(shell)
    assert completion is not None
    root = ctx.find_root().command
    click.echo(completion(root, {}, "magicert", COMPLETING).source())
