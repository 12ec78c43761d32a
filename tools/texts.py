"""Write what the documents say of the atlas: OPEN.md, and the parts between markers.

    python tools/texts.py           # after the atlas has changed
    python tools/texts.py --check   # exit status 1 where a text is not what the data say

A part stands between `<!-- data: NAME -->` and `<!-- end -->`, on lines of their own or within one.
"""

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from textwrap import fill

from magicert.atlas import Atlas, Entry, read_atlas
from magicert.atlas.entry import US
from magicert.board import Piece, mask
from magicert.verify.cover.file import read_certificate

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "tables"
PART = re.compile(r"(<!-- data: ([a-z-]+) -->)(.*?)(<!-- end -->)", re.DOTALL)
WHITE = read_atlas(TABLES / "atlas.toml")
BLACK = read_atlas(TABLES / "atlas_black.toml")
FULL = sum(1 << mask(piece, square).bit_count() for piece in Piece for square in range(64))


def c(entry: Entry) -> int:
    """The bits of the mask."""
    return mask(*entry.key[:2]).bit_count()


def best(atlas: Atlas) -> list[Entry]:
    """Of every square the magic of fewest bits."""
    found = [atlas.best(piece, square) for piece in Piece for square in range(64)]
    return [entry for entry in found if entry]


def squares(entries: Iterable[Entry]) -> str:
    """Such as "rooks c1, e1", pieces apart."""
    parts = []
    for piece, some in groupby(entries, key=lambda entry: entry.piece):
        names = [entry.square for entry in some]
        parts.append(f"{piece}{'s' if names[1:] else ''} {', '.join(names)}")
    return "; ".join(parts)


def grouped(
    entries: Iterable[Entry], key: Callable[[Entry], tuple[object, ...]]
) -> Iterator[tuple[tuple[object, ...], list[Entry]]]:
    """The entries by key, in the order in which keys appear; squares in the board's order."""
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    yield from groups.items()


def fewest_bits() -> str:
    """How many squares have magics of fewer bits than the mask, and what all take."""
    fewer = sum(entry.bits < c(entry) for entry in best(WHITE))
    return f"{fewer} squares, {sum(1 << e.bits for e in best(WHITE)):,} slots instead of {FULL:,}"


def fewest_entries() -> str:
    """The slots alone."""
    return f"{sum(1 << entry.bits for entry in best(WHITE)):,} entries"


def as_of() -> str:
    """The date alone."""
    return f"as of {WHITE.as_of}"


def looked_through() -> str:
    """The date and the places."""
    places = "; ".join(WHITE.looked_through)
    said = f"As of {WHITE.as_of}; looked through: {places}."
    return fill(said, 100, break_long_words=False, break_on_hyphens=False)


def answer(entry: Entry) -> str:
    """What there is, with its evidence."""
    if entry.state == "exists":
        return f"{entry.magic}, verified exhaustively"
    proof = ", and a solver's checked proof" if entry.proof else ""
    return f"no magic ({entry.evidence}{proof})"


def listed(entry: Entry) -> int | None:
    """How many magics a cell has, where its certificate lists all of them, first here."""
    given = entry.range
    if entry.state != "exists" or not entry.certificate or (given and given.claim):
        return None
    header = read_certificate(TABLES / entry.certificate).header
    return sum(int(shard.magic_count, 16) for shard in header.shards)


def first() -> str:
    """What was first said here, and which lists of magics are complete."""
    lines = ["| squares | bits | answer |", "|---|---|---|"]
    ours = [entry for entry in WHITE if entry.finder == US]
    for (_, bits, said), some in grouped(ours, lambda e: (e.piece, e.bits, answer(e))):
        lines.append(f"| {squares(some)} | {bits} | {said} |")
    lists = [(entry, listed(entry)) for entry in WHITE if entry.finder != US]
    for entry, count in lists:
        if count:
            kind = entry.range.evidence if entry.range else ""
            said = (
                f"all {count} magics ({kind}); the first known by {entry.finder}, {entry.published}"
            )
            lines.append(f"| {squares([entry])} | {entry.bits} | {said} |")
    said = "First settled here, as far as we know (white scheme)."
    return block([said, looked_through(), "", *lines])


