"""Commands take a table from wherever it stands: a name, a source, a folder, standard input."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
SAMPLES = Path(__file__).parents[1] / "source" / "samples"
SOURCE = SAMPLES / "bbc.c"


def test_emit_takes_a_source_and_a_folder_with_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bbc.c").write_bytes(SOURCE.read_bytes())
    (tmp_path / "src" / "notes.txt").write_text("none here")
    texts = [run("emit", where, "--lang", "rust").stdout for where in (SOURCE, tmp_path)]
    assert "Written by magicert" in texts[0]
    assert "from bbc.c" in texts[0]
    assert texts[0] == texts[1]


def test_a_lookup_in_a_source(run: Run) -> None:
    shown = run("show", "rook", "e4", "--occupancy", "e6,c4", "--table", SOURCE)
    assert shown.exit_code == 0
    assert "slot " in shown.stdout


def test_what_is_not_one_table_is_refused(run: Run) -> None:
    result = run("emit", SAMPLES, "--lang", "c")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "tables or sources in this folder: expected one of them: " in result.stderr


@pytest.mark.parametrize("language", ["Rust", ".rs"])
def test_a_source_on_standard_input(run: Run, language: str) -> None:
    data = (SAMPLES / "tuples.rs").read_bytes()
    result = run("verify", "-", "--lang", language, stdin=data)
    assert result.exit_code == 0
    assert result.stdout.startswith("valid     stdin.rs: the numbers are valid")
