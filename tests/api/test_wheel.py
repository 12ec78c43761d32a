"""What a wheel and an sdist carry, and say of the rest; what is to be cited; packages to vendor:
each is built, tested over all lookups, and measured as its README says.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert.compact.emit.crates import crate_of_table

ROOT = Path(__file__).parents[2]
MOST_BYTES = 3_000_000
PACKAGES = ("verify", "search", "compact", "z3models")


@pytest.fixture(scope="module")
def distributions(child, tmp_path_factory) -> tuple[Path, Path]:
    """The wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    code = (
        "import sys; from hatchling.builders.wheel import WheelBuilder as W; "
        "from hatchling.builders.sdist import SdistBuilder as S; "
        "[list(builder(sys.argv[1]).build(directory=sys.argv[2])) for builder in (W, S)]"
    )
    child.says(code, ROOT, folder)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def ran(command: str, folder: Path, **more: str) -> Any:
    """A command, to its end; where its program is not here, the test is skipped."""
    if shutil.which(command.split(maxsplit=1)[0]) is None:
        pytest.skip(f"no {command.split(maxsplit=1)[0]} here")
    environment = {name: text for name, text in {**os.environ, **more}.items() if text}
    return subprocess.run(
        command.split(), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_wheel_is_small_and_has_all_modules_and_tables(distributions):
    assert distributions[0].stat().st_size < MOST_BYTES
    with zipfile.ZipFile(distributions[0]) as wheel:
        there = set(wheel.namelist())
    package = Path(magicert.__file__).parent
    for folder in ("", *PACKAGES):
        wanted = {path.relative_to(package.parent) for path in (package / folder).rglob("*.py")}
        assert [path for path in wanted if path.as_posix() not in there] == []
    for kind in ("published", "records", "broken", "games", "gatherers"):
        names = {f"magicert/tables/{kind}/{p.name}" for p in (ROOT / "tables" / kind).iterdir()}
        assert {name for name in there if name.startswith(f"magicert/tables/{kind}/")} == names
    assert "magicert/tables/certificates/bishop-c7-4.cover.xz" not in there


def test_the_sdist_has_all_packages_and_what_its_tests_read(distributions):
    with tarfile.open(distributions[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for folder in PACKAGES:
        wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.py")}
        assert wanted <= names
        assert not any(name.startswith(f"magicert/{folder}/") for name in names)
    for name in ("CITATION.cff", "Makefile", "tests/conftest.py", "tables/atlas.toml"):
        assert name in names
    assert "tables/certificates/bishop-c7-4.cover.xz" in names


def test_the_wheel_works_and_says_what_it_lacks(distributions, tmp_path):
    """Elsewhere, with the wheel's data or others."""
    with zipfile.ZipFile(distributions[0]) as wheel:
        wheel.extractall(tmp_path)

    def by_wheel(words, data=""):
        command = f"{sys.executable} -P -m magicert {words}"
        return ran(command, tmp_path.parent, PYTHONPATH=str(tmp_path), MAGICERT_DATA=data)

    assert re.match(r"magicert \S+, commit [0-9a-f]{12}", by_wheel("-V").stdout)
    for words, status, *said in (
        ("verify shakmaty", 0),
        ("check bishop-d1-4", 0),
        ("check bishop-c7-4", 2, "not among the data of this installation", "MAGICERT_DATA"),
        ("check bishop-c7-5", 2, "no shipped certificate of that name"),
    ):
        done = by_wheel(words)
        assert done.returncode == status
        assert [part for part in said if part not in done.stderr] == []
    assert by_wheel("show rook a1 --table shakmaty", str(ROOT / "tables")).returncode == 0
    missing = by_wheel("tables", "/nowhere")
    assert missing.returncode == 2
    assert missing.stderr.startswith("MAGICERT_DATA: /nowhere: expected a folder")


def test_the_archive_is_complete_and_the_same_again(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("no repository: the archive has what is committed")
    words = [sys.executable, "-P", str(ROOT / "tools" / "data_archive.py")]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    for name in ("one", "two"):
        subprocess.run([*words, str(tmp_path / name)], env=environment, check=True)
    (one,), (two,) = ((tmp_path / name).iterdir() for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with tarfile.open(one) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("magicert-data-*/")
    asked = ["git", "-C", str(ROOT), "ls-files", "tables"]
    files = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    assert {path for path in files if not (folder / path).exists()} == set()
    assert len(files) > 200
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert {"README.md", "LICENSE", "CITATION.cff"} <= set(sums)
    assert len(sums) == len(files) + 3


def test_authors_and_links_stand_in_one_place(tmp_path):
    hook = runpy.run_path(str(ROOT / "tools" / "metadata_hook.py"))["Hook"]
    text = (ROOT / "CITATION.cff").read_text()
    people = "authors:\n  - family-names: Lovelace\n    given-names: Ada\n  - name: A group\n"
    named = re.sub(r"^authors:\n(?: .*\n)+", people, text, flags=re.MULTILINE)
    (tmp_path / "CITATION.cff").write_text(f"{named}repository-code: https://a.example/b\n")
    metadata: dict[str, Any] = {}
    hook(str(tmp_path), {}).update(metadata)
    assert metadata["authors"] == [{"name": "Ada Lovelace"}, {"name": "A group"}]
    assert metadata["urls"]["Repository"] == "https://a.example/b"
    (tmp_path / "CITATION.cff").write_text(named)
    hook(str(tmp_path), {}).update(metadata)
    assert metadata["urls"] == {}  # said, or hatchling calls them dynamic in the wheel
    hosts = re.compile(rb"(?:github\.com/|uses: )([\w-]+)/magicert\b")
    prose = [ROOT / "README.md", ROOT / "pyproject.toml", *(ROOT / "docs").glob("*.md")]
    assert {host for path in prose for host in hosts.findall(path.read_bytes())} <= {b"OWNER"}


# -- packages to vendor

NANOSECONDS = re.compile(r"^(\d+(?:\.\d+)?) ns a lookup", re.MULTILINE)
ASKED = {
    "crate": "cfish_black --lang rust --crate made",
    "a way's crate": "--way best --dispatch --lang rust --crate made",
}


@pytest.fixture
def made(run, here):
    def make(kind):
        result = run("emit", *ASKED[kind].split())
        assert result.exit_code == 0, result.output
        name = "magics-best" if "--way" in ASKED[kind] else "magics-cfish-black"
        assert f"made: package {name}, " in result.stdout
        return here / "made"

    return make


def right(command: str, folder: Path) -> str:
    done = ran(command, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["crate", "a way's crate"])
def test_a_crate(made, kind):
    folder = made(kind)
    assert "test result: ok. 2 passed" in right("cargo test --offline --release", folder)
    assert NANOSECONDS.search(right("cargo bench --offline", folder))
    if kind == "crate":  # what the package would contain: the manifest is complete
        listed = right("cargo package --offline --list --allow-dirty", folder).split()
        assert {"Cargo.toml", "LICENSE", "README.md", "src/lib.rs"} <= set(listed)
    else:
        text = (folder / "src" / "lib.rs").read_text()
        assert "// This file: magicert emit --way best --lang rust --crate DIR\n" in text


def test_a_crate_says_where_its_numbers_come_from():
    file = magicert.read_table("shakmaty")
    made = crate_of_table(file)
    assert made.files["LICENSE"].startswith("MIT License")
    assert file.table.provenance.repository in made.files["README.md"]
    assert file.sha256 in made.files["README.md"]
    assert "$" not in made.files["README.md"]
