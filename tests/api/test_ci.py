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
def runner(action: dict[str, Any], tmp_path: Path) -> Runner:
    """Runs the Action's steps: the one that installs is handed what these tests import."""
    steps, defaults = action["runs"]["steps"], action["inputs"]
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")

    def run(
        folder: Path, *, install: bool = False, python: str = sys.executable, **inputs: str
    ) -> Any:
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


def test_the_action_passes_what_is_right(runner: Runner, tmp_path: Path) -> None:
    done = runner(engine(tmp_path / "engine", right=True), path="src")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("valid     src/magics.rs")
    assert "::" not in done.stdout


def test_the_action_annotates_what_is_wrong(runner: Runner, tmp_path: Path) -> None:
    folder = engine(tmp_path / "engine", right=False)
    done = runner(
        folder, path="\nsrc/magics.rs\n", sarif="out.sarif", arguments="--full\n--order h8\n"
    )
    assert done.returncode == 3  # the bits are taken, not read
    assert done.stdout.startswith("::warning file=src/magics.rs,line=")
    # Row 3 of h8, h7 ...: the second line of the arguments counts.
    assert "rook e8" in (folder / "out.sarif").read_text()


def test_an_empty_path_is_an_error_and_leaves_no_sarif(runner: Runner, tmp_path: Path) -> None:
    folder = engine(tmp_path / "engine", right=True)
    done = runner(folder, path="\n", sarif="out.sarif")
    assert done.returncode == 2
    assert done.stdout.startswith("::error ")
    assert not (folder / "out.sarif").exists()


@pytest.fixture
def spy(tmp_path: Path) -> str:
    """A Python that writes down what it is asked to do."""
    path = tmp_path / "spy"
    path.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/said\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("strict", ["true", "false"])
def test_one_run_says_it_in_both_formats(
    runner: Runner, tmp_path: Path, spy: str, strict: str
) -> None:
    """The words that the command is given, once; what they do is tested with the formats."""
    runner(tmp_path, python=spy, sarif="a b", strict=strict, arguments="--full\n--order h8")
    (said,) = (tmp_path / "said").read_text().splitlines()
    options = ["--format github", *(["--strict"] if strict == "true" else []), "--sarif a b"]
    assert said == f"-P -m magicert verify {' '.join(options)} --full --order h8 -- ."


def test_functions_have_their_flags_behind_the_paths(
    runner: Runner, tmp_path: Path, spy: str
) -> None:
    runner(
        tmp_path, python=spy, path="-glue.c", flags="-O2\n-Isrc", arguments="--init init",
        function="rook=rook_attacks\nbishop=b\n",
    )  # fmt: skip
    (said,) = (tmp_path / "said").read_text().splitlines()
    functions = "--function=rook=rook_attacks --function=bishop=b"
    assert said.endswith(f"--strict {functions} --init init ./-glue.c -- -O2 -Isrc")


def test_paths_and_options_are_no_code(runner: Runner, tmp_path: Path) -> None:
    folder = engine(tmp_path / "engine", right=True)
    for bad in ("$(touch pwned)`touch pwned`; touch pwned", "--help"):
        done = runner(folder, path=bad)
        assert done.returncode == 2, bad
        shutil.rmtree(tmp_path / "temp")
    assert not (folder / "pwned").exists()


@pytest.mark.slow
def test_the_action_installs_itself(runner: Runner, tmp_path: Path) -> None:
    done = runner(engine(tmp_path / "engine", right=True), install=True, path="src")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "temp" / "magicert" / "magicert" / "tables" / "published").is_dir()


def test_the_hook_runs_its_command(child: Any, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    program, *words = shlex.split(hook["entry"])
    assert program == "magicert"
    folder = engine(tmp_path / "engine", right=False)
    done = child.run(*words, *hook["args"], cwd=folder)
    assert done.returncode == 3  # its bits are taken
    assert "magics.rs" in done.stdout


def test_the_documents_say_what_the_files_have() -> None:
    text = (ROOT / "docs" / "ci.md").read_text()
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert f"- id: {hook['id']}" in text
    assert [name for name in action["inputs"] if f"{name}:" not in text] == []


def test_the_action_is_one_by_its_schema(validator: Callable[[str], Any]) -> None:
    yaml = pytest.importorskip("yaml")
    schema = validator("https://json.schemastore.org/github-action.json")
    schema.validate(yaml.safe_load((ROOT / "action.yml").read_text()))
