"""The verifier against the slow reference, and against the figures that are known of the corpus."""

import json
import random
from collections import Counter
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import CHESS, Board, bitboard, orders, place_of, squares_of
from magicert.chess import Piece, square_name
from magicert.compact.emit import binary, prepare_table
from magicert.data import board_tables, find_table, published_tables, tables_folder
from magicert.formula import parse
from magicert.movement import least_mask, moves_at_all, usual_mask
from magicert.table import PieceTable, Table, read_table
from magicert.table.files import TableFile
from magicert.table.model import value_at
from magicert.verify.table.verifier import verify


def report_on(table):
    return verify(TableFile.unsaved(table, "table.toml"))


def agree(table, report, judged):
    """The verdict, all figures, and every counterexample are those of the reference."""
    bad, named = judged.bad, {name for found in report.findings for name in found.squares}
    assert report.verdict == ("invalid" if bad else "valid")
    assert judged.outside | judged.torn <= named <= bad
    layered = [half.result is not None for half in table.pieces.values()]
    if all(layered) or (any(layered) and table.shared):
        assert named == bad
    for buffer in report.buffers:
        slots = judged.slots.get(buffer.name, {})
        assert buffer.slots_used == len(slots)
        ends = min(slots, default=0), max(slots, default=-1) + 1
        assert (buffer.min_slot, buffer.length) == ends
        if all(layered) and slots:
            homes = Counter(len(set(map(judged.home_of, wishes))) for wishes in slots.values())
            shown = ", ".join(f"{n}: {homes[n]:,}" for n in range(1, max(homes) + 1))
            assert any(note.endswith(f"squares that share them: {shown}") for note in report.notes)
    for square in report.squares:
        figures(table, judged, square)
    for finding in report.findings[:10]:
        confirm(table, judged, finding)


def names_of(table, board):
    return {table.board.name(table.bit_square(bit)) for bit in squares_of(board)}


def figures(table, judged, square):
    name = f"{square.piece} {square.square}"
    indexes, used = judged.indexes[name], len(judged.used[name])
    assert (square.index_min, square.index_max) == (min(indexes), max(indexes))
    assert used <= square.lookups <= len(indexes)
    assert (square.slots_used, square.constructive_collisions) == (used, square.lookups - used)
    assert square.holes == max(0, max(indexes) - min(indexes) + 1 - used)
    half, row = table.pieces[square.piece], judged.rows[name]
    if "mask" in half.parameters and row < table.rows:
        given = names_of(table, value_at(half.parameters["mask"], row))
        least, usual = (
            {table.board.name(one) for one in squares_of(of(table.board, half.movement, place))}
            for of, place in product((least_mask, usual_mask), [table.row_square(row)])
        )
        assert (set(square.missing), set(square.extra)) == (least - given, given - usual)


def confirm(table, judged, finding):
    """What is shown is so by the plain interpretation and the slow walk."""
    for lookup in finding.lookups:
        half, row = table.pieces[lookup.piece], judged.rows[f"{lookup.piece} {lookup.square}"]
        occupancy, attacks = int(lookup.occupancy, 16), int(lookup.attacks, 16)
        assert len(lookup.occupancy) == len(lookup.attacks) == 2 + table.board.word // 4
        assert dict(judged.sets(half, row))[occupancy] == attacks
        assert names_of(table, occupancy) == set(lookup.blockers)
        assert names_of(table, attacks) == set(lookup.attacked)
        assert lookup.index == judged.index(half, row)(occupancy)
    if finding.kind == "conflict":
        first, second = finding.lookups
        (ones, zeros), (more_ones, more_zeros) = (
            judged.wants[f"{one.piece} {one.square}", int(one.occupancy, 16)]
            for one in finding.lookups
        )
        assert first.slot == second.slot
        assert (ones & more_zeros) | (zeros & more_ones)


# Random tables of random boards: chess's own have too many lookups for many examples.

PIECES = ["nN", "nA", "nD", "W3", "fR", "sR", "vpR", "gsR", "F2", "N", "horse-to", "vRsgR", "W"]
SMALL = [(3, 3), (4, 2), (2, 5), (5, 3), (3, 6), (1, 7), (7, 1)]
LARGE = [(9, 10), (11, 6), (13, 9), (8, 16), (15, 15), (16, 10)]
MOST_LOOKUPS = 6000


def mask_of(table, movement, row):
    """The usual mask, in the table's bits."""
    squares = squares_of(usual_mask(table.board, movement, table.row_square(row)))
    return bitboard(place_of(table.order, square, table.board) for square in squares)


