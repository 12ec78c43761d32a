"""What commands have in common: options from the fields of requests, help, the files they write.

Options of click are made from requests, and requests from what was given. Help is plain text of at
most 80 columns, which can be piped and copied. A file that a command writes is never its input, nor
one that is not magicert's.
"""

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from magicert.problem import InputError, Problem, libraries, suggestion
from magicert.requests.outputs import check_folder, check_output
from magicert.requests.request import (
    Duration,
    File,
    Flag,
    Kind,
    OneOf,
    Pairs,
    Request,
    RequestField,
    ShippedName,
    WholeNumber,
    asked_by,
    option,
)
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

AnyRequest = TypeVar("AnyRequest")


class NearChoice(click.Choice[str]):
    """One of some words; what is nearly one is suggested."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} {suggestion(str(value), self.choices).capitalize()}".rstrip()


class KindType(click.ParamType[Any]):
    """A word that a kind reads; a `raw` one is left to the request."""

    def __init__(self, kind: Kind, *, raw: bool = False) -> None:
        self.kind = kind
        self.raw = raw
        self.name = (kind.metavar or "text").lower()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        if not isinstance(value, str) or self.raw:
            return value
        try:
            return self.kind.read(value, {} if ctx is None else ctx.params)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        found = [CompletionItem(word) for word in self.kind.complete(incomplete)]
        files = isinstance(self.kind, ShippedName) and self.kind.files
        return [*found, CompletionItem(incomplete, type="file")] if files else found


def _type(kind: Kind) -> Any:  # noqa: ANN401
    match kind:
        case WholeNumber(least=None, most=None):
            return int
        case WholeNumber():
            return click.IntRange(kind.least, kind.most)
        case OneOf():
            return NearChoice(tuple(kind.choices))
        case File():
            return click.Path(
                exists=kind.there,
                dir_okay=kind.folder is not False,
                file_okay=kind.folder is not True,
                path_type=Path,
            )
        case Pairs():
            return str
    return str if type(kind) is Kind else KindType(kind)


Decorator = Callable[[Any], Any]


def declared(*parts: type, several: str = "", without: type | None = None) -> Decorator:
    """All options of some requests, each once, in their order, but those of another request. Of
    the argument `several` one or more are taken, for as many requests.
    """
    seen = set() if without is None else {one.name for one in asked_by(without)}
    decorators: list[Decorator] = []
    for part in parts:
        new = [one for one in asked_by(part) if one.name not in seen]
        seen |= {one.name for one in new}
        decorators += [_many(one) if one.name == several else _decorator(one) for one in new]

    def decorate(command: Any) -> Any:  # noqa: ANN401
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _many(one: RequestField) -> Decorator:
    kind = one.kind
    return click.argument(
        one.name, nargs=-1, required=True, metavar=f"{kind.metavar}...",
        type=KindType(kind, raw=True),
    )  # fmt: skip


def _decorator(one: RequestField) -> Decorator:
    def decorate(command: Any) -> Any:  # noqa: ANN401
        command = _parameter(one)(command)
        made = command.__click_params__[-1]
        made.seldom = one.option.seldom
        if not one.option.argument and one.option.panel is not None:
            made.panel = one.option.panel
        return command

    return decorate


def _parameter(one: RequestField) -> Decorator:
    option = one.option
    if option.argument:
        nargs = -1 if option.several else 1
        return click.argument(
            one.name,
            type=_type(one.kind),
            required=one.default is MISSING,
            metavar=option.metavar,
            nargs=nargs,
        )
    if isinstance(one.kind, Flag):
        return click.option(*one.flags, one.name, is_flag=True, default=one.default,
                            show_default=option.shows_default, help=option.help)  # fmt: skip
    needed = one.default is MISSING
    default = {"required": True} if needed else {"default": _default(one)}
    more: dict[str, Any] = {**default, "multiple": option.several, "is_eager": option.first}
    return click.option(
        *one.flags, one.name, type=_type(one.kind), show_default=option.shows_default,
        metavar=option.metavar or one.kind.metavar, help=option.help, **more,
    )  # fmt: skip


def _default(one: RequestField) -> Any:  # noqa: ANN401
    """The default; a time as it would be given."""
    if one.option.several:
        return None
    timed = isinstance(one.kind, Duration) and one.default is not None
    return one.kind.written(one.default) if timed else one.default


def request_of(request: type[AnyRequest], given: Mapping[str, Any]) -> AnyRequest:
    """The request that was made. Raises InputError with all that is wrong with it."""
    return request(**{one.name: given[one.name] for one in asked_by(request)})


def refuse_others(
    request: type[Request[Any]],
    others: Iterable[type[Request[Any]]],
    given: Mapping[str, Any],
    why: str,
) -> None:
    """InputError for options of other requests."""
    own = {one.name for one in asked_by(request)}
    strange = {one.name: one for other in others for one in asked_by(other) if one.name not in own}
    wrong = [one.flag for one in strange.values() if one.is_given(given[one.name])]
    if wrong:
        raise InputError([Problem(f"{', '.join(wrong)}{why}")])


# A command: its help, and how it tells what came of its question.


def asks(
    name: str,
    request: type[Request[Any]],
    *more: type,
    without: type | None = None,
    cls: type[click.Command] = click.Command,
) -> Callable[[Callable[..., PlainDocument]], click.Command]:
    """The command of a question, with the options of `more`. What is decorated has the help text,
    and makes the document of the request, what came of it, and all that was given.
    """

    def decorate(document: Callable[..., PlainDocument]) -> click.Command:
        def ask(**given: Any) -> None:  # noqa: ANN401
            answer(request_of(request, given), given, document)

        ask.__doc__ = document.__doc__
        last = [] if without is None else [declared(without)]
        for decorator in [*last, declared(request, *more, without=without)]:
            ask = decorator(ask)
        return click.command(name, cls=cls)(ask)

    return decorate


def answer(
    asked: Request[Any], given: Mapping[str, Any], document: Callable[..., PlainDocument]
) -> NoReturn:
    """Look at where it is written, ask, tell what came of it, and exit with its status."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import tell

    refuse_outputs(asked, force=given.get("force", False))
    found = asked.run(ProgressDisplay)
    tell(document(asked, found, given), as_json=given.get("as_json", False))
    sys.exit(asked.exit_status(found))


