"""`magicert verify`: tables wherever they stand, of any board; what is shown and left out."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import magicert
from magicert.data import board_tables, published_tables, tables_folder
from magicert.table import read_table
from magicert.table.write import write_table

BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"
SAMPLES = Path(__file__).parents[1] / "source" / "samples"


def test_a_valid_table(run):
    result = run("verify", published_tables()["shakmaty"])
    assert result.exit_code == 0
    assert "valid     " in result.stdout
    assert "107,648 lookups, 88,772 slots (73,195 used, 15,577 holes, 88,772" in result.stdout
    data = published_tables()["lynx"].read_bytes()
    assert run("verify", "-", stdin=data).exit_code == 0
    data = (SAMPLES / "tuples.rs").read_bytes()
    for language in ("Rust", ".rs"):
        result = run("verify", "-", "--lang", language, stdin=data)
        assert result.exit_code == 0
        assert result.stdout.startswith("valid     stdin.rs: the numbers are valid")


def test_an_invalid_table_shows_the_two_positions(run):
    result = run("verify", BROKEN)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert re.search(r"olah\w+:28: rook a1: two positions share slot", lines[0])
    assert re.search("^invalid .*; 21 findings$", result.stdout, re.MULTILINE)
    boards = [line for line in lines if line.startswith("    1 R")]
    assert len(boards) == 1, "both boards stand side by side, once"
    assert "... and 11 more: --full shows them all" in result.stdout
    full = run("verify", BROKEN, "--full").stdout
    assert full.count("two positions share slot") == full.count("R/B slider") == 21
    assert "note: rook: fewer bits than the mask has on g8 h8" in full


def test_a_folder_and_the_gravest_verdict(run, tmp_path):
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


def test_json_for_machines(run, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text("x = [")
    result = run("verify", "--json", published_tables()["bbc"], BROKEN, bad, "nosuch", "")
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["reports"]
    assert [r["verdict"] for r in reports] == ["valid", "invalid", *["bad input"] * 3]
    assert (reports[0]["board"], reports[0]["lookups"]) == ("whole", 107_648)
    assert len(reports[0]["squares"]) == 128
    assert reports[1]["findings"][0]["lookups"][0]["occupancy"].startswith("0x")
    assert reports[2]["problems"][0]["message"].startswith("not TOML")


def test_certificates_are_the_same_every_time(run, tmp_path):
    table = tmp_path / "t.toml"
    table.write_bytes(published_tables()["olah"].read_bytes())
    for folder in ("one", "two"):
        run("verify", table, "--certificates", tmp_path / folder)
        table.write_bytes(BROKEN.read_bytes())
        run("verify", "seer", table, "--certificates", tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["seer.certificate.json", "t.findings.json"], "an older one of t is gone"
    for name in names:
        text = (tmp_path / "one" / name).read_bytes()
        assert text == (tmp_path / "two" / name).read_bytes()
        report = json.loads(text)
        assert (report["format"], report["version"]) == ("magicert-verification", 1)
        assert len(report["input"]["sha256"]) == 64
        assert report["tool"].startswith("magicert ")


def test_two_reports_of_one_name(run, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_bytes(published_tables()["bbc"].read_bytes())
    result = run("verify", tmp_path, "--certificates", tmp_path / "out")
    assert result.exit_code == 2
    assert "their reports would overwrite one another" in result.stderr


def test_a_name_cannot_forge_a_line(run, tmp_path):
    text = published_tables()["bbc"].read_text()
    evil = tmp_path / "evil.toml"
    evil.write_text(text.replace('name = "BBC NNUE 1.4"', 'name = "x\\nvalid     y: \\u001b[31m"'))
    result = run("verify", evil, "bbc")
    lines = [line for line in result.stdout.splitlines() if line.startswith("valid")]
    assert len(lines) == 2
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (RuntimeError("a bug"), 70, "please report it"),
        (
            ModuleNotFoundError("No module named 'numba'", name="numba"), 2,
            "needs numba: pip install 'magicert[search]'",
        ),
    ],
)  # fmt: skip
def test_a_bug_is_no_verdict(run, monkeypatch, error, status, said):
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("magicert.verify.table.verifier.verify", broken)
    result = run("verify", "bbc")
    assert (result.exit_code, said in result.stderr) == (status, True)


# -- folders and sources


@pytest.fixture
def folder(here) -> Path:
    """An engine's: a valid source, a valid table, and what is no table at all."""
    (here / "src").mkdir()
    (here / "src" / "magics.rs").write_text(magicert.emit("shakmaty", "rust"))
    (here / "src" / "zobrist.c").write_text(zobrist())
    (here / "src" / "main.c").write_text("int main(void) { return 0; }\n")
    (here / "mine.toml").write_bytes(published_tables()["bbc"].read_bytes())
    (here / "Cargo.toml").write_text("[package]\n")
    return here


def zobrist() -> str:
    """Numbers as long as magics, none of which is one: 12 lists of 64."""
    words = [((n + 1) * 0x9E3779B97F4A7C15) % (1 << 64) for n in range(12 * 64)]
    rows = [", ".join(f"0x{word:016x}" for word in words[at : at + 64]) for at in range(0, 768, 64)]
    lists = ",\n".join(f"{{{row}}}" for row in rows)
    return f"const unsigned long long zobrist[12][64] = {{\n{lists}\n}};\n"


