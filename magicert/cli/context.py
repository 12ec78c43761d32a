"""Help as plain text of at most 80 columns, which can be piped and copied; -q and -v."""

import textwrap
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import Any, cast

import click

from magicert.problem import InputError

VERBATIM = "    "
"""How a line of a help text begins that stays as it is: an example."""


def level() -> int:
    """How much the running command tells on the way: -1 with -q, 1 with -v, else 0."""
    context = click.get_current_context(silent=True)
    return 0 if context is None else cast("int", context.meta.get("magicert.level", 0))


def _set_level(context: click.Context, option: click.Parameter, given: bool) -> None:
    if given:
        context.meta["magicert.level"] = -1 if option.name == "quiet" else 1


OF_ALL_COMMANDS = (
    click.Option(
        ["-q", "--quiet"], is_flag=True, expose_value=False, callback=_set_level,
        help="no progress, no remarks",
    ),
    click.Option(
        ["-v", "--verbose"], is_flag=True, expose_value=False, callback=_set_level,
        help="plans and estimates, too",
    ),
)  # fmt: skip
EVERYTHING = "magicert.everything"
"""In a context: help shows what is seldom needed, too."""
IN_ONE_SENTENCE = ("--quiet", "--verbose", "--help-all", "--help")
"""Every command has these: help says them in a sentence, last."""


class Formatter(click.HelpFormatter):
    """Titles are bold where a person reads them."""

    def write_heading(self, heading: str) -> None:
        """A title; `click.echo` takes the style away in a pipe."""
        self.write(f"{click.style(heading, bold=True)}:\n")


class Context(click.Context):
    """A context that writes help in groups: an option with an attribute `panel` stands under that
    title.
    """

    formatter_class = Formatter

    def invoke(self, *words: Any, **given: Any) -> Any:  # noqa: ANN401
        """Run the command. With --json, bad input is a document, too."""
        try:
            return super().invoke(*words, **given)
        except InputError as error:
            if self.params.get("as_json"):
                from magicert.show.document import bad_data
                from magicert.show.render import echo_json

                echo_json(bad_data(error.problems))
            raise

    def get_help(self) -> str:
        """Usage, text, options by panel, commands by group, and the epilog."""
        formatter = self.make_formatter()
        command = self.command
        command.format_usage(self, formatter)
        for paragraph in paragraphs(command.help or ""):
            formatter.write_paragraph()
            with formatter.indentation():
                if paragraph[0].startswith(VERBATIM):
                    formatter.write("".join(f"  {line}\n" for line in paragraph))
                else:
                    formatter.write_text(" ".join(paragraph))
        for title, options in self.panels(everything=bool(self.meta.get(EVERYTHING))):
            with formatter.section(title):
                formatter.write_dl(options)
        if isinstance(command, click.Group):
            command.format_commands(self, formatter)
        else:
            formatter.write_paragraph()
            formatter.write_text(self.of_all_commands())
        command.format_epilog(self, formatter)
        return formatter.getvalue().rstrip("\n")

    def panels(self, *, everything: bool) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The options with their help, by title: the usual ones, or all."""
        found: dict[str, list[tuple[str, str]]] = {}
        every = () if isinstance(self.command, click.Group) else IN_ONE_SENTENCE
        for option in self.command.get_params(self):
            if not isinstance(option, click.Option) or option.opts[-1] in every:
                continue
            record = option.get_help_record(self)
            if record is not None and (everything or not getattr(option, "seldom", False)):
                found.setdefault(getattr(option, "panel", "Options"), []).append(record)
        # Options without a title come last.
        yield from sorted(found.items(), key=lambda item: item[0] == "Options")

    def of_all_commands(self) -> str:
        """What every command has."""
        options = (one for one in self.command.get_params(self) if isinstance(one, click.Option))
        own = [one for one in options if one.opts[-1] in IN_ONE_SENTENCE]
        own.sort(key=lambda one: IN_ONE_SENTENCE.index(one.opts[-1]))
        said = [f"{', '.join(one.opts)} ({one.help})" for one in own[:-1]]
        return f"Every command has {', '.join([*said, *own[-1].opts])}."


def paragraphs(text: str) -> Iterator[Sequence[str]]:
    """The paragraphs of a help text, line by line."""
    for paragraph in cleandoc(text).split("\n\n"):
        lines = paragraph.strip("\n").split("\n")
        if lines[0]:
            yield lines


def in_short(command: click.Command) -> str:
    """The first line of a command's help."""
    return textwrap.shorten(cleandoc(command.help or "").partition("\n\n")[0], 200).rstrip(".")
