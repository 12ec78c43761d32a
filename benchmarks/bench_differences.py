"""Difference keys: is a word refuted sooner by differences of occupancies than by occupancies?

Two occupancies share a slot only if the product of their difference is less than a bucket, up to
its sign. Random sparse words are tried: how many occupancies are looked up until two conflict, and
how many differences until one is so small. And do the magics of the atlas have small differences?
"""

from pathlib import Path

import numpy as np

from magicert.atlas import read_atlas
from magicert.cell import Cell
from magicert.jobs.settle_atlas import cell_of

ROOT = Path(__file__).parents[1]
WORDS = 300


def differences(cell: Cell) -> np.ndarray:
    """Each difference of two occupancies once, without its sign."""
    found = {0}
    for square in (1 << bit for bit in range(64) if cell.mask >> bit & 1):
        found |= {one + way * square for one in found for way in (1, -1)}
    return np.array(sorted({abs(one) for one in found if one}), np.uint64)


def small(keys: np.ndarray, magic: np.uint64, bits: int) -> np.ndarray:
    """Which of them have a product less than a bucket from 0."""
    bucket = np.uint64(1 << 64 - bits)
    return np.minimum(keys * magic, np.uint64(0) - keys * magic) < bucket


def main() -> None:
    atlas = read_atlas(ROOT / "tables" / "atlas.toml")
    known = [entry for entry in atlas if entry.state == "exists"]
    rng = np.random.default_rng(1)
    for entry in known:
        if (entry.piece, entry.square, entry.bits) not in SHOWN:
            continue
        cell = cell_of(entry)
        keys = rng.permutation(differences(cell))
        rows = rng.permutation(len(cell.words))
        words, values = np.array(cell.words, np.uint64)[rows], np.array(cell.values)[rows]
        looked, compared = [], []
        for magic in np.bitwise_and.reduce(rng.integers(0, 1 << 64, (3, WORDS), np.uint64)):
            owner: dict[int, int] = {}
            slots = words * magic >> np.uint64(64 - entry.bits)
            pairs = enumerate(zip(slots.tolist(), values.tolist(), strict=True), 1)
            clashes = (n for n, (slot, value) in pairs if owner.setdefault(slot, value) != value)
            looked.append(next(clashes, len(words)))
            compared.append(int(np.argmax(small(keys, magic, entry.bits))) + 1)
        print(
            f"{cell}: {len(words):,} occupancies, {len(keys):,} differences; a random word "
            f"shows a conflict after {np.mean(looked):.0f} occupancies, a small difference after "
            f"{np.mean(compared):.0f} differences"
        )
    none = sum(
        not small(differences(cell_of(one)), np.uint64(int(one.magic, 16)), one.bits).any()
        for one in known
    )
    print(f"of {len(known)} magics of the atlas {none} have no small difference")


SHOWN = [("bishop", "d8", 5), ("bishop", "d4", 9), ("rook", "d4", 10), ("rook", "a1", 12)]

if __name__ == "__main__":
    main()
