"""The questions of the command line, as functions of Python."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from os import PathLike, fspath
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from magicert.api.tables import path_of
from magicert.atlas import Atlas
from magicert.atlas import read_atlas as read
from magicert.data import tables_folder
from magicert.outcome import watched_by
from magicert.problem import InputError, Problem, libraries, suggestion
from magicert.requests.check import Check, CheckedCertificate
from magicert.requests.request import Request

Words = ParamSpec("Words")
Result = TypeVar("Result")
Value = TypeVar("Value")


def asking(
    name: str, request: Callable[Words, Request[Result]], value: Callable[[Result, Any], Value]
) -> Callable[Words, Value]:
    """The function of Python that asks a question: its arguments are the request's fields, of which
    `observer` sees how far the answer is. `value` makes its result of what was found and the
    request, and says of which type that is.

    Raises InputError with all that is wrong with them.
    """

    @wraps(request, updated=())
    def ask(*arguments: Words.args, **given: Words.kwargs) -> Value:
        refuse_unknown(request, given)
        made = request(*arguments, **given)
        with libraries():
            return value(made.run(watched_by(made.observer)), made)

    ask.__name__ = ask.__qualname__ = name
    ask.__module__ = __name__
    shown = _signature(request, signature(value).return_annotation)
    ask.__signature__ = shown  # type: ignore[attr-defined]
    ask.__annotations__ = {
        **{one.name: one.annotation for one in shown.parameters.values()},
        "return": shown.return_annotation,
    }
    del ask.__wrapped__  # or it is called a class that returns None
    return ask


def _signature(request: Callable[..., object], result: object) -> Signature:
    """What help() and the site show: a request's fields with their defaults, and a result."""
    known = signature(request)
    made = {one.name: one.default_factory for one in fields(request)}  # type: ignore[arg-type]

    def shown(one: Parameter) -> Parameter:
        factory = made[one.name]
        if factory is not MISSING:
            return one.replace(default=factory())
        return one.replace(default=fspath(one.default)) if isinstance(one.default, Path) else one

    parameters = [shown(one) for one in known.parameters.values()]
    return known.replace(parameters=parameters, return_annotation=result)


def refuse_unknown(request: object, given: Iterable[str]) -> None:
    """InputError for arguments that a request has not."""
    known = [one.name for one in fields(request)]  # type: ignore[arg-type]
    wrong = [name for name in given if name not in known]
    if wrong:
        expected = f"expected one of {', '.join(known)}"
        raise InputError(Problem(suggestion(name, known) or expected, key=name) for name in wrong)


def _checked(checked: CheckedCertificate, _: Check) -> CheckedCertificate:
    return checked


check = asking("check", Check, _checked)


def read_atlas(path: str | PathLike[str] | None = None) -> Atlas:
    """What is known of every cell of the white scheme: the atlas that ships, or another file.

    Iterating gives its entries; `best(piece, square)` is the magic with the fewest bits,
    `bound(piece, square)` the impossible cell with the most. Raises InputError for what is none.
    """
    return read(tables_folder() / "atlas.toml" if path is None else path_of(path))


