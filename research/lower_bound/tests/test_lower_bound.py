"""research/lower_bound/proof.md: its lemmas by brute force on small boards, its two programs, its
data, and the records that it speaks about.
"""

import random
import tomllib
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from magicert.chess import Piece
from magicert.data import find_table, tables_folder
from magicert.system.c_program import c_program
from magicert.table import read_table
from magicert.table.model import value_at

first = pytest.importorskip("research.lower_bound.first")
second = pytest.importorskip("research.lower_bound.second")
shared = pytest.importorskip("research.lower_bound.shared")
DATA = tomllib.loads((tables_folder() / "bounds" / "lower-bound.toml").read_text("utf-8"))
compiled = pytest.mark.skipif(c_program(first.SOURCE) is None, reason="no C compiler")


# ---- Boards and rooks as such: nothing of the programs. ----


def inner(at: int, size: int) -> list[int]:
    return [square for square in range(1, size - 1) if square != at]


def ends(at: int, blockers: tuple[int, ...], size: int) -> tuple[int, int]:
    """What of a line the rook reaches."""
    return (
        max((b for b in blockers if b < at), default=0),
        min((b for b in blockers if b > at), default=size - 1),
    )


def subsets(squares: list[int]) -> list[tuple[int, ...]]:
    return [some for n in range(len(squares) + 1) for some in combinations(squares, n)]


def occupancies(file: int, rank: int, width: int, height: int) -> list[tuple[int, int]]:
    """All occupancies of a rook's inner squares, each with a number for its attack set."""
    reached: dict[object, int] = {}
    found = []
    for across, along in product(subsets(inner(file, width)), subsets(inner(rank, height))):
        bits = sum(1 << rank * width + x for x in across) | sum(
            1 << y * width + file for y in along
        )
        attack = (ends(file, across, width), ends(rank, along, height))
        found.append((bits, reached.setdefault(attack, len(reached))))
    return found