@st.composite
def tables(draw):
    board = Board(*draw(st.sampled_from([*SMALL, *SMALL, *LARGE, (8, 8), (8, 8), (8, 8)])))
    if board.squares != CHESS.squares and draw(st.booleans()):
        board = replace(board, holes=draw(st.integers(0, board.full - 1)))
    half_board = board == CHESS and draw(st.booleans())
    order, listing = (draw(st.sampled_from(orders(board)[: 1 if half_board else 8])) for _ in "ab")
    piece = st.sampled_from(PIECES)
    table = Table("random", {}, order, listing, board=board, half_board=half_board)
    names = draw(st.sampled_from([1, 2, 2, 2]).flatmap(lambda n: st.tuples(*[piece] * n)))
    movements = [parse_piece(name) for name in names]
    assume(all(moves_at_all(board, movement) for movement in movements))
    rows = [row for row in range(board.squares) if board.has(table.row_square(row))]
    masks = [mask_of(table, one, row) for one in movements for row in rows]
    assume(sum(1 << mask.bit_count() for mask in masks) <= MOST_LOOKUPS)
    offsets, results = draw(st.booleans()), draw(st.booleans())
    halves = [draw(half_of(table, movement, offsets, results)) for movement in movements]
    if movements[1:] == movements[:1] and draw(st.booleans()):
        halves[1] = halves[0]  # whatever one finds in a slot suits the other
    shared = draw(st.booleans())
    size = draw(st.sampled_from([*[None] * 9, 1, 30, 3000]))
    pieces = {
        f"piece-{n}": replace(half, piece=f"piece-{n}", buffer_size=None if shared else size)
        for n, half in enumerate(halves)
    }
    return replace(table, pieces=pieces, shared=shared, buffer_size=size if shared else None)


@st.composite
def half_of(draw, table, movement, offsets, results):
    """A piece with good magics or bad ones: each mask's bits alone, or moved together."""
    board, rows = table.board, range(table.rows)
    masks = [mask_of(table, movement, row) for row in rows]
    bits = max(1, *(mask.bit_count() for mask in masks)) + draw(st.sampled_from([0, 4, 8, 20]))
    seed = random.Random(draw(st.integers(0, 1 << 32)))
    first = draw(st.sampled_from(["anywhere", 0, 0, 0, -7, 10**9]))
    offset = tuple(
        seed.randrange(50) if first == "anywhere" else (row << bits) + first for row in rows
    )
    parameters = {"magic": tuple(seed.getrandbits(board.word) for _ in rows), "bits": (bits,)}
    if draw(st.integers(0, 7)) == 0:  # a wrong bit in some masks
        wrong = (draw(st.sampled_from([0, 0, 1])) << seed.randrange(board.squares) for _ in rows)
        parameters["mask"] = tuple(mask ^ bit for mask, bit in zip(masks, wrong, strict=True))
    turned = ["bswap64(word) & line", "rol64(word, 3) & line"] if board == CHESS else []
    result = draw(st.sampled_from([None, "word & line", "line & ~word", "word ^ line", *turned]))
    return PieceTable(
        "piece", movement,
        parse(f"((occ & mask) * magic) >> ({board.word} - bits)", word=board.word), parameters,
        parse(result, word=board.word) if results and result else None,
        offset if offsets else None,
        square_size=((1 << bits) - draw(st.sampled_from([0, 0, 0, 0, 1])),),
    )  # fmt: skip


@pytest.mark.parametrize("examples", [25, pytest.param(80, marks=pytest.mark.long)])
def test_random_tables_are_judged_as_by_the_reference(judge, examples):
    @given(tables())
    @settings(max_examples=examples)
    def judged(table):
        report = report_on(table)
        event(report.verdict)
        agree(table, report, judge(table))

    judged()


def mutants(table, rng):
    """One corruption of each kind, at a random place of the table's bishops."""
    half, row = table.pieces[Piece.BISHOP], rng.randrange(64)

    def changed(values, change):
        spread = values * 64 if len(values) == 1 else values
        return (*spread[:row], change(spread[row]), *spread[row + 1 :])

    def flip(value):
        return value ^ 1 << rng.randrange(64)

    def step(value):
        return value + rng.choice([-1, 1])

    for key, change in (("magic", flip), ("mask", flip), ("bits", step), ("shift", step)):
        if key in half.parameters:
            values = changed(half.parameters[key], change)
            yield with_half(table, parameters={**half.parameters, key: values})
    if half.offset is not None:
        moved = changed(half.offset, lambda value: max(0, value + rng.choice([-64, -1, 1, 64])))
        yield with_half(table, offset=moved)
    if half.buffer_size is not None:
        yield with_half(table, buffer_size=half.buffer_size - rng.choice([1, 60]))


