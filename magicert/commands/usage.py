"""What is wrong with a command's words: click's sentences, and what would have been right.

A word that is missing or too much gets the values that it could have, or an example of the
command's help; a misspelt one what is nearly it.
"""

from inspect import cleandoc

import click

from magicert.commands.command import VERBATIM
from magicert.problem import did_you_mean


def message_of(error: click.UsageError) -> str:
    """The message of an error, in one line."""
    match error:
        case click.MissingParameter() if error.param is not None:
            return _missing(error.param, error.ctx)
        case click.BadParameter() if error.param is not None:
            return f"{_name(error.param)}: {error.message}"
        case click.NoSuchOption():
            near = did_you_mean(error.possibilities or ())
            return f"{error.message} {near[:1].upper()}{near[1:]}".rstrip()
    if error.ctx is not None and error.message.startswith("Got unexpected extra argument"):
        taken = [param for param in error.ctx.command.params if isinstance(param, click.Argument)]
        names = " ".join(param.make_metavar(error.ctx) for param in taken)
        return f"{error.message.rstrip('.')}: expected {names or 'options only'}"
    return error.format_message()


def _name(param: click.Parameter) -> str:
    """What a message calls a parameter: its longest option, or its name in the usage."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len)
    return (param.metavar or param.human_readable_name).strip("[].").upper()


def _missing(param: click.Parameter, ctx: click.Context | None) -> str:
    choices = ", ".join(getattr(param.type, "choices", ()))
    expected = f": expected one of {choices}" if choices else ""
    example = _example(param, ctx)
    kind = "option" if isinstance(param, click.Option) else "argument"
    return f"Missing {kind} {_name(param)}{expected}{example and f'. Example: {example}'}"


def _example(param: click.Parameter, ctx: click.Context | None) -> str:
    """An example of the command's help that has the parameter."""
    text = cleandoc((ctx and ctx.command.help) or "")
    examples = [line.strip() for line in text.split("\n") if line.startswith(VERBATIM)]
    flags = param.opts if isinstance(param, click.Option) else ()
    having = [example for example in examples if not flags or {*flags} & {*example.split()}]
    return having[0] if having else ""
