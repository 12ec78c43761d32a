"""What `import magicert` offers: the list, the examples, every wrong argument."""

import ast
import base64
import inspect
import json
import pickle
import pydoc
import re
import typing
from pathlib import Path
from unittest.mock import Mock
from xml.etree import ElementTree

import numpy as np
import pytest

import magicert
from magicert.api.certify import SHOWN, _of_source
from magicert.data import find_table
from magicert.problem import InputError
from magicert.verify.source.judgement import Judgement

ROOT = Path(__file__).parents[2]
API = ROOT / "docs" / "api.md"


@pytest.fixture(scope="module")
def magics() -> dict[str, list[int]]:
    """The magics of shakmaty."""
    pieces = magicert.read_table("shakmaty").table.pieces
    return {piece: list(half.parameters["magic"]) for piece, half in pieces.items()}


SHIFTS = {"rook_shift": 52, "bishop_shift": 55}
NO_WAIT = ("make_table", "read_atlas")
"""Functions that take no observer: they answer at once."""


FUNCTIONS = [name for name in magicert.PUBLIC if inspect.isfunction(getattr(magicert, name))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_every_parameter_and_what_a_function_gives(name):
    """What help(), an editor and the site take from it: no function gives None or hides a default
    behind "<factory>", and its annotations are the signature's.
    """
    function = getattr(magicert, name)
    shown = inspect.signature(function)
    assert shown.return_annotation not in (None, "None", inspect.Signature.empty)
    assert [p.name for p in shown.parameters.values() if p.annotation is p.empty] == []
    assert set(function.__annotations__) == {*shown.parameters, "return"}
    assert function.__annotations__["return"] == shown.return_annotation
    assert "<factory>" not in str(shown)
    assert ("observer" in shown.parameters) == (name not in NO_WAIT)
    assert pydoc.render_doc(function).startswith(
        f"Python Library Documentation: function {name} in"
    )
    assert f"\n{name}(" in pydoc.plain(pydoc.render_doc(function))
    assert "-> None" not in pydoc.plain(pydoc.render_doc(function))
    assert pickle.loads(pickle.dumps(function)) is function


def test_a_result_is_of_the_type_that_its_function_names():
    hints = typing.get_type_hints(magicert.find)
    assert isinstance(magicert.find("bishop", "d8", 5), hints["return"])
    assert hints["seed"] is int
    packed = typing.get_type_hints(magicert.pack)["return"]
    assert typing.get_args(packed) == (magicert.Packed, magicert.Impossible, magicert.Unknown)
    assert inspect.signature(magicert.pack).parameters["output"].default is inspect.Parameter.empty
    checked = typing.get_type_hints(magicert.check)["return"]
    assert isinstance(magicert.check("bishop-d1-4"), checked)


def test_the_public_names_are_everywhere_the_same():
    """In the package, for type checkers, and in the document, where a person keeps the list."""
    table = API.read_text().partition("## What is public")[2]
    names = set(re.findall(r"`(\w+)`", table.partition("| name |")[2]))
    assert set(magicert.PUBLIC) == names
    assert set(magicert.__all__) == {"__version__"} | names
    assert all(getattr(magicert, name) is not None for name in names)
    assert set(dir(magicert)) >= names
    with pytest.raises(AttributeError, match="nothing"):
        _ = magicert.nothing
    stub = ast.parse(Path(magicert.__file__).with_suffix(".pyi").read_text())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    assert {node.names[0].name: node.module for node in imports} == magicert.PUBLIC


def test_the_examples_run(capsys):
    """All of them in their order, as one program."""
    blocks = re.findall(r"```python\n(.*?)```", API.read_text(), re.DOTALL)
    assert len(blocks) >= 7
    exec(compile("\n".join(blocks), "api.md", "exec"), {"__name__": "api"})
    assert "rook d1, slot 13312" in capsys.readouterr().out


def test_import_loads_nothing(child):
    code = "import sys; before = set(sys.modules); import magicert; print(*set(sys.modules)-before)"
    assert child.says(code).split() == ["magicert"]


def test_numbers_of_any_kind_are_the_same_table(magics):
    rook = magics["rook"]
    texts = {
        magicert.certify(given, magics["bishop"], **SHIFTS).to_json()
        for given in (rook, tuple(rook), np.array(rook, dtype=np.uint64), iter(rook),
                      np.array(rook, dtype=object), [f"0x{magic:x}" for magic in rook],
                      {"magic": rook})
    }  # fmt: skip
    assert len(texts) == 1
    half = magicert.make_table(rook, scheme="two-halves", rook_shift=[20] * 64)
    assert half.pieces["rook"].parameters["bits"] == (12,) * 64
    own = magicert.make_table(rook, scheme="(occ * magic) >> shift", rook_shift=52)
    assert own.pieces["rook"].parameters["shift"] == (52,)
    for order in ("a1", "h8", "a8", "h1"):  # bits follow the order of the squares
        rows = magicert.make_table([1] * 64, order=order)
        bits = rows.pieces["rook"].parameters["bits"]
        assert [row for row, count in enumerate(bits) if count == 12] == [0, 7, 56, 63]
        assert bits[rows.row_square(0)] == 12


def test_the_answer_is_that_of_the_command(run):
    (shown,) = json.loads(run("verify", "shakmaty", "--json").stdout)["reports"]
    assert json.loads(magicert.certify_table("shakmaty").to_json()) == shown


@pytest.mark.cases_of("a_wrong_argument_is_named.tsv")
def test_a_wrong_argument_is_named(lacking, call, message, magics):
    with pytest.raises(magicert.InputError) as raised:
        eval(f"magicert.{call}", {"magicert": magicert, "np": np, **magics})
    assert message
    assert lacking([message], str(raised.value)) == []


def test_all_problems_are_reported_and_an_unreadable_file_is_no_traceback(magics, tmp_path):
    with pytest.raises(magicert.InputError) as raised:
        magicert.certify(magics["rook"][:63], np.ones(64), rook_bits=[99] * 63)
    keys = {problem.key for problem in raised.value.problems}
    assert keys == {"rook", "rook_bits", "bishop"}
    (tmp_path / "x.toml").mkdir()
    for name, said in {"x.toml": r"x\.toml", "empty.toml": "empty", "empty.c": "empty"}.items():
        (tmp_path / name).touch()
        with pytest.raises(magicert.InputError, match=said):
            magicert.certify_table(tmp_path / name)


def test_a_source_names_the_place_of_a_wrong_magic():
    source = Path(__file__).parents[1] / "source" / "samples" / "broken.rs"
    report = magicert.certify_table(source)
    assert report.verdict == "invalid"
    assert [entry.file for entry in report.entries[0]] == ["broken.rs"]
    assert source.read_text().splitlines()[report.entries[0][0].line - 1].strip()


def test_a_set_is_a_verified_table():
    found = magicert.find_set(("bishop",), seed=7)
    assert magicert.certify_table(found).valid
    with pytest.raises(magicert.InputError, match="bishop a1: no magic"):
        magicert.find_set(("bishop",), bits=2, seconds=30)


def test_an_observer_sees_the_lookups():
    watching = Mock(magicert.Observer)
    assert magicert.certify_table(find_table("shakmaty"), observer=watching).valid
    assert watching.progress.call_args.args[0] == 107_648


@pytest.mark.parametrize(("name", "verdict"), [("bishop-e1-4", "valid"), ("rook-b2-9", "unknown")])
def test_a_certificate_says_what_it_shows(name, verdict):
    checked = magicert.check(name)
    assert (checked.verdict, checked.problems, checked.valid) == (verdict, (), verdict == "valid")


def test_one_doubt_is_enough():
    """A source of which a reading certifies, and something contradicts it."""
    judgement = Judgement((Path("a.c"),), undecided=["the masks are another piece's"])
    with pytest.raises(InputError, match="the masks are another piece's"):
        _of_source(judgement, "a.c")


def test_what_is_shown_is_short(magics):
    bishop = magics["bishop"]
    report = magicert.certify(magics["rook"], [*bishop[:3], 1, *bishop[4:]], **SHIFTS)
    found = magicert.find("rook", "e4", seed=1)
    for shown in (report, report.report, report.findings[0], found, magicert.read_atlas(),
                  next(iter(magicert.read_atlas())), magicert.read_table("shakmaty")):  # fmt: skip
        assert len(repr(shown)) < 120
    assert repr(report).startswith("<Certified 'table' invalid: 107,648 lookups")


def test_what_is_packed_is_at_hand(tmp_path):
    assert isinstance(magicert.pack(tmp_path / "no.toml", seconds=9, limit=9), magicert.Impossible)
    packed = magicert.pack(tmp_path / "same.toml", source="black", seconds=60, rounds=0)
    assert isinstance(packed, magicert.Packed)
    assert (packed.entries, packed.path) == (72_696, tmp_path / "same.toml")
    assert magicert.certify_table(packed.table).valid
    call = "magicert.pack('same.toml', source='black', seed=1, workers=1, rounds=0, seconds=86400)"
    assert packed.table.table.provenance.command == call


class Listener:
    """An observer that keeps what is said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def progress(self, done: float, total: float | None, note: str = "") -> None: ...

    def say(self, message: str) -> None:
        self.said.append(message)


def test_packing_begins_with_the_record_that_ships_and_writes_nothing_that_is_no_shorter(tmp_path):
    listener = Listener()
    record = magicert.pack(tmp_path / "x.toml", 60, rounds=0, observer=listener)
    assert isinstance(record, magicert.Packed)
    assert record.entries == 72_696
    assert listener.said == [
        "starting from the record black, which ships (72,696 entries); --from-nothing starts afresh"
    ]
    command = record.table.table.provenance.command
    assert command.startswith("magicert.pack('x.toml', source='black', seed=1")
    unknown = magicert.pack(tmp_path / "y.toml", 60, source="surge", rounds=0)
    assert isinstance(unknown, magicert.Unknown)
    assert not (tmp_path / "y.toml").exists()


def test_a_notebook_shows_the_positions_of_a_finding_as_pictures(magics):
    """Two for each conflict, both of the square that the finding names; text stays text."""
    wrong = {piece: list(numbers) for piece, numbers in magics.items()}
    for square in range(12):
        wrong["rook"][square] = 1
    report = magicert.certify(**wrong, **SHIFTS, name="<b>mine</b>")
    shown = report._repr_html_()
    sources = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]*)"', shown)
    assert len(sources) == sum(len(finding.lookups) for finding in report.findings[:SHOWN])
    lookups = [lookup for finding in report.findings for lookup in finding.lookups]
    for (data, text), lookup in zip(sources, lookups, strict=False):
        picture = ElementTree.fromstring(base64.b64decode(data))
        blockers = [part for part in picture.iter() if part.get("class") == "blocker"]
        assert len(blockers) == len(lookup.blockers)
        assert f"{lookup.piece} {lookup.square}" in text
    assert "<b>" not in shown
    assert f"and {len(report.findings) - SHOWN} more" in shown
    assert "<img" not in magicert.certify(**magics, **SHIFTS)._repr_html_()
