"""The documents name every command. (What they show of them: test_shell_examples.py.)"""

from pathlib import Path

from magicert.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert [name for name in COMMANDS if f"`magicert {name}" not in text] == []
