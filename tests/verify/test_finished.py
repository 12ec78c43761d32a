"""Finished buffers and two levels: what the files hold is followed to the attack set."""

import hashlib
import os
import random
import shutil
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import CHESS, MOVEMENTS, Atom, Board, Movement, Piece
from magicert.compact.emit import binary, make_unit, printer
from magicert.compact.emit.levels import both_levels
from magicert.compact.layouts import fill_buffer
from magicert.data import board_tables, find_table, published_tables
from magicert.formula import parse
from magicert.problem import InputError
from magicert.table import PieceTable, Table, TwoLevel, parse_table, read_table
from magicert.table.read import TableFile
from magicert.table.write import table_toml
from magicert.verify.table import attack_sets
from magicert.verify.table.attack_sets import CommonSet, can_be_numbered
from magicert.verify.table.attacks import BoardPiece, distinct_attack_sets
from magicert.verify.table.layout import lay_out
from magicert.verify.table.verifier import verify


def report_on(table, folder=Path()):
    return verify(parse_table(table_toml(table).encode(), folder / "t.toml"))


def only(table, piece=Piece.BISHOP, **fields):
    return replace(table, pieces={piece: replace(table.pieces[piece], **fields)})


@pytest.fixture(scope="module")
def bishops():
    return only(read_table(published_tables()["shakmaty"]).table)


def one_of(kind, bishops, half_board):
    """A valid table in one shared buffer."""
    if kind == "bishops":
        return bishops
    if kind == "half board":
        return only(half_board)
    if kind == "layers":
        return only(read_table(find_table("layered_48036")).table)
    table = read_table(board_tables()["pikafish_knight"]).table  # of 128 bits
    (half,) = table.pieces.values()
    pieces = {
        name: replace(half, piece=name, offset=tuple(range(first, first + 90 * 16, 16)))
        for name, first in (("horse", 0), ("other", 1440))
    }
    return replace(table, pieces=pieces, shared=True)


@pytest.mark.parametrize("kind", ["bishops", "half board", "layers", "two pieces"])
def test_a_finished_buffer_is_compared_slot_by_slot(kind, judge, bishops, half_board, tmp_path):
    table, rng = one_of(kind, bishops, half_board), random.Random(kind)
    wishes = judge(table).slots["shared"]
    table = replace(table, buffer_size=max(wishes) + 2, literal="attacks.bin")
    # What nobody asks for may be anything.
    entries = [rng.getrandbits(table.board.word) for _ in range(table.buffer_size or 0)]
    for slot, asked in wishes.items():
        ones, zeros = (reduce(or_, (wish[n] for wish in asked)) for n in (1, 2))
        entries[slot] = entries[slot] & ~zeros | ones

    def judged():
        data = b"".join(entry.to_bytes(table.board.word // 8, "little") for entry in entries)
        (tmp_path / "attacks.bin").write_bytes(data)
        report = report_on(table, tmp_path)
        assert report.input.sidecars == {"attacks.bin": hashlib.sha256(data).hexdigest()}
        return report

    report = judged()
    assert report.verdict == "valid"
    assert "the finished buffer yields the true attack set" in report.statement
    assert ("half board" in report.statement) == (kind == "half board")
    # Of the last piece, too: those of the first come first.
    for slot in [*rng.sample(sorted(wishes), 2), max(wishes)]:
        _, ones, zeros = rng.choice(sorted(wishes[slot]))
        bit = rng.choice([n for n in range(table.board.squares) if (ones | zeros) >> n & 1])
        entries[slot] ^= 1 << bit
        report = judged()
        assert report.verdict == "invalid"
        assert {finding.kind for finding in report.findings} == {"literal"}
        assert sorted(finding.squares[0] for finding in report.findings) == sorted(
            {name for name, ones, zeros in wishes[slot] if (ones | zeros) >> bit & 1}
        )
        for finding in report.findings:
            (lookup,) = finding.lookups
            assert lookup.slot == slot
            # What the buffer yields is shown as the lookup has it: true but for one square.
            yielded = int(finding.message.split("yields ")[1].split()[0], 16)
            assert (yielded ^ int(lookup.attacks, 16)).bit_count() == 1
        entries[slot] ^= 1 << bit


def test_a_finished_buffer_that_ends_before_its_last_slot(judge, bishops, tmp_path):
    wishes = judge(bishops).slots["shared"]
    last, file = max(wishes), tmp_path / "attacks.bin"
    data = b"".join(
        next(iter(wishes[slot]))[1].to_bytes(8, "little") if slot in wishes else bytes(8)
        for slot in range(last + 1)
    )
    table = replace(bishops, literal="attacks.bin", buffer_size=None)
    file.write_bytes(data)
    assert report_on(table, tmp_path).verdict == "valid"
    file.write_bytes(data[:-8])
    (finding,) = report_on(table, tmp_path).findings
    assert f"yields nothing at slot {last}" in finding.message


def test_what_nobody_can_read_off_wants_a_finished_buffer(tmp_path):
    layers = only(read_table(find_table("layered_48036")).table)
    unit = make_unit(parse_table(table_toml(layers).encode(), tmp_path / "t.toml"), "test")
    odd = only(layers, result=parse("(word + 1 - 1) & line"))
    with pytest.raises(InputError, match="one bit of word"):
        report_on(odd)
    (tmp_path / "b.bin").write_bytes(binary(unit))
    with_buffer = replace(odd, buffer_size=unit.entries, literal="b.bin")
    assert report_on(with_buffer, tmp_path).verdict == "valid"


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.write_bytes(bytes(8)), "8 bytes: expected 710,176"),
        (lambda path: path.write_bytes(bytes(710_177)), "710,177 bytes"),
        (lambda path: path.with_name("other.bin").touch(), "cannot be read: No such file"),
        (os.mkfifo, "expected a regular file"),
    ],
)
def test_a_sidecar_that_cannot_be_it(bishops, tmp_path, make, problem):
    make(tmp_path / "attacks.bin")
    with pytest.raises(InputError, match=rf"attacks\.bin: .*{problem}"):
        report_on(replace(bishops, literal="attacks.bin"), tmp_path)


