"""The house: names that documents and imports use are there, tests start Python with -P, the quick
`dataclass` does what the standard library's does.
"""

import copy
import dataclasses
import inspect
import pickle
import re
import runpy
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


def test_nothing_imports_a_room_by_its_bare_name_and_a_class_has_a_name_of_its_own():
    """A module of that name of somebody else's would be found instead."""
    bare = re.compile(rf"^\s*(from|import) ({'|'.join(ROOMS)})\b", re.MULTILINE)
    others = {p for name in ("tests", "tools", "benchmarks") for p in ROOT.glob(f"{name}/**/*.py")}
    files = modules() | {path for path in others if "samples" not in path.parts}
    assert [path for path in files if bare.search(path.read_text("utf-8"))] == []
    defined = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
    names = [name for path in modules() for name in defined.findall(path.read_text("utf-8"))]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_a_file_that_a_document_or_a_docstring_names_is_there():
    roots = "magicert|verify|search|compact|z3models|tools|tests|benchmarks|docs|tables"
    named = re.compile(rf"\b((?:{roots})/[\w./-]+\.(?:py|md|toml|c|json|txt))\b")
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "tables" / "README.md"]
    for room in ("magicert", *ROOMS, "tools", "benchmarks"):
        texts += (ROOT / room).rglob("*.py")
    names = {(path.name, name) for path in texts for name in named.findall(path.read_text("utf-8"))}
    places = (ROOT, ROOT / "magicert")
    assert [one for one in names if not any((place / one[1]).exists() for place in places)] == []


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
print(sum(name.startswith(root) for name in found))
"""


@pytest.mark.parametrize(
    ("path", "most"),
    [("shakmaty", 25), (ROOT / "tests/source/samples/bbc.c", 40)],
    ids=["table", "source"],
)
def test_a_verification_executes_few_files(child, path, most):
    """Everything that it does not need is loaded where it is needed (benchmarks/bench_size.py)."""
    told = child.says(EXECUTED, PACKAGE, "verify", path)
    assert told.startswith("valid")
    assert int(told.splitlines()[-1]) <= most


def test_no_child_sees_the_folder_that_it_is_started_in():
    """Without -P `python -c` and `python -m` import the checkout, not the wheel under test."""
    start = re.compile(r"[\[(]\s*sys\.executable[,\]]\s*([^\s,\])]*)")
    assert start.findall(f"run([{'sys'}.executable, '-c', code])") == ["'-c'"]
    texts = (path.read_text("utf-8") for path in TESTS.rglob("*.py"))
    behind = [word for text in texts for word in start.findall(text)]
    assert len(behind) >= 3
    assert set(behind) == {'"-P"'}


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
