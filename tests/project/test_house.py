"""The house: names that documents and imports use are there, tests start Python with -P, the quick
`dataclass` does what the standard library's does.
"""

import ast
import copy
import dataclasses
import inspect
import pickle
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import KW_ONLY, field
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert import dataclass as quick
from magicert.board import CHESS

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PACKAGE = Path(str(magicert.__file__)).parent
ROOMS = ("verify", "search", "compact", "z3models")


def modules() -> set[Path]:
    """Every module of the package, as it is installed."""
    return {path for room in (".", *ROOMS) for path in (PACKAGE / room).rglob("*.py")}


def test_nothing_imports_a_room_by_its_bare_name():
    """A module of that name of somebody else's would be found instead."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(ROOMS)})\b", re.MULTILINE)
    others = {
        path for name in ("tests", "tools", "benchmarks") for path in ROOT.glob(f"{name}/**/*.py")
    }
    files = modules() | {path for path in others if "samples" not in path.parts}
    assert [path for path in files if bare.search(path.read_text("utf-8"))] == []


def test_a_class_has_a_name_of_its_own():
    defined = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
    names = [name for path in modules() for name in defined.findall(path.read_text("utf-8"))]
    assert sorted({name for name in names if names.count(name) > 1}) == []


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


def test_every_mutant_fits_the_code():
    """A list that names what is no more says nothing: tools/mutants.py would refuse it."""
    tool = runpy.run_path(str(ROOT / "tools" / "mutants.py"))
    lists = [tool["read"](path) for path in sorted(tool["LISTS"].glob("*.toml"))]
    assert min(map(len, lists)) > 0


EXECUTED = """
import os, sys
found, root = set(), sys.argv.pop(1) + os.sep
def seen(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>":
        found.add(frame.f_code.co_filename)
sys.setprofile(seen)
from magicert.cli import main
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
print(sum(name.startswith(root) for name in found), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("path", "most"),
    [("shakmaty", 25), (ROOT / "tests/source/samples/bbc.c", 40)],
    ids=["table", "source"],
)
def test_a_verification_executes_few_files(path, most):
    """Everything that it does not need is loaded where it is needed (benchmarks/bench_size.py)."""
    words = [sys.executable, "-P", "-c", EXECUTED, str(PACKAGE), "verify", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("valid")
    assert int(done.stderr.splitlines()[-1]) <= most


def starts(text: str) -> Iterator[tuple[int, bool]]:
    """Each list in a file that begins with sys.executable: its line, and whether -P follows."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            first, *rest = [ast.unparse(element) for element in node.elts[:2]]
            if first == "sys.executable":
                yield node.lineno, rest == ["'-P'"]


def test_no_child_sees_the_folder_that_it_is_started_in():
    """Without -P `python -c` and `python -m` import the checkout, not the wheel under test."""
    text = "run([sys.executable, '-c', code])\nrun([sys.executable, '-P', '-m', 'x'])\n"
    assert list(starts(text)) == [(1, False), (2, True)]
    texts = {path: path.read_text("utf-8") for path in sorted(TESTS.rglob("*.py"))}
    found = [
        (path.relative_to(TESTS), *start)
        for path, text in texts.items()
        if "sys.executable" in text
        for start in starts(text)
    ]
    assert [(path, line) for path, line, isolated in found if not isolated] == []
    assert len(found) >= 3


# -- the quick dataclass

KINDS = [
    {"frozen": True, "slots": True}, {"frozen": True}, {"slots": True}, {"eq": False},
    {"frozen": True, "eq": False, "slots": True}, {"slots": True, "kw_only": True}, {"repr": False},
]  # fmt: skip


def classes(decorator: Any, words: dict[str, bool]) -> tuple[Any, Any]:
    """A class and one that inherits from it."""

    @decorator(**words)
    class Base:
        a: int
        b: str = "b"
        c: list[int] = field(default_factory=list, compare=False)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError(self.a)

    @decorator(**words)
    class Derived(Base):
        b: str = field(default="other", repr=False)
        _: KW_ONLY
        d: float = 0.5

    return Base, Derived


def seen(made: Any) -> list[Any]:
    """What can be seen of a class and its objects; addresses do not count."""
    one, same, other = made(a=1), made(a=1, c=[2]), made(a=1, b="c")
    told = [str(inspect.signature(made)).replace("Derived", "Base"), one == same, one == other]
    told += [one == 1, dataclasses.asdict(one), dataclasses.replace(one, b="r").b, one.c is same.c]
    told += [made.__match_args__, hasattr(one, "__dict__"), copy.deepcopy(other).b]
    told += ["<" if " at 0x" in repr(one) else repr(one), made.__hash__ is None]
    told += [] if made.__hash__ is None else [hash(one) == hash(same)]
    for change in (lambda: setattr(one, "a", 3), lambda: delattr(one, "a"), lambda: made(a=-1)):
        try:
            change()
            told.append(getattr(one, "a", None))
        except (dataclasses.FrozenInstanceError, ValueError) as error:
            told.append(type(error))
    return told


@pytest.mark.parametrize("words", KINDS, ids=str)
def test_it_does_what_the_standard_library_does(words):
    expected = [seen(made) for made in classes(dataclasses.dataclass, words)]
    assert [seen(made) for made in classes(quick.dataclass, words)] == expected
    assert pickle.loads(pickle.dumps(CHESS)) == CHESS, "a frozen one goes to other processes"
