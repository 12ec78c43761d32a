"""The quick `dataclass` does what the standard library's does."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import KW_ONLY, field
from typing import Any

import pytest

from magicert import dataclass as quick
from magicert.board import CHESS

KINDS = [
    {"frozen": True, "slots": True}, {"frozen": True}, {"slots": True}, {"eq": False},
    {"frozen": True, "eq": False, "slots": True}, {"slots": True, "kw_only": True}, {"repr": False},
]  # fmt: skip


def classes(decorator: Any, words: dict[str, bool]) -> tuple[Any, Any]:
    """A class and one that inherits from it."""

    @decorator(**words)
    class Base:
        a: int
        b: str = "b"
        c: list[int] = field(default_factory=list, compare=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError(self.a)

    @decorator(**words)
    class Derived(Base):
        b: str = field(default="other", repr=False)
        _: KW_ONLY
        d: float = 0.5

    return Base, Derived


def seen(made: Any) -> list[Any]:
    """What can be seen of a class and its objects; addresses do not count."""
    one, same, other = made(a=1), made(a=1, c=[2]), made(a=1, b="c")
    told = [str(inspect.signature(made)).replace("Derived", "Base"), one == same, one == other]
    told += [one == 1, dataclasses.asdict(one), dataclasses.replace(one, b="r").b, one.c is same.c]
    told += [made.__match_args__, hasattr(one, "__dict__"), copy.deepcopy(other).b]
    told += ["<" if " at 0x" in repr(one) else repr(one), made.__hash__ is None]
    told += [] if made.__hash__ is None else [hash(one) == hash(same)]
    for change in (lambda: setattr(one, "a", 3), lambda: delattr(one, "a"), lambda: made(a=-1)):
        try:
            change()
            told.append(getattr(one, "a", None))
        except (dataclasses.FrozenInstanceError, ValueError) as error:
            told.append(type(error))
    return told


@pytest.mark.parametrize("words", KINDS, ids=str)
def test_it_does_what_the_standard_library_does(words):
    expected = [seen(made) for made in classes(dataclasses.dataclass, words)]
    assert [seen(made) for made in classes(quick.dataclass, words)] == expected
    assert pickle.loads(pickle.dumps(CHESS)) == CHESS, "a frozen one goes to other processes"
