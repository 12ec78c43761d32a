"""`dataclass` as in the standard library, made in a quarter of the time.

A command makes sixty of them before it does anything, and the standard library compiles up to six
functions for each: 36 ms of 110 for one table. Here one is compiled, `__init__`; the others are
shared, and read the fields. `fields`, `replace`, `asdict` and `field` of `dataclasses` work as
ever; ordering is not supported.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

__all__ = ["dataclass"]


def _dataclass(
    cls: type | None = None, /, *, eq: bool = True, repr: bool = True, frozen: bool = False,  # noqa: A002
    slots: bool = False, kw_only: bool = False,
) -> Any:  # fmt: skip  # noqa: ANN401
    """The decorator, with or without words."""

    def make(own: type) -> type:
        defined = vars(own)
        made: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )(own)
        of = dataclasses.fields(made)
        added: dict[str, Any] = {"__init__": _init(made, of, frozen)}
        if repr:
            added["__repr__"] = _repr(tuple(one.name for one in of if one.repr))
        if eq:
            compared = _values([one.name for one in of if one.compare])
            added["__eq__"] = _eq(compared)
            if defined.get("__hash__") is None:
                made.__hash__ = _hash(compared) if frozen else None
        if frozen:
            added |= {"__setattr__": _refuse, "__delattr__": _refuse}
            if slots:
                added |= {"__getstate__": _state, "__setstate__": _set_state}
        for name, function in added.items():
            if name not in defined:
                setattr(made, name, function)
        return cast("type", made)

    return make if cls is None else make(cls)


class _Factory:
    """The default of a field that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _init(cls: type, of: tuple[dataclasses.Field[Any], ...], frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_set": object.__setattr__, "_factory": _FACTORY}
    plain, body = ["self"], []
    named: list[str] = []
    for one in of:
        word, value = one.name, one.name
        if one.default is not dataclasses.MISSING:
            known[f"_d_{word}"] = one.default
            word += f"=_d_{word}"
        elif one.default_factory is not dataclasses.MISSING:
            known[f"_f_{word}"] = one.default_factory
            value = f"_f_{word}() if {word} is _factory else {word}"
            word += "=_factory"
        if one.init:
            (named if one.kw_only else plain).append(word)
        elif value == one.name:
            value = f"_d_{value}"
        body.append(f" _set(self,{one.name!r},{value})" if frozen else f" self.{one.name}={value}")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    words = ",".join([*plain, *(["*", *named] if named else [])])
    exec(f"def __init__({words}):\n" + ("\n".join(body) or " pass"), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {one.name: one.type for one in of if one.init} | {"return": None}
    return init


def _values(names: list[str]) -> Callable[[Any], Any]:
    """What an object's fields hold: a tuple, or of one field its value."""
    return attrgetter(*names) if names else lambda _: ()


def _eq(values: Callable[[Any], Any]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: ANN401, N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(values(self) == values(other))

    return __eq__


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: ANN401, N807
        return hash(values(self))

    return __hash__


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:  # noqa: ANN401, N807
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _refuse(_: object, name: str, *__: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[Any]:  # noqa: ANN401
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:  # noqa: ANN401
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass
