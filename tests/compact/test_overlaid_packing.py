"""Two levels, overlaid: parties, numbers and words against slow obvious ones; the command."""

import json
import shutil
from dataclasses import replace
from functools import cache
from itertools import islice, permutations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Piece, attack_set, mask
from magicert.cli.app import cli
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import cell_data
from magicert.compact.compiled import entry
from magicert.compact.layouts.layout import NotValidError, from_table, to_table
from magicert.compact.overlay.joint import best_pairs, joint_libraries
from magicert.compact.overlay.joint_kernel import Ints, joint_classes, new_scratch
from magicert.compact.overlay.overlay import (
    Order,
    Overlay,
    Place,
    begin,
    cut_down,
    first_overlay,
    improve,
    words_of,
)
from magicert.compact.overlay.overlay_kernel import NO_PLACE, Ground, assigned, costs
from magicert.compact.overlay.parties import Party, parties_of
from magicert.compact.overlay.publish import buffers_named, write_overlaid
from magicert.compact.pages.columns import LibraryOrder, collect
from magicert.compact.pages.library import load_libraries, save_libraries
from magicert.compact.pages.lines import PAGE
from magicert.compact.progress import ALONE
from magicert.data import find_table
from magicert.jobs.packing import overlaid
from magicert.occupancy import carry_rippler
from magicert.system.deadline import Deadline
from magicert.table import Provenance, read_table
from magicert.verify.table.verifier import verify

U = np.uint64
WORD = (1 << 64) - 1
NAME = "two_level_79593"
BITS = st.integers(0, WORD)


def magicert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@cache
def black() -> dict[tuple[Piece, int], Seat]:
    """The seats of the shortest plain table."""
    return {seat.key: seat for seat in from_table(read_table(find_table("black"))).seats}


def some_parties(squares: list[tuple[Piece, int]]) -> tuple[Party, ...]:
    seats = [black()[key].at(5000 * n) for n, key in enumerate(squares)]
    return tuple(parties_of(seats))


CORNERS = [(Piece.BISHOP, 0), (Piece.BISHOP, 7), (Piece.BISHOP, 56), (Piece.ROOK, 0)]


