"""Repairing an arrangement whose squares overlap, or reach beyond the length aimed at."""

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layouts.arrangement import Arrangement
from magicert.compact.squeeze.reseating import Overlap, prices, reseat

ROUNDS = 10
"""Rooks annealed at most, one after the other."""
WORST = 3
"""A round takes one of so many rooks that overlap most."""
HOPELESS = 200
"""Where rooks overlap in more slots than this, no repair is tried."""
GIVE_UP = 0.6
"""How often the repair ends after a round that has not helped."""
ROOK_HEATS = (1.5, 3.0, 6.0)
ROOK_STEPS, ROOK_COLD, ROOK_REACH = 40_000, 0.6, 64
ROOK_OVERLAP = Overlap(8, 2)
BISHOP_EFFORT, BISHOP_REACH, BISHOP_PLACES = WalkEffort(30_000, 8.0, 0.8), 2000, 6
BISHOP_OVERLAP = Overlap(6, 6)


def repair(candidate: Arrangement, goal: int, random: Random) -> None:
    """Anneal what overlaps, rooks first, while that helps; bishops go wherever they fit."""
    before: int | None = None
    for _ in range(ROUNDS):
        bad = overlapping(candidate, Piece.ROOK, goal)
        slots = sum(amount for amount, _ in bad)
        if not bad or slots > HOPELESS:
            break
        if before is not None and slots >= before and random.random() < GIVE_UP:
            break
        before = slots
        _, key = bad[int(random.integers(min(WORST, len(bad))))]
        effort = WalkEffort(ROOK_STEPS, float(random.choice(ROOK_HEATS)), ROOK_COLD)
        price = prices(candidate, key, goal, ROOK_OVERLAP)
        reseat(candidate, key, price, effort, ROOK_REACH, random)
    if overlapping(candidate, Piece.ROOK, goal):
        return
    for _, key in overlapping(candidate, Piece.BISHOP, goal):
        if not scatter(candidate, key, goal, random):
            return


def overlapping(candidate: Arrangement, piece: Piece, goal: int) -> list[tuple[int, Key]]:
    """The squares of a piece that overlap others of their kind (bishops: anything), or reach
    beyond the goal; with the slots where they do, worst first.
    """
    count = candidate.count
    if piece is Piece.ROOK:
        count = np.zeros_like(count)
        for seat in candidate.seats.values():
            if seat.piece is Piece.ROOK:
                count[seat.slots] += 1
    amounts = [
        (int(np.count_nonzero((count[seat.slots] > 1) | (seat.slots >= goal))), seat.key)
        for seat in candidate.seats.values()
        if seat.piece is piece
    ]
    return sorted((item for item in amounts if item[0]), reverse=True)


def scatter(candidate: Arrangement, key: Key, goal: int, random: Random) -> bool:
    """Find holes for a bishop anywhere; True if it overlaps nothing at the end."""
    seat = candidate.seats[key]
    price = prices(candidate, key, goal, BISHOP_OVERLAP)
    for place in range(BISHOP_PLACES):
        if place:
            candidate.replace(seat.at(int(random.integers(max(1, goal - int(seat.used[-1]))))))
        reseat(candidate, key, price, BISHOP_EFFORT, BISHOP_REACH, random)
        if candidate.overlap_of(key) == 0 and candidate.seats[key].end <= goal:
            return True
    return False
