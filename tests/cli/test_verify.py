import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

import magicert
from magicert.data import board_tables, published_tables, tables_folder
from magicert.table import read_table
from magicert.table.write import write_table

Run = Callable[..., Result]
BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"


def test_a_valid_table(run: Run) -> None:
    result = run("verify", published_tables()["shakmaty"])
    assert result.exit_code == 0
    assert "valid     " in result.stdout
    assert "107,648 lookups, 88,772 slots (73,195 used, 15,577 holes, 88,772" in result.stdout


def test_an_invalid_table_shows_the_two_positions(run: Run) -> None:
    result = run("verify", BROKEN)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert re.search(r"olah\w+:28: rook a1: two positions share slot", lines[0])
    assert re.search("^invalid .*; 21 findings$", result.stdout, re.MULTILINE)
    boards = [line for line in lines if line.startswith("    1 R")]
    assert len(boards) == 1, "both boards stand side by side, once"
    assert "... and 11 more: --full shows them all" in result.stdout


def test_full_shows_everything(run: Run) -> None:
    result = run("verify", BROKEN, "--full")
    assert result.stdout.count("two positions share slot") == 21
    assert result.stdout.count("R/B slider") == 21
    assert "note: rook: fewer bits than the mask has on g8 h8" in result.stdout


def test_a_folder_and_the_gravest_verdict(run: Run, tmp_path: Path) -> None:
    for path in (published_tables()["bbc"], BROKEN):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert run("verify", tmp_path).exit_code == 1
    (tmp_path / "bad.toml").write_text("magicert = 1\nname = 3\n")
    result = run("verify", tmp_path)
    assert result.exit_code == 2
    assert "bad input" in result.stdout
    assert "bad.toml:2: name: 3: expected text" in result.stdout
    assert "no [rook] and no [bishop]" in result.stdout
    assert "\nvalid     " in result.stdout, "it stops no other"


def test_standard_input(run: Run) -> None:
    result = run("verify", "-", stdin=published_tables()["lynx"].read_bytes())
    assert result.exit_code == 0
    assert run("verify", "-", stdin=b"\x00\xff").exit_code == 2


def test_json_for_machines(run: Run, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("x = [")
    result = run("verify", "--json", published_tables()["bbc"], BROKEN, bad, "nosuch", "")
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["reports"]
    assert [r["verdict"] for r in reports] == ["valid", "invalid", *["bad input"] * 3]
    assert reports[0]["lookups"] == 107_648
    assert len(reports[0]["squares"]) == 128
    assert reports[1]["findings"][0]["lookups"][0]["occupancy"].startswith("0x")
    assert reports[2]["problems"][0]["message"].startswith("not TOML")


def test_certificates_are_the_same_every_time(run: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("verify", "--certificates", tmp_path / folder, published_tables()["seer"], BROKEN)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["olah_bad_4425a97.findings.json", "seer.certificate.json"]
    for name in names:
        text = (tmp_path / "one" / name).read_bytes()
        assert text == (tmp_path / "two" / name).read_bytes()
        report = json.loads(text)
        assert report["format"] == "magicert-verification"
        assert report["version"] == 1
        assert len(report["input"]["sha256"]) == 64
        assert report["tool"].startswith("magicert ")


def test_a_name_cannot_forge_a_line(run: Run, tmp_path: Path) -> None:
    text = published_tables()["bbc"].read_text()
    evil = tmp_path / "evil.toml"
    evil.write_text(text.replace('name = "BBC NNUE 1.4"', 'name = "x\\nvalid     y: \\u001b[31m"'))
    result = run("verify", evil, "bbc")
    lines = [line for line in result.stdout.splitlines() if line.startswith("valid")]
    assert len(lines) == 2
    assert "\x1b" not in result.stdout


def test_two_reports_of_one_name(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_bytes(published_tables()["bbc"].read_bytes())
    result = run("verify", tmp_path, "--certificates", tmp_path / "out")
    assert result.exit_code == 2
    assert "their reports would overwrite one another" in result.stderr


def test_an_older_report_of_the_other_kind_goes(run: Run, tmp_path: Path) -> None:
    table, out = tmp_path / "t.toml", tmp_path / "out"
    table.write_bytes(published_tables()["olah"].read_bytes())
    run("verify", table, "--certificates", out)
    table.write_bytes(BROKEN.read_bytes())
    run("verify", table, "--certificates", out)
    assert [path.name for path in out.iterdir()] == ["t.findings.json"]


def test_a_bug_is_no_verdict(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("magicert.verify.table.verifier.verify", broken)
    result = run("verify", "bbc")
    assert result.exit_code == 70
    assert "please report it" in result.stderr


def test_a_library_that_is_not_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr("magicert.verify.table.verifier.verify", missing)
    result = run("verify", "bbc")
    assert result.exit_code == 2
    assert "needs numba: pip install 'magicert[search]'" in result.stderr


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """The xiangqi engine's horses, with the magic of e5 shifted by seven bits."""
    table = read_table(board_tables()["pikafish_knight"]).table
    half = table.pieces["horse"]
    magics = list(half.parameters["magic"])
    magics[40] >>= 7
    pieces = {"horse": replace(half, parameters={"magic": tuple(magics)})}
    write_table(replace(table, pieces=pieces), tmp_path / "horses.toml")
    return tmp_path / "horses.toml"


def test_a_table_of_another_board_is_certified(run: Run) -> None:
    result = run("verify", "pikafish_bishop")
    assert result.exit_code == 0
    assert "552 lookups, 552 slots (468 used, 84 holes)\n" in result.stdout
    assert "for every square and all 2^90 occupancies" in result.stdout.lower()


def test_a_counterexample_is_drawn_on_its_board(run: Run, spoilt: Path) -> None:
    result = run("verify", spoilt)
    assert result.exit_code == 1
    assert "horse e5: two positions share slot 384" in result.stdout
    assert "10 . . . . . . . . ." in result.stdout
    assert "5 . . . . H . . . ." in result.stdout
    assert "5 . . . # H . . . ." in result.stdout
    assert "a b c d e f g h i" in result.stdout
    assert "H horse   # blocker" in result.stdout


def test_a_report_of_another_board(run: Run, spoilt: Path) -> None:
    (report,) = json.loads(run("verify", "--json", spoilt).stdout)["reports"]
    assert (report["board"], report["verdict"]) == ("9x10", "invalid")
    first, second = report["findings"][0]["lookups"]
    assert (first["square"], second["blockers"]) == ("e5", ["d5"])
    assert all(len(lookup["occupancy"]) == 34 for lookup in (first, second))


def test_a_program_sees_the_same(spoilt: Path) -> None:
    found = magicert.certify_table(spoilt)
    assert not found.valid
    assert "5 . . . # H . . . ." in found.boards[0]
    assert magicert.certify_table(board_tables()["pikafish_knight"]).valid
