"""The lemmas of the slot count (proofs/rounding-lemma.md, L14 to L22), as they stand there, against
their definitions: a rook of a small board with words of 18 bits, and every offset that matters.

Nothing of the program is used. The points of a line are (number of a pattern) * a, as there.
"""

from collections import Counter
from functools import cache, partial
from itertools import pairwise, product

from hypothesis import assume, given
from hypothesis import strategies as st

WORD = 18
SIZE = 1 << WORD
LOWEST = 0
LINE, OWN = (0, 1, 3, 4), 2
"""Squares of the rook's rank by their numbers divided by the lowest; the rook stands between."""
FILE = (8, 13)
"""Squares of its file, the nearest first."""
BITS = 6
SLOT = SIZE >> BITS


def subsets(squares):
    """All sets of these squares, as numbers."""
    return [sum(chosen) for chosen in product(*((0, 1 << square) for square in squares))]


MAGICS = (8212, 8220, 8244, 8276, 16641)
"""Some magics of 6 bits."""
PATTERNS = sorted(subsets(LINE))
SETS = subsets(FILE)
MOST = max(PATTERNS)


@cache
def on_line(pattern):
    """What a pattern leaves to attack: the nearest on each side."""
    left = [square for square in LINE if square < OWN and pattern >> square & 1]
    right = [square for square in LINE if square > OWN and pattern >> square & 1]
    return max(left, default=None), min(right, default=None)


@cache
def kind(files):
    """The class of a set of the file: its nearest square."""
    return next((square for square in FILE if files >> square & 1), None)


def signed(y):
    """The move from -SIZE / 2 on."""
    return (y + SIZE // 2) % SIZE - SIZE // 2


def slot(product_, offset):
    return (product_ - offset) % SIZE // SLOT


def places(a, shift, offset):
    """The attacks on the line that each slot has, of the line moved by `shift`."""
    found = {}
    for r in PATTERNS:
        found.setdefault(slot(r * a + shift, offset), set()).add(on_line(r))
    return found


def offsets(*lines):
    """Between these offsets, modulo a slot, no point changes its slot: of (a, shift) each line."""
    return sorted({(r * a + s + e) % SLOT for a, s in lines for r in PATTERNS for e in (0, 1)})


def is_magic(m, offset=0):
    """By the definition: two occupancies in one slot have one attack set."""
    seen = {}
    for files in SETS:
        for r in PATTERNS:
            attack = (kind(files), on_line(r))
            if seen.setdefault(slot((files + (r << LOWEST)) * m, offset), attack) != attack:
                return False
    return True


def is_feasible(a, y):
    return any(not places(a, 0, t).keys() & places(a, y, t).keys() for t in offsets((a, 0), (a, y)))


def members(d):
    """R_d, and those of it that are good."""
    found = [r for r in PATTERNS if r + d in PATTERNS]
    return found, {r for r in found if on_line(r) == on_line(r + d)}


def gap_of(points):
    """The largest distance between neighbours on the circle of a slot."""
    ordered = sorted(point % SLOT for point in points)
    return max(
        (b - a for a, b in zip(ordered, [*ordered[1:], ordered[0] + SLOT], strict=True)),
    )


steps, moves = st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)
DIFFERENCES = range(-MOST, MOST + 1)


@st.composite
def steps_and_moves(draw):
    """A step, and a move: any, or one that lays pairs of a difference just so near to each other
    that all or some of them may share a slot, or a few numbers more or less.
    """
    a = draw(st.one_of(steps, st.integers(-9, 9).map(lambda e: (SLOT * 3 + e) % SIZE)))
    if draw(st.booleans()):
        return a, draw(moves)
    d = draw(st.sampled_from(DIFFERENCES))
    found, good = members(d)
    if not found:
        return a, draw(moves)
    length = gap_of(r * a for r in found)
    if good and draw(st.booleans()):
        length = draw(st.sampled_from([(i - j) * a % SLOT for i in good for j in good]))
    away = SLOT - length + draw(st.integers(-1, 1))
    return a, (draw(st.sampled_from((-1, 1))) * away - d * a) % SIZE


@given(st.integers(1, SIZE - 1))
def test_l14_minus_m_has_the_slots_of_m_that_begin_one_later(m):
    assert is_magic(-m) == is_magic(m, offset=1)
    a = m << LOWEST
    if a % SLOT:
        assert max(a % SLOT, -a % SLOT) >= SLOT // 2


def test_l14_whole_slots_move_the_farthest_square_by_nothing():
    for m in range(0, SIZE, SLOT >> LOWEST):
        assert (m << FILE[-1]) % SIZE == 0
        assert not is_magic(m)


def test_l15_differences_of_a_magic_are_feasible():
    """Also of those whose slots begin one later."""
    for m in MAGICS:
        assert is_magic(m)
        assert is_magic(-m, offset=1)
        for signed_m in (m, -m):
            moved = {(f - g) * signed_m % SIZE for f in SETS for g in SETS if f != g}
            assert all(is_feasible(signed_m << LOWEST, y) for y in moved)


