"""Options of click, from the fields of requests; and requests, from what was given."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from magicert.cli.output import check_output
from magicert.problem import suggestion
from magicert.requests.kinds import (
    Duration,
    File,
    Flag,
    Kind,
    OneOf,
    Pairs,
    ShippedName,
    WholeNumber,
)
from magicert.requests.request import Request, RequestField, asked_by

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
    ) -> list[CompletionItem]:
        """Words that begin so."""
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