def test_a_folder_has_its_tables_and_says_what_holds_none(run, folder):
    result = run("verify", ".", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [report["verdict"] for report in document["reports"]] == ["valid"] * 2
    left_out = [one["file"] for one in document["left_out"]]
    assert left_out == ["Cargo.toml", "src/main.c", "src/zobrist.c"]
    assert all(name in result.stderr for name in left_out)
    twice = run("verify", "src", "src/magics.rs", "--json")
    once = [one for one in document["reports"] if one["input"]["file"].endswith(".rs")]
    assert json.loads(twice.stdout)["reports"] == once, "what is named twice is one file"
    (folder / "empty").mkdir()
    for path in ("*.toml2", "src/*.cc", "empty", ""):
        for more in ((), ("mine.toml",)):
            assert run("verify", path, *more).exit_code == 2, path


def test_a_table_beside_a_broken_source_hides_nothing(run, folder):
    path = folder / "src" / "magics.rs"
    magic = magicert.read_table("shakmaty").table.pieces["rook"].parameters["magic"][3]
    text = path.read_text()
    assert f"{magic:#x}" in text
    path.write_text(text.replace(f"{magic:#x}", f"{magic ^ 1 << 40:#x}"))
    result = run("verify", ".", "--format", "github")
    assert result.exit_code == 3, "its bits are taken"
    assert "valid     mine.toml" in result.stdout
    assert "valid     src/magics.rs" not in result.stdout


def test_a_folder_without_any_table_is_bad_input(run, folder):
    """Keys of positions are no magics, and their file is none that could be verified."""
    for name in ("mine.toml", "src/magics.rs"):
        (folder / name).unlink()
    for path in (".", "src"):
        result = run("verify", path)
        assert result.exit_code == 2
        assert f"{path}: no table" in result.stdout
        assert "src/zobrist.c" in result.stderr


def test_other_commands_take_a_source_or_a_folder_with_one(run, tmp_path):
    source = SAMPLES / "bbc.c"
    (tmp_path / "bbc.c").write_bytes(source.read_bytes())
    (tmp_path / "notes.txt").write_text("none here")
    texts = [run("emit", where, "--lang", "rust").stdout for where in (source, tmp_path)]
    assert "from bbc.c" in texts[0]
    assert texts[0] == texts[1]
    shown = run("show", "rook", "e4", "--occupancy", "e6,c4", "--table", source)
    assert (shown.exit_code, "slot " in shown.stdout) == (0, True)
    result = run("emit", SAMPLES, "--lang", "c")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "tables or sources in this folder: expected one of them: " in result.stderr


# -- other boards, and half of one


def test_a_table_of_another_board(run, tmp_path):
    """Certified; and drawn on its board where the magic of e5 is shifted by seven bits."""
    result = run("verify", "pikafish_bishop")
    assert result.exit_code == 0
    assert "552 lookups, 552 slots (468 used, 84 holes)\n" in result.stdout
    assert "for every square and all 2^90 occupancies" in result.stdout.lower()
    table = read_table(board_tables()["pikafish_knight"]).table
    half = table.pieces["horse"]
    magics = list(half.parameters["magic"])
    magics[40] >>= 7
    pieces = {"horse": replace(half, parameters={"magic": tuple(magics)})}
    spoilt = tmp_path / "horses.toml"
    write_table(replace(table, pieces=pieces), spoilt)
    result = run("verify", spoilt)
    assert result.exit_code == 1
    for line in (
        "horse e5: two positions share slot 384", "10 . . . . . . . . .",
        "5 . . . . H . . . .", "5 . . . # H . . . .", "a b c d e f g h i", "H horse   # blocker",
    ):  # fmt: skip
        assert line in result.stdout
    (report,) = json.loads(run("verify", "--json", spoilt).stdout)["reports"]
    assert (report["board"], report["verdict"]) == ("9x10", "invalid")
    first, second = report["findings"][0]["lookups"]
    assert (first["square"], second["blockers"]) == ("e5", ["d5"])
    assert all(len(lookup["occupancy"]) == 34 for lookup in (first, second))
    found = magicert.certify_table(spoilt)
    assert (found.valid, "5 . . . # H . . . ." in found.boards[0]) == (False, True)


@pytest.fixture
def half(half_board, tmp_path) -> Path:
    path = tmp_path / "half.toml"
    write_table(half_board, path)
    return path


def test_a_half_board_is_verified_as_one(run, half):
    plain = run("verify", half)
    assert plain.exit_code == 0
    assert "107,648 lookups" in plain.stdout
    assert "The table is a half board" in " ".join(plain.stdout.split())
    (report,) = json.loads(run("verify", half, "--json").stdout)["reports"]
    assert report["board"] == "ranks 1-4"
    source = half.with_suffix(".c")
    assert run("emit", half, "--lang", "c", "-o", source).exit_code == 0
    for command in (("verify", source), ("import", source, "-o", "-")):
        refused = run(*command)
        assert refused.exit_code == 2
        assert "has 32 items: expected 64" in refused.output


def test_show_mirrors_a_lookup_for_the_upper_half(run, half):
    upper = run("show", "rook", "c6", "--occupancy", "c8,e6", "--table", half).stdout
    lower = run("show", "rook", "c3", "--occupancy", "c1,e3", "--table", half).stdout
    assert "0x0000000000100004 with swapped bytes, looked up on c3" in upper
    assert "swapped" not in lower
    assert upper.splitlines()[-3:] == lower.splitlines()[-3:]


def test_bench_finds_both_halves_in_agreement_with_a_whole_table(run, half):
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        pytest.skip("no C compiler here")
    assert run("bench", half, "cfish_black", "--turns", "1").exit_code == 0


def test_lemmas_are_proved_for_the_squares_that_the_table_holds(run, half):
    pytest.importorskip("z3")
    done = run("lemma", half)
    assert done.exit_code == 0, done.output
    assert "32 of 32 squares" in done.stdout
