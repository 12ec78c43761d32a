"""`magicert completion`: the script that teaches a shell to complete magicert."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    To be put into the shell's start-up file:

        bash:  eval "$(magicert completion bash)"
        zsh:   eval "$(magicert completion zsh)"
        fish:  magicert completion fish | source
        magicert completion powershell | Out-String | Invoke-Expression  # PowerShell
    """
    completion = get_completion_class(shell)
    assert completion is not None
    root = ctx.find_root().command
    click.echo(completion(root, {}, "magicert", "_MAGICERT_COMPLETE").source())
