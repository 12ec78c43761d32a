"""The Action's steps and the pre-commit hook, run as GitHub and pre-commit run them."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import magicert

ROOT = Path(__file__).parents[2]


def engine(folder: Path, *, right: bool) -> Path:
    """A repository with an engine's source."""
    (folder / "src").mkdir(parents=True)
    text = magicert.emit("shakmaty", "rust")
    magic = magicert.read_table("shakmaty").table.pieces["rook"].parameters["magic"][3]
    assert f"{magic:#x}" in text
    broken = text.replace(f"{magic:#x}", f"{magic ^ 1 << 40:#x}")
    (folder / "src" / "magics.rs").write_text(text if right else broken)
    return folder


@pytest.fixture(scope="module")
def action() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    read: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
    assert read["runs"]["using"] == "composite"
    return read


Runner = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def runner(action, tmp_path):
    """Runs the Action's steps: the one that installs is handed what these tests import."""
    steps, defaults = action["runs"]["steps"], action["inputs"]
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")

    def run(folder, *, install=False, python=sys.executable, **inputs):
        (tmp_path / "temp").mkdir(exist_ok=True)
        values = {key: str(given.get("default", "")) for key, given in defaults.items()} | inputs
        site = Path(magicert.__file__).parents[1]
        for step in (step for step in steps if "run" in step):
            environment = {**os.environ, "RUNNER_TEMP": str(tmp_path / "temp")}
            environment["GITHUB_ACTION_PATH"] = str(ROOT)
            if install:
                environment |= {"PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_DEPS": "1"}
            known = {f"${{{{ inputs.{key} }}}}": value for key, value in values.items()}
            known["${{ steps.python.outputs.python-path }}"] = python
            environment |= {name: known[text] for name, text in step["env"].items()}
            script = step["run"]
            if not install and "pip install" in script:
                (tmp_path / "temp" / "magicert").symlink_to(site)
                continue
            done = subprocess.run(
                [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=folder, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
        return done

    return run


def test_the_action_annotates_what_is_wrong(runner, tmp_path):
    folder = engine(tmp_path / "engine", right=False)
    done = runner(
        folder, path="\nsrc/magics.rs\n", sarif="out.sarif", arguments="--full\n--order h8\n"
    )
    assert done.returncode == 3  # the bits are taken, not read
    assert done.stdout.startswith("::warning file=src/magics.rs,line=")
    # Row 3 of h8, h7 ...: the second line of the arguments counts.
    assert "rook e8" in (folder / "out.sarif").read_text()


def test_paths_and_options_are_no_code(runner, tmp_path):
    folder = engine(tmp_path / "engine", right=True)
    bad = "$(touch pwned)`touch pwned`; touch pwned"
    for path, status, begins in (
        ("src", 0, "valid     src/magics.rs"),
        ("\n", 2, "::error "),
        (bad, 2, "::error "),
        ("--help", 2, ""),
    ):
        sarif = "" if status == 0 else "out.sarif"
        done = runner(folder, path=path, sarif=sarif)
        assert (done.returncode, done.stdout[: len(begins)]) == (status, begins), path
        assert ("::" in done.stdout) == begins.startswith("::")
        assert path != "\n" or not (folder / "out.sarif").exists()
        shutil.rmtree(tmp_path / "temp")
    assert not (folder / "pwned").exists()


@pytest.fixture
def spy(tmp_path) -> str:
    """A Python that writes down what it is asked to do."""
    path = tmp_path / "spy"
    path.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/said\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        (
            {"sarif": "a b", "strict": "true", "arguments": "--full\n--order h8"},
            "--format github --strict --sarif a b --full --order h8 -- .",
        ),
        (
            {"sarif": "a b", "strict": "false", "arguments": "--full\n--order h8"},
            "--format github --sarif a b --full --order h8 -- .",
        ),
        (
            {"path": "-glue.c", "flags": "-O2\n-Isrc", "arguments": "--init init",
             "function": "rook=rook_attacks\nbishop=b\n"},
            "--format github --strict --function=rook=rook_attacks --function=bishop=b "
            "--init init ./-glue.c -- -O2 -Isrc",
        ),
    ],
)  # fmt: skip
def test_the_words_that_the_command_is_given(runner, tmp_path, spy, inputs, said):
    """Once; what they do is tested with the formats, and with functions."""
    runner(tmp_path, python=spy, **inputs)
    assert (tmp_path / "said").read_text() == f"-P -m magicert verify {said}\n"


@pytest.mark.slow
def test_the_action_installs_itself(runner, tmp_path):
    done = runner(engine(tmp_path / "engine", right=True), install=True, path="src")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "temp" / "magicert" / "magicert" / "tables" / "published").is_dir()


def test_the_hook_and_the_action_are_what_schemas_and_documents_say(
    child, tmp_path, action, validator
):
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    program, *words = shlex.split(hook["entry"])
    assert program == "magicert"
    done = child.run(*words, *hook["args"], cwd=engine(tmp_path / "engine", right=False))
    assert done.returncode == 3  # its bits are taken
    assert "magics.rs" in done.stdout
    text = (ROOT / "docs" / "ci.md").read_text()
    assert f"- id: {hook['id']}" in text
    assert [name for name in action["inputs"] if f"{name}:" not in text] == []
    validator("https://json.schemastore.org/github-action.json").validate(action)
