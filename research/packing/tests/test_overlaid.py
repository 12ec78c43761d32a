"""Two levels, overlaid: parties, numbers, words and pairs."""

from dataclasses import replace
from functools import cache, partial
from itertools import islice, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD
from magicert.chess import Piece, attack_set, mask
from magicert.compact.kernels import entry_point
from magicert.compact.layouts import from_table
from magicert.compact.pages import columns as cols
from magicert.compact.placements import Choice, Placement, cell_data
from magicert.compact.progress import ALONE
from magicert.data import find_table
from magicert.occupancy import carry_rippler
from magicert.system.deadline import Deadline
from magicert.table import read_table
from research.packing.assignment import assigned
from research.packing.overlay import joint
from research.packing.overlay import overlay as overlays
from research.packing.overlay import parties as sharing

U = np.uint64
Parties = tuple[sharing.Party, ...]


@cache
def black() -> dict[tuple[Piece, int], Placement]:
    """The placements of the shortest plain table."""
    return {
        placement.key: placement
        for placement in from_table(read_table(find_table("black"))).placements
    }


@cache
def corners(squares: int = 4) -> Parties:
    """Three bishops and a rook that share nothing."""
    keys = [(Piece.BISHOP, 0), (Piece.BISHOP, 7), (Piece.BISHOP, 56), (Piece.ROOK, 0)][:squares]
    return tuple(sharing.parties_of([black()[key].at(5000 * n) for n, key in enumerate(keys)]))


def first(parties: Parties) -> sharing.Overlay:
    return overlays.first_overlay(parties, 1, Deadline())


def test_a_square_alone_is_a_party_with_its_attack_sets():
    (party,) = corners(1)
    sets = {attack_set(Piece.BISHOP, 0, o) for o in carry_rippler(mask(Piece.BISHOP, 0))}
    assert {int(word) for word in party.ones[:, 0]} == sets
    assert ((party.ones | party.zeros) == U(attack_set(Piece.BISHOP, 0, 0))).all()


def two_rooks() -> tuple[Placement, Placement]:
    """Rooks a7 and a8 of the black record, one over the other."""
    return black()[Piece.ROOK, 48].at(0), black()[Piece.ROOK, 56].at(0)


def test_squares_that_share_slots_are_one_party_and_its_classes_are_the_pairs_that_occur():
    one, other = two_rooks()
    (party,) = sharing.parties_of([one, other])
    pages = []
    for placement in (one, other):
        index = (
            placement.cell.indexes(placement.choice.magic, placement.choice.constant)
            + placement.offset
        )
        pages.append(dict(zip(index.tolist(), placement.cell.square.attacks.tolist(), strict=True)))
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


def check(parties: tuple[sharing.Party, ...], overlay: sharing.Overlay) -> None:
    """Every class that has a number finds its attack set in its word, by plain integers."""
    words = [int(word) for word in sharing.words_of(parties, overlay)]
    assert len(words) == overlay.words
    for party, place in zip(parties, overlay.places, strict=True):
        numbers = [number for number in place.numbers.tolist() if number >= 0]
        assert len(set(numbers)) == len(numbers)
        assert max(numbers, default=0) < 256
        assert (place.bases >= 0).all()
        for n, number in enumerate(place.numbers.tolist()):
            for k, (piece, square) in enumerate(party.keys):
                wanted = int(party.ones[n, k])
                if wanted and number >= 0:
                    word = words[int(place.bases[k]) + number]
                    assert word & attack_set(piece, square, 0) == wanted


def test_an_overlay_serves_everybody_and_gets_shorter_by_the_seed():
    parties = corners()
    begun = first(parties)
    check(parties, begun)
    search = overlays.begin(parties, begun, 1)
    improve = partial(overlays.improve, parties, search, Deadline(), (1, 0, 0), annealings=2)
    found, again = (improve().best for _ in range(2))
    assert (begun.missing, found.missing) == (0, 0)
    assert found.words == again.words < begun.words
    check(parties, found)
    words = [sharing.words_of(parties, each) for each in (found, again)]
    assert (words[0] == words[1]).all()


@cache
def pair() -> Parties:
    return tuple(sharing.parties_of([*two_rooks(), black()[Piece.BISHOP, 0].at(9000)]))


