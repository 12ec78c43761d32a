"""`magicert verify`: tables wherever they stand, of any board; what is shown and left out."""

import json
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

import magicert
from magicert.cli.app import cli
from magicert.data import published_tables, tables_folder

BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"
SAMPLES = Path(__file__).parents[1] / "source" / "samples"


def test_every_finding_is_shown_where_it_is_asked_for(run):
    """README shows the rest."""
    full = run("verify", BROKEN, "--full").stdout
    assert full.count("two positions share slot") == full.count("R/B slider") == 21


def test_a_folder_and_the_gravest_verdict_in_text_and_json(run, tmp_path):
    for path in (published_tables()["bbc"], BROKEN):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert run("verify", tmp_path).exit_code == 1
    (tmp_path / "bad.toml").write_text("magicert = 1\nname = 3\n")
    result = run("verify", tmp_path)
    assert result.exit_code == 2
    for said in (
        "bad input", "bad.toml:2: name: 3: expected text", "no [rook] and no [bishop]",
        "\nvalid     ",  # it stops no other
    ):  # fmt: skip
        assert said in result.stdout
    (tmp_path / "bad.toml").write_text("x = [")
    result = run("verify", "--json", "bbc", BROKEN, tmp_path / "bad.toml", "nosuch", "")
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["reports"]
    assert [r["verdict"] for r in reports] == ["valid", "invalid", *["bad input"] * 3]
    assert (reports[0]["board"], reports[0]["lookups"]) == ("whole", 107_648)
    assert len(reports[0]["squares"]) == 128
    assert reports[1]["findings"][0]["lookups"][0]["occupancy"].startswith("0x")
    assert reports[2]["problems"][0]["message"].startswith("not TOML")


def test_certificates_are_the_same_every_time_and_none_overwrites_another(run, tmp_path):
    table = tmp_path / "t.toml"
    table.write_bytes(published_tables()["olah"].read_bytes())
    for folder in ("one", "two"):
        run("verify", table, "--certificates", tmp_path / folder)
        table.write_bytes(BROKEN.read_bytes())
        run("verify", "seer", table, "--certificates", tmp_path / folder)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()}
        for folder in ("one", "two")
    )
    assert one == two
    assert {*one} == {"seer.certificate.json", "t.findings.json"}, "an older one of t is gone"
    for report in map(json.loads, one.values()):
        assert (report["format"], report["version"]) == ("magicert-verification", 1)
        assert len(report["input"]["sha256"]) == 64
        assert report["tool"].startswith("magicert ")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_bytes(published_tables()["bbc"].read_bytes())
    folders = (tmp_path / "a", tmp_path / "b")
    result = run("verify", *folders, "--certificates", tmp_path / "out")
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


def test_a_bug_is_no_verdict(run, monkeypatch):
    missing = ModuleNotFoundError("No module named 'numba'", name="numba")
    for error, status, said in (
        (RuntimeError("a bug"), 70, "please report it"),
        (missing, 2, "needs numba: pip install 'magicert[search]'"),
    ):
        broken = Mock(side_effect=error)
        monkeypatch.setattr("magicert.verify.table.verifier.verify", broken)
        result = run("verify", "bbc")
        assert (result.exit_code, said in result.stderr) == (status, True)


@pytest.fixture
def folder(here) -> Path:
    """An engine's: a valid source, a valid table, and what is no table at all."""
    words = iter(f"{n * 0x9E3779B97F4A7C15 % (1 << 64):#018x}" for n in range(1, 12 * 64 + 1))
    lists = (f"{{{', '.join(islice(words, 64))}}}" for _ in range(12))
    for name, text in {
        "src/magics.rs": magicert.emit("shakmaty", "rust"),
        # Numbers as long as magics, none of which is one.
        "src/zobrist.c": f"const unsigned long long zobrist[12][64] = {{{','.join(lists)}}};\n",
        "src/main.c": "int main(void) { return 0; }\n",
        "mine.toml": published_tables()["bbc"].read_text(),
        "Cargo.toml": "[package]\n",
    }.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    return here


def test_a_folder_has_what_its_files_have(run, here):
    text, source = published_tables()["bbc"].read_text(), magicert.emit("shakmaty", "rust")
    (here / "marked.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (here / "quoted.toml").write_text(text.replace("magicert =", '"magicert" =', 1))
    (here / "LARGE.TOML").write_text(text)
    (here / "wide.rs").write_bytes(source.encode("utf-16"))
    for paths in (["."], sorted(path.name for path in here.iterdir())):
        document = json.loads(run("verify", *paths, "--json").stdout)
        assert [report["verdict"] for report in document["reports"]] == ["valid"] * 4


def test_colours_are_left_out_where_nobody_wants_them(monkeypatch):
    for name, value, colours in (("A", "", 1), ("NO_COLOR", "1", 0), ("TERM", "dumb", 0)):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv(name, value)
        said = CliRunner().invoke(cli, ["verify", "bbc"], color=True).output
        assert ("\x1b" in said) == colours


def test_a_folder_of_tables_a_broken_source_and_what_holds_none(run, folder):
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
    source, magic = folder / "src" / "magics.rs", "0x40040008004002"  # of rook d1
    assert magic in source.read_text()
    source.write_text(source.read_text().replace(magic, magic.replace("004000", "005000", 1)))
    result = run("verify", ".", "--format", "github")
    assert result.exit_code == 3, "a table beside a broken source hides nothing; its bits are taken"
    assert "valid     mine.toml" in result.stdout
    assert "valid     src/magics.rs" not in result.stdout
    source.unlink()
    (folder / "mine.toml").unlink()
    for path in (".", "src"):  # keys of positions are no magics: there is nothing to verify
        result = run("verify", path)
        assert (result.exit_code, f"{path}: no table" in result.stdout) == (2, True)
        assert "src/zobrist.c" in result.stderr
