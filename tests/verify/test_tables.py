"""Odd masks and formulas, budgets, half boards; finished buffers and two levels."""

import hashlib
import json
import os
import random
import shutil
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import CHESS, Board
from magicert.chess import MOVEMENTS, Piece, mask, parse_square
from magicert.compact.emit import LANGUAGES, binary, prepare_table, printer
from magicert.compact.emit.levels import both_levels
from magicert.compact.two_level import fill_buffer
from magicert.data import board_tables, find_table, published_tables
from magicert.formula import parse
from magicert.movement import Atom, Movement, attacks_of
from magicert.problem import InputError
from magicert.table import PieceTable, Table, TwoLevel, parse_table, read_table
from magicert.table.files import TableFile
from magicert.table.write import table_toml
from magicert.verify.table import attack_sets, lookups, verifier
from magicert.verify.table.attack_sets import CommonSet, can_be_numbered
from magicert.verify.table.attacks import BoardPiece, distinct_attack_sets
from magicert.verify.table.layout import lay_out
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

WHITE = "((occ & mask) * magic) >> (64 - bits)"


def report_on(table, folder=Path(), **options):
    return verify(parse_table(table_toml(table).encode(), folder / "t.toml"), **options)


def with_half(table, piece=Piece.BISHOP, **fields):
    half = table.pieces[piece]
    parameters = {**half.parameters, **fields.pop("parameters", {})}
    changed = replace(half, parameters=parameters, **fields)
    return replace(table, pieces={**table.pieces, piece: changed})


def with_index(table, index, piece=Piece.BISHOP, **fields):
    return with_half(table, piece, index=parse(index, word=table.board.word), **fields)


def blockers(report):
    return [[set(one.blockers) for one in finding.lookups] for finding in report.findings]


@pytest.fixture(scope="module")
def bishops():
    """5,248 lookups."""
    table = read_table(published_tables()["surge"]).table
    return replace(table, pieces={Piece.BISHOP: table.pieces[Piece.BISHOP]})


@pytest.fixture(scope="module")
def horses():
    """896 lookups on 9x10."""
    return read_table(board_tables()["pikafish_knight"]).table


def test_a_mask_that_lacks_a_square_breaks_the_table(bishops):
    """And one with h8 besides does not, where the magic is even: the product forgets bit 63."""
    c1, b2, h8 = parse_square("c1"), parse_square("b2"), 1 << 63
    magics = bishops.pieces[Piece.BISHOP].parameters["magic"]
    given = [mask(Piece.BISHOP, square) | h8 * (magics[square] % 2 == 0) for square in range(64)]
    report = report_on(with_half(bishops, parameters={"mask": tuple(given)}))
    assert report.verdict == "valid"
    assert any("besides" in note and "h8" in note for note in report.notes)
    given[c1] &= ~(1 << b2)
    report = report_on(with_half(bishops, parameters={"mask": tuple(given)}))
    assert (report.verdict, [f.squares for f in report.findings]) == ("invalid", [["bishop c1"]])
    ((one, two),) = blockers(report)
    assert one ^ two == {"b2"}
    assert any(note.startswith("bishop c1: the given mask lacks b2") for note in report.notes)


@pytest.mark.cases_of("nothing_but_the_whole_board_decides.tsv")
def test_nothing_but_the_whole_board_decides(bishops, index, square):
    report = report_on(with_index(bishops, index))
    assert report.verdict == ("valid" if square == "-" else "invalid")
    assert all(finding.kind == "conflict" for finding in report.findings)
    assert all(square in one ^ two for one, two in blockers(report) if square == "d4")
    assert square == "-" or any(square in one ^ two for one, two in blockers(report))


@pytest.mark.parametrize(("bit", "verdict"), [(89, "invalid"), (90, "valid")])
def test_bits_that_are_no_squares_are_never_occupied(horses, bit, verdict):
    """A word has 128 bits, the board 90 squares. i10 is bit 89, and no horse is barred there."""
    (half,) = horses.pieces.values()
    report = report_on(with_index(horses, f"({half.index.text}) ^ (occ >> {bit} & 1)", half.piece))
    assert report.verdict == verdict
    assert any("i10" in one ^ two for one, two in blockers(report)) == (verdict == "invalid")