def test_squares_that_share_bytes_get_bases_of_their_own_and_common_numbers():
    overlay = first(pair())
    assert sorted(len(place.bases) for place in overlay.places) == [1, 2]
    assert overlay.missing == 0
    check(pair(), overlay)
    zero = sharing.PartyPlace(np.zeros(1, np.int64), np.zeros(corners(1)[0].size, np.int64))
    with pytest.raises(ValueError, match="one and zero"):
        sharing.words_of(corners(1), sharing.Overlay(1, (zero,)))


def test_an_annealing_never_writes_what_contradicts_though_there_are_too_few_words():
    cut = sharing.cut_down(pair(), first(pair()), first(pair()).words - 70, front=False)
    assert cut.missing > 0
    found = overlays.annealed(pair(), cut, np.random.default_rng(1))
    check(pair(), found)
    assert found.missing > 0  # rook a8 alone has 49 attack sets, and the windows must not meet
    check(pair(), overlays.annealed(pair(), cut, np.random.default_rng(1), failed=99))  # dearer


@pytest.mark.parametrize("front", [True, False])
def test_a_cut_keeps_only_numbers_within_the_words_that_are_left(front):
    parties, whole = corners(), first(corners())
    cut = sharing.cut_down(parties, whole, 60, front=front)
    assert cut.words == whole.words - 60
    check(parties, cut)
    before, after = (sharing.words_of(parties, each) for each in (whole, cut))
    assert not (after & ~(before[60:] if front else before[:-60])).any()  # nothing but what was
    for party, old, new in zip(parties, whole.places, cut.places, strict=True):
        for k in range(len(party.keys)):
            at = np.where(old.numbers >= 0, old.bases[k] + old.numbers - (60 if front else 0), -1)
            kept = (at >= 0) & (at < cut.words)
            assert (new.numbers >= 0).tolist() == kept.tolist()
            assert (new.bases[k] + new.numbers)[kept].tolist() == at[kept].tolist()


def test_where_a_search_fails_half_of_what_was_cut_comes_back():
    best = first(corners(1))
    trial = sharing.cut_down(corners(1), best, 20, front=False)
    search = overlays.OverlaySearch(best, trial, 20)
    for failed in range(1, 9):
        search = overlays.after_round(search, best)
        back = 10 * (failed == 8)
        assert (search.trial.words, search.cut) == (best.words - 20 + back, 20 - back)
    assert search.failed == 0
    better = replace(search, best=search.trial, failed=3)
    assert overlays.after_round(better, best).failed == 0


def test_rooks_of_a_file_are_paired_where_that_saves_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(joint, "HOSTS", 300)
    monkeypatch.setattr(cols, "CANDIDATES", 30_000)
    path = tmp_path / "libraries"
    orders = [cols.LibraryOrder(square, True, 1) for square in (55, 63)]
    cols.save_libraries(list(map(cols.collect, orders)), path)
    found, shelf = joint.joint_libraries(path, "black", 1, ALONE), cols.load_libraries(path)
    library = found[55, 63]
    rows = zip(library.pairs.rows.tolist(), library.classes.tolist(), strict=True)
    for (union, host, guest, turn), classes in islice(rows, 3):
        placements = []
        for square, at, by in ((library.pairs.host, host, 0), (library.pairs.guest, guest, turn)):
            magic = (int(shelf[square].magics[at]) - (by << 52)) & WORD
            placements.append(
                Placement.valid(cell_data("black", Piece.ROOK, square, 12), Choice(magic))
            )
        (party,) = sharing.parties_of(placements)
        assert party.size == classes <= 256
        used = {slot & 63 for placement in placements for slot in placement.used.tolist()}
        assert sum(1 << column for column in used) == union
    assert joint.best_pairs(shelf, found) == [library]
    dear = replace(library, classes=library.classes + U(10_000))
    assert joint.best_pairs(shelf, {(55, 63): dear}) == []


BITS = st.integers(0, WORD)


def one_party(ones: list[list[int]], zeros: list[list[int]]) -> sharing.Demand:
    first = np.array([0, len(ones)], np.int64)
    return sharing.Demand(first, np.array([len(ones[0])]), np.array(ones, U), np.array(zeros, U))


