"""What a wheel carries, and what it says of the rest; what an sdist holds; what is to be cited."""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import magicert

ROOT = Path(__file__).parents[2]
MOST_BYTES = 2_000_000
ROOMS = ("verify", "search", "compact", "z3models")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory) -> tuple[Path, Path]:
    """The wheel and the sdist of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    code = (
        "import sys; from hatchling.builders.wheel import WheelBuilder as W; "
        "from hatchling.builders.sdist import SdistBuilder as S; "
        "[list(builder(sys.argv[1]).build(directory=sys.argv[2])) for builder in (W, S)]"
    )
    pytest.importorskip("hatchling")
    subprocess.run([sys.executable, "-P", "-c", code, ROOT, folder], check=True)
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def installed(distributions, tmp_path_factory) -> Path:
    """The wheel, unpacked."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(distributions[0]) as wheel:
        wheel.extractall(folder)
    return folder


def by_wheel(installed: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """The command as the wheel has it, elsewhere, with the wheel's data."""
    environment = {**os.environ, "PYTHONPATH": str(installed), **more}
    if not more:
        del environment["MAGICERT_DATA"]
    return subprocess.run(
        [sys.executable, "-P", "-m", "magicert", *words],
        cwd=installed.parent, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_wheel_is_small_and_has_all_modules_and_tables(distributions, installed):
    assert distributions[0].stat().st_size < MOST_BYTES
    here, there = Path(magicert.__file__).parent, installed / "magicert"
    for room in ("", *ROOMS):
        wanted = {path.relative_to(here) for path in (here / room).rglob("*.py")}
        assert [path for path in wanted if not (there / path).exists()] == []
    for kind in ("published", "records", "broken", "games", "gatherers"):
        names = {path.name for path in (ROOT / "tables" / kind).iterdir()}
        assert {path.name for path in (there / "tables" / kind).iterdir()} == names
    assert not (there / "tables" / "certificates" / "bishop-c7-4.cover.xz").exists()


def test_the_sdist_has_all_rooms_and_what_its_tests_read(distributions):
    with tarfile.open(distributions[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for room in ROOMS:
        wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / room).rglob("*.py")}
        assert wanted <= names
        assert not any(name.startswith(f"magicert/{room}/") for name in names)
    for name in ("CITATION.cff", "Makefile", "tests/conftest.py", "tables/atlas.toml"):
        assert name in names
    assert "tables/certificates/bishop-c7-4.cover.xz" in names


def test_the_wheel_works_and_says_what_it_lacks(installed):
    assert re.match(r"magicert \S+, commit [0-9a-f]{12}", by_wheel(installed, "-V").stdout)
    for words, status, *said in (
        ("verify shakmaty", 0),
        ("check bishop-d1-4", 0),
        ("check bishop-c7-4", 2, "not among the data of this installation", "MAGICERT_DATA"),
        ("check bishop-c7-5", 2, "no shipped certificate of that name"),
    ):
        done = by_wheel(installed, *str(words).split())
        assert done.returncode == status
        assert [part for part in said if str(part) not in done.stderr] == []
    data = str(ROOT / "tables")
    found = by_wheel(installed, "show", "rook", "a1", "--table", "shakmaty", MAGICERT_DATA=data)
    assert found.returncode == 0
    missing = by_wheel(installed, "tables", MAGICERT_DATA="/nowhere")
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


def test_what_is_cited_is_this_version(validator):
    yaml = pytest.importorskip("yaml")
    cited: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    schema = validator("https://citation-file-format.github.io/1.2.0/schema.json")
    assert schema.is_valid({**cited, "date-released": "2026-11-22"})
    assert not schema.is_valid({**cited, "license": "none"})
    assert cited["version"] == magicert.__version__
    assert cited["license"] == "MIT"
    assert cited["cff-version"] == "1.2.0"


def test_authors_and_links_stand_in_one_place(tmp_path):
    pytest.importorskip("hatchling")
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