def test_a_square_beyond_the_first_chunk_of_bits_hides_what_is_behind_it(bishops):
    """Of a1's 15 relevant bits g7 is the last one, and the index does not see it."""
    extra, lost = (0x3FF, *[0] * 63), (1 << parse_square("g7"), *[0] * 63)
    index = "(((occ & mask & ~lost) * magic) >> (64 - bits)) ^ ((occ & extra) ^ (occ & extra))"
    report = report_on(with_index(bishops, index, parameters={"extra": extra, "lost": lost}))
    assert report.squares[0].lookups == 1 << 15
    assert report.verdict == "invalid"
    assert [finding.squares for finding in report.findings] == [["bishop a1"]]


def test_each_two_of_three_squares_in_one_slot_are_named(bishops):
    report = report_on(with_index(bishops, f"({WHITE}) & 0", offset=(0,) * 64))
    named = {tuple(finding.squares) for finding in report.findings}
    assert {("bishop a1", "bishop b1"), ("bishop a1", "bishop c1")} <= named


def test_squares_of_one_slot_share_it():
    """A wazir is never blocked: one slot a square, of both pieces."""
    wazir = PieceTable("a", parse_piece("W"), parse("occ & 0"), {}, offset=tuple(range(16)))
    pieces = {"a": wazir, "b": replace(wazir, piece="b")}
    report = report_on(Table("t", pieces, shared=True, board=Board(4, 4)))
    assert (report.verdict, report.buffers[0].slots_used) == ("valid", 16)
    assert {square.slots_used for square in report.squares} == {1}


# Budgets: what was not tried is not certified.

ONLY_A_FULL_BOARD = "popcount(occ) >> 6"


def test_an_unmasked_formula_is_refuted_within_the_budget(bishops, monkeypatch):
    """It is over as soon as a part shows the conflicts."""
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 16)
    report = report_on(with_index(bishops, "(occ * magic) >> (64 - bits)"))
    assert (report.verdict, report.lookups <= 1 << 16) == ("invalid", True)
    assert len(report.findings) >= 10


@pytest.mark.parametrize("odd", [["rook"], ["bishop"], ["rook", "bishop"]])
def test_what_cannot_be_tried_whole_leaves_the_table_unknown(odd):
    table = read_table(published_tables()["bbc"]).table
    assert not table.shared
    for piece in odd:
        index = f"({table.pieces[piece].index.text}) ^ ({ONLY_A_FULL_BOARD})"
        table = with_index(table, index, piece)
    report = report_on(table, max_lookups=1 << 20)
    assert (report.verdict, report.exit_status) == ("unknown", 3)
    assert report.lookups <= 1 << 20
    assert report.notes[-1].startswith("not exhaustive")


def test_a_small_piece_beside_a_large_one_costs_only_its_own_lookups():
    """A budget is for all pieces together: that the others are small does not count against one."""
    table = read_table(published_tables()["bbc"]).table
    rook, bishop = 102_400, 5_248
    for most, verdict in ((rook + bishop, "valid"), (rook + bishop - 1, "unknown")):
        report = report_on(table, max_lookups=most)
        assert (report.verdict, report.lookups <= most) == (verdict, True)


def test_a_probe_that_cannot_decide_is_followed_by_the_whole(bishops, monkeypatch):
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 12)
    report = report_on(with_index(bishops, f"({WHITE}) ^ ((occ & 1) ^ (occ & 1))"))
    assert (report.verdict, report.lookups) == ("valid", 2 * 5248)
    # A table of another board that is larger than a probe of chess is tried once.
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 8)
    done = []
    file = read_table(board_tables()["pikafish_knight"])
    report = verify(file, progress=lambda now, _: done.append(now))
    assert (report.verdict, report.lookups, max(done)) == ("valid", 896, 896)
    report = verify(read_table(board_tables()["pikafish_rook"]), max_lookups=1 << 14)
    assert (report.verdict, report.findings) == ("unknown", [])
    assert 1 << 8 < report.lookups <= 1 << 14


# Places and shifts.


def test_slots_outside_say_which(bishops):
    report = report_on(with_half(bishops, square_size=(16,)))
    assert report.verdict == "invalid"
    assert any("is outside the square's 16 slots" in f.message for f in report.findings)
    table = read_table(published_tables()["shakmaty"]).table
    report = report_on(replace(table, buffer_size=table.buffer_size - 1))
    (finding,) = report.findings
    assert (finding.kind, finding.lookups[0].slot) == ("outside", table.buffer_size - 1)
    assert "outside the buffer of 88,771 slots" in finding.message
    half = read_table(published_tables()["cfish_black"]).table.pieces[Piece.BISHOP]
    table = replace(bishops, pieces={Piece.BISHOP: half}, shared=True)
    first = (-1 - report_on(table).squares[0].index_min, *half.offset[1:])
    before = report_on(with_half(table, offset=first))
    assert "slot -1 is outside" in before.findings[0].message


