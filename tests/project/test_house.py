"""The house: names that documents and imports use are there, and tests start Python with -P."""

import re
import runpy
from pathlib import Path

import magicert

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGE = Path(str(magicert.__file__)).parent
PACKAGES = ("verify", "search", "compact", "z3models", "functions")


def modules() -> set[Path]:
    """Every module of the package, as it is installed."""
    return {path for folder in (".", *PACKAGES) for path in (PACKAGE / folder).rglob("*.py")}


def test_nothing_imports_a_room_by_its_bare_name():
    """A module of that name of somebody else's would be found instead."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(PACKAGES)})\b", re.MULTILINE)
    others = {p for name in ("tests", "tools", "benchmarks") for p in ROOT.glob(f"{name}/**/*.py")}
    files = modules() | {path for path in others if "samples" not in path.parts}
    assert [path for path in files if bare.search(path.read_text("utf-8"))] == []


def test_a_file_that_a_document_or_a_docstring_names_is_there():
    roots = "magicert|verify|search|compact|z3models|functions|tools|tests|benchmarks|docs|tables"
    roots += "|research"
    named = re.compile(rf"\b((?:{roots})/[\w./-]+\.(?:py|md|toml|c|json|txt))\b")
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "tables" / "README.md"]
    for folder in ("magicert", *PACKAGES, "tools", "benchmarks"):
        texts += (ROOT / folder).rglob("*.py")
    names = {(path.name, name) for path in texts for name in named.findall(path.read_text("utf-8"))}
    places = (ROOT, ROOT / "magicert")
    assert [one for one in names if not any((place / one[1]).exists() for place in places)] == []


def test_every_mutant_fits_the_code():
    """A list that names what is no more says nothing: tools/mutants.py would refuse it."""
    tool = runpy.run_path(str(ROOT / "tools" / "mutants.py"))
    lists = [tool["read"](path) for path in sorted(tool["LISTS"].glob("*.toml"))]
    assert all(lists)


def test_no_child_sees_the_folder_that_it_is_started_in():
    """Without -P `python -c` and `python -m` import the checkout, not the wheel under test."""
    start = re.compile(r"[\[(]\s*sys\.executable[,\]]\s*([^\s,\])]*)")
    assert start.findall(f"run([{'sys'}.executable, '-c', code])") == ["'-c'"]
    texts = (path.read_text("utf-8") for path in TESTS.rglob("*.py"))
    behind = [word for text in texts for word in start.findall(text)]
    assert set(behind) == {'"-P"'}
