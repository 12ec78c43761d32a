"""Parties: squares that share bytes of the first level, and what each byte's words must be.

A byte is a number v. A square looks for its attack set in the word at base + v, where the base is
its own. So squares may share a byte, compatible or not, if v suits all of them: v numbers a *joint
class*, an attack set of each. Most parties are one square, whose joint classes are its attack sets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from magicert.board import attack_set
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.anneal.squares import Slots, Words

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


def parties_of(seats: Sequence[Seat]) -> list[Party]:
    """The parties of some seats, by their first members."""
    users: dict[int, list[tuple[Key, int]]] = {}
    for seat in seats:
        index = seat.cell.indexes(seat.choice.magic, seat.choice.constant) + seat.offset
        slots, first = np.unique(index, return_index=True)
        numbers = seat.cell.square.numbers[first]
        for slot, number in zip(slots.tolist(), numbers.tolist(), strict=True):
            users.setdefault(slot, []).append((seat.key, number))
    where: dict[Joint, list[int]] = {}
    for slot, here in users.items():
        where.setdefault(tuple(here), []).append(slot)
    by_key = {seat.key: seat for seat in seats}
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


def _party(members: list[Seat], joints: dict[Joint, list[int]]) -> Party:
    keys = tuple(seat.key for seat in members)
    ones = np.zeros((len(joints), len(keys)), np.uint64)
    zeros = np.zeros_like(ones)
    sets = {seat.key: np.unique(seat.cell.square.attacks) for seat in members}
    for n, joint in enumerate(joints):
        for key, number in joint:
            attacks, line = sets[key][number], np.uint64(attack_set(*key, 0))
            ones[n, keys.index(key)] = attacks
            zeros[n, keys.index(key)] = line & ~attacks
    slots = tuple(np.array(at, np.int64) for at in joints.values())
    return Party(keys, tuple(joints), slots, ones, zeros)
