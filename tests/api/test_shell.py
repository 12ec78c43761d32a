"""What a shell asks of the command: its version, and completion for PowerShell."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert.cli import installed
from magicert.cli.app import EXTRAS

Run = Callable[..., Any]


def completed(child: Any, words: list[str], word: str) -> list[list[str]]:
    """What the command answers to PowerShell."""
    code = "from magicert.cli import main; main()"
    environment = {**os.environ, "_MAGICERT_COMPLETE": "powershell_complete", "COMP_WORD": word}
    environment["COMP_WORDS"] = "\n".join(words)
    done = subprocess.run(
        [*child.python, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "word", "offered"),
    [
        ([], "disp", ["disprove"]),
        (["show", "rook"], "h", [f"h{rank}" for rank in range(1, 9)]),
        (["verify"], "shak", ["shakmaty", "shak"]),
        (["verify", "--format"], "s", ["sarif"]),
        (["completion"], "p", ["powershell"]),
    ],
)
def test_powershell_is_offered_words(
    child: Any, words: list[str], word: str, offered: list[str]
) -> None:
    answered = completed(child, words, word)
    assert [value for _, value, _ in answered] == offered
    assert {kind for kind, _, _ in answered} <= {"plain", "file", "dir"}


def test_the_script_for_powershell_says_what_the_command_reads(run: Run) -> None:
    script = run("completion", "powershell").stdout
    assert "-CommandName magicert " in script
    for name in ("COMP_WORDS", "COMP_WORD", "_MAGICERT_COMPLETE"):
        assert f"$env:{name} = " in script
    assert script.count("{") == script.count("}")
    assert "%(" not in script


def test_version_names_commit_and_extras(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "commit", lambda: "0123456789ab")
    shown = run("-V").stdout.splitlines()
    assert shown[0] == f"magicert {magicert.__version__}, commit 0123456789ab"
    assert re.fullmatch(r"Python \d+\.\d+\.\d+, numpy \d+\.\d+\.\d+", shown[1])
    text = "\n".join(shown[2:])
    assert all(extra in text for extra in EXTRAS.values())


def test_an_extra_is_there_with_all_of_its_libraries() -> None:
    told = installed.about({"numpy": "one", "no_such_library": "two", "os": "two", "sys": "three"})
    assert told.splitlines()[2:] == ["extras: one, three", "not installed: two"]


def test_a_commit_that_nobody_knows_is_left_out(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(installed, "PACKAGE", tmp_path / "magicert")
    assert installed.commit() == ""
    assert installed.about({}).splitlines()[0] == f"magicert {magicert.__version__}"
    (tmp_path / "magicert").mkdir()
    (tmp_path / "magicert" / "commit.txt").write_text("abc\n")
    assert installed.commit() == "abc"