def with_half(table, **fields):
    (half,) = table.pieces.values()
    return replace(table, pieces={half.piece: replace(half, **fields)})


@pytest.mark.gate_takes(first=2)
@pytest.mark.parametrize("name", ["gigantua_var", "bbc", "cfish_black", "stockfish21_32"])
def test_corrupted_bishops(judge, name):
    table = read_table(published_tables()[name]).table
    table = replace(table, pieces={Piece.BISHOP: table.pieces[Piece.BISHOP]})
    verdicts = set()
    for mutant in (table, *mutants(table, random.Random(name))):
        report = report_on(mutant)
        agree(mutant, report, judge(mutant))
        verdicts.add(report.verdict)
    assert verdicts == {"valid", "invalid"}


@pytest.mark.long
def test_the_layered_record(judge):
    file = read_table(find_table("layered_48036"))
    report, judged = verify(file), judge(file.table)
    agree(file.table, report, judged)
    assert report.formulas["rook.result"] == "word & line"
    assert "no bit of a slot's word must be both one and zero" in report.statement
    wishes = judged.slots["shared"]
    users = [len({name for name, *_ in slot}) for slot in wishes.values()]
    assert (report.buffers[0].length, len(users)) == (48_036, 45_232)
    counts = [users.count(n) for n in range(1, 6)]
    assert counts == [16_800, 26_993, 1_296, 140, 3]
    shown = ", ".join(f"{n}: {count:,}" for n, count in enumerate(counts, start=1))
    assert any(shown in note for note in report.notes)
    finished = np.frombuffer(binary(prepare_table(file, "test")), dtype="<u8").tolist()
    ones = {slot: reduce(or_, (one for _, one, _ in asked)) for slot, asked in wishes.items()}
    assert finished == [ones.get(slot, 0) for slot in range(48_036)]


# What an independent check says of the corpus, and of the tables of other boards.

FILES = sorted(
    p for folder in ("published", "broken") for p in (tables_folder() / folder).glob("*")
)
BOARDS = json.loads((tables_folder() / "boards/expected.json").read_text("utf-8"))


def test_the_corpus_is_complete(expected):
    assert {path.stem for path in FILES} == set(expected)
    assert list(board_tables()) == sorted(BOARDS)
    assert len(BOARDS) == 16


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_corpus(path, expected):
    report, wanted = verify(read_table(path)), expected[path.stem]
    assert (report.verdict == "valid") == wanted["valid"] == (path.parent.name == "published")
    assert wanted["tables"] == {
        ("all" if buffer.name == "shared" else buffer.name): {
            "slots_used": buffer.slots_used,
            "max_slot_plus1": buffer.length,
            "min_slot": buffer.min_slot,
            "holes": buffer.holes,
        }
        for buffer in report.buffers
    }
    found = {square for finding in report.findings for square in finding.squares}
    assert found == {f"{piece} {square_name(square)}" for piece, square in wanted["bad_squares"]}
    assert report.lookups == sum(square.lookups for square in report.squares) == 107_648


@pytest.mark.parametrize("name", BOARDS)
def test_boards(name, judge):
    expected, file = BOARDS[name], read_table(board_tables()[name])
    report = verify(file)
    (buffer,) = report.buffers
    (half,) = file.table.pieces.values()
    assert (report.verdict, report.findings) == ("valid", [])
    assert report.lookups == expected["lookups"]
    assert buffer.length == expected.get("end", expected.get("slots"))
    assert buffer.slots_used == expected.get("slots_used", buffer.slots_used)
    assert report.notes == [f"{half.piece}: {expected['attack_sets']:,} different attack sets"]
    assert f"2^{file.table.board.squares} occupancies" in report.statement
    if report.lookups < 1500:
        magics = half.parameters["magic"]
        wrong = {**half.parameters, "magic": (*magics[:40], magics[39], *magics[41:])}
        broken = with_half(file.table, parameters=wrong)
        agree(broken, report_on(broken), judge(broken))


def test_what_is_worth_knowing_is_noted():
    notes = verify(read_table(tables_folder() / "published" / "arasan64.toml")).notes
    assert notes == [
        "buffer rook: 102,400 slots declared, 96,256 needed: the last 6,144 are never used",
        "rook: fewer bits than the mask has on a8 b8 c8 h8",
    ]