def who_found_what() -> str:
    """Who said what first, when and where; the atlas has it cell by cell."""
    lines = ["| who | when | where | what |", "|---|---|---|---|"]
    known = [entry for entry in WHITE if entry.finder]
    for (who,), some in sorted(grouped(known, lambda e: (e.finder,)), key=lambda g: days(g[1])[0]):
        what = []
        for (state, less), entries in grouped(some, lambda e: (e.state, c(e) - e.bits)):
            which = f"{less} bit{'s' if less > 1 else ''} fewer" if less else "as many bits"
            said = {"exists": "magics", "impossible": "no magic", "open": "no magic, open here,"}
            shown = "all squares" if len(entries) == 128 else squares(entries)
            what.append(
                f"{said[str(state)]} of {which} than the mask: {shown}".replace(
                    "many bits than", "many bits as"
                )
            )
        places = dict.fromkeys(place(entry.source) for entry in some)
        when = " to ".join(dict.fromkeys(days(some)))
        where = some[0].source if len({entry.source for entry in some}) == 1 else ", ".join(places)
        lines.append(f"| {who} | {when} | {where} | {'; '.join(what)} |")
    return block([looked_through(), "", *lines])


def place(source: str) -> str:
    """A repository, or what stands before the first comma."""
    first = source.partition(",")[0]
    return first.partition(" ")[0] if first.startswith("github:") else first


def days(entries: list[Entry]) -> tuple[str, str]:
    """The first and the last."""
    published = sorted((entry.published for entry in entries), key=lambda day: day[-10:])
    return published[0], published[-1]


def block(lines: list[str]) -> str:
    """Lines of their own between the markers."""
    return "\n".join(["", *lines, ""])


PARTS: dict[str, Callable[[], str]] = {
    "fewest-bits": fewest_bits, "fewest-entries": fewest_entries,
    "as-of": as_of, "first": first, "credits": who_found_what,
}  # fmt: skip


OPEN = """\
# Open questions

Written by `python tools/texts.py` from `tables/atlas.toml` and `tables/atlas_black.toml`.
{looked_through}

Each line asks: is there a magic for this piece and square with so many index bits? The index is
`(occ & mask) * magic >> (64 - bits)`, and two occupancies with one index must attack the same
squares ([what is a magic?](docs/what-is-a-magic.md)). The cost is that of the search that would
settle the cell, on one core, estimated from samples of it.

| cell | estimate | said | tried |
|---|---|---|---|
{white}

Three things help:

- **A magic.** Write it down with its finder, in a file `found.toml`:

  ```toml
  cell = "rook f1, 10 bits"
  magic = "0x..."
  finder = "your name"
  date = "2026-11-23"
  source = "where it stands: a page, or a repository and commit"
  ```

  `magicert atlas --submit found.toml` tries all occupancies, and writes an atlas with your credit.
  In a checkout `make submit FILE=found.toml` does it to the atlas that ships, and writes this page
  and every text that follows from it. Send us that, or just the five lines.
- **A search.** `magicert atlas --settle --only rook:f1 --ledger f1.db` can be stopped and resumed.
  Send us the ledger, finished or not. `tables/ledgers/` has those that were begun here.
- **An older source.** Somebody was first and is not named: the same five lines, the older date.

## Black

The same with `(occ | ~mask) * magic` ([the atlas](docs/atlas.md#black)). The estimates are too low:
few beginnings of a magic hold most of the search.

| cell | estimate |
|---|---|
{black}
"""


def open_cells() -> str:
    """OPEN.md."""
    return OPEN.format(
        looked_through=looked_through(),
        white="\n".join(map(_open_row, WHITE.open())),
        black="\n".join(f"| {_name(entry)} | {_cost(entry)} |" for entry in BLACK.open()),
    )


def _name(entry: Entry) -> str:
    return f"{entry.piece} {entry.square}, {entry.bits} bits"


def _cost(entry: Entry) -> str:
    for unit, seconds in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if entry.estimate >= 2 * seconds:
            return f"{entry.estimate / seconds:,.0f} {unit}"
    return f"{entry.estimate:.0f} seconds" if entry.estimate else "none yet"


def _open_row(entry: Entry) -> str:
    said = f"no magic: {entry.credit}" if entry.finder else "nothing"
    return (
        f"| {_name(entry)} | {_cost(entry)} | {said} | {'; '.join(entry.tried) or 'nothing yet'} |"
    )


def texts() -> Iterator[tuple[Path, str]]:
    """Every file that follows from the data, and what it should be."""
    yield ROOT / "OPEN.md", open_cells()
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text("utf-8")
        if PART.search(text):
            yield path, PART.sub(lambda found: found[1] + PARTS[found[2]]() + found[4], text)


def stale() -> list[str]:
    """The files that are not what the data say."""
    return [
        str(path.relative_to(ROOT)) for path, text in texts()
        if not path.exists() or path.read_text("utf-8") != text
    ]  # fmt: skip


def main() -> int:
    """Write, or check; the exit status."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--check", action="store_true")
    if asked.parse_args().check:
        for name in (old := stale()):
            print(f"{name}: not what the atlas says; run python tools/texts.py")
        return int(bool(old))
    for path, text in texts():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
