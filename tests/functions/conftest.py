"""Functions are certified in this process: one of its own costs a second of imports."""

from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("z3")

from magicert.chess import parse_square
from magicert.functions import work as verify_functions
from magicert.functions.question import question_of
from magicert.outcome import Quiet

HERE = Path(__file__).parent


def _kind(item: pytest.Item) -> tuple[str, str, str]:
    """The test of a case, the language of its source, and the verdict that it expects."""
    given = item.callspec.params
    sample, mutant = given.get("sample", {}), given.get("mutant", {})
    source = given.get("source", sample.get("source", ""))
    language = given.get("ending", source.rpartition(".")[2])
    verdict = given.get("verdict", (mutant or sample).get("expect", ""))
    return item.nodeid.partition("[")[0], language, verdict


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Each case of a list costs some calls of a compiler: the gate takes the first case of each
    language and each verdict, `make long` the others, `make functions` all.
    """
    seen = set()
    for item in items:
        compiles = {"certified", "ending"} & set(getattr(item, "fixturenames", ()))
        listed = item.path.is_relative_to(HERE) and hasattr(item, "callspec")
        if not (listed and compiles) or any(map(item.get_closest_marker, ("slow", "toolchain"))):
            continue
        if (kind := _kind(item)) in seen:
            item.add_marker("long")
        seen.add(kind)


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
