"""What a question is: a dataclass whose fields say of themselves all that is to be said.

    @dataclass(frozen=True, slots=True)
    class Find(Request[Answer]):
        begins = ("find",)
        piece: Annotated[str, Option(kind=OfPiece(), argument=True)]
        bits: int | None = option(None, "Index bits.", WholeNumber(1, 32), "K")

The command line, the Python functions, commands in files and the documents are made from these.
"""

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, MISSING, Field, field, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_origin

from magicert.dataclass import dataclass
from magicert.outcome import Observer, OutcomeKind, Watch, status_of
from magicert.problem import InputError, Problem
from magicert.requests.kinds import TEXT, USUAL_KINDS, Duration, File, Flag, Kind, Pairs

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Option:
    """What a field of a request is called, and what it means; `kind` None is that of its type.

    `flags` are its names on a command line (the field's own, if none are given); `argument` says
    that it has none there. `several` are given one by one. `seldom` ones only --help-all shows.
    Of a provenance's command those are left out that do not change the result (`told` False); those
    that are `always` told stand there even with their default. Those that others depend on are read
    `first`.
    """

    help: str = ""
    kind: Kind | None = None
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    panel: str | None = None
    argument: bool = False
    several: bool = False
    seldom: bool = False
    shows_default: bool = False
    told: bool = True
    always: bool = False
    first: bool = False
    last: bool = False


def option(default: Any, help: str = "", *words: Any, **more: Any) -> Any:  # noqa: A002, ANN401
    """A field with a default (or MISSING), and its option: more of what Option takes."""
    made = {"default_factory": dict} if default == {} else {"default": default}
    return field(**made, metadata={"option": Option(help, *words, **more)})


budget = partial(
    option, None, "Stop after 90s, 10m or 2h.", Duration(), flags=("--budget",),
    panel="How to answer it", told=False,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RequestField:
    """A field with its option. `default` is MISSING where it has none."""

    name: str
    option: Option
    kind: Kind
    default: Any

    @property
    def flags(self) -> tuple[str, ...]:
        """Its names on a command line."""
        return self.option.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def flag(self) -> str:
        """The longest name."""
        return next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])

    def is_given(self, value: Any) -> bool:  # noqa: ANN401
        """Whether it is not as it is if nobody gives it."""
        return value not in (None, (), {}) and (self.default is MISSING or value != self.default)

    def words(self, value: Any) -> list[str]:  # noqa: ANN401
        """The words of a command line that give this value."""
        if isinstance(self.kind, Flag):
            flags = self.flag.split("/")
            return [flags[0] if value else flags[1]]
        if isinstance(value, Mapping):
            values = [f"{name}={text}" for name, text in sorted(value.items())]
        else:
            values = list(value) if self.option.several else [value]
        written = [self.kind.written(one) for one in values]
        if self.option.argument:
            return written
        return [word for one in written for word in (min(self.flags, key=len), one)]


def asked_by(request: type) -> Iterator[RequestField]:
    """All options of a request, or of another dataclass, in its order."""
    for own in fields(request):
        noted = get_args(own.type)[1:] if get_origin(own.type) is Annotated else ()
        for said in (*own.metadata.values(), *noted):
            if isinstance(said, Option):
                yield RequestField(own.name, said, said.kind or _usual_kind(own), _default(own))


def in_order(request: "type[Request[Any]]") -> list[RequestField]:
    """The same, those first that others depend on, and those last that are no part of it."""
    return sorted(asked_by(request), key=lambda one: (not one.option.first, one.option.last))


def _usual_kind(own: Field[Any]) -> Kind:
    types = get_args(own.type) or (own.type,)
    return next((USUAL_KINDS[one] for one in types if one in USUAL_KINDS), TEXT)


def _default(own: Field[Any]) -> Any:  # noqa: ANN401
    return own.default if own.default_factory is MISSING else own.default_factory()


@dataclass(frozen=True, slots=True)
class Request(ABC, Generic[Result]):
    """A question. Raises InputError, with all that is wrong, when it is made.

    `begins` are the first words of its command; `hoped` is the kind of outcome that is a yes.
    """

    begins: ClassVar[tuple[str, ...]] = ()
    hoped: ClassVar[OutcomeKind] = OutcomeKind.EXISTS
    _: KW_ONLY
    observer: Observer | None = field(default=None, compare=False, repr=False)
    """Who watches, where a program asks."""

    @abstractmethod
    def run(self, watch: Watch) -> Result:
        """Answer it; whoever watches is told of each phase."""

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        given: dict[str, Any] = {}
        for one in in_order(type(self)):
            value = getattr(self, one.name)
            if value is None and one.default is MISSING:
                problems.append(Problem("expected a value", key=one.name))
                continue
            if value is None or (one.default is not MISSING and value is one.default):
                given[one.name] = value
                continue
            try:
                given[one.name] = _accepted(one, value, given)
            except InputError as error:
                problems += error.problems
            except ValueError as error:
                key = "" if isinstance(one.kind, Pairs) else one.name
                problems += [Problem(str(message), key=key) for message in error.args]
            else:
                object.__setattr__(self, one.name, given[one.name])
        problems += () if problems else self.problems()
        if problems:
            raise InputError(problems)

    def problems(self) -> Iterator[Problem]:
        """What does not go together."""
        yield from ()

    def exit_status(self, kind: OutcomeKind) -> int:
        """What the command exits with."""
        return status_of(kind, self.hoped)

    def tells(self, one: RequestField, value: object) -> bool:
        """Whether the command names an option."""
        always = one.option.always and value is not None
        return one.option.told and (always or one.is_given(value))

    @property
    def command(self) -> str:
        """The command that gives the same result; it names what differs from the defaults."""
        words = ["magicert", *self.begins]
        for one in in_order(type(self)):
            value = getattr(self, one.name)
            if self.tells(one, value):
                words += one.words(value)
        return shlex.join(words)

    @property
    def outputs(self) -> list[Path]:
        """The files that it writes."""
        return self._files(output=True)

    @property
    def inputs(self) -> list[Path]:
        """The files that it reads."""
        return self._files(output=False)

    def _files(self, *, output: bool) -> list[Path]:
        kinds = ((one.name, one.kind) for one in asked_by(type(self)))
        files = [name for name, kind in kinds if isinstance(kind, File) and kind.output is output]
        found = [getattr(self, name) for name in files]
        return [path for path in found if isinstance(path, Path)]


def _accepted(one: RequestField, value: Any, given: Mapping[str, Any]) -> Any:  # noqa: ANN401
    kind = one.kind
    if one.option.several and not isinstance(kind, Pairs):
        value = (value,) if isinstance(value, str) else value
        return tuple(kind.accept(part, given) for part in value)
    return kind.accept(value, given)


def option_table(
    request: "type[Request[Any]]", without: "type[Request[Any]] | None" = None
) -> list[str]:
    """The options for docs/commands.md, but those of another request: a table."""
    lines = ["| option | |", "|---|---|"]
    others = set() if without is None else {one.name for one in asked_by(without)}
    for one in asked_by(request):
        if not one.option.argument and one.name not in others:
            words_ = "|".join(one.kind.choices) if len(one.kind.choices) < 4 else ""
            word = one.option.metavar or one.kind.metavar or words_.replace("|", "\\|")
            flag = " ".join(filter(None, [", ".join(one.flags), word]))
            help_ = re.sub(r"\s+", " ", one.option.help).replace("|", "\\|")
            lines.append(f"| `{flag}` | {help_[:1].lower()}{help_[1:].rstrip('.')} |")
    return lines