def test_an_index_beyond_64_bits_is_outside_and_written_as_text(horses):
    (name,) = horses.pieces
    report = report_on(with_index(horses, "(occ & mask) * magic", name, offset=(0,) * 90))
    assert report.verdict == "invalid"
    outside = [finding for finding in report.findings if finding.kind == "outside"]
    assert outside
    assert all(isinstance(lookup.index, str) for one in outside for lookup in one.lookups)
    assert json.loads(to_json(report))["findings"]


@pytest.mark.cases_of("indexes_that_are_refused.tsv")
def test_indexes_that_are_refused(bishops, index, size, problem):
    with pytest.raises(InputError, match=problem):
        report_on(with_index(bishops, index, square_size=None if size == "-" else (int(size),)))


def test_a_shift_by_the_width_is_bad_input_with_its_square():
    table = read_table(published_tables()["bbc"]).table
    bits = table.pieces[Piece.BISHOP].parameters["bits"]
    with pytest.raises(InputError, match=r"bishop\.index on a7: shift by 64: expected less"):
        report_on(with_half(table, parameters={"bits": (*bits[:8], 0, *bits[9:])}))


def test_a_shared_buffer_without_offsets_is_filled_in_the_order_of_the_file():
    table = replace(read_table(published_tables()["bbc"]).table, shared=True)
    turned = replace(table, pieces=dict(reversed(table.pieces.items())))
    for one, first in ((table, "rook"), (turned, "bishop")):
        report = report_on(one)
        assert (report.verdict, report.buffers[0].length) == ("valid", 107_648)
        assert (report.squares[0].piece, report.squares[0].offset) == (first, 0)


def test_one_piece_with_offsets_and_one_without_cannot_share():
    table = read_table(published_tables()["shakmaty"]).table
    with pytest.raises(InputError, match=r"rook\.offset: missing"):
        report_on(with_half(table, Piece.ROOK, offset=None))


# Layers: squares that share entries.


@pytest.fixture(scope="module")
def layers():
    """The bishops of a layered record, each in entries of its own."""
    table = read_table(find_table("layered_48036")).table
    half = table.pieces[Piece.BISHOP]
    own = {Piece.BISHOP: replace(half, offset=tuple(512 * n for n in range(64)))}
    return replace(table, pieces=own, buffer_size=None)


def test_a_clash_shows_both_squares_and_the_bits(layers):
    """c1 and e3 stand on one diagonal: both attack d2, and behind that they differ."""
    offset = layers.pieces[Piece.BISHOP].offset
    report = report_on(with_half(layers, offset=(*offset[:20], offset[2], *offset[21:])))
    (finding,) = report.findings
    assert (finding.kind, finding.squares) == ("conflict", ["bishop c1", "bishop e3"])
    first, second = finding.lookups
    assert first.slot == second.slot
    assert "ask for different bits" in finding.message
    named = finding.message.split("of it: ")[1].split(" (")[0].split()
    assert named
    assert all((square in first.attacked) != (square in second.attacked) for square in named)


@pytest.mark.cases_of("results_that_lose_bits_or_that_an_occupancy_changes.tsv")
def test_results_that_lose_bits_or_that_an_occupancy_changes(layers, text, kinds):
    report = report_on(with_half(layers, result=parse(text)))
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == {*kinds.split()}
    if "mask" in text:
        assert "no word at slot" in report.findings[0].message
    else:
        assert all(any("a1" in one for one in found) for found in blockers(report))


@pytest.mark.cases_of("formulas_that_are_refused.tsv")
def test_formulas_that_are_refused(layers, old, new, message):
    with pytest.raises(InputError, match=message):
        parse_table(table_toml(layers).replace(old, new).encode(), Path("t.toml"))


# Half boards: the mirrored lookups are made, not assumed.


def test_the_certificate_says_that_it_is_a_half_board(half_board):
    report = report_on(half_board)
    assert (report.verdict, report.lookups, len(report.squares)) == ("valid", 107_648, 128)
    certificate = json.loads(to_json(report))
    assert certificate["board"] == "ranks 1-4"
    assert "half board" in certificate["statement"]


