"""Engines: anything that answers a cell, each a module of the same shape.

An engine module defines

    OPTIONS: tuple[Option, ...]
    def solve(request: Request, observer: Observer) -> Outcome

and stands in ENGINES under the name that `magicert find --engine` uses.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from magicert.outcome import Observer, Outcome
from magicert.problem import InputError, Problem, missing, suggestion

if TYPE_CHECKING:
    from magicert.cell import Cell

ENGINES = {
    "trial": "magicert.search.finders.trial",
    "guess": "magicert.search.guessing.guess",
    "window": "magicert.search.window",
    "z3": "magicert.z3models.engine_z3",
    "sat": "magicert.z3models.engine_sat",
}
"""Modules by name."""


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option of one engine: its type is that of its default (int, float, str or bool)."""

    name: str
    default: int | float | str | bool
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineRequest:
    """What is asked of an engine.

    `everything` asks for all magics of the cell, not only the first; `seconds` and
    `memory` (MiB) are budgets at whose end the answer is UNKNOWN; `workers` is how many
    processes it may use; `options` has a value for every Option of the engine.
    """

    cell: "Cell"
    everything: bool = False
    seconds: float | None = None
    memory: int | None = None
    seed: int = 1
    workers: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)


class Engine(Protocol):
    """An engine's module."""

    OPTIONS: tuple[EngineOption, ...]

    def solve(self, request: EngineRequest, observer: Observer) -> Outcome:
        """Answer the request."""


def load(name: str) -> Engine:
    """The engine of that name.

    Raises InputError where there is none, or where its library is not installed.
    """
    if name not in ENGINES:
        known = ", ".join(ENGINES) or "none"
        raise InputError([Problem(f"unknown engine: expected one of {known}", key=name)])
    try:
        engine: Any = import_module(ENGINES[name])
    except ImportError as error:
        raise missing(error, f"engine {name}") from None
    return engine


def is_installed(name: str) -> bool:
    """Is the library there that an engine of ENGINES needs?"""
    try:
        load(name)
    except InputError:
        return False
    return True


COMMON = {"ledger": "window or sat", "cluster": "window"}
"""Options of all engines on a command line, and which have them."""


def option_values(engine: Engine, texts: Mapping[str, str]) -> dict[str, Any]:
    """Values for all of an engine's options, from texts such as those of `-O name=value`.

    Raises InputError with every option that is unknown or out of range.
    """
    problems = []
    known = {option.name: option for option in engine.OPTIONS}
    values: dict[str, Any] = {option.name: option.default for option in engine.OPTIONS}
    for name, text in texts.items():
        option = known.get(name)
        if option is None:
            if name in COMMON:
                message = f"this engine has no such option: expected --engine {COMMON[name]}"
                problems.append(Problem(message, key=f"--{name}"))
                continue
            names = ", ".join(known) or "none"
            hint = suggestion(name, known)
            message = f"unknown option: {hint}{' ' * bool(hint)}expected one of {names}"
            problems.append(Problem(message, key=name))
            continue
        try:
            values[name] = _value(option, text)
        except ValueError as error:
            problems.append(Problem(str(error), key=name))
    if problems:
        raise InputError(problems)
    return values


def _value(option: EngineOption, text: str) -> int | float | str | bool:
    kind = type(option.default)
    if kind is bool:
        if text.lower() not in ("yes", "no", "true", "false", "1", "0"):
            raise ValueError(f"{text!r}: expected yes or no")
        return text.lower() in ("yes", "true", "1")
    if kind is str:
        if option.choices and text not in option.choices:
            hint = suggestion(text, option.choices)
            choices = f"expected one of {', '.join(option.choices)}"
            raise ValueError(f"{text!r}: {f'{hint} {choices}'.strip()}")
        return text
    try:
        number = int(text, 0) if kind is int else float(text)
    except ValueError:
        raise ValueError(f"{text!r}: expected a number") from None
    if option.least is not None and number < option.least:
        raise ValueError(f"{text}: expected at least {option.least:g}")
    if option.most is not None and number > option.most:
        raise ValueError(f"{text}: expected at most {option.most:g}")
    return number