@given(steps_and_moves())
def test_l16_no_gap_no_way_past(given_):
    a, y = given_
    feasible = is_feasible(a, y)
    assert feasible == is_feasible(a, -y)
    for d in DIFFERENCES:
        found, _ = members(d)
        delta = abs(signed(y + d * a))
        if found and delta < SLOT and feasible:
            assert SLOT - delta < gap_of(r * a for r in found)


@given(steps, st.integers(0, 40), st.sampled_from(DIFFERENCES), st.data())
def test_l17_links_of_the_nodes_beginning_cover_every_gap(begin, width, d, data):
    found, _ = members(d)
    assume(found)
    first = sorted((r * begin % SLOT, r) for r in found)
    first.append((first[0][0] + SLOT, first[0][1]))
    links = [x2 - x1 + max(0, r2 - r1) * width for (x1, r1), (x2, r2) in pairwise(first)]
    a = begin + data.draw(st.integers(0, width))
    assert gap_of(r * a for r in found) <= min(SLOT, max(links))


def most_on_an_arc(a, d, length):
    """The largest number of good ones on an arc of so many numbers, with no others on it."""
    found, good = members(d)
    most = 0
    for start in {r * a % SLOT for r in good}:
        on = [r for r in found if (r * a - start) % SLOT < length]
        # A shorter arc from the same start leaves out what is farther on.
        ends = sorted({(r * a - start) % SLOT for r in on} | {0})
        for end in ends:
            held = [r for r in on if (r * a - start) % SLOT <= end]
            if all(r in good for r in held):
                most = max(most, len(held))
    return most


def most_common(a, y):
    """The bound of L18."""
    near = [(d, abs(signed(y + d * a))) for d in DIFFERENCES]
    return sum(most_on_an_arc(a, d, SLOT - delta) for d, delta in near if delta < SLOT)


@given(steps_and_moves())
def test_l18_common_slots_fit_on_arcs(given_):
    a, y = given_
    feasible = is_feasible(a, y)
    for t in offsets((a, 0), (a, y)):
        own, moved = places(a, 0, t), places(a, y, t)
        if any(len(own.get(s, set()) | moved.get(s, set())) > 1 for s in {*own, *moved}):
            continue
        common = len(own.keys() & moved.keys())
        assert common <= len(PATTERNS)
        assert common <= most_common(a, y)
        if feasible and common:
            assert most_common(a, y) > 0


@given(steps, st.integers(0, 30), st.data())
def test_l18_span_of_a_node_is_never_too_long(begin, width, data):
    """For every c the least length that the node allows is at most that at each of its steps."""
    a = begin + data.draw(st.integers(0, width))
    d = data.draw(st.sampled_from(DIFFERENCES))
    found, good = members(d)
    span = Counter()
    for i in good:
        needs, order = [], sorted(found, key=lambda r: (r - i) * begin % SLOT)
        stops = []
        for j in order:
            away, move = (j - i) * begin % SLOT, (j - i) * width
            is_round = away + max(0, move) >= SLOT
            if j not in good:
                if not is_round and away + min(0, move) > 0:
                    stops.append(j)
                continue
            least = 0 if is_round else max(0, away + min(0, move))
            behind = [(j - s) * begin % SLOT + min(0, (j - s) * width) > 0 for s in stops
                      if (s - i) * begin % SLOT < away]  # fmt: skip
            if not is_round and any(behind):
                continue
            needs.append(least)
        for c, need in enumerate(sorted(needs), 1):
            span[c] = min(span.get(c, SLOT), need)
    for c in range(1, len(good) + 1):
        lengths = [n for n in range(1, SLOT + 1) if most_on_an_arc(a, d, n) >= c]
        if lengths:
            assert c in span
            assert span[c] < min(lengths)


