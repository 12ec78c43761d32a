"""Functions are certified in this process: one of its own costs a second of imports."""

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("z3")

from magicert.board import parse_square
from magicert.functions import work as verify_functions
from magicert.functions.question import question_of
from magicert.outcome import Quiet


class Here(Quiet):
    """Hears what is found in this process."""

    def __init__(self) -> None:
        self.heard = []
        self.so_far = self.heard.append


@pytest.fixture
def in_this_process(monkeypatch):
    """The tests of limits have a process of their own."""
    here = Here()
    monkeypatch.setattr(
        verify_functions, "supervise", lambda work, asked, *_, **__: work(asked, here)
    )
    return here


@pytest.fixture
def certified(in_this_process):  # noqa: ARG001
    """`certified(source, functions, ...)`: on d4 alone, where no squares are given."""

    def certify(*sources, functions, **given):
        given = {"squares": (parse_square("d4"),), "functions": functions, **given}
        return verify_functions.certify_functions(question_of(sources, given), Quiet())

    return certify
