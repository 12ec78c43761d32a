"""Shared by the tests of the bit-vector models: questions, and a report to nobody."""

from collections.abc import Callable

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import resolve_scheme
from magicert.z3models.question import Question, question_of


class Silent:
    """A report whose words nobody hears; `shares` can be set by a test."""

    def __init__(self, share: int = 0, shares: int = 1) -> None:
        self.share, self.shares = share, shares
        self.magics: list[int] = []

    def progress(self, *_: object) -> None:
        pass

    def say(self, *_: object) -> None:
        pass

    def found(self, magic: int) -> None:
        self.magics.append(magic)


@pytest.fixture
def silent() -> type[Silent]:
    return Silent


@pytest.fixture(scope="session")
def ask() -> Callable[..., Question]:
    """ask("bishop", "d1", 4, "white"): the question of a cell."""

    def question(piece: str, square: str, bits: int, scheme: str = "white") -> Question:
        return question_of(
            square_cell(resolve_scheme(scheme), Piece(piece), parse_square(square), bits)
        )

    return question