# Two levels: numbers of attack sets.


@contextmanager
def flipped(path, place):
    """The file with one byte changed."""
    kept = path.read_bytes()
    path.write_bytes(kept[:place] + bytes([kept[place] ^ 0xFF]) + kept[place + 1 :])
    yield
    path.write_bytes(kept)


@pytest.fixture
def two_level(judge, bishops, tmp_path):
    """The bishops as bytes over the distinct attack sets, with both files."""
    numbers, sets, starts = bytearray(bishops.buffer_size or 0), list[int](), list[int]()
    wishes = judge(bishops).slots["shared"]
    own = {}
    for slot, ((name, attacks, _),) in wishes.items():
        known = own.setdefault(name, {})
        numbers[slot] = known.setdefault(attacks, len(known))
    for square in range(64):
        starts.append(len(sets))
        sets += own[f"bishop {CHESS.name(square)}"]
    (tmp_path / "numbers.bin").write_bytes(numbers)
    (tmp_path / "sets.bin").write_bytes(b"".join(one.to_bytes(8, "little") for one in sets))
    table = replace(bishops, literal="numbers.bin", two_level=TwoLevel(8))
    return only(table, attack_sets=len(sets), set_offset=tuple(starts), literal_sets="sets.bin")


def test_a_two_level_table_is_followed_through_both_levels(two_level, tmp_path):
    assert two_level.pieces[Piece.BISHOP].attack_sets == 1428
    assert report_on(two_level, tmp_path).verdict == "valid"
    with pytest.raises(InputError, match="expected 11,416"):
        report_on(only(two_level, attack_sets=1427), tmp_path)
    for name, place in (("numbers.bin", 5378), ("sets.bin", 8 * 20)):
        with flipped(tmp_path / name, place):
            assert report_on(two_level, tmp_path).verdict == "invalid", name
    for path in tmp_path.iterdir():
        path.unlink()
    with pytest.raises(InputError) as caught:
        report_on(two_level, tmp_path)
    assert len(caught.value.problems) == 2


def test_a_number_one_past_the_last_attack_set(two_level, tmp_path):
    """Even where whoever reads past the end would happen to find the right set again."""
    half = two_level.pieces[Piece.BISHOP]
    numbers, sets = tmp_path / "numbers.bin", tmp_path / "sets.bin"
    own = slice(half.offset[63], half.offset[63] + 512)
    last = len(sets.read_bytes()) // 8 - 1 - half.set_offset[63]
    data = bytearray(numbers.read_bytes())
    data[own] = data[own].replace(bytes([last]), bytes([last + 1]))
    numbers.write_bytes(data)
    table = only(two_level, attack_sets=None)
    report = report_on(table, tmp_path)
    assert report.verdict == "invalid"
    assert any("yields nothing" in finding.message for finding in report.findings)
    sets.write_bytes(sets.read_bytes() + sets.read_bytes()[-8:])
    assert all(f.squares != ["bishop h8"] for f in report_on(table, tmp_path).findings)


COUNTS = [
    distinct_attack_sets(BoardPiece(CHESS, MOVEMENTS[Piece.BISHOP], "a1"), square)
    for square in range(64)
]
PACKED = tuple(sum(COUNTS[:row]) for row in range(64))