def refuse_outputs(asked: Request[Any], *, force: bool) -> None:
    """Refuse to write over what is not magicert's, what took long, or an input."""
    for path in asked.outputs:
        check_output(path, asked.inputs, force=force)
    for path in asked.dear:
        if not force and path.is_file() and path.stat().st_size:
            message = "exists: expected --resume to go on with it, another name, or --force"
            raise InputError([Problem(message, file=str(path))])
    for folder in asked.folders:
        check_folder(folder, force=force)


force = partial(option, False, "Overwrite a file that magicert did not write.", seldom=True)
as_json = partial(option, False, "Print one JSON document.", flags=("--json",))


@dataclass(frozen=True, slots=True)
class Force:
    """The option --force."""

    force: bool = force()


@dataclass(frozen=True, slots=True)
class Json:
    """The option --json."""

    as_json: bool = as_json()


# Help, and what every command has: -q and -v.

COMPLETING = "_MAGICERT_COMPLETE"
"""Is in the environment where a shell asks for words."""
VERBATIM = "    "
"""How a line of a help text begins that stays as it is: an example."""


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
        self.write(f"{click.style(heading, bold=True)}:\n")


class Context(click.Context):
    """A context that writes help in groups: an option with an attribute `panel` stands under that
    title.
    """

    formatter_class = Formatter

    def invoke(self, *words: Any, **given: Any) -> Any:  # noqa: ANN401
        """Run the command. With --json bad input is a document, too, and that Ctrl-C ended it."""
        try:
            with libraries():
                return super().invoke(*words, **given)
        except (InputError, KeyboardInterrupt) as error:
            if self.params.get("as_json"):
                from magicert.show.document import bad_data, echo_json

                if isinstance(error, InputError):
                    echo_json(bad_data(error.problems))
                else:
                    echo_json(bad_data([Problem("interrupted")], "unknown"))
            raise

    @contextmanager
    def scope(self, cleanup: bool = True) -> Iterator[click.Context]:
        """Where words are read: an option that lacks what it takes says what that is."""
        try:
            with super().scope(cleanup) as here:
                yield here
        except click.BadOptionUsage as error:
            options = [one for one in self.command.params if error.option_name in one.opts]
            if error.ctx or not options or getattr(options[0], "is_flag", True):
                raise
            message = f"{error.message} Expected {options[0].make_metavar(self)}."
            raise click.BadOptionUsage(error.option_name, message, self) from None

    def get_help(self) -> str:
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
        for one in self.command.get_params(self):
            if not isinstance(one, click.Option) or one.opts[-1] in every:
                continue
            record = one.get_help_record(self)
            if record is not None and (everything or not getattr(one, "seldom", False)):
                found.setdefault(getattr(one, "panel", "Options"), []).append(record)
        # Options without a title come last.
        yield from sorted(found.items(), key=lambda item: item[0] == "Options")

    def of_all_commands(self) -> str:
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