@pytest.mark.parametrize("result", [False, True])
def test_a_square_outside_the_mask_counts_mirrored_for_the_mirror(half_board, result):
    """Where h1 changes the index or the result on e2, h8 does so on e7, and both are tried."""
    edge = tuple((1 << 7) * (square == parse_square("e2")) for square in range(32))
    index = half_board.pieces[Piece.BISHOP].index.text + " + ((occ & edge) >> 7)" * (not result)
    word = parse("(word & line) ^ (occ & edge)") if result else None
    table = with_half(half_board, index=parse(index), result=word, parameters={"edge": edge})
    report = report_on(table)
    assert report.lookups == 107_648 + 32 + 32
    for name, corner in (("e2", "h1"), ("e7", "h8")):
        found = [f for f in report.findings if f"bishop {name}" in f.squares]
        assert any(corner in lookup.blockers for one in found for lookup in one.lookups)


# Finished buffers and two levels: what the files hold is followed to the attack set.


def only(table, piece=Piece.BISHOP, **fields):
    return replace(table, pieces={piece: replace(table.pieces[piece], **fields)})


@pytest.fixture(scope="module")
def packed():
    return only(read_table(published_tables()["shakmaty"]).table)


def one_of(kind, packed, half_board):
    """A valid table in one shared buffer."""
    if kind == "bishops":
        return packed
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
def test_a_finished_buffer_is_compared_slot_by_slot(kind, judge, packed, half_board, tmp_path):
    table, rng = one_of(kind, packed, half_board), random.Random(kind)
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


def test_a_finished_buffer_that_ends_before_its_last_slot(judge, packed, tmp_path):
    wishes = judge(packed).slots["shared"]
    last, file = max(wishes), tmp_path / "attacks.bin"
    data = b"".join(
        next(iter(wishes[slot]))[1].to_bytes(8, "little") if slot in wishes else bytes(8)
        for slot in range(last + 1)
    )
    table = replace(packed, literal="attacks.bin", buffer_size=None)
    file.write_bytes(data)
    assert report_on(table, tmp_path).verdict == "valid"
    file.write_bytes(data[:-8])
    (finding,) = report_on(table, tmp_path).findings
    assert f"yields nothing at slot {last}" in finding.message


def test_what_nobody_can_read_off_wants_a_finished_buffer(tmp_path):
    layers = only(read_table(find_table("layered_48036")).table)
    unit = prepare_table(parse_table(table_toml(layers).encode(), tmp_path / "t.toml"), "test")
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
def test_a_sidecar_that_cannot_be_it(packed, tmp_path, make, problem):
    make(tmp_path / "attacks.bin")
    with pytest.raises(InputError, match=rf"attacks\.bin: .*{problem}"):
        report_on(replace(packed, literal="attacks.bin"), tmp_path)


# Two levels: numbers of attack sets.


@contextmanager
def flipped(path, place):
    """The file with one byte changed."""
    kept = path.read_bytes()
    path.write_bytes(kept[:place] + bytes([kept[place] ^ 0xFF]) + kept[place + 1 :])
    yield
    path.write_bytes(kept)


@pytest.fixture
def two_level(judge, packed, tmp_path):
    """The bishops as bytes over the distinct attack sets, with both files."""
    numbers, sets, starts = bytearray(packed.buffer_size or 0), list[int](), list[int]()
    wishes = judge(packed).slots["shared"]
    own = {}
    for slot, ((name, attacks, _),) in wishes.items():
        known = own.setdefault(name, {})
        numbers[slot] = known.setdefault(attacks, len(known))
    for square in range(64):
        starts.append(len(sets))
        sets += own[f"bishop {CHESS.name(square)}"]
    (tmp_path / "numbers.bin").write_bytes(numbers)
    (tmp_path / "sets.bin").write_bytes(b"".join(one.to_bytes(8, "little") for one in sets))
    table = replace(packed, literal="numbers.bin", two_level=TwoLevel(8))
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
def test_the_numbers_of_a_two_level_table_must_fit(packed, bits, offset, sets, message):
    table = replace(packed, two_level=TwoLevel(bits))
    report = report_on(only(table, set_offset=offset, attack_sets=sets))
    assert report.verdict == ("valid" if message is None else "invalid")
    assert message is None or all(message in finding.message for finding in report.findings)