@pytest.mark.parametrize(
    ("bits", "offset", "sets", "message"),
    [
        (8, None, 1428, None),
        (8, None, 1427, "1,427 declared, but a bishop has 1,428 different attack sets"),
        (8, (0,), 1428, "entries of 8 bits cannot number 1,428 attack sets"),
        (8, PACKED, None, None),
        (8, (0, *(start - 1 for start in PACKED[1:])), None, "sets of two squares overlap"),
        (8, (*PACKED[:-1], 1 << 31), 1428, "which end at"),
        (16, (0,), 1428, None),
        (16, (5,), 1433, None),
        (16, (5,), 1432, "which end at 1,433"),
        (16, (0,), 1427, "which end at 1,428"),
    ],
)
def test_the_numbers_of_a_two_level_table_must_fit(bishops, bits, offset, sets, message):
    table = replace(bishops, two_level=TwoLevel(bits))
    report = report_on(only(table, set_offset=offset, attack_sets=sets))
    assert report.verdict == ("valid" if message is None else "invalid")
    assert message is None or all(message in finding.message for finding in report.findings)


@pytest.mark.parametrize("most", [256, 257])
def test_bytes_number_256_sets(monkeypatch, bishops, most):
    monkeypatch.setattr(attack_sets, "attack_set_counts", lambda _: [most, *[0] * 63])
    table = only(replace(bishops, two_level=TwoLevel(8)), attack_sets=None)
    assert len(report_on(table).findings) == most - 256


def test_two_levels_without_a_finished_buffer_have_their_conflicts(bishops):
    """Of 64 or of 128 bits."""
    magics = (0, *bishops.pieces[Piece.BISHOP].parameters["magic"][1:])
    parameters = {**bishops.pieces[Piece.BISHOP].parameters, "magic": magics}
    table = replace(only(bishops, parameters=parameters), two_level=TwoLevel(8))
    assert {finding.kind for finding in report_on(table).findings} == {"conflict"}
    horses = read_table(board_tables()["pikafish_knight"]).table
    (name,) = horses.pieces
    for declared, verdict in ((896, "valid"), (895, "invalid")):
        table = replace(only(horses, name, attack_sets=declared), two_level=TwoLevel(8))
        assert report_on(table).verdict == verdict


# Words that several squares share.

NAME = "two_level_79593"
NUMBERS, WORDS = f"{NAME}.numbers.bin", f"{NAME}.words.bin"


def test_the_record_is_certified_through_both_levels(tmp_path):
    path = find_table(NAME)
    for name in (NUMBERS, WORDS):
        shutil.copy(path.parent / name, tmp_path / name)
    text = path.read_text()

    def judged(text=text):
        return verify(parse_table(text.encode(), tmp_path / "t.toml"))

    report = judged()
    assert report.verdict == "valid"
    assert set(report.input.sidecars) == {NUMBERS, WORDS}
    assert "the finished buffer yields the true attack set" in report.statement
    assert report.formulas["bishop.result"] == "word & line"
    assert judged(text.replace('result = "word & line"\n', "")).verdict == "invalid"
    for name in (NUMBERS, WORDS):
        place = next(n for n, byte in enumerate((tmp_path / name).read_bytes()) if byte)
        with flipped(tmp_path / name, place):
            assert {finding.kind for finding in judged().findings} == {"literal"}
    (tmp_path / WORDS).write_bytes((tmp_path / WORDS).read_bytes()[:-8])
    with pytest.raises(InputError, match="4,840 bytes: expected 4,848"):
        judged()


def test_the_rules_of_shared_words():
    text = find_table(NAME).read_text()
    table = parse_table(text.encode(), Path("t.toml")).table
    assert parse_table(table_toml(table).encode(), Path("t.toml")).table == table
    start = text.index("set_offset = [")

    def without(beginning):
        return "\n".join(one for one in text.splitlines() if not one.startswith(beginning))

    for changed, message in (
        (without("literal_words"), "literal_words: missing: expected with words"),
        (without("words ="), "words: missing: expected with literal_words"),
        (without("literal ="), "without a literal: expected both"),
        (
            text.replace("[rook]\n", "[rook]\nattack_sets = 606\n"),
            "rook.attack_sets: with two_level.literal_words",
        ),
        (
            text[:start] + text[text.index("]", start) + 1 :],
            "set_offset: missing: expected with literal_words",
        ),
    ):
        with pytest.raises(InputError) as error:
            parse_table(changed.encode(), Path("t.toml"))
        assert message in "\n".join(map(str, error.value.problems))


def test_the_record_is_emitted_finished():
    unit = make_unit(read_table(find_table(NAME)), "test")
    assert unit.bytes == len(binary(unit)) == 79_593
    source = printer("c").emit(unit, literal=True)
    assert "606 words" in source
    assert printer("c").emit(unit, literal=False) == source


# Squares that share slots need numbers that mean the same sets for each of them.

A, B, C = ("p", 0), ("p", 1), ("p", 2)