@given(BITS, BITS, BITS, BITS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_class_may_have_a_word_if_no_bit_is_asked_both_ways(line, attacks, other, word, used):
    ones, zeros = attacks & line, line & ~attacks
    has, has_not = word & other, other & ~word
    ground = sharing.WordDemands(np.array([has], U), np.array([has_not], U), np.array([int(used)]))
    cost = sharing.word_costs(one_party([[ones]], [[zeros]]), 0, ground, 99, 200)
    clash = any((ones >> bit & has_not >> bit | zeros >> bit & has >> bit) & 1 for bit in range(64))
    free = (line & ~other).bit_count() if used else 99
    assert cost[0, 0, 0] == (0 if not ones else 200 if clash else free)  # where nobody asks: 0


COSTS = st.lists(st.integers(0, 50), min_size=9, max_size=9)


@given(COSTS, st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_the_least_of_each_window(row, span):
    total = np.full(10 - span, 7, np.int64)
    sharing.add_least(np.array(row, np.int32), span, total, np.empty(9, np.int64))
    assert total.tolist() == [7 + min(row[n : n + span]) for n in range(10 - span)]


@given(COSTS, COSTS, st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_a_number_costs_what_the_words_of_all_members_cost(row, other, first, second):
    cost = np.array([[row], [other]], np.int32)
    table = sharing.window_costs(cost, np.array([first, second], np.int64), 5, 60)
    assert table[0].tolist() == [min(60, row[first + n] + other[second + n]) for n in range(5)]


def test_words_filled_anew_are_those_that_were_added_to():
    demand = one_party([[0b01, 0b11], [0b10, 0]], [[0b10, 0b100], [0b01, 0]])
    draft = sharing.Draft(np.array([[2, 0]], np.int64), np.array([1, 0], np.int64))
    added, filled = sharing.no_words(4), sharing.no_words(4)
    sharing.add_party(demand, draft, 0, added)
    for _ in range(2):
        sharing.lay(demand, draft, filled)
    for words in (added, filled):
        assert words.ones.tolist() == [0, 0b11, 0b10, 0b01]
        assert words.zeros.tolist() == [0, 0b100, 0b01, 0b10]
        assert words.used.tolist() == [0, 1, 1, 1]
    draft.numbers[1] = -1
    sharing.lay(demand, draft, filled)
    assert filled.used.tolist() == [0, 1, 0, 1]


FOUR = st.lists(st.sampled_from([0, 1, 2, 5, 9, 1000]), min_size=4, max_size=4)


@given(st.lists(FOUR, min_size=1, max_size=4))
@settings(max_examples=80, deadline=None)
def test_the_assignment_is_the_cheapest_of_all(table):
    cost = np.array(table, np.int64)
    least = min(
        sum(row[at] for row, at in zip(table, way, strict=False))
        for way in permutations(range(4), len(table))
    )
    total, chosen = assigned(cost)
    assert total == least == sum(row[at] for row, at in zip(table, chosen, strict=True))
    assert len(set(chosen.tolist())) == len(table)


@entry_point
def classes(host: joint.Ints, guest: joint.Ints, turn: int, most: int) -> int:
    return joint.joint_classes(host, guest, turn, most, joint.new_scratch())


@given(st.integers(0, 1 << 32), st.integers(0, cols.PAGE - 1), st.integers(1, 30))
@settings(max_examples=20, deadline=None)
def test_joint_classes_are_the_pairs_that_meet_and_who_is_met_nowhere(seed, turn, sets):
    random, page = np.random.default_rng(seed), cols.PAGE
    host, guest = (
        np.where(random.random(page) < 0.01, random.integers(sets, size=page), -1) for _ in "ab"
    )
    met = [(host[slot], guest[(slot - turn) % page]) for slot in range(page)]
    pairs = {(one, other) for one, other in met if one >= 0 and other >= 0}
    alone = {*host[host >= 0]} - {one for one, _ in pairs}
    also = {*guest[guest >= 0]} - {other for _, other in pairs}
    wanted = len(pairs) + len(alone) + len(also)
    assert classes(host, guest, turn, wanted) == wanted
    if pairs:
        assert classes(host, guest, turn, len(pairs) - 1) > len(pairs) - 1
