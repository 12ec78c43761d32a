"""The command line: `magicert COMMAND`. Commands are imported when they are called."""


def main() -> None:
    """The entry point of the `magicert` command."""
    from magicert.cli.app import cli

    cli.main(prog_name="magicert")
