"""The documents are true: README's examples run, and every command is documented."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]


def examples(path: Path) -> list[tuple[str, str]]:
    """Pairs of a `$ magicert ...` line and the output below it, from indented or fenced text."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", path.read_text(), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip()))
    return found


DOCUMENTED = [
    (path.name, command, output)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for command, output in examples(path)
]


def test_there_are_examples() -> None:
    assert len(DOCUMENTED) >= 3


@pytest.mark.parametrize(("name", "command", "output"), DOCUMENTED)
def test_an_example_prints_what_the_document_says(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, command: str, output: str
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = command.split()
    assert program == "magicert", name
    result = run(*arguments)
    shown = "\n".join(line.rstrip() for line in result.stdout.splitlines()).rstrip()
    assert shown == output


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert [name for name in COMMANDS if f"`magicert {name}" not in text] == []