@pytest.mark.parametrize("most", [256, 257])
def test_bytes_number_256_sets(monkeypatch, packed, most):
    monkeypatch.setattr(attack_sets, "attack_set_counts", lambda _: [most, *[0] * 63])
    table = only(replace(packed, two_level=TwoLevel(8)), attack_sets=None)
    assert len(report_on(table).findings) == most - 256


def test_two_levels_without_a_finished_buffer_have_their_conflicts(packed):
    """Of 64 or of 128 bits."""
    magics = (0, *packed.pieces[Piece.BISHOP].parameters["magic"][1:])
    parameters = {**packed.pieces[Piece.BISHOP].parameters, "magic": magics}
    table = replace(only(packed, parameters=parameters), two_level=TwoLevel(8))
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
        (without("literal_words"), "literal_words: missing: needed with words"),
        (without("words ="), "words: missing: needed with literal_words"),
        (without("literal ="), "needs literal"),
        (
            text.replace("[rook]\n", "[rook]\nattack_sets = 606\n"),
            "attack_sets: cannot be combined with two_level",
        ),
        (text[:start] + text[text.index("]", start) + 1 :], "set_offset: missing: needed with"),
    ):
        with pytest.raises(InputError) as error:
            parse_table(changed.encode(), Path("t.toml"))
        assert message in "\n".join(map(str, error.value.problems))


def test_the_record_is_emitted_finished():
    unit = prepare_table(read_table(find_table(NAME)), "test")
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


# One piece is finished, another is not: each is judged by itself.

ROOM = 32
"""Places that each square has in the second level of a finished buffer: one a slot."""


@st.composite
def mixtures(draw):
    """A table on five squares, in one buffer or several, of one level or two, each buffer finished
    or not; and its files. Anything may be wrong with any part of it.
    """
    spoilt = st.sampled_from([False] * 11 + [True])
    levels, shared = draw(st.sampled_from([None, TwoLevel(8)])), draw(st.integers(0, 3)) == 0
    names = draw(st.lists(st.sampled_from(["leaper", "stepper", "other"]), min_size=2, unique=True))
    finished = dict.fromkeys(names, draw(st.booleans()))
    if not shared:
        finished = {name: draw(st.booleans()) for name in names}
    pieces, start = {}, 0
    for name in names:
        leaps = name != "stepper"
        neat = range(start, start + 10, 2) if leaps else range(start, start + 5)
        offset = [draw(st.integers(0, 12)) if draw(spoilt) else own for own in neat]
        start += (10 if leaps else 5) if shared else 0
        s = (draw(st.sampled_from([1] * 6 + [3])), 2, 3, 4, 4)
        index, parameters = parse("((occ & mask) >> s) & 1" if leaps else "occ & 0"), {"s": s}
        words = finished[name] or levels is None
        result = parse("word & line") if words and draw(st.booleans()) else None
        pieces[name] = PieceTable(
            name, LEAPER if leaps else STEPPER, index, parameters if leaps else {}, result,
            offset=tuple(offset),
        )  # fmt: skip
        if levels is not None:
            counts = [2, 2, 2, 1, 1] if leaps else [1] * 5
            packed = [sum(counts[:row]) for row in range(5)]
            if draw(spoilt):
                packed[draw(st.integers(0, 4))] += draw(st.sampled_from([-1, 1]))
            starts = range(0, 5 * ROOM, ROOM) if finished[name] else map(abs, packed)
            ends = [*starts] if finished[name] else [abs(one) for one in packed]
            most = None if finished[name] else draw(st.sampled_from([None, sum(counts), 7]))
            pieces[name] = replace(pieces[name], set_offset=tuple(ends), attack_sets=most)
    return Table("five", pieces, shared=shared, board=BOARD, two_level=levels), finished