def slots_of(keys: np.ndarray, attacks: np.ndarray) -> np.ndarray:
    """Of each row of slots how many it takes; a large number where two attacks share one."""
    tagged = np.sort(keys * 256 + attacks, axis=1)
    other = np.diff(tagged // 256, axis=1) != 0
    clash = ((np.diff(tagged, axis=1) != 0) & ~other).any(axis=1)
    return np.where(clash, 1 << 30, 1 + other.sum(axis=1))


def least_rook(file: int, rank: int, width: int, height: int, bits: int) -> int:
    up, down = (
        sum(y > rank for y in inner(rank, height)),
        sum(y < rank for y in inner(rank, height)),
    )
    return second.least_rook(second.Line(file, bits, width), up, down)[0]


@pytest.mark.parametrize(("width", "height", "bits"), [(4, 4, 4), (4, 4, 5), (5, 3, 4), (5, 3, 5)])
def test_no_magic_of_a_small_board_takes_fewer_slots(width, height, bits):
    """All 2^16 (2^15) magics of every rook, white and with a constant. Some take just the bound."""
    word = width * height
    magics = np.arange(1 << word, dtype=np.int64)[:, None]
    reached = 0
    for file, rank in product(range(width), range(height)):
        keys, attacks = np.array(occupancies(file, rank, width, height)).T
        bound = least_rook(file, rank, width, height, bits)
        for constant in (0, (1 << word - bits) - 1, 12345):
            slots = (keys * magics + constant & (1 << word) - 1) >> word - bits
            fewest = slots_of(slots, attacks).min()
            assert fewest >= bound, (file, rank, constant)
            reached += bool(fewest == bound)
    assert reached


@pytest.mark.parametrize("seed", range(3))
def test_no_magic_that_a_search_finds_on_a_larger_board_takes_fewer_slots(seed):
    """Boards of 5 x 5: random magics, and from the best one by changes of single bits downhill."""
    draw = np.random.default_rng(seed)
    for file, rank, bits in ((0, 0, 7), (1, 0, 6), (2, 1, 6), (4, 4, 7)):
        keys, attacks = np.array(occupancies(file, rank, 5, 5)).T
        bound = least_rook(file, rank, 5, 5, bits)
        magics = draw.integers(0, 1 << 25, 20_000) & draw.integers(0, 1 << 25, 20_000)
        for _ in range(6):
            slots = slots_of((keys * magics[:, None] & (1 << 25) - 1) >> 25 - bits, attacks)
            assert slots.min() >= bound
            best = magics[np.argsort(slots)[:40]]
            magics = (
                best[:, None, None] ^ (1 << np.arange(25))[None, :, None] ^ (1 << np.arange(25))
            ).ravel()
        assert slots.min() < 1 << 30


# ---- Lemmas, with a, t and the moves of the file's squares chosen freely. ----


UNIT = 420 * 997
"""Numbers of the free choices are whole units: this many are a slot."""


def cell_of(line, theta: int) -> int:
    """The Farey interval that a place within its slot belongs to."""
    return max(c for c, (start, _) in enumerate(line.cells) if start * UNIT <= theta)


@pytest.mark.parametrize(
    ("file", "width", "bits"), [(0, 5, 3), (1, 5, 3), (2, 6, 4), (0, 6, 4), (5, 6, 4)]
)
def test_a_line_takes_the_slots_that_are_said_wherever_it_lies(file, width, bits):
    """L2, L3: every a and t of a grid, whole slots, halves, thirds and what is close to them;
    on all of the circle.
    """
    line = second.Line(file, bits, width)
    k, attacks = np.array(line.k), np.array([line.attack[n] for n in line.k])
    grid = {UNIT * n // 60 for n in range(60)}
    near = {UNIT * n // q + s for q in (1, 2, 3, 4, 7) for n in range(q + 1) for s in (-1, 0, 1)}
    places = np.array([*(grid | near), *range(0, UNIT, 997)])[:, None]
    least, found = {}, {}
    for whole in range(line.slots):
        for theta in {place % UNIT for place in grid | near}:
            key = (whole, cell_of(line, theta))
            least[key] = line.lines(np.array([whole]), key[1])[0]
            slots = (k * (whole * UNIT + theta) + places) // UNIT % line.slots
            fewest = slots_of(slots, attacks).min()
            assert fewest >= least[key] or least[key] == second.NONE > line.slots < fewest
            found[key] = min(fewest, found.get(key, fewest))
    half = {slots for (whole, _), slots in least.items() if whole <= line.slots // 2}
    assert min(found.values()) == min(least.values()) == min(half)
    assert second.least_rook(line, 0, 0)[0] == min(half)


@pytest.mark.parametrize("seed", range(4))
def test_copies_never_take_fewer_slots_than_their_overlaps_allow(seed):
    """L4: random sets on a few slots, the more alike the better. The bound is often met."""
    draw, met = random.Random(seed), 0
    for _ in range(3000):
        number, size, slots = draw.randint(1, 6), draw.randint(1, 6), draw.randint(6, 12)
        sets = [
            set(draw.sample(range(slots), size + draw.randint(0, slots - 6))) for _ in range(number)
        ]
        line = min(map(len, sets))
        overlap = max((len(a & b) for a, b in combinations(sets, 2)), default=0)
        bound, taken = second.together(line, number, overlap), len(set().union(*sets))
        assert taken >= bound
        met += taken == bound
    assert met > 300


def file_of(line, above: int, a: int, moves: dict[int, int], t: int):
    """All slots with these moves of the file's squares, the first `above` of them above the rook,
    nearest first; of each set of squares its class and its line's slots. None where two attacks
    share a slot.
    """
    owner: dict[int, object] = {}
    lines = []
    for some in subsets(sorted(moves)):
        kind = (
            min((s for s in some if s < above), default=-1),
            min((s for s in some if s >= above), default=-1),
        )
        taken = set()
        for k in line.k:
            slot = (k * a + sum(moves[s] for s in some) + t) // UNIT % line.slots
            if owner.setdefault(slot, (kind, line.attack[k])) != (kind, line.attack[k]):
                return None
            taken.add(slot)
        lines.append((kind, taken))
    return owner, lines


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("file", "width", "bits", "up", "down"),
    [
        (0, 4, 5, 2, 0),
        (0, 4, 6, 3, 0),
        (0, 5, 6, 2, 0),
        (1, 5, 5, 2, 0),
        (2, 5, 5, 1, 1),
        (1, 4, 4, 2, 0),
        (4, 5, 7, 3, 0),
        (0, 5, 7, 3, 0),
        (3, 6, 6, 1, 1),
        (3, 6, 7, 2, 0),
        (0, 6, 8, 2, 0),
    ],
)
def test_free_choices_overlap_no_more_and_take_no_fewer_slots(seed, file, width, bits, up, down):
    """L5 to L8 at places a, most of them close to fractions of the circle. Moves lay patterns on
    patterns, exactly or a little beside; of those without a clash the one with the fewest slots is
    kept, square by square.
    """
    draw, line, tried, met = random.Random(seed), second.Line(file, bits, width), 0, 0
    circle = line.slots * UNIT
    for _ in range(120):
        q = draw.choice([1, 2, 3, 4, 5, 7, 8, 16])
        a = circle * draw.randrange(q) // q + UNIT * draw.choice([0, 1, 2]) // draw.choice(
            [1, 2, 3]
        )
        a = (a + draw.choice([0, 1, -1]) * UNIT // draw.choice([2, 7, 16, 64, 997])) % circle
        t, moves = draw.choice([0, UNIT - 1, draw.randrange(UNIT)]), dict[int, int]()
        for square in reversed(range(up + down)):
            best = None
            for _ in range(40):
                beside = draw.choice([0, 0, draw.randint(-UNIT, UNIT), draw.randint(-9, 9)])
                turn = circle // 8 * draw.choice([0, 0, *range(8)])
                move = draw.randint(-line.top, line.top) * a + beside + turn
                found = file_of(line, up, a, {**moves, square: move}, t)
                if found and (best is None or len(found[0]) < len(best[0])):
                    best, moves[square] = found, move
            if best is None:
                break
        else:
            tried += 1
            owner, lines = best
            for at in (a, -a % circle):
                whole, theta = at // UNIT, at % UNIT
                overlap = line.most_overlap(whole, Fraction(theta, UNIT), Fraction(theta, UNIT))
                for (kind, one), (other, two) in combinations(lines, 2):
                    assert kind != other or len(one & two) <= overlap, (a, moves)
                if at == a:  # -a may be where a cell begins: then the line is the other cell's
                    slots = int(line.lines(np.array([whole]), cell_of(line, theta))[0])
                    assert min(len(taken) for _, taken in lines) >= slots
                    bound = sum(second.together(slots, n, overlap) for n in second.copies(up, down))
                    assert len(owner) >= bound, (a, moves)
                    met += len(owner) == bound
    assert tried > 20
    assert met or (file, width, bits) in {(0, 4, 6), (0, 5, 6), (0, 5, 7), (3, 6, 7), (0, 6, 8)}


def most_common(line, a: int, unit: int) -> int:
    """The most slots that a line and the line y further have in common, with like patterns only, at
    some t, if at another t they miss each other: by trying every y and t that are so many parts.
    """
    k, attacks = np.array(line.k), np.array([line.attack[n] for n in line.k])
    alike = attacks[:, None] == attacks
    t = np.arange(unit)[:, None]
    one = (k * a + t) // unit % line.slots
    earlier = np.tril(np.ones((len(k), len(k)), bool), -1)
    doubled = ((one[:, :, None] == one[:, None, :]) & earlier).any(
        axis=2
    )  # in a slot of an earlier pattern
    most = 0
    for y in range(line.slots * unit):
        meet = one[:, :, None] == ((k * a + y + t) // unit % line.slots)[:, None, :]
        if not meet.any(axis=(1, 2)).all():
            fine = ~(meet & ~alike).any(axis=(1, 2))
            common = (meet.any(axis=2) & ~doubled).sum(axis=1)
            most = max(most, int(common[fine].max(initial=0)))
    return most


@pytest.mark.parametrize(
    ("file", "width", "bits"),
    [(0, 4, 3), (0, 5, 3), (1, 5, 3), (2, 5, 3), (0, 5, 4), (4, 5, 4), (2, 6, 4)],
)
def test_a_feasible_move_lays_no_more_on_the_line_than_is_said(file, width, bits):
    """L5 to L7: every move and offset on a grid. Often it is exactly what is said."""
    draw, line, met = random.Random(file * 10 + bits), second.Line(file, bits, width), 0
    for _ in range(80):
        unit = draw.choice([5, 12, 16, 20, 24])
        a = draw.randrange(line.slots * unit)
        place = Fraction(a % unit, unit)
        said, found = line.most_overlap(a // unit, place, place), most_common(line, a, unit)
        assert found <= said, (a, unit)
        met += found == said
    assert met >= 5


def test_an_interval_has_no_smaller_overlap_than_a_place_in_it():
    """As the second program cuts, and as far as it needs."""
    draw = random.Random(1)
    for file, bits in ((1, 6), (0, 6), (2, 8)):
        line = second.Line(file, bits, 6)
        for _ in range(60):
            whole, (low, high) = draw.randrange(line.slots), draw.choice(line.cells)
            for _ in range(draw.randint(0, 4)):
                low, high = draw.choice(
                    [(low, second.mediant(low, high)), (second.mediant(low, high), high)]
                )
            most = line.most_overlap(whole, low, high)
            for part in range(6):
                place = low + (high - low) * Fraction(part, 5)
                assert line.most_overlap(whole, place, place) <= most


def test_a_class_has_as_many_subsets_as_are_said():
    for up, down in product(range(5), range(4)):
        kinds: dict[tuple[int, int], int] = {}
        for some in subsets(list(range(up + down))):
            kind = (
                min((s for s in some if s < up), default=-1),
                min((s for s in some if s >= up), default=-1),
            )
            kinds[kind] = kinds.get(kind, 0) + 1
        assert sorted(second.copies(up, down)) == sorted(kinds.values())
        assert len(kinds) == (up + 1) * (down + 1)


# ---- The programs, and what they wrote. ----


def test_only_two_pairs_of_bishops_share_an_attack_set():
    """L1, twice: magicert's rays, and rays of sets of squares."""
    pairs = [{(Piece.BISHOP, 0), (Piece.BISHOP, 63)}, {(Piece.BISHOP, 7), (Piece.BISHOP, 56)}]
    assert sorted(first.shared_sets(), key=str) == sorted(pairs, key=str)
    both = [second.different_sets("rook"), second.different_sets("bishop")]
    assert [sum(map(len, sets)) for sets in both] == [4900, 1428]
    assert len(set().union(*both[0], *both[1])) == 6326
    assert (len(set().union(*both[1])), first.different_sets(Piece.BISHOP)) == (1426, 1426)


@compiled
@pytest.mark.parametrize(
    ("file", "width", "bits"), [(1, 8, 8), (6, 8, 8), (0, 6, 7), (2, 7, 8), (3, 5, 6), (4, 5, 6)]
)
def test_both_programs_come_to_the_same(file, width, bits):
    sides = ((6, 0), (3, 2)) if width == 8 else ((3, 0), (2, 1), (1, 1))
    rooks = first.least_rooks(file, bits, width, sides)
    line = second.Line(file, bits, width)
    assert rooks.line == second.least_rook(line, 0, 0)[0]
    assert rooks.least == {pair: second.least_rook(line, *pair)[0] for pair in sides}
    if width == 8:
        written = DATA["squares"]
        assert (rooks.line, rooks.least) == (
            DATA["lines"][file],
            {(6, 0): written[0][file], (3, 2): written[3][file]},
        )


@compiled
def test_a_coarser_search_says_no_more():
    """Intervals of a quarter of a slot: true of any a, as well."""
    for file in (1, 6):
        exact, coarse = (first.least_rooks(file, 8, digits=digits).least for digits in (12, 3))
        assert all(coarse[sides] <= exact[sides] for sides in exact)


def test_the_data_are_of_these_programs_and_add_up():
    root = Path(first.__file__).parents[2]
    assert {run["program"] for run in DATA["runs"]} == {
        "research/lower_bound/rook.c",
        "research/lower_bound/second.py",
    }
    for run in DATA["runs"]:
        assert sha256((root / run["program"]).read_bytes()).hexdigest() == run["sha256"], run
    assert DATA["rooks"] == sum(map(sum, DATA["squares"]))
    assert DATA["squares"] == DATA["squares"][::-1]
    assert DATA["rooks_by_lines"] == sum(DATA["lines"]) * sum(first.classes)
    assert DATA["entries"] == DATA["rooks"] + DATA["bishops"]


@pytest.mark.parametrize("name", ["black", "white", "black_74745"])
def test_no_record_has_a_rook_of_fewer_slots(name):
    table = read_table(find_table(name)).table
    assert table is not None
    rook = table.pieces[Piece.ROOK]
    outside = "~mask" in rook.index.text
    fewest = []
    for row in range(64):
        square, bits = table.row_square(row), value_at(rook.parameters["bits"], row)
        keys, attacks = np.array(occupancies(square % 8, square // 8, 8, 8), np.uint64).T
        relevant = np.bitwise_or.reduce(keys)
        magic = np.uint64(value_at(rook.parameters["magic"], row))
        slots = (keys | (~relevant if outside else np.uint64(0))) * magic >> np.uint64(64 - bits)
        used = slots_of(slots[None].astype(np.int64), attacks[None].astype(np.int64))[0]
        bound = DATA["squares"][square // 8][square % 8]
        assert bound <= used < 1 << 12
        fewest.append(used)
    assert sum(fewest) < table.buffer_size


# ---- Entries that squares share (L9 to L11): the shipped lists against walks of their own. ----


def walked(piece: str, square: int, occupied: int) -> int:
    """An attack set, square by square."""
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)] if piece == "rook" else [*product((1, -1), repeat=2)]
    reached = 0
    for across, up in steps:
        file, rank = square % 8 + across, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            reached |= 1 << rank * 8 + file
            if occupied >> rank * 8 + file & 1:
                break
            file, rank = file + across, rank + up
    return reached


def test_no_two_attack_sets_of_the_list_fit_into_one_word() -> None:
    bounds = shared.read()
    sets = [(piece.value, square, attacks) for piece, square, attacks in bounds.sets]
    lines = [walked(piece, square, 0) for piece, square, _ in sets]
    for (piece, square, attacks), line in zip(sets, lines, strict=True):
        # An attack set is what is seen when its own ends are the blockers.
        assert (
            walked(piece, square, line & ~attacks | attacks & ends_of(square, attacks)) == attacks
        )
    for n, m in combinations(range(len(sets)), 2):
        assert (sets[n][2] ^ sets[m][2]) & lines[n] & lines[m]


def ends_of(square: int, attacks: int) -> int:
    """The squares of an attack set beyond which it does not go on."""
    ends = 0
    for across, up in product((-1, 0, 1), repeat=2):
        if (across, up) == (0, 0):
            continue
        file, rank, last = square % 8 + across, square // 8 + up, 0
        while 0 <= file < 8 and 0 <= rank < 8 and attacks >> rank * 8 + file & 1:
            last = 1 << rank * 8 + file
            file, rank = file + across, rank + up
        ends |= last
    return ends


def test_the_classes_of_the_list_are_the_rooks_own_and_share_nothing() -> None:
    """All occupancies of the h-file, for each rook on it."""
    bounds = shared.read()
    seen = {
        rank: {
            tuple(bool(walked("rook", rank * 8 + 7, occupied) >> y * 8 + 7 & 1) for y in range(8))
            for occupied in (sum(1 << y * 8 + 7 for y in some) for some in subsets([*range(8)]))
        }
        for rank in range(8)
    }
    entries = []
    for chosen in bounds.classes:
        low, high = chosen.interval
        sight = tuple(low <= y <= high and y != chosen.rank for y in range(8))
        assert sight in seen[chosen.rank]
        entries.append((chosen.rank, sight))
    whole = bounds.whole // 8
    of_whole = [(whole, sight) for sight in seen[whole]]
    assert whole not in {rank for rank, _ in entries}
    for (rank, sight), (other, view) in [*combinations(entries, 2), *product(entries, of_whole)]:
        assert any(
            a != b
            for y, (a, b) in enumerate(zip(sight, view, strict=True))
            if y not in {rank, other}
        )


def test_the_bounds_of_shared_entries_are_the_sums_of_the_proof() -> None:
    data = tomllib.loads(shared.DATA.read_text("utf-8"))
    assert data["layered_entries"] == DATA["squares"][3][7] + DATA["lines"][7] * len(
        data["classes"]
    )
    assert data["overlaid_bytes"] == DATA["squares"][3][7] + 8 * len(data["sets"])
    assert {*data["rook_bits"]} == {*DATA["rook_bits"]}
    layered = read_table(find_table("layered")).table
    assert (layered.buffer_size or 0) >= data["layered_entries"]


def test_a_list_with_two_that_could_share_is_refused() -> None:
    h4 = 31
    same = shared.Class(6, (5, 7))
    a1, b2 = ((Piece.ROOK, square, walked("rook", square, 0)) for square in (0, 9))
    for bounds, complaint in [
        (shared.Bounds(h4, [same, same], []), "could share an entry"),
        (shared.Bounds(h4, [shared.Class(2, (1, 7))], []), "could share an entry"),
        (shared.Bounds(h4, [], [a1, b2]), "could share a word"),
        (shared.Bounds(h4, [], [(Piece.ROOK, 0, 0x5)]), "no attack set"),
        (shared.Bounds(3, [], []), "h-file"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            bounds.check()
