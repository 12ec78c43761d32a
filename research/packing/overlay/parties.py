"""Parties of an overlaid two-level table: what they want of words, where they find them, the files.

A byte is a number v. A square looks for its attack set in the word at base + v, where the base is
its own. So squares may share a byte, compatible or not, if v suits all of them: v numbers a *joint
class*, an attack set of each. Most parties are one square, whose joint classes are its attack sets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.chess import attack_set
from magicert.compact.formula_shape import RESULT, is_masked
from magicert.compact.kernels import Count, entry_point
from magicert.compact.layouts import Layout, from_table
from magicert.compact.placements import Key, Placement, Slots, Words
from magicert.compact.publish import publish_levels
from magicert.problem import InputError, Problem
from magicert.system.words import popcount
from magicert.table import Table, TwoLevel
from magicert.table.files import TableFile
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.layout import lay_out
from magicert.verify.table.literal import read_sidecar

Joint = tuple[tuple[Key, int], ...]
"""A joint class: squares, each with the number of an attack set."""


@dataclass(frozen=True, eq=False)
class Party:
    """Squares that share bytes. `ones[n, k]` and `zeros[n, k]` are what joint class n wants of
    member k's word (both 0 where it has no say), and `classes[n]` are at `slots[n]`.
    """

    keys: tuple[Key, ...]
    classes: tuple[Joint, ...]
    slots: tuple[Slots, ...]
    ones: Words
    zeros: Words

    @property
    def size(self) -> int:
        """How many joint classes there are, each with a number of its own."""
        return len(self.classes)

    @property
    def demand(self) -> int:
        """How many words are asked for, counted for each member."""
        return int(np.count_nonzero(self.ones))


def parties_of(placements: Sequence[Placement]) -> list[Party]:
    """The parties of some placements, by their first members."""
    users: dict[int, list[tuple[Key, int]]] = {}
    for placement in placements:
        index = (
            placement.cell.indexes(placement.choice.magic, placement.choice.constant)
            + placement.offset
        )
        slots, first = np.unique(index, return_index=True)
        numbers = placement.cell.square.numbers[first]
        for slot, number in zip(slots.tolist(), numbers.tolist(), strict=True):
            users.setdefault(slot, []).append((placement.key, number))
    where: dict[Joint, list[int]] = {}
    for slot, here in users.items():
        where.setdefault(tuple(here), []).append(slot)
    by_key = {placement.key: placement for placement in placements}
    return [
        _party([by_key[key] for key in by_key if key in group], _merged(where, group))
        for group in _groups(by_key, where)
    ]


def _groups(keys: Iterable[Key], joints: Iterable[Joint]) -> list[set[Key]]:
    """Squares that share bytes, directly or through others."""
    group = {key: {key} for key in keys}
    for joint in joints:
        first = group[joint[0][0]]
        for key, _ in joint[1:]:
            if group[key] is not first:
                first |= group[key]
                for other in group[key]:
                    group[other] = first
    return list({id(one): one for one in group.values()}.values())


def _merged(where: dict[Joint, list[int]], group: set[Key]) -> dict[Joint, list[int]]:
    """The joint classes of a group with their slots. An attack set that stands alone in some slots
    takes the number of a joint class that has it.
    """
    own = sorted((joint for joint in where if joint[0][0] in group), key=lambda j: (-len(j), j))
    merged: dict[Joint, list[int]] = {}
    holder: dict[tuple[Key, int], Joint] = {}
    for joint in own:
        known = holder.get(joint[0]) if len(joint) == 1 else None
        if known is not None:
            merged[known] = merged[known] + where[joint]
            continue
        merged[joint] = list(where[joint])
        for one in joint:
            holder.setdefault(one, joint)
    return merged


def _party(members: list[Placement], joints: dict[Joint, list[int]]) -> Party:
    keys = tuple(placement.key for placement in members)
    ones = np.zeros((len(joints), len(keys)), np.uint64)
    zeros = np.zeros_like(ones)
    sets = {placement.key: np.unique(placement.cell.square.attacks) for placement in members}
    for n, joint in enumerate(joints):
        for key, number in joint:
            attacks, line = sets[key][number], np.uint64(attack_set(*key, 0))
            ones[n, keys.index(key)] = attacks
            zeros[n, keys.index(key)] = line & ~attacks
    slots = tuple(np.array(at, np.int64) for at in joints.values())
    return Party(keys, tuple(joints), slots, ones, zeros)


# What parties want of words, and what it costs to give them one, compiled.
#
# A word has bits that must be one, bits that must be zero, and bits that nobody asks for. Whoever
# comes next may use it if nothing contradicts; the fewer bits are new, the more are left for
# others.

U = np.uint64
Ints = NDArray[np.int64]
Costs = NDArray[np.int32]
NUMBERS = 256
"""How many numbers a byte has."""
NO_NUMBER = -1
"""In place of a number: the class has none."""


class Demand(NamedTuple):
    """What all parties want. Party p has the classes first[p] to first[p + 1] - 1 and members[p]
    members; class n wants ones[n, k] and zeros[n, k] of member k's word, nothing where both are 0.
    """

    first: Ints
    members: Ints
    ones: Words
    zeros: Words


class Draft(NamedTuple):
    """Places under work: bases[party, member], and numbers[class]."""

    bases: Ints
    numbers: Ints


class WordDemands(NamedTuple):
    """The words: what is wanted of each, and by how many classes."""

    ones: Words
    zeros: Words
    used: Ints


@entry_point
def no_words(words: Count) -> WordDemands:
    """Words of which nobody wants anything."""
    return WordDemands(
        np.zeros(words, np.uint64), np.zeros(words, np.uint64), np.zeros(words, np.int64)
    )


@entry_point
def add_party(demand: Demand, draft: Draft, party: Count, buffer: WordDemands) -> None:
    """Write what a party wants into the words that it uses."""
    for n in range(demand.first[party], demand.first[party + 1]):
        if draft.numbers[n] == NO_NUMBER:
            continue
        for k in range(demand.members[party]):
            if demand.ones[n, k] != U(0):
                at = draft.bases[party, k] + draft.numbers[n]
                buffer.ones[at] |= demand.ones[n, k]
                buffer.zeros[at] |= demand.zeros[n, k]
                buffer.used[at] += 1


@entry_point
def lay(demand: Demand, draft: Draft, buffer: WordDemands) -> None:
    """Fill the words anew, from all places."""
    buffer.ones[:], buffer.zeros[:], buffer.used[:] = U(0), U(0), 0
    for party in range(len(demand.members)):
        add_party(demand, draft, party, buffer)


@entry_point
def word_costs(
    demand: Demand, party: Count, buffer: WordDemands, fresh: Count, without: Count
) -> Costs:
    """What each word would cost each class of a party, for each member: the bits that are new,
    `fresh` for a word that nobody uses, `without` for a contradiction.
    """
    first, end = demand.first[party], demand.first[party + 1]
    words = len(buffer.ones)
    cost = np.empty((demand.members[party], end - first, words), np.int32)
    for k in range(demand.members[party]):
        for n in range(end - first):
            one, zero = demand.ones[first + n, k], demand.zeros[first + n, k]
            for at in range(words):
                if one == U(0):
                    cost[k, n, at] = np.int32(0)
                elif (one & buffer.zeros[at]) | (zero & buffer.ones[at]):
                    cost[k, n, at] = np.int32(without)
                elif buffer.used[at] == 0:
                    cost[k, n, at] = np.int32(fresh)
                else:
                    new = (one | zero) & ~(buffer.ones[at] | buffer.zeros[at])
                    cost[k, n, at] = np.int32(popcount(new))
    return cost


@entry_point
def window_costs(cost: Costs, bases: Ints, span: Count, without: Count) -> Ints:
    """What each number below `span` would cost each class of a party with these bases, `without` at
    most.
    """
    members, classes, _ = cost.shape
    table = np.empty((classes, span), np.int64)
    for n in range(classes):
        for number in range(span):
            total = np.int64(0)
            for k in range(members):
                total += np.int64(cost[k, n, bases[k] + number])
            table[n, number] = min(total, np.int64(without))
    return table


@entry_point
def add_least(row: Costs, span: Count, total: Ints, queue: Ints) -> None:
    """Add to total[n] the least of row[n : n + span]: what a class would cost there if it could
    have any number. `queue`: room for as many places as the row has.
    """
    begin, end = np.int64(0), np.int64(0)
    for n in range(len(row)):
        while end > begin and row[queue[end - 1]] >= row[n]:
            end -= 1
        queue[end] = n
        end += 1
        if queue[begin] + span <= n:
            begin += 1
        if n + 1 >= span:
            total[n + 1 - span] += np.int64(row[queue[begin]])


# Where parties find their words: a base for each square, a number for each joint class.


class PartyPlace(NamedTuple):
    """The bases of a party's members, and the numbers of its classes, NO_NUMBER for a class that
    has found none.
    """

    bases: Ints
    numbers: Ints


@dataclass(frozen=True, eq=False)
class Overlay:
    """So many words, and the places of parties in them."""

    words: int
    places: tuple[PartyPlace, ...]

    @property
    def missing(self) -> int:
        """How many classes have no number."""
        return sum(int((place.numbers == NO_NUMBER).sum()) for place in self.places)


def words_of(parties: Iterable[Party], overlay: Overlay) -> Words:
    """The finished words. Raises ValueError where a bit must be one and zero."""
    ones, zeros = np.zeros(overlay.words, np.uint64), np.zeros(overlay.words, np.uint64)
    for party, place in zip(parties, overlay.places, strict=True):
        asked = (party.ones != 0) & (place.numbers != NO_NUMBER)[:, None]
        at = (place.bases[None, :] + place.numbers[:, None])[asked]
        np.bitwise_or.at(ones, at, party.ones[asked])
        np.bitwise_or.at(zeros, at, party.zeros[asked])
    if (ones & zeros).any():
        raise ValueError("a bit of a word must be one and zero")
    return ones


def cut_down(parties: Iterable[Party], overlay: Overlay, by: int, *, front: bool) -> Overlay:
    """An overlay without its first or its last words: classes that used them lose their numbers."""
    words = overlay.words - by
    return Overlay(
        words,
        tuple(
            _cut(party, place, words, by if front else 0)
            for party, place in zip(parties, overlay.places, strict=True)
        ),
    )


def _cut(party: Party, place: PartyPlace, words: int, by: int) -> PartyPlace:
    """A place that many words further down; a base below 0 goes up and the numbers down."""
    up = max(0, by - int(place.bases.min()))
    bases, numbers = place.bases - by + up, place.numbers - up
    beyond = ((bases[None, :] + numbers[:, None] >= words) & (party.ones != 0)).any(axis=1)
    lost = (place.numbers == NO_NUMBER) | (numbers < 0) | beyond
    return PartyPlace(bases, np.where(lost, NO_NUMBER, numbers))


# An overlaid two-level table: its two finished buffers as files, verified, and read back.

Bytes = NDArray[np.uint8]


def numbers_of(parties: Sequence[Party], overlay: Overlay, length: int) -> Bytes:
    """The bytes of the first level: 0 where nobody looks."""
    numbers = np.zeros(length, np.uint8)
    for party, place in zip(parties, overlay.places, strict=True):
        for slots, number in zip(party.slots, place.numbers.tolist(), strict=True):
            numbers[slots] = number
    return numbers


def write_overlaid(table: Table, parties: Sequence[Party], overlay: Overlay, path: Path) -> None:
    """Write a table of attack sets as one of two levels, overlaid, verified, with its certificate.
    Raises NotValidError, and leaves everything as it was, where the table would not be valid.
    """
    assert table.buffer_size is not None
    numbers = numbers_of(parties, overlay, table.buffer_size).tobytes()
    words = words_of(parties, overlay).astype("<u8").tobytes()
    bases = {
        key: int(base)
        for party, place in zip(parties, overlay.places, strict=True)
        for key, base in zip(party.keys, place.bases, strict=True)
    }
    finished = replace(
        table,
        two_level=TwoLevel(8, overlay.words),
        pieces={
            piece: replace(
                piece_table,
                result=RESULT,
                set_offset=tuple(
                    bases[piece_table.slider, table.row_bit(row)] for row in range(64)
                ),
            )
            for piece, piece_table in table.pieces.items()
        },
    )
    publish_levels(finished, numbers, words, path)


def layout_of(file: TableFile) -> Layout:
    """The layout of a plain table or of an overlaid one.

    Raises InputError for any other, and where plain packing could not take it.
    """
    table, where = file.table, str(file.path)
    problems: list[Problem] = []
    levels = table.two_level
    if levels is not None and (levels.entry_bits != 8 or levels.literal_words is None):
        message = "expected a table of attack sets, or bytes and words that squares share"
        problems.append(Problem(message, file=where, key="two_level"))
    for piece, piece_table in table.pieces.items():
        if levels is not None and not is_masked(piece_table.result):
            message = f"{piece_table.result}: expected {RESULT.text!r}"
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    if not table.shared or table.half_board:
        problems.append(Problem("expected one shared buffer for a whole board", file=where))
    if problems:
        raise InputError(problems)
    return from_table(file, layered=levels is not None, two_level=True)


def overlay_of(file: TableFile, parties: Sequence[Party]) -> Overlay:
    """The overlay that a valid overlaid table has."""
    table = file.table
    assert table.two_level is not None
    assert table.literal is not None
    folder = Path(file.path).parent
    numbers = read_sidecar(folder, table.literal, 8, table.buffer_size).numbers.astype(np.int64)
    (buffer,) = lay_out(file)
    bases: dict[Key, int] = {}
    for part in buffer.pieces:
        for row, base in enumerate(set_offsets(part)):
            bases[part.table.slider, part.bits[row]] = base
    places = []
    for party in parties:
        number = np.array([numbers[slots[0]] for slots in party.slots], np.int64)
        places.append(PartyPlace(np.array([bases[key] for key in party.keys], np.int64), number))
    return Overlay(table.two_level.words or 0, tuple(places))
