"""Verdicts on the line of the wrong number: workflow commands of GitHub, and SARIF."""

import json
import re
from pathlib import Path
from typing import get_args, get_type_hints
from urllib.parse import unquote

import pytest

import magicert
from magicert.jobs.read_sources import CheckedSource
from magicert.show.document import RULES, Annotation, FilePlace
from magicert.show.scanning import commands, log
from magicert.verify.table.report import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
STATED = ("--bits", "rook=12,bishop=9")
"""Without it a conflict is not decided: the bits would be a guess."""
COMMAND = re.compile(
    r"::(error|warning) file=([^,:]+)(?:,line=(\d+))?(?:,col=(\d+))?,title=([^:]+)::(.*)"
)


def written(folder: Path, wrong: tuple[int, ...] = (), name: str = "magics.rs") -> Path:
    """A source with a magic a line, some of them wrong."""
    lines = []
    for piece in ("rook", "bishop"):
        magics = magicert.read_table("shakmaty").table.pieces[piece].parameters["magic"]
        lines.append(f"pub const {piece.upper()}_MAGICS: [u64; 64] = [")
        for square, magic in enumerate(magics):
            broken = piece == "rook" and square in wrong
            lines.append(f"    0x{magic ^ (1 << 40 if broken else 0):016x},")
        lines.append("];")
    lines += [
        "fn rook(sq: usize, occ: u64) -> u64 {",
        "    ((occ & MASK[sq]).wrapping_mul(ROOK_MAGICS[sq])) >> 52 }",
        "fn bishop(sq: usize, occ: u64) -> u64 {",
        "    ((occ & MASK[sq]).wrapping_mul(BISHOP_MAGICS[sq])) >> 55 }",
    ]
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def sarif(validator):
    """Of the schema that OASIS publishes."""
    return validator(SCHEMA)


def test_the_wrong_number_is_named_on_its_own_line(run, here, sarif):
    path = written(here, wrong=(3, 27), name="src/a b/magics.rs")
    result = run("verify", "src", "--format", "github", *STATED)
    assert result.exit_code == 1
    *found, verdict = result.stdout.splitlines()
    said = [match.groups() for line in found if (match := COMMAND.fullmatch(line))]
    assert [one[:4] for one in said] == [
        ("error", "src/a b/magics.rs", line, "5") for line in ("5", "29")
    ]
    lines = path.read_text().splitlines()
    assert all(lines[line - 1][4:].startswith("0x") for line in (5, 29))
    assert all("%0A" in message and "slot" in message for *_, message in said)
    assert verdict.startswith("invalid   src/a b/magics.rs: 2 of 128 squares")
    result = run("verify", "src", "--format", "sarif", *STATED)
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    sarif.validate(document)
    places = [
        place["physicalLocation"]
        for one in document["runs"][0]["results"]
        for place in one["locations"]
    ]
    assert {unquote(one["artifactLocation"]["uri"]) for one in places} == {"src/a b/magics.rs"}
    assert [one["region"] for one in places] == [
        {"startLine": line, "startColumn": 5} for line in (5, 29)
    ]
    for _ in range(2):  # into a file, over its own, too
        both = run("verify", "src", *STATED, "--format", "github", "--sarif", "out.sarif")
        assert (both.exit_code, both.stdout.splitlines()) == (1, [*found, verdict])
        assert json.loads((here / "out.sarif").read_text()) == document
    (here / "other").write_text("not magicert's")
    for output in ("other", path):
        assert run("verify", path, "--sarif", output).exit_code == 2


def test_the_schema_refuses_what_is_no_sarif(sarif):
    document = log([])
    assert sarif.is_valid(document)
    document["runs"][0]["tool"] = {}
    assert not sarif.is_valid(document)


def test_what_is_right_has_nothing_to_say(run, here, sarif):
    written(here)
    result = run("verify", "magics.rs", "--format", "github", "--strict", "--sarif", "out.sarif")
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    assert line.startswith("valid     magics.rs: the numbers are valid")
    assert "; taken, for the source does not say it: " in line
    document = json.loads((here / "out.sarif").read_text())
    sarif.validate(document)
    assert document["runs"][0]["results"] == []


