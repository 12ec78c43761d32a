"""No answer contradicts a magic that is known, whoever gives it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import magicert
from magicert import known_magics as module
from magicert.api import find, prove
from magicert.api import known as atlas
from magicert.board import CHESS, Board
from magicert.cell import Cell, first_conflict
from magicert.chess import MOVEMENTS, Piece, parse_square
from magicert.data import tables_folder
from magicert.engine import ENGINES, EngineRequest
from magicert.known_magics import checked_against_known, contradiction, known_magics
from magicert.outcome import Evidence, Exists, Impossible, Quiet, Unknown
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.shapes import Shape
from magicert.table import parse_table
from magicert.targets import Keys, Mover, square_cell
from magicert.z3models import shape as shapes

WHITE, BLACK = SCHEMES["white"], SCHEMES["black"]
D1 = square_cell(WHITE, Piece.BISHOP, parse_square("d1"), 5)
NONE = square_cell(WHITE, Piece.BISHOP, parse_square("d1"), 4)


def denies(*_: object, **__: object) -> Impossible:
    return Impossible("the search covered everything", evidence=Evidence.COUNTS)


@given(
    st.sampled_from((WHITE, BLACK)), st.sampled_from(list(Piece)), st.integers(0, 63),
    st.integers(3, 12), st.none() | st.integers(1, 40),
)  # fmt: skip
def test_what_is_known_are_magics_by_the_plain_reading(scheme, piece, square, bits, largest):
    largest = None if largest is None else min(largest, (1 << bits) - 1)
    cell = square_cell(scheme, piece, square, bits, largest_index=largest)
    for known in known_magics(cell)[:2]:
        assert first_conflict(cell, known.magic) is None
        assert contradiction(cell) is not None


@pytest.mark.gate_takes
@pytest.mark.parametrize("folder", ["records", "published"])
def test_every_magic_of_a_table_of_the_white_scheme_is_known(folder):
    """That of each square of a whole board, with as many bits as its mask has squares."""
    tried = 0
    for path in sorted((tables_folder() / folder).glob("*.toml"))[::4]:
        table = parse_table(path.read_bytes(), path).table
        if table.half_board or not table.is_chess():
            continue
        for piece in Piece:
            part = table.pieces.get(piece)
            magics = part.parameters.get("magic", ()) if part else ()
            for row in range(0, len(magics), 9):
                cell = square_cell(WHITE, piece, table.row_bit(row), 12)
                if first_conflict(cell, magics[row]) is None:
                    known = {one.magic % cell.period for one in known_magics(cell)}
                    assert magics[row] % cell.period in known
                    tried += 1
    assert tried


def test_pieces_of_other_boards_and_keys_like_a_square_are_known_too():
    path = tables_folder() / "boards" / "small" / "xiangqi-small.toml"
    table = parse_table(path.read_bytes(), path).table
    name = "rook_h"
    part = table.pieces[name]
    square = table.row_square(0)
    magic = part.parameters["magic"][0]
    about = Mover(table.board, part.movement, square, masks=part.masks)
    cell = Cell(resolve_scheme("white", table.board.word), about, about.mask.bit_count())
    assert magic % cell.period in {one.magic % cell.period for one in known_magics(cell)}
    keys = replace(D1, target=Keys.of(D1.words, D1.values))
    assert {one.magic for one in known_magics(keys)} == {one.magic for one in known_magics(D1)}
    chess = replace(D1, target=Mover(Board(8, 8), MOVEMENTS[Piece.BISHOP], D1.target.square))
    assert Board(8, 8) == CHESS
    assert known_magics(chess)
    assert known_magics(NONE) == []


@pytest.mark.parametrize("engine", [*ENGINES, None])
@pytest.mark.parametrize("command", ["find", "disprove"])
def test_no_engine_says_impossible_of_a_cell_with_a_known_magic(monkeypatch, run, engine, command):
    """By the command and by the function; the atlas is asked by who names no engine."""
    fake = SimpleNamespace(OPTIONS=(), solve=denies)
    monkeypatch.setattr(find, "load", lambda _name: fake)
    words = ["--engine", engine] if engine else ["--search"]
    result = run(command, "bishop", "d1", "--bits", "5", *words)
    assert (result.exit_code, "IMPOSSIBLE" in result.output) == (3, False), result.output
    assert "is one: this is a bug of magicert" in result.output
    asked = getattr(magicert, command)("bishop", "d1", 5, engine=engine, search=engine is None)
    assert isinstance(asked, Unknown)
    # Where nothing is known an answer stays what it is.
    known_none = magicert.disprove("bishop", "d1", 4, engine=engine or "z3")
    assert isinstance(known_none, Impossible)


def test_a_list_of_all_magics_has_the_known_ones():
    magics = [one.magic for one in known_magics(D1)]
    whole = Exists(tuple(magics), complete=True)
    assert checked_against_known(D1, whole) is whole
    shifted = Exists(tuple(m + D1.period for m in magics), complete=True)
    assert checked_against_known(D1, shifted) is shifted
    lacking = Exists(tuple(magics[1:]) or (1,), complete=True)
    assert isinstance(checked_against_known(D1, lacking), Unknown)
    some = replace(lacking, complete=False)
    assert checked_against_known(D1, some) is some


def test_a_set_says_nothing_impossible_that_is_known(monkeypatch, run):
    fake = SimpleNamespace(OPTIONS=(), solve=denies)
    monkeypatch.setattr("magicert.api.sets.load", lambda _name: fake)
    result = run("find-set", "--piece", "bishop")
    assert (result.exit_code, "IMPOSSIBLE" in result.output.upper()) == (3, False), result.output


def test_a_proof_of_what_is_known_to_be_false_is_not_written(monkeypatch, tmp_path):
    """Nor said of a shape: rook g1's has a magic of 10 bits."""
    proof = SimpleNamespace(solver="a solver")
    monkeypatch.setattr(prove, "Proof", SimpleNamespace)
    monkeypatch.setattr(prove, "_proof", lambda *_: proof)
    monkeypatch.setattr(prove, "check", lambda *_: SimpleNamespace(steps=1))
    for about in (D1, Shape((3, 2), 5)):
        wanted = prove.ProofWanted(about, tmp_path / "d1.drup")
        outcome = prove.prove(wanted, Quiet())
        assert isinstance(outcome, Unknown)
        assert "is a magic: this is a bug" in outcome.reason
        assert not list(tmp_path.iterdir())


