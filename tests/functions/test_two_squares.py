"""Functions of two squares: between, line and ray, by each convention, and with one entry changed."""

import json
import random
import shutil
from itertools import product
from pathlib import Path

import pytest

from magicert import InputError
from magicert.betza import parse_piece
from magicert.board import CHESS, parse_board
from magicert.chess import parse_square
from magicert.functions.certificate import as_document
from magicert.functions.compare import pairs
from magicert.functions.question import question_of

HERE = Path(__file__).parent
SOURCES = HERE / "two_squares"
FLAGS = {".c": ("-O2",), ".cpp": ("-O2",), ".rs": (), ".zig": ("-OReleaseFast",)}


def cases():
    lines = (HERE / "two_squares.tsv").read_text("utf-8").splitlines()
    _, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
    for gate, *row in rows:
        cells = [cell.replace("\\n", "\n") for cell in row]
        yield pytest.param(*cells, marks=[] if gate else pytest.mark.slow)


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.parametrize(
    ("source", "key", "name", "given", "old", "new", "verdict", "says"), list(cases())
)
def test_all_pairs_follow_one_convention(
    certified, tmp_path, source, key, name, given, old, new, verdict, says
):
    if source.endswith(".rs") and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if source.endswith(".zig"):
        pytest.importorskip("ziglang")
    text = (SOURCES / source).read_text("utf-8")
    assert not old or text.count(old) == 1
    file = tmp_path / source
    file.write_text(text.replace(old, new) if old else text, "utf-8")
    board = parse_board(json.loads(given).get("board", "8x8"))
    given = {"flags": FLAGS[file.suffix], "squares": range(board.squares), **json.loads(given)}
    given["squares"] = tuple(given["squares"])
    result = certified(file, functions={key: name}, **given)
    (report,) = result.functions
    told = [report.statement, *(finding.message for finding in report.findings)]
    assert (result.verdict, any(says in one for one in told)) == (verdict, True), told
    convention = as_document(result)["functions"][0].get("convention", {})
    assert (verdict == "valid") <= (len(convention) == 3)


@pytest.mark.parametrize(("board", "piece"), [("8x8", "queen"), ("5x3", "rook"), ("4x4", "NN")])
@pytest.mark.parametrize("kind", pairs.KINDS)
def test_one_changed_entry_is_found_whatever_the_convention(board, piece, kind):
    board, random_ = parse_board(board), random.Random(5)
    geometry = {
        (a, b): pairs.parts_of(board, parse_piece(piece), a, b)
        for a, b in product(range(board.squares), repeat=2)
    }
    relations = pairs.LINE, pairs.NO_LINE, pairs.SAME
    for _ in range(2 if board == CHESS else 6):
        rules = {r: random_.choice(pairs.conventions(kind, r)) for r in relations}
        entries = {pair: parts.of(rules[parts.relation]) for pair, parts in geometry.items()}
        sound = pairs.Conventions(kind, board, geometry, entries)
        assert all(sound.expected(pair) == entries[pair] for pair in geometry)
        if board == CHESS:
            assert not any(map(sound.undecided, geometry))
            assert sound.stated == {relation: rule.words for relation, rule in rules.items()}
        for relation in relations:
            pair = random_.choice([p for p, x in geometry.items() if x.relation == relation])
            names = f"{board.name(pair[0])} and {board.name(pair[1])}"
            changed = entries[pair] ^ 1 << random_.randrange(board.squares)
            others = (geometry[pair].of(other) for other in pairs.conventions(kind, relation))
            for wrong in {changed, *others} - {entries[pair]}:
                made = pairs.Conventions(kind, board, geometry, {**entries, pair: wrong})
                found = [p for p in geometry if made.expected(p) != made.entries[p]]
                assert found == [pair] or (not found and made.undecided(pair))
                assert not found or names in made.explain(pair, wrong)
                assert found or board != CHESS


def test_a_single_entry_shows_no_convention():
    """Of one first square only one pair is a square and itself."""
    geometry = {(0, b): pairs.parts_of(CHESS, parse_piece("queen"), 0, b) for b in range(64)}
    rules = {r: pairs.conventions("between", r)[0] for r in (pairs.LINE, pairs.NO_LINE, pairs.SAME)}
    entries = {p: parts.of(rules[parts.relation]) for p, parts in geometry.items()}
    made = pairs.Conventions("between", CHESS, geometry, entries)
    assert "single entry" in made.undecided((0, 0))
    assert not any(made.undecided((0, b)) for b in range(1, 64))


def test_parts_are_as_on_the_board():
    parts = pairs.parts_of(CHESS, parse_piece("queen"), parse_square("c3"), parse_square("e5"))
    named = {
        name: {CHESS.name(s) for s in range(64) if word >> s & 1}
        for name, word in parts.boards.items()
    }
    assert named == {
        "first": {"c3"}, "second": {"e5"}, "inside": {"d4"}, "behind": {"f6", "g7", "h8"},
        "before": {"a1", "b2"}, "board": set(map(CHESS.name, range(64))),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("betwen", "did you mean between.*between=, line=, ray="),
        ("lines:rook", "unknown kind 'lines'.*setwise:PIECE=.*ray="),
        ("between:knight", "knight does not move along lines"),
        ("ray:pR", "pR does not move along lines"),
    ],
)
def test_a_key_that_is_none(key, says):
    with pytest.raises(InputError, match=says):
        question_of((SOURCES / "made.cpp",), {"functions": {key: "between"}})


def test_what_takes_no_two_squares_is_refused(certified, tmp_path):
    file = tmp_path / "one.c"
    file.write_text("unsigned long long between(int a) { return a; }\n", "utf-8")
    with pytest.raises(InputError, match=r"found \(i32\) -> i64: expected \(square, square\)"):
        certified(file, functions={"between": "between"})


def test_the_page_lists_every_convention():
    page = HERE.parents[1] / "docs" / "functions.md"
    text = page.read_text("utf-8")
    for kind in pairs.KINDS:
        for relation in pairs.LINE, pairs.NO_LINE, pairs.SAME:
            head = f"| `{kind}`, {relation} |" if relation == pairs.LINE else f"| {relation} |"
            (row,) = (line for line in text.splitlines() if line.startswith(head))
            listed = row.removeprefix(head).strip(" |").split("; ")
            assert set(listed) == {rule.words for rule in pairs.conventions(kind, relation)}
