"""The manual page for man(1), from what the commands say of themselves."""

from collections.abc import Iterator

import click

import magicert
from magicert.cli.declared import VERBATIM, Context, in_short, paragraphs


def manual(root: click.Context) -> str:
    """All commands with all their options, in the language of man pages."""
    group = root.command
    assert isinstance(group, click.Group)
    lines = [
        f'.TH MAGICERT 1 "" "magicert {magicert.__version__}"',
        ".SH NAME",
        rf"magicert \- {_text(in_short(group).lower())}",
        ".SH SYNOPSIS",
        ".B magicert",
        "COMMAND [OPTIONS] [ARGUMENTS]",
        ".SH COMMANDS",
    ]
    for name in group.list_commands(root):
        command = group.get_command(root, name)
        assert command is not None
        lines += _command(Context(command, info_name=name, parent=root))
    documents = "The documents come with the command: magicert docs."
    lines += [".SH EXIT STATUS", _text(group.epilog or ""), ".SH SEE ALSO", documents]
    return "\n".join(lines) + "\n"


def _command(context: Context) -> Iterator[str]:
    command = context.command
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_text(f'magicert {context.info_name} {usage}')}"
    for paragraph in paragraphs(command.help or ""):
        if paragraph[0].startswith(VERBATIM):
            yield from (".PP", ".nf", *map(_text, paragraph), ".fi")
        else:
            yield from (".PP", _text(" ".join(paragraph)))
    for _, options in context.panels(everything=True):
        for names, said in options:
            yield from (".TP", rf"\fB{_text(names)}\fR", _text(said))
    yield from (".PP", _text(context.of_all_commands()))


def _text(text: str) -> str:
    """Text that is no request of the language; options keep their dashes."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{plain}"
