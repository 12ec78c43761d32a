"""The documents name every command. (What they show of them: test_shell_examples.py.)"""

import re
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from magicert.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert [name for name in COMMANDS if f"`magicert {name}" not in text] == []


def test_documents_are_shown(run: Run) -> None:
    listed = run("docs").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == ["README", *sorted(path.stem for path in (ROOT / "docs").glob("*.md"))]
    assert run("docs", "docs/keys.md").stdout == (ROOT / "docs" / "keys.md").read_text() + "\n"
    missing = run("docs", "kyes")
    assert (missing.exit_code, "did you mean keys?" in missing.stderr) == (2, True)


def test_how_to_install_is_said_in_one_place() -> None:
    """No index has magicert: a line that pip takes by name alone works nowhere. What is installed
    gets an extra by name.
    """
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "site").rglob("*.*")]
    texts += [*(ROOT / "tools").rglob("*.py"), *(ROOT / "magicert").glob("[ac]*/**/*.py")]
    by_name = re.compile(r"pip install ['\"]?magicert(?!\[)")
    assert [path.name for path in texts if by_name.search(path.read_text("utf-8"))] == []
    assert "pip install ." in (ROOT / "docs" / "install.md").read_text()
