"""Packages to vendor: each is built, tested over all lookups, and measured as its README says."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import magicert
from magicert.compact.emit.packages import PACKAGES, make_package

NANOSECONDS = re.compile(r"^(\d+(?:\.\d+)?) ns a lookup", re.MULTILINE)
ASKED = {
    "crate": "cfish_black --lang rust --crate made",
    "a way's crate": "--way best --dispatch --lang rust --crate made",
    "header-only": "cfish_black --lang c --header-only -o made",
    "package": "cfish_black --lang typescript --package made",
}


@pytest.fixture
def made(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def make(kind: str) -> Path:
        result = run("emit", *ASKED[kind].split())
        assert result.exit_code == 0, result.output
        name = "magics-best" if "--way" in ASKED[kind] else "magics-cfish-black"
        assert f"made: package {name}, " in result.stdout
        return tmp_path / "made"

    return make


def ran(command: str, folder: Path, **more: str) -> str:
    program = command.split(maxsplit=1)[0]
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    environment = {**os.environ, **more}
    done = subprocess.run(
        command.split(), cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["crate", "a way's crate"])
def test_a_crate(made, kind):
    folder = made(kind)
    assert "test result: ok. 2 passed" in ran("cargo test --offline --release", folder)
    assert NANOSECONDS.search(ran("cargo bench --offline", folder))
    if kind == "crate":  # what the package would contain: the manifest is complete
        listed = ran("cargo package --offline --list --allow-dirty", folder).split()
        assert {"Cargo.toml", "LICENSE", "README.md", "src/lib.rs"} <= set(listed)
    else:
        text = (folder / "src" / "lib.rs").read_text()
        assert "// This file: magicert emit --way best --lang rust --crate DIR\n" in text


def test_a_header(made):
    folder = made("header-only")
    assert "right: 6391680 lookups" in ran("make test", folder)
    assert NANOSECONDS.search(ran("make bench", folder))


@pytest.mark.slow
def test_a_header_by_cmake(made):
    folder = made("header-only")
    ran("cmake -S . -B build", folder)
    ran("cmake --build build --target all_lookups", folder)
    assert "100% tests passed" in ran("ctest --test-dir build", folder)


def test_a_package_for_npm(made):
    folder = made("package")
    manifest = json.loads((folder / "package.json").read_text())
    assert manifest["main"] == "dist/magics_cfish_black.js"
    if shutil.which("node") is None:
        pytest.skip("no node here")
    if shutil.which("tsc") is None:
        plain = magicert.emit("cfish_black", "javascript", stem="magics_cfish_black")
        (folder / "dist").mkdir()
        (folder / manifest["main"]).write_text(plain)
    else:
        ran("tsc", folder)
        assert (folder / manifest["types"]).exists()
    tested = ran("node --test test/", folder)
    assert re.search(r"^# pass 2$", tested, re.MULTILINE)
    assert NANOSECONDS.search(ran("node bench/lookups.mjs", folder))


@pytest.mark.parametrize("kind", PACKAGES)
def test_a_package_says_where_its_numbers_come_from(kind):
    file = magicert.read_table("shakmaty")
    made = make_package(kind, file)
    assert made.files["LICENSE"].startswith("MIT License")
    assert file.table.provenance.repository in made.files["README.md"]
    assert file.sha256 in made.files["README.md"]
    assert "$" not in made.files["README.md"]


def test_a_test_of_a_package_can_fail(made):
    folder = made("header-only")
    header = folder / "magics_cfish_black.h"
    text = header.read_text()
    found = "return magics_cfish_black_attacks["
    broken = text.replace(found, found.replace("return", "return 1 ^"))
    assert broken != text
    header.write_text(broken)
    if shutil.which("make") is None:
        pytest.skip("no make here")
    done = subprocess.run(["make", "test"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "wrong: rook on a1" in done.stdout
