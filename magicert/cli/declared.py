"""What commands have in common: options from the fields of requests, help, the files they write.

Options of click are made from requests, and requests from what was given. Help is plain text of at
most 80 columns, which can be piped and copied. A file that a command writes is never its input, nor
one that is not magicert's.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from magicert.dataclass import dataclass
from magicert.problem import InputError, Problem, suggestion
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

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

AnyRequest = TypeVar("AnyRequest")


class NearChoice(click.Choice[str]):
    """One of some words; what is nearly one is suggested."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ANN401
        """What to say of a word that is none of them."""
        message = super().get_invalid_choice_message(value, ctx)
        return f"{message} {suggestion(str(value), self.choices).capitalize()}".rstrip()


class KindType(click.ParamType[Any]):
    """A word that a kind reads; a `raw` one is left to the request."""

    def __init__(self, kind: Kind, *, raw: bool = False) -> None:
        self.kind = kind
        self.raw = raw
        self.name = (kind.metavar or "text").lower()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """What the kind makes of it."""
        if not isinstance(value, str) or self.raw:
            return value
        try:
            return self.kind.read(value, {} if ctx is None else ctx.params)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Words that begin so."""
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
    """click.UsageError for options of other requests."""
    own = {one.name for one in asked_by(request)}
    strange = {one.name: one for other in others for one in asked_by(other) if one.name not in own}
    wrong = [one.flag for one in strange.values() if one.is_given(given[one.name])]
    if wrong:
        raise click.UsageError(f"{', '.join(wrong)}{why}")


def check_outputs(
    request: Request[Any], *, force: bool, also: Iterable[Path] = (), inputs: Iterable[Path] = ()
) -> None:
    """Refuse to write over what is not magicert's, or over an input."""
    for path in (*request.outputs, *also):
        check_output(path, [*request.inputs, *inputs], force=force)


# Files that a command writes.

MARK = re.compile(
    rb"Written by magicert |"  # emitted sources, tables
    rb"^# What is known about the magics|"  # atlases
    rb'"format": ?"magicert-|'  # reports of verify
    rb'"driver": ?\{\s*"name": ?"magicert"|'  # its SARIF
    rb"\A(c )?magicert (cover|proof) ",
    re.MULTILINE,
)
"""What a file of magicert's says near its top."""
HEAD = 4096
"""Bytes that are its top."""
XZ = b"\xfd7zXZ\x00"
"""How a packed file begins: its top is what is packed in it."""

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


def check_output(output: Path, inputs: Iterable[Path | None], *, force: bool) -> None:
    """Look at where a command is to write, before it does its work.

    Raises InputError where there is no such folder, where that is one of its inputs or will be
    (a ledger), and, unless `force`, where a file stands that magicert did not write.
    """
    if not output.parent.is_dir():
        raise _refused(output.parent, "no such folder")
    if any(path is not None and _same(path, output) for path in inputs):
        raise _refused(output, "is the input: expected another file for the output")
    if not output.exists():
        return
    if output.is_dir():
        raise _refused(output, "is a folder: expected a file")
    if output.is_file() and not force and not _is_ours(output):
        message = "exists and magicert did not write it: expected another name, or --force"
        raise _refused(output, message)


def _same(one: Path, other: Path) -> bool:
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def _is_ours(path: Path) -> bool:
    """Whether magicert wrote it; an empty file is nobody's, and may be written."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if head.startswith(XZ):
        import lzma

        try:
            with lzma.open(path) as packed:
                head = packed.read(HEAD)
        except (lzma.LZMAError, EOFError):
            return False
    return not head or MARK.search(head) is not None


def _refused(output: Path, message: str) -> InputError:
    return InputError([Problem(message, file=str(output))])


# Help, and what every command has: -q and -v.

COMPLETING = "_MAGICERT_COMPLETE"
"""Is in the environment where a shell asks for words."""
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
                from magicert.show.document import bad_data, echo_json

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
        for one in self.command.get_params(self):
            if not isinstance(one, click.Option) or one.opts[-1] in every:
                continue
            record = one.get_help_record(self)
            if record is not None and (everything or not getattr(one, "seldom", False)):
                found.setdefault(getattr(one, "panel", "Options"), []).append(record)
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