def shared(attack, most, *homes):
    return CommonSet(attack, frozenset(homes), frozenset(homes), most)


HOMES = st.frozensets(st.sampled_from([A, B, C]), min_size=1)


@given(
    st.lists(st.builds(CommonSet, st.integers(1, 3), HOMES, HOMES, st.integers(1, 3)), max_size=5)
)
def test_numbers_are_found_where_there_are_any(sets):
    """Against all numberings, one after another."""
    fits = any(
        all(
            a != b or one.attack == other.attack or not one.homes & other.homes
            for (one, a), (other, b) in product(zip(sets, numbers, strict=True), repeat=2)
        )
        for numbers in product(*(range(one.most) for one in sets))
    )
    assert can_be_numbered(sets) == fits


def test_each_number_is_tried_before_there_are_none():
    """The first numbers leave none for the last set; the next ones do."""
    d = ("p", 3)
    sets = [shared(0, 1, C), shared(1, 2, A, B), shared(2, 2, A, d), shared(3, 2, C, d)]
    assert can_be_numbered(sets) is True


def test_what_takes_too_long_is_not_decided(monkeypatch):
    monkeypatch.setattr(attack_sets, "MOST_CHANGES", 1)
    assert can_be_numbered([shared(n, 3, A) for n in range(4)]) is None
    assert can_be_numbered([shared(n, 3, A) for n in range(3)]) is True


BOARD = Board(5, 1)
LEAPER = Movement((Atom("lame leaper", ((2, 0),)),))
STEPPER = Movement((Atom("rider", ((-1, 0),), 1),))
INDEX, BLOCKERS = parse("(occ >> s) & 1"), {"s": (1, 2, 3, 4, 4)}


def on_five_squares(stepper):
    """A leaper that goes two squares to the right unless one stands between, in slots of two; and
    a piece that goes one to the left, with a slot a square.
    """
    pieces = {
        "leaper": PieceTable(
            "leaper", LEAPER, INDEX, {"s": (1, 2, 3, 4, 4)}, offset=(0, 2, 4, 6, 8)
        ),
        "stepper": PieceTable("stepper", STEPPER, parse("occ & 0"), {}, offset=stepper),
    }
    table = Table("five", pieces, shared=True, board=BOARD, two_level=TwoLevel(8))
    return parse_table(table_toml(table).encode(), Path("table.toml"))


@pytest.mark.parametrize(
    ("stepper", "verdict"),
    [
        ((10, 11, 12, 13, 14), "valid"),
        # Nothing, as the leaper on a1 with b1 occupied: the only set of the stepper is number 0.
        ((1, 11, 12, 13, 14), "valid"),
        # c1, as the leaper on a1 without b1: the same.
        ((10, 11, 12, 0, 14), "valid"),
        # Both: the leaper has two sets, and both are to be number 0.
        ((1, 11, 12, 0, 14), "invalid"),
    ],
)
def test_a_slot_of_two_squares_has_one_number(stepper, verdict):
    report = verify(on_five_squares(stepper))
    assert report.verdict == verdict
    for finding in report.findings:
        assert finding.kind == "attack sets"
        assert finding.squares == ["leaper a1", "stepper a1", "stepper d1"]


def test_one_numbering_for_a_piece_has_room_for_the_sets_of_all_squares():
    file = on_five_squares((1, 11, 12, 0, 14))
    pieces = file.table.pieces
    whole = {name: replace(half, set_offset=(0,)) for name, half in pieces.items()}
    assert report_on(replace(file.table, pieces=whole)).verdict == "valid"


def test_what_cannot_be_numbered_in_order_is_not_emitted_without_its_buffers():
    """The leaper's sets are nothing and c1, in this order; the stepper's only set is c1."""
    file = on_five_squares((10, 11, 12, 0, 14))
    with pytest.raises(InputError, match="increasing order: expected the finished buffers"):
        both_levels(file.table, lay_out(file), Path())


def test_a_square_whose_own_lookups_disagree_has_no_numbers():
    file = on_five_squares((10, 11, 12, 13, 14))
    half = replace(file.table.pieces["leaper"], index=parse("occ & 0"))
    broken = TableFile.unsaved(replace(file.table, pieces={"leaper": half}), "table.toml")
    (layout,) = lay_out(broken)
    with pytest.raises(ValueError, match="own writes disagree"):
        fill_buffer(layout, 8, {"leaper": np.zeros(9, np.uint64)}, {"leaper": (0, 2, 4, 6, 7)})


def test_what_is_not_decided_is_unknown(monkeypatch):
    monkeypatch.setattr(attack_sets, "MOST_CHANGES", 0)
    report = verify(on_five_squares((1, 11, 12, 0, 14)))
    assert report.verdict == "unknown"
    assert "is not decided" in report.statement
