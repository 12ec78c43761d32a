"""Tests that start Python start the Python that tests what is installed."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]


def starts(path: Path) -> Iterator[tuple[int, bool]]:
    """Each list in a file that begins with sys.executable: its line, and whether -P follows."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            words = [ast.unparse(element) for element in node.elts[:2]]
            if words[0] == "sys.executable":
                yield node.lineno, words[1:] == ["'-P'"]


def test_no_child_sees_the_folder_that_it_is_started_in() -> None:
    """Without -P `python -c` and `python -m` import the checkout, not the wheel under test."""
    found = {path: list(starts(path)) for path in sorted(TESTS.rglob("*.py"))}
    wrong = [
        f"{path.relative_to(TESTS)}:{line}"
        for path, lines in found.items()
        for line, isolated in lines
        if not isolated
    ]
    assert wrong == []
    assert sum(map(len, found.values())) >= 3


def test_a_child_without_the_option_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    path.write_text("run([sys.executable, '-c', code])\nrun([sys.executable, '-P', '-m', 'x'])\n")
    assert list(starts(path)) == [(1, False), (2, True)]
