"""A writer of leaf streams and certificates, from the specification alone: what a forger has."""

import hashlib
import json
import struct

FULL = 1 << 16
WORD = (1 << 64) - 1


def width(values, widths):
    largest = max(values)
    return next(w for w in widths if largest < 1 << (8 * w))


def block_of(leaves, before):
    """One block; `before` is the high before it. All columns are as narrow as they can be."""
    ws, lows, highs, firsts, seconds = zip(*leaves, strict=True)
    gaps = [(low - last - 1) & WORD for low, last in zip(lows, (before, *highs), strict=False)]
    spans = [(high - low) & WORD for low, high in zip(lows, highs, strict=True)]
    one = len(set(ws)) == 1
    gap, span = 8 * any(gaps), width(spans, (1, 2, 4, 8))
    number = width((*firsts, *seconds), (1, 2))
    head = struct.pack("<IBBBB", len(leaves), ws[0] if one else 255, gap, span, number)
    columns = [
        (ws, 0 if one else 1),
        (gaps, gap),
        (spans, span),
        (firsts, number),
        (seconds, number),
    ]
    return head + b"".join(v.to_bytes(w, "little") for column, w in columns if w for v in column)


def blocks_of(leaves, root_low=0):
    """The blocks of a shard's stream."""
    blocks, before = [], (root_low - 1) & WORD
    for start in range(0, len(leaves), FULL):
        some = leaves[start : start + FULL]
        blocks.append(block_of(some, before))
        before = some[-1][2]
    return blocks


def shard_of(root, leaves):
    """A shard of the header, with an honest count, an honest hash and the magics of its leaves."""
    magics = [(low, high) for _, low, high, *pair in leaves if pair == [1, 0]]
    stream = b"".join(blocks_of(leaves, root[1]))
    return {
        "root": [root[0], hex(root[1]), hex(root[2])],
        "leaves": len(leaves),
        "sha256": hashlib.sha256(stream).hexdigest(),
        "counts": [0, 0, 0, 0, 0],
        "magics": [[hex(low), hex(high)] for low, high in magics],
        "magic_count": hex(sum(high - low + 1 for low, high in magics)),
    }


def certificate(shards, **cell):
    """A whole certificate, for bishop d8 at 1 bit unless `cell` says otherwise."""
    header = {
        "scheme": "white", "piece": "bishop", "square": "d8", "bits": 1, "largest_index": 1,
        "constant": "0x0", "plan": "", "level": 0, "engine": "", "date": "", "seconds": 0.0,
        "streams": True, "shards": [shard_of(root, leaves) for root, leaves in shards],
    } | cell  # fmt: skip
    streams = b"".join(block for root, leaves in shards for block in blocks_of(leaves, root[1]))
    return b"magicert cover 1\n" + json.dumps(header).encode() + b"\n" + streams


def walk(about, root):
    """A cover of a root that is as wide as the period, by walking along the number line.

    At m, of all pairs that conflict there, take the one that stays in its bucket longest, and go
    on behind it. Where none conflicts m is a magic, and so is all until something moves.
    """
    x, attack = about.x.tolist(), about.attack.tolist()
    bucket = 1 << (64 - about.bits)
    w, m, end = root
    leaves = []
    while m <= end:
        met = {}  # slot: the row that stays longest
        best, pair = -1, (1, 0)
        # What is missing to the end of the bucket, in steps of x.
        stays = [(~(v * m + about.constant) & bucket - 1) // v if v else end for v in x]
        for n in sorted(range(len(x)), key=stays.__getitem__, reverse=True):
            slot = (x[n] * m + about.constant & WORD) // bucket
            other = met.setdefault(slot, n)
            if attack[other] != attack[n]:
                best, pair = stays[n], (min(n, other), max(n, other))
                break
        high = min(end, m + (best if best >= 0 else min(stays)))
        leaves.append((w, m, high, *pair))
        m = high + 1
    return leaves


def walked(about, shards, **cell):
    """A certificate of a cell, in so many shards of equal width (a power of two)."""
    length = (1 << about.period) // shards
    roots = [(about.period, n * length, (n + 1) * length - 1) for n in range(shards)]
    return certificate([(root, walk(about, root)) for root in roots], bits=about.bits, **cell)
