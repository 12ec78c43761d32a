"""`magicert emit`: what it refuses, the file that it names, and whether its heads are true."""

import random
import re
import shlex
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.board import ORDERS, bitboard, place_of, squares_of
from magicert.chess import Piece, attack_set, parse_square
from magicert.compact.emit import LANGUAGES
from magicert.data import tables_folder
from magicert.outcome import Quiet

Run = Callable[..., Result]
REFUSALS = Path(__file__).with_name("refusals.toml").read_text()
CHECK, PROVE = "To check its numbers: ", "To prove its functions: "


@pytest.mark.parametrize(("status", "words", "message"), tomllib.loads(REFUSALS)["emit"])
def test_what_cannot_be_emitted_is_refused(run, here, lacking, status, words, message):
    done = run(*shlex.split(words.replace("BOARDS", str(tables_folder() / "boards"))))
    assert done.exit_code == status, done.output
    assert lacking([message], " ".join(done.output.replace("│", " ").split())) == []
    assert not list(here.iterdir())


def head_of(path: Path) -> list[str]:
    """The lines of a head, without what makes them comments."""
    lines = path.read_text("utf-8").split("\n\n")[0].splitlines()
    return [re.sub(r"^\W* ?", "", line) for line in lines]


def said(path: Path, beginning: str) -> list[str] | None:
    """The words of a command of magicert that a head names, if it does."""
    found = [line.removeprefix(beginning) for line in head_of(path) if line.startswith(beginning)]
    return shlex.split(found[0])[1:] if found else None


@pytest.mark.parametrize(
    ("language", "file"),
    [("c++", "magics.h"), ("c", "a.inc"), ("rust", "b.rs"), ("zig", "c.d.zig")],
)
@pytest.mark.parametrize("more", ["cfish_black", "--way hyperbola"])
def test_a_file_names_itself_as_it_was_asked_for(run, here, language, file, more):
    run("emit", *more.split(), "--lang", language, "-o", here / file, status=0)
    text = (here / file).read_text("utf-8")
    assert file in text
    usual = LANGUAGES[language].suffix
    others = set(re.findall(rf"[\w.]+{re.escape(usual)}\b", text)) - {file}
    assert not [name for name in others if name.startswith(file.partition(".")[0])]
    assert f"magicert verify {file}" in text


@pytest.mark.parametrize(
    ("language", "table"),
    [
        # All tables in C, and one in each of the others; the rest by `make long`.
        pytest.param(language, table, marks=pytest.mark.long if long else ())
        for language in ("c", "c++", "python", "rust")
        for table in ("cfish_black", "bbc", "chess22k", "black_two_level")
        for long in [table != "cfish_black" and language != "c"]
    ],
)
def test_the_command_that_checks_the_numbers_does(run, here, table, language):
    """With a1, a8 and h1 as bit 0, and in two levels."""
    path = here / f"mine{LANGUAGES[language].suffix}"
    run("emit", table, "--lang", language, "-o", path, status=0)
    words = said(path, CHECK)
    assert words is not None
    assert words[:2] == ["verify", path.name]
    assert "valid " in run(*words, status=0).stdout


def test_the_source_of_a_crate_names_itself_as_it_is_seen_from_the_crate(run, here, monkeypatch):
    run("emit", "bbc", "--lang", "rust", "--crate", here / "made", status=0)
    monkeypatch.chdir(here / "made")
    words = said(Path("src/lib.rs"), CHECK)
    assert words == ["verify", "src/lib.rs", "--order", "a8"]
    assert "valid " in run(*words, status=0).stdout


@pytest.mark.parametrize("table", ["layered", "half", "glaurung32"])
def test_a_source_that_is_not_read_without_more_words_names_no_such_command(run, here, table):
    path = here / "mine.h"
    run("emit", table, "--lang", "c", "-o", path, status=0)
    assert said(path, CHECK) is None


def test_the_command_that_proves_a_finished_buffer_in_c_makes_it(run, here):
    """The header alone only declares it."""
    pytest.importorskip("llvmlite")
    from magicert.functions.question import question_of
    from magicert.functions.work import certify_functions

    run("emit", "cfish_black", "--lang", "c", "--literal", "-o", "mine.h", status=0)
    words = said(here / "mine.h", PROVE)
    assert words is not None
    functions = dict(word.split("=") for word in words if word.startswith("rook="))
    given = {"functions": functions, "flags": words[words.index("--") + 1 :], "traps": False}
    question = question_of((Path("mine.h"),), {**given, "squares": (parse_square("d4"),)})
    assert certify_functions(question, Quiet()).verdict == "valid"


@pytest.mark.slow
@pytest.mark.parametrize("table", ["cfish_black", "bbc"])
@pytest.mark.parametrize("literal", [(), ("--literal",)])
@pytest.mark.parametrize("language", ["c", "c++", "rust", "zig"])
def test_the_command_that_proves_the_functions_does(run, here, table, language, literal):
    pytest.importorskip("llvmlite")
    path = here / f"mine{LANGUAGES[language].suffix}"
    run("emit", table, "--lang", language, *literal, "-o", path, status=0)
    words = said(path, PROVE)
    # A static that is filled behind a lock is beyond what can be proved.
    assert (words is None) == (language == "rust" and not literal)
    if words is not None:
        proved = run(*words, status=0).stdout
        assert proved.count("64 of 64 squares proved") == 2


@pytest.fixture(scope="module")
def module_of(run):
    """What an emitted module of Python defines."""

    @cache
    def defined(table: str) -> dict[str, Any]:
        scope: dict[str, Any] = {}
        source = run("emit", table, "--lang", "python", status=0).stdout
        assert "With another square order, such as a8 = 0, use it as it is" in source
        exec(source, scope)
        return scope

    return defined


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("table", ["cfish_black", "bbc"])
def test_a_table_serves_every_square_order_as_it_is(module_of, table, order):
    """Of a table with a1 = 0, and of one with a8 = 0: the same bits attack the same bits."""
    scope, draw = module_of(table), random.Random(3)
    for piece in Piece:
        for square in range(64):
            occupied = draw.getrandbits(64) & draw.getrandbits(64)
            bits = bitboard(place_of(order, one) for one in squares_of(occupied))
            attacked = squares_of(attack_set(piece, square, occupied))
            wanted = bitboard(place_of(order, one) for one in attacked)
            assert scope[f"{piece}_attacks"](place_of(order, square), bits) == wanted


def test_other_boards_are_told_nothing_of_orders(run):
    text = run("emit", "pikafish_cannon", "--lang", "c++", status=0).stdout
    assert "square order" not in text.partition("#ifndef")[0]
