"""What a compiler is asked twice while no source changes, it is asked once: an answer and its
advice compile the same sources, and ask for the same names.

What tells whether a source has changed, as `inputs` does, is never asked so.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from magicert.problem import InputError

_Answer = TypeVar("_Answer")
_ANSWERS: ContextVar[dict[Any, Any] | None] = ContextVar("_ANSWERS", default=None)


@contextmanager
def sources_unchanged(answers: dict[Any, Any] | None = None) -> Iterator[None]:
    """What a compiler is asked in here twice, it is asked once: whoever enters says that no source
    changes in between, nor has since earlier `answers`.
    """
    token = _ANSWERS.set(answers if answers is not None else {})
    try:
        yield
    finally:
        _ANSWERS.reset(token)


def once(key: tuple[Any, ...], ask: Callable[[], _Answer]) -> _Answer:
    """What `ask` gives, or raises; where no source changes, what it gave to the same `key`."""
    answers = _ANSWERS.get()
    if answers is None:
        return ask()
    if key not in answers:
        try:
            answers[key] = ask()
        except InputError as error:
            answers[key] = error
    answer = answers[key]
    if isinstance(answer, InputError):
        raise answer
    return cast("_Answer", answer)