def filled(draw, table, finished, judged):
    """The table with the names of its finished buffers, and these: by the slot what is wanted of
    it, and now and then something else.
    """
    files, pieces = {}, dict(table.pieces)
    for name in judged.slots:
        own = list(pieces) if table.shared else [name]
        if not finished[own[0]]:
            continue
        wishes = judged.slots[name]
        ones = {slot: reduce(or_, (one for _, one, _ in asked)) for slot, asked in wishes.items()}
        entries = [ones.get(slot, 0) for slot in range(max(wishes, default=-1) + 1)]
        if table.two_level is not None:
            entries = [*range(len(entries))]
        for piece in own if table.two_level is not None else ():
            words = [0] * 5 * ROOM
            for slot, asked in wishes.items():
                for square, one, _ in asked:
                    if square.split()[0] == piece:
                        words[judged.rows[square] * ROOM + slot] |= one
            files[f"{piece}.sets"] = words
            pieces[piece] = replace(pieces[piece], literal_sets=f"{piece}.sets")
        files[name] = entries
        for piece in own if not table.shared else ():
            pieces[piece] = replace(pieces[piece], literal=name)
    for numbers in files.values():
        if numbers and draw(st.integers(0, 5)) == 0:
            numbers[draw(st.integers(0, len(numbers) - 1))] ^= draw(st.sampled_from([1, 2, 4, 128]))
        if draw(st.integers(0, 9)) == 0:
            del numbers[-1:]
    literal = "shared" if table.shared and "shared" in files else None
    return replace(table, pieces=pieces, literal=literal), files


def is_right(table, judged, files):
    """Whether each buffer is, by the slow walk: what it holds, or that it can hold it."""
    return not judged.outside and all(
        finished_is_right(table, judged, files, name)
        if name in files
        else unfinished_is_right(table, judged, name)
        for name in judged.slots
    )


def finished_is_right(table, judged, files, name):
    for slot, asked in judged.slots[name].items():
        for square, ones, zeros in asked:
            half, words, place = table.pieces[square.split()[0]], files[name], slot
            if table.two_level is not None and place < len(words):
                start = half.set_offset[judged.rows[square]]
                words, place = files[half.literal_sets], start + words[slot]
            if place >= len(words) or ones & ~words[place] or zeros & words[place]:
                return False
    return True


def unfinished_is_right(table, judged, name):
    slots = judged.slots[name]
    for asked in slots.values():
        ones, zeros = (reduce(or_, (wish[n] for wish in asked)) for n in (1, 2))
        if ones & zeros:
            return False
    if table.two_level is None:
        return True
    room = {}
    for half in table.pieces.values() if table.shared else [table.pieces[name]]:
        counts = [len({attacks for _, attacks in judged.sets(half, row)}) for row in range(5)]
        held = {
            half.set_offset[row] + number
            for row, most in enumerate(counts)
            for number in range(most)
        }
        most = half.attack_sets
        if len(held) < sum(counts) or (most is not None and max(held) >= most):
            return False
        room.update({f"{half.piece} {BOARD.name(row)}": most for row, most in enumerate(counts)})
    return numbered([*slots.values()], room, {})


def numbered(slots, room, meaning):
    """Whether slots can have numbers: of a square each number means one set, and each set has one
    number. `meaning` is what those before have taken.
    """
    if not slots:
        return True
    wishes = [(square, ones) for square, ones, _ in slots[0]]
    for number in range(min(room[square] for square, _ in wishes)):
        more = {(square, number): ones for square, ones in wishes}
        new = {**more, **meaning}
        fits = all(new[key] == ones for key, ones in more.items())
        once = {(square, ones) for (square, _), ones in new.items()}
        if fits and len(once) == len(new) and numbered(slots[1:], room, new):
            return True
    return False


@pytest.mark.parametrize("examples", [60, pytest.param(200, marks=pytest.mark.long)])
def test_each_piece_of_a_mixture_is_judged_by_itself(judge, tmp_path_factory, examples):
    @given(mixtures(), st.data())
    @settings(max_examples=examples)
    def judged_mixture(mixture, data):
        table, finished = mixture
        judged, folder = judge(table), tmp_path_factory.mktemp("mixture")
        table, files = filled(data.draw, table, finished, judged)
        for name, numbers in files.items():
            size = 1 if table.two_level is not None and not name.endswith(".sets") else 8
            (folder / name).write_bytes(b"".join(one.to_bytes(size, "little") for one in numbers))
        report, right = report_on(table, folder), is_right(table, judged, files)
        event(f"{report.verdict}, finished: {sorted(set(finished.values()))}")
        assert report.verdict == ("valid" if right else "invalid")
        if right:
            parts = {name in files for name in judged.slots}
            assert ("the finished buffer yields" in report.statement) == (True in parts)
            assert (
                "different attack sets" in report.statement
                or "both one and zero" in report.statement
            ) == (False in parts)
            for name in judged.slots if len(parts) > 1 else ():
                said = report.statement.split(f"{name}: ")[1]
                assert said.startswith("For every square")
                assert ("the finished buffer" in said.split(".")[0]) == (name in files)

    judged_mixture()