@given(BITS, BITS, BITS, BITS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_class_may_have_a_word_if_no_bit_is_asked_both_ways(
    line: int, attacks: int, other: int, word: int, used: bool
):
    ones, zeros = attacks & line, line & ~attacks
    has, has_not = word & other, other & ~word
    ground = Ground(np.array([has], U), np.array([has_not], U), np.array([int(used)], np.int64), 99)
    cost = costs(np.array([[ones]], U), np.array([[zeros]], U), np.zeros(1, np.int64), 1, ground)
    clash = any((ones >> bit & has_not >> bit | zeros >> bit & has >> bit) & 1 for bit in range(64))
    if not ones:
        assert cost[0, 0] == 0  # nobody asks
    elif clash:
        assert cost[0, 0] == NO_PLACE
    else:
        assert cost[0, 0] == ((line & ~other).bit_count() if used else 99)


@given(
    st.lists(
        st.lists(st.sampled_from([0, 1, 2, 5, 9, NO_PLACE]), min_size=4, max_size=4),
        min_size=1, max_size=4,
    )
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_the_assignment_is_the_cheapest_of_all(table: list[list[int]]):
    cost = np.array(table, np.int64)
    least = min(
        sum(row[at] for row, at in zip(table, way, strict=False))
        for way in permutations(range(4), len(table))
    )
    total, chosen = assigned(cost)
    if least >= NO_PLACE:
        assert total >= NO_PLACE
    else:
        assert total == least == sum(row[at] for row, at in zip(table, chosen, strict=True))
        assert len(set(chosen.tolist())) == len(table)


def test_a_square_alone_is_a_party_with_its_attack_sets():
    (party,) = some_parties([(Piece.BISHOP, 0)])
    sets = {attack_set(Piece.BISHOP, 0, o) for o in carry_rippler(mask(Piece.BISHOP, 0))}
    assert {int(word) for word in party.ones[:, 0]} == sets
    line = attack_set(Piece.BISHOP, 0, 0)
    assert ((party.ones | party.zeros) == U(line)).all()


def two_rooks() -> tuple[Seat, Seat]:
    """Rooks a7 and a8 of the black record, one over the other."""
    return black()[Piece.ROOK, 48].at(0), black()[Piece.ROOK, 56].at(0)


def test_squares_that_share_slots_are_one_party_and_its_classes_are_the_pairs_that_occur():
    one, other = two_rooks()
    (party,) = parties_of([one, other])
    pages = []
    for seat in (one, other):
        index = seat.cell.indexes(seat.choice.magic, seat.choice.constant) + seat.offset
        pages.append(dict(zip(index.tolist(), seat.cell.square.attacks.tolist(), strict=True)))
    wanted = {(pages[0].get(slot, 0), pages[1].get(slot, 0)) for slot in set().union(*pages)}
    found = {tuple(map(int, row)) for row in party.ones}
    both = {pair for pair in wanted if all(pair)}
    assert both <= found <= wanted
    for at in (0, 1):  # a set that stands alone has a number of its own only if no pair has it
        assert {pair[at] for pair in found} == {pair[at] for pair in wanted}
        alone = [pair[at] for pair in found if pair[at] and not pair[1 - at]]
        assert not {*alone} & {pair[at] for pair in both}
    for slots, row in zip(party.slots, party.ones, strict=True):
        for slot in slots.tolist():
            asked = [page.get(slot, 0) for page in pages]
            assert all(word in (0, int(own)) for word, own in zip(asked, row, strict=True))


def check(parties: tuple[Party, ...], overlay: Overlay) -> None:
    """Every class finds its attack set in its word, by plain integers."""
    words = [int(word) for word in words_of(parties, overlay)]
    assert len(words) == overlay.words
    for party, place in zip(parties, overlay.places, strict=True):
        assert place is not None
        assert len(set(place.numbers.tolist())) == party.size
        assert 0 <= place.numbers.min() <= place.numbers.max() < 256
        for n, number in enumerate(place.numbers.tolist()):
            for k, (piece, square) in enumerate(party.keys):
                wanted = int(party.ones[n, k])
                if wanted:
                    word = words[int(place.bases[k]) + number]
                    assert word & attack_set(piece, square, 0) == wanted


def test_an_overlay_serves_everybody_and_gets_shorter_by_the_seed():
    parties = some_parties(CORNERS)
    first = first_overlay(parties, 1, Deadline())
    check(parties, first)
    search = begin(parties, first, 1)
    order = Order(parties, search, (1, 0, 0), Deadline(), steps=6)
    found, again = improve(order), improve(order)
    assert found.best.words < first.words
    check(parties, found.best)
    assert found.best.words == again.best.words
    assert (words_of(parties, found.best) == words_of(parties, again.best)).all()


def test_a_cut_keeps_only_places_within_the_words_that_are_left():
    parties = some_parties(CORNERS)
    first = first_overlay(parties, 1, Deadline())
    for seed in range(4):
        cut = cut_down(parties, first, 60, np.random.default_rng(seed))
        assert cut.words == first.words - 60
        left = [(party, place) for party, place in zip(parties, cut.places, strict=True) if place]
        check(
            tuple(party for party, _ in left),
            Overlay(cut.words, tuple(place for _, place in left)),
        )


def test_a_contradiction_in_a_word_is_never_written():
    parties = some_parties(CORNERS[:1])
    numbers = np.zeros(parties[0].size, np.int64)
    with pytest.raises(ValueError, match="one and zero"):
        words_of(parties, Overlay(1, (Place(np.zeros(1, np.int64), numbers),)))


@entry
def classes(host: Ints, guest: Ints, turn: int, most: int) -> int:
    return joint_classes(host, guest, turn, most, new_scratch())


@given(st.integers(0, 1 << 32), st.integers(0, PAGE - 1), st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_joint_classes_are_the_pairs_that_meet_and_who_is_met_nowhere(
    seed: int, turn: int, sets: int
):
    random = np.random.default_rng(seed)
    host, guest = (
        np.where(random.random(PAGE) < 0.01, random.integers(sets, size=PAGE), -1) for _ in "ab"
    )
    met = [(host[slot], guest[(slot - turn) % PAGE]) for slot in range(PAGE)]
    pairs = {(one, other) for one, other in met if one >= 0 and other >= 0}
    alone = set(host[host >= 0]) - {one for one, _ in pairs}
    also = set(guest[guest >= 0]) - {other for _, other in pairs}
    wanted = len(pairs) + len(alone) + len(also)
    assert classes(host, guest, turn, wanted) == wanted
    if pairs:
        assert classes(host, guest, turn, len(pairs) - 1) > len(pairs) - 1


def test_rooks_of_a_file_are_paired_where_that_saves_bytes(tmp_path: Path):
    path = tmp_path / "libraries"
    save_libraries([collect(LibraryOrder(square, True, 1)) for square in (55, 63)], path)
    found = joint_libraries(path, "black", 1, ALONE)
    library = found[55, 63]
    shelf = load_libraries(path)
    rows = zip(library.pairs.rows.tolist(), library.classes.tolist(), strict=True)
    for (union, host, guest, turn), classes in islice(rows, 3):
        seats = []
        for square, at, by in ((library.pairs.host, host, 0), (library.pairs.guest, guest, turn)):
            magic = (int(shelf[square].magics[at]) - (by << 52)) & WORD
            cell = cell_data("black", Piece.ROOK, square, 12)
            seats.append(Seat.valid(cell, Choice(magic, 0, 0)))
        (party,) = parties_of(seats)
        assert party.size == classes <= 256
        used = {slot & 63 for seat in seats for slot in seat.used.tolist()}
        assert used == {column for column in range(64) if union >> column & 1}
    assert best_pairs(shelf, found) == [library]
    dear = replace(library, classes=library.classes + U(10_000))
    assert best_pairs(shelf, {(55, 63): dear}) == []


def test_an_overlaid_table_is_packed_from_itself(tmp_path: Path):
    output = tmp_path / "out.toml"
    arguments = ("--two-level", "overlaid", "--from", NAME, "--rounds", "0", "-o", output)
    done = magicert("pack", *arguments, "--json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert (document["bytes"], document["entries"], document["words"]) == (79_593, 74_745, 606)
    file = read_table(output)
    assert verify(file).verdict == "valid"
    assert "--two-level overlaid --from two_level_79593.toml" in file.table.provenance.command
    assert len(list(tmp_path.glob("*.bin"))) == 2
    again = magicert("pack", *arguments, "--resume")
    assert again.exit_code == 0, again.output
    assert len(list(tmp_path.glob("*.bin"))) == 2  # those before were removed
    limited = magicert("pack", *arguments[:4], "--rounds", "0", "-o", tmp_path / "b.toml",
                       "--limit", "79592")  # fmt: skip
    assert limited.exit_code == 3
    assert "UNKNOWN at most 79,592 bytes: the best found has 79,593" in limited.output


def test_a_forged_second_level_is_refused(tmp_path: Path):
    folder = find_table(NAME).parent
    for file in folder.glob(f"{NAME}.*"):
        shutil.copy(file, tmp_path / file.name)
    words = tmp_path / f"{NAME}.words.bin"
    data = bytearray(words.read_bytes())
    data[3000] ^= 0x10
    words.write_bytes(data)
    done = magicert("pack", "--two-level", "overlaid", "--from", tmp_path / f"{NAME}.toml",
                    "--rounds", "0", "-o", tmp_path / "out.toml")  # fmt: skip
    assert done.exit_code == 2
    assert "the table is invalid: expected a valid one" in done.output
    assert not (tmp_path / "out.toml").exists()


def test_wrong_numbers_are_never_written_and_leave_what_was_there(tmp_path: Path):
    output = tmp_path / "out.toml"
    done = magicert(
        "pack", "--two-level", "overlaid", "--from", NAME, "--rounds", "0", "-o", output
    )
    assert done.exit_code == 0, done.output
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    layout = from_table(read_table(find_table("black")))
    parties = parties_of(layout.seats)
    place = [Place(np.array([n % 7]), np.arange(party.size)) for n, party in enumerate(parties)]
    table = to_table(layout, "out", Provenance())
    with pytest.raises((NotValidError, ValueError)):
        write_overlaid(table, parties, Overlay(512, tuple(place)), output)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert len(buffers_named(output)) == 2


def test_impossible_wishes_and_options_are_answered_before_the_work(tmp_path: Path):
    output = tmp_path / "no.toml"
    begin_with = ("pack", "--two-level", "overlaid", "-o", output)
    done = magicert(*begin_with, "--limit", "1000")
    assert done.exit_code == 1
    assert "IMPOSSIBLE at most 1,000 bytes: one rook alone has 144 attack sets" in done.output
    for wrong in (("--half",), ("--apart",), ("--scheme", "white"), ("--layered",)):
        done = magicert(*begin_with, *wrong)
        assert done.exit_code == 2, done.output
    for table in ("layered", "black_two_level", "half"):
        done = magicert(*begin_with, "--from", table, "--rounds", "0")
        assert done.exit_code == 2, (table, done.output)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_from_nothing_a_table_is_on_disk_after_the_first_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    layout = from_table(read_table(find_table("black")))
    monkeypatch.setattr(overlaid, "first_level", lambda _plan, _crew: (layout, 3))
    output = tmp_path / "out.toml"
    done = magicert("pack", "--two-level", "overlaid", "--rounds", "1", "-o", output)
    assert done.exit_code == 0, done.output
    file = read_table(output)
    assert verify(file).verdict == "valid"
    assert "--scheme black --refills 3 --seed 1" in file.table.provenance.command
