"""The house: small folders, each with a list of its files from top to bottom, imports down."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import magicert

ROOT = Path(__file__).parents[2]
PACKAGE = Path(str(magicert.__file__)).parent
ROOMS = ("verify", "search", "compact", "z3models")
MOST_FILES = 14
LISTED = re.compile(r"^(?: {4})?([a-z_0-9]+)  +\S", re.MULTILINE)


def folders() -> list[Path]:
    """Every folder of the package, as it is installed."""
    found = {path.parent for room in (".", *ROOMS) for path in (PACKAGE / room).rglob("*.py")}
    return [*sorted(found - {PACKAGE}), PACKAGE]


def name_of(folder: Path) -> str:
    return ".".join(("magicert", *folder.relative_to(PACKAGE).parts))


def contents(folder: Path) -> set[str]:
    """The modules of a folder, and the folders in it."""
    modules = {path.stem for path in folder.glob("*.py")}
    return modules - {"__init__"} | {path.parent.name for path in folder.glob("*/__init__.py")}


@cache
def imports(path: Path) -> set[str]:
    """The names that a file imports from the package, wherever it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.startswith("magicert.")}


@pytest.mark.parametrize("folder", folders(), ids=name_of)
def test_a_folder_is_small_and_lists_its_files(folder: Path):
    assert len(list(folder.glob("*.py"))) <= MOST_FILES + 1, "with __init__"
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")), clean=False)
    listed = LISTED.findall(text or "")
    assert sorted(listed) == sorted(contents(folder))


@pytest.mark.parametrize("folder", folders(), ids=name_of)
def test_imports_inside_a_folder_go_down_its_list(folder: Path):
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")), clean=False)
    listed = LISTED.findall(text or "")
    upwards = []
    for above, name in enumerate(listed):
        module, inner = folder / f"{name}.py", folder / name
        files = [module] if module.exists() else sorted(inner.rglob("*.py"))
        for higher in listed[:above]:
            target = f"{name_of(folder)}.{higher}"
            upwards += [
                f"{path.relative_to(folder)} imports {target}"
                for path in files
                if any(i == target or i.startswith(f"{target}.") for i in imports(path))
            ]
    assert upwards == []


def test_nothing_imports_a_room_by_its_bare_name():
    """A module of that name of somebody else's would be found instead."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(ROOMS)})\b", re.MULTILINE)
    code = [path for folder in folders() for path in folder.glob("*.py")]
    beside = [
        path for name in ("tests", "tools", "benchmarks") for path in (ROOT / name).rglob("*.py")
    ]
    files = code + [path for path in beside if "samples" not in path.parts]
    assert [path for path in files if bare.search(path.read_text("utf-8"))] == []


def test_a_file_that_a_document_or_a_docstring_names_is_there():
    roots = "magicert|verify|search|compact|z3models|tools|tests|benchmarks|docs|tables"
    named = re.compile(rf"\b((?:{roots})/[\w./-]+\.(?:py|md|toml|c|json|txt))\b")
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "tables" / "README.md"]
    rooms = ("magicert", *ROOMS, "tools", "benchmarks")
    code = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    missing = {
        (path.name, name)
        for path in [*texts, *code]
        for name in named.findall(path.read_text("utf-8"))
        if not (ROOT / name).exists() and not (ROOT / "magicert" / name).exists()
    }
    assert missing == set()