def line_bounds(begin, width):
    """(a), (b) and (c) of L19."""
    pairs = [(r, s) for r in PATTERNS for s in PATTERNS if r < s]
    near = [
        (r, s) for r, s in pairs if on_line(r) == on_line(s)
        and any(abs(signed((s - r) * (begin + e))) < SLOT for e in range(width + 1))
    ]  # fmt: skip
    yield len(PATTERNS) - len(near)
    ordered = sorted((r * begin % SIZE, r) for r in PATTERNS)
    (first, who), count = ordered[0], 1
    last = first, who
    for at, r in ordered[1:]:
        behind = at - last[0] + min(0, (r - last[1]) * width) >= SLOT
        around = first + SIZE - at + min(0, (who - r) * width) >= SLOT
        if behind and around:
            last, count = (at, r), count + 1
    yield count
    least = len(PATTERNS)
    part = SLOT // 64
    for u in range(0, SLOT, part):
        ranges = ((r * begin + u, r * (begin + width) + u + part) for r in PATTERNS)
        sure = {low // SLOT % (1 << BITS) for low, high in ranges if low // SLOT == high // SLOT}
        least = min(least, len(sure))
    yield least


@given(steps, st.integers(0, 12), st.data())
def test_l19_a_line_takes_no_fewer_slots(begin, width, data):
    a = begin + data.draw(st.integers(0, width))
    bounds = list(line_bounds(begin, width))
    for t in offsets((a, 0)):
        taken = places(a, 0, t)
        if all(len(attacks) == 1 for attacks in taken.values()):
            assert len(taken) >= max(bounds)


def sums_of(moves_):
    return [sum(chosen) % SIZE for chosen in product(*((0, v) for v in moves_))]


def f(n, y, table, moves_):
    """By the recursion of L20, from f_0."""
    if not n:
        return table(y % SIZE)
    v = moves_[n - 1]
    return (
        2 * f(n - 1, y, table, moves_)
        + f(n - 1, y + v, table, moves_)
        + f(n - 1, y - v, table, moves_)
    )


@given(st.lists(moves, min_size=1, max_size=4), moves, st.integers(0, 1 << 30))
def test_l20_doubling_counts_every_pair_of_sets(given_moves, y, seed):
    """Whatever f_0 is, as long as it is the same for a move and its opposite."""

    def table(x):
        return min(x, SIZE - x) * seed % 999_983 % 17

    n, sums = len(given_moves), sums_of(given_moves)
    every = sum(table((y + s - t) % SIZE) for s in sums for t in sums)
    assert f(n, y, table, given_moves) == every == f(n, -y, table, given_moves)
    by_differences = 0
    for signs in product((-1, 0, 1), repeat=n):
        e = sum(sign * v for sign, v in zip(signs, given_moves, strict=True))
        by_differences += (1 << signs.count(0)) * table((y + e) % SIZE)
    assert by_differences == every <= 4**n * 16


@given(st.integers(0, 250), st.integers(0, 250), st.integers(0, 250))
def test_l20_codes_add_up_and_one_of_three_is_an_anchor(x, u, w):
    def code(value):
        return (value + 1) // 2 + 1

    joined = 2 * code(x) + code(u) + code(w) - 3
    assert joined >= code(2 * x + u + w)
    assert 4 * max(code(x), code(u), code(w)) - 3 >= joined


@given(st.lists(st.sets(st.integers(0, 20), min_size=1), min_size=1, max_size=9), st.integers(0, 9))
def test_l21_sets_that_share_little_take_much(sets, more):
    """Of any sets: fewer points, and more that is shared, only lower the bound."""
    points = sum(map(len, sets))
    shared = sum(len(a & b) for i, a in enumerate(sets) for j, b in enumerate(sets) if i != j)
    taken = len(set().union(*sets))
    assert taken * (points + shared) >= points * points
    fewer, larger = max(1, points - more), shared + more
    assert fewer * fewer * (points + shared) <= points * points * (fewer + larger)


@given(st.lists(moves, min_size=1, max_size=3), st.lists(moves, min_size=1, max_size=2))
def test_l21_shared_pairs_of_known_and_unknown_squares(known, unknown):
    """S_n by its recursion is a sum over pairs; and that of more squares is at most what is said of
    a largest overlap.
    """

    def table(x):
        return (min(x, SIZE - x) * 2654435761 >> 5) % 13

    def over_pairs(moves_):
        sums = sums_of(moves_)
        places_ = [(s, t) for i, s in enumerate(sums) for j, t in enumerate(sums) if i != j]
        return sum(table((s - t) % SIZE) for s, t in places_)

    said = 0
    for n, v in enumerate(known):
        said = 2 * said + 2 * f(n, v, table, known)
    assert said == over_pairs(known)
    groups = sums_of(unknown)
    differ = [(s - t) % SIZE for i, s in enumerate(groups) for j, t in enumerate(groups) if i != j]
    largest = max(f(len(known), y, table, known) for y in differ)
    times = len(groups)
    assert over_pairs([*known, *unknown]) <= times * said + times * (times - 1) * largest


def test_l21_no_magic_has_less_room_than_is_asked_for():
    """The sum over all classes, with L, S_n and M of the magic itself, fits in the slots."""
    for m in MAGICS:
        a, moves_ = m << LOWEST, [(m << square) % SIZE for square in reversed(FILE)]
        length = max(line_bounds(a, 0))
        table = partial(most_common, a)
        room, said = 0.0, 0
        for n in range(len(FILE)):
            points = length << n
            room += points * points / (points + said)
            said = 2 * said + 2 * f(n, moves_[n], table, moves_)
        assert length + room <= 1 << BITS


@given(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1))
def test_l22_a_move_is_what_the_low_digits_say(m, high):
    for square in FILE:
        same = m % (1 << (WORD - square)) + (high << (WORD - square))
        assert (same << square) % SIZE == (m << square) % SIZE