def test_a_shape_of_a_square_with_a_known_magic_is_not_impossible(monkeypatch, run):
    monkeypatch.setattr(shapes, "supervise", denies)
    assert run("lemma", "--shape", "3,2", "--bits", "5").exit_code == 3
    assert run("lemma", "--shape", "3,2", "--bits", "4").exit_code == 0


def test_the_atlas_is_held_against_the_tables(monkeypatch, run):
    """It says impossible where a table has a magic: neither is then the answer."""
    wrong = atlas.Known("impossible, says somebody", denies())
    monkeypatch.setattr(atlas, "_in_the_atlas", lambda _cell: wrong)
    assert find.known(D1).outcome is None
    assert find.known(NONE) is wrong
    result = run("disprove", "bishop", "d1", "--bits", "5")
    assert "known: not decided: impossible, says somebody; but 0x" in result.output
    assert "IMPOSSIBLE" not in result.output


def test_without_tables_nothing_is_known(monkeypatch):
    def none():
        raise module.InputError([])

    monkeypatch.setattr(module, "tables_folder", none)
    assert known_magics(D1) == ()


def test_the_request_is_held_too():
    engine = SimpleNamespace(OPTIONS=(), solve=denies)
    assert isinstance(module.solve_checked(engine, EngineRequest(D1), Quiet()), Unknown)
    assert isinstance(module.solve_checked(engine, EngineRequest(NONE), Quiet()), Impossible)
