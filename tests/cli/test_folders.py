"""Tables wherever they stand: a source, standard input, a folder, and what is left out of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import magicert

Run = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path, tables: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An engine's: a valid source, a valid table, and what is no table at all."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "magics.rs").write_text(magicert.emit("shakmaty", "rust"))
    (tmp_path / "src" / "zobrist.c").write_text(zobrist())
    (tmp_path / "src" / "main.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "mine.toml").write_bytes((tables / "published" / "bbc.toml").read_bytes())
    (tmp_path / "Cargo.toml").write_text("[package]\n")
    return tmp_path


def zobrist() -> str:
    """Numbers as long as magics, none of which is one: 12 lists of 64."""
    words = [((n + 1) * 0x9E3779B97F4A7C15) % (1 << 64) for n in range(12 * 64)]
    rows = [", ".join(f"0x{word:016x}" for word in words[at : at + 64]) for at in range(0, 768, 64)]
    lists = ",\n".join(f"{{{row}}}" for row in rows)
    return f"const unsigned long long zobrist[12][64] = {{\n{lists}\n}};\n"


def break_source(folder: Path) -> None:
    """One digit of the third rook magic."""
    path = folder / "src" / "magics.rs"
    magic = magicert.read_table("shakmaty").table.pieces["rook"].parameters["magic"][3]
    text = path.read_text()
    assert f"{magic:#x}" in text
    path.write_text(text.replace(f"{magic:#x}", f"{magic ^ 1 << 40:#x}"))


def verdicts(output: str) -> dict[str, str]:
    lines = [line.split() for line in output.splitlines()]
    return {words[1].rstrip(":;"): words[0] for words in lines if len(words) > 1}


def test_a_table_beside_a_broken_source_hides_nothing(run: Run, folder: Path) -> None:
    break_source(folder)
    alone = run("verify", "src/magics.rs")
    assert alone.exit_code != 0
    result = run("verify", ".", "--format", "github")
    assert result.exit_code == alone.exit_code
    found = verdicts(result.stdout)
    assert found["mine.toml"] == "valid"
    assert found["src/magics.rs"] != "valid"


@pytest.mark.usefixtures("folder")
def test_what_holds_no_table_is_said_and_fails_nothing(run: Run) -> None:
    result = run("verify", ".", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [report["verdict"] for report in document["reports"]] == ["valid"] * 2
    assert [one["file"] for one in document["left_out"]] == [
        "Cargo.toml", "src/main.c", "src/zobrist.c"
    ]  # fmt: skip
    for name in ("Cargo.toml", "src/main.c", "src/zobrist.c"):
        assert name in result.stderr


def test_a_folder_without_any_table_is_bad_input(run: Run, folder: Path) -> None:
    """Keys of positions are no magics, and their file is none that could be verified."""
    for name in ("mine.toml", "src/magics.rs"):
        (folder / name).unlink()
    for path in (".", "src"):
        result = run("verify", path)
        assert result.exit_code == 2
        assert f"{path}: no table" in result.stdout
        assert "src/zobrist.c" in result.stderr


@pytest.mark.parametrize("path", ["*.toml2", "src/*.cc", "empty", ""])
def test_a_pattern_or_folder_that_finds_nothing_is_bad_input(
    run: Run, folder: Path, path: str
) -> None:
    (folder / "empty").mkdir()
    for more in ((), ("mine.toml",)):
        assert run("verify", path, *more).exit_code == 2


@pytest.mark.usefixtures("folder")
def test_what_is_named_twice_is_one_file(run: Run) -> None:
    once = run("verify", "src/magics.rs", "--json").stdout
    twice = run("verify", "src", "src/magics.rs", "--json").stdout
    assert json.loads(twice)["reports"] == json.loads(once)["reports"]


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