@pytest.mark.parametrize("examples", [20, pytest.param(60, marks=pytest.mark.long)])
def test_every_accepted_mixture_is_emitted_in_all_languages_or_refused(
    judge, tmp_path_factory, examples
):
    """And what is emitted yields the true attack sets, of all squares and occupancies."""

    @given(mixtures(), st.data())
    @settings(max_examples=examples)
    def judged_mixture(mixture, data):
        table, finished = mixture
        folder = tmp_path_factory.mktemp("mixture")
        table, files = filled(data.draw, table, finished, judge(table))
        for name, numbers in files.items():
            size = 1 if table.two_level is not None and not name.endswith(".sets") else 8
            (folder / name).write_bytes(b"".join(one.to_bytes(size, "little") for one in numbers))
        file = parse_table(table_toml(table).encode(), folder / "t.toml")
        assume(verify(file).verdict == "valid")
        try:
            unit = prepare_table(file, "test")
        except InputError:
            event("refused")
            return
        event("emitted")
        assert binary(unit)
        texts: dict[str, str] = {}
        for language, literal in product(LANGUAGES, (False, True)):
            with suppress(InputError):  # the language has no words for it, and says so
                texts[language] = printer(language).emit(unit, literal=literal)
        assert {"c", "python"} <= {*texts}
        scope = {}
        exec(texts["python"], scope)
        for (name, half), square in product(table.pieces.items(), range(5)):
            for occupied in range(32):
                true = attacks_of(BOARD, half.movement, square, occupied)
                assert scope[f"{name}_attacks"](square, occupied) == true

    judged_mixture()


def test_the_numbers_of_a_square_with_many_occupancies_are_its_own():
    """Of more than fit into one block: each attack set has one number in all of them."""
    board, movement = Board(18, 1), parse_piece("sR")
    half = PieceTable("slider", movement, parse("pext(occ, mask)"), {})
    table = Table("long", {"slider": half}, board=board, two_level=TwoLevel(8))
    file = parse_table(table_toml(table).encode(), Path("long.toml"))
    scope, rng = {}, random.Random(3)
    exec(printer("python").emit(prepare_table(file, "test"), literal=True), scope)
    for square in range(18):
        for occupied in (0, board.full, *(rng.getrandbits(18) for _ in range(200))):
            true = attacks_of(board, movement, square, occupied)
            assert scope["slider_attacks"](square, occupied) == true


@pytest.mark.parametrize(
    ("result", "squares"),
    [
        ("word", []),
        # Bit 1 of the word makes bits 0 and 1: where one of the two is wanted, no word will do.
        ("(word & 0x1e) | ((word & 2) >> 1)", ["b1", "c1"]),
        ("(word & 0x1c) | ((word & 4) >> 2) | ((word & 4) >> 1)", ["b1", "c1", "d1"]),
        # It is wanted as a one for one bit, and as a zero for the other.
        ("(word & 0x1e) | ((~word & 2) >> 1)", ["a1", "d1", "e1"]),
    ],
)
@pytest.mark.parametrize("apart", [True, False], ids=["a slot each", "slots shared with another"])
def test_a_lookup_that_wants_a_bit_both_ways_is_hopeless(result, squares, apart):
    offset = (0, 1, 2, 3, 4)
    piece = PieceTable("stepper", STEPPER, parse("occ & 0"), {}, parse(result), offset=offset)
    other = replace(piece, piece="other")  # the same wishes: what it wants clashes with none
    pieces = {"stepper": piece} if apart else {"stepper": piece, "other": other}
    report = report_on(Table("five", pieces, shared=not apart, board=BOARD))
    assert report.verdict == ("invalid" if squares else "valid")
    hopeless = [finding for finding in report.findings if finding.kind == "result"]
    assert {f"stepper {square}" for square in squares} <= {
        square for finding in hopeless for square in finding.squares
    }
    if apart:
        assert [finding.squares for finding in report.findings] == [
            [f"stepper {square}"] for square in squares
        ]


@given(st.lists(st.lists(st.integers(0, 50), max_size=9), max_size=12), st.integers(0, 20))
def test_slots_far_apart_are_counted_once(parts, kept):
    """However often they are sorted in between."""
    arrays = [np.array(part, dtype=np.int64) for part in parts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookups, "MOST_IN_MEMORY", kept)
        found = lookups.different(iter(arrays))
    assert found.tolist() == sorted({number for part in parts for number in part})


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
