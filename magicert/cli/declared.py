"""What commands have in common: options from the fields of requests, help, the files they write.

Options of click are made from requests, and requests from what was given. Help is plain text of at
most 80 columns, which can be piped and copied. A file that a command writes is never its input, nor
one that is not magicert's.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

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
from magicert.show.document import PlainDocument
from magicert.show.outputs import check_folder, check_output

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
    from magicert.show.document import tell
    from magicert.show.progress import ProgressDisplay

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
