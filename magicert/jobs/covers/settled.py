"""Shards that the proved checker has settled, in its own words: what `magicert-proved --settled`
has written, in tables/settled, a line for each shard.

The lines are data like any other: `magicert check CERT --replay all --proved` has them said again.
"""

from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from magicert.problem import InputError, Problem
from magicert.verify.cover.file import Header

FOLDER = "settled"
"""The folder of these files, beside that of the certificates."""


class SettledShard(msgspec.Struct, forbid_unknown_fields=True):
    """A shard that is settled."""

    scheme: Literal["white", "black", "constant"]
    piece: Literal["rook", "bishop"]
    square: str
    bits: int
    largest_index: int
    constant: str
    shard: int
    root: tuple[int, str, str]
    leaves: int
    magics: list[tuple[str, str]]


def settled_share(certificate: Path, header: Header) -> float:
    """The share of all m that lies in the shards of a certificate that are settled: 0 where there
    is no file of them.

    Raises InputError where a line is about another cell, or says something else of a shard.
    """
    name = certificate.name.partition(".")[0]
    path = certificate.parent.parent / FOLDER / f"{name}.settled"
    if not path.exists():
        return 0.0
    shares: dict[int, Fraction] = {}
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        try:
            line = msgspec.json.decode(text, type=SettledShard)
        except msgspec.MsgspecError as error:
            raise InputError([Problem(str(error), str(path), line=number)]) from None
        if message := _difference(line, header):
            raise InputError([Problem(message, str(path), line=number)])
        w, low, high = line.root[0], int(line.root[1], 16), int(line.root[2], 16)
        shares[line.shard] = Fraction(high - low + 1, 1 << w)
    return float(sum(shares.values()))


def _difference(line: SettledShard, header: Header) -> str:
    """What a line says otherwise than the certificate."""
    for key in ("scheme", "piece", "square", "bits", "largest_index", "constant"):
        here, there = getattr(line, key), getattr(header, key)
        if here != there:
            return f"{key}: {here!r}, and the certificate has {there!r}"
    if not 0 <= line.shard < len(header.shards):
        return f"shard {line.shard}: the certificate has {len(header.shards)}"
    shard = header.shards[line.shard]
    if line.root != shard.root or line.leaves != (shard.leaves or line.leaves):
        return f"shard {line.shard}: the certificate has another root, or other leaves"
    if line.magics != shard.magics:
        return f"shard {line.shard}: the certificate lists other magics"
    return ""