def test_a_table_file_too(run, here, tables, sarif):
    broken = tables / "broken" / "olah_bad_4425a97.toml"
    (here / "mine.toml").write_text(broken.read_text())
    document = json.loads(run("verify", "mine.toml", "--format", "sarif").stdout)
    sarif.validate(document)
    first = document["runs"][0]["results"][0]
    line = first["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert "rook a1" in first["message"]["text"]
    assert broken.read_text().splitlines()[line - 2] == "magic = ["
    assert first["ruleId"] == "conflict"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.rs", "no such file"),
        ("empty.rs", "no table"),
        ("short.toml", "no format version"),
        ("binary.c", ""),
    ],
)
def test_an_input_that_cannot_be_used_is_an_error_at_its_line(run, here, sarif, name, message):
    (here / "empty.rs").touch()
    (here / "short.toml").write_text("name = 1\n")
    (here / "binary.c").write_bytes(bytes(range(256)) * 4)
    result = run("verify", name, "--format", "github", "--sarif", "out.sarif")
    assert result.exit_code == 2
    document = json.loads((here / "out.sarif").read_text())
    sarif.validate(document)
    said = document["runs"][0]["results"]
    assert {one["ruleId"] for one in said} == {"input"}
    assert message in " ".join(one["message"]["text"] for one in said)
    assert result.stdout.count("::error file=") == len(said)


@pytest.mark.usefixtures("here", "endless")
def test_what_is_not_decided_is_a_warning(run):
    result = run("verify", "endless.toml", "--format", "github", "--max-lookups", 1 << 18)
    assert result.exit_code == 3
    warning = "::warning file=endless.toml,title=magicert%3A not decided::"
    assert result.stdout.startswith(warning)


def test_a_warning_is_said_in_every_format_and_fails_where_it_should(run, here, sarif, monkeypatch):
    """Whatever the reader of sources warns of: here, an odd third line."""
    written(here)
    odd = "magics.rs:3: an odd thing"
    monkeypatch.setattr(CheckedSource, "warnings", [odd])
    result = run("verify", "magics.rs", "--format", "github")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "::warning file=magics.rs,line=3,title=magicert%3A warning::an odd thing\n"
    )
    result = run("verify", "magics.rs", "--strict", "--sarif", "out.sarif")
    assert result.exit_code == 3
    assert "--strict" in result.stderr
    document = json.loads((here / "out.sarif").read_text())
    sarif.validate(document)
    (one,) = document["runs"][0]["results"]
    assert (one["level"], one["ruleId"]) == ("warning", "warning")
    assert one["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_nothing_to_verify_leaves_no_sarif(run, here):
    assert run("verify", "--sarif", "out.sarif").exit_code == 2
    assert not (here / "out.sarif").exists()
    # What is an empty path is told where it can be.
    assert run("verify", "", "--sarif", "out.sarif").exit_code == 2
    assert json.loads((here / "out.sarif").read_text())["runs"][0]["results"]


def test_what_github_would_misread_is_escaped():
    said = Annotation("conflict", "a,b:c", "50%\r\nof it::", FilePlace(Path("x,y.c"), 3))
    assert commands([said]) == (
        "::error file=x%2Cy.c,line=3,title=magicert%3A a%2Cb%3Ac::50%25%0D%0Aof it::\n"
    )


def test_two_squares_are_told_at_both_places(sarif):
    places = FilePlace(Path("m.c"), 3, 5), FilePlace(Path("m.c"), 9, 5, "entry 7")
    said = Annotation("conflict", "rook a1 and rook b1", "they share", places[0], places[1:])
    assert commands([said]).count("::error") == 2
    document = log([said])
    sarif.validate(document)
    (related,) = document["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 9
    assert related["message"] == {"text": "entry 7"}


def test_every_kind_of_finding_has_a_rule():
    kinds = get_args(get_type_hints(Finding)["kind"])
    assert {kind.replace(" ", "-") for kind in kinds} <= set(RULES)


def test_the_formats_are_words_that_are_known(run):
    result = run("verify", "shakmaty", "--format", "sarf")
    assert result.exit_code == 2
    assert "Did you mean sarif?" in result.stderr
    result = run("verify", "shakmaty", "--json", "--format", "sarif")
    assert result.exit_code == 2
    assert "expected one of them" in result.stderr
    same = [run("verify", "shakmaty", *how).stdout for how in (["--json"], ["--format", "json"])]
    assert same[0] == same[1]
