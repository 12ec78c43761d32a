"""The atlas as a page: two boards to click, and what is known of each square.

Without a script: a square is a link to its own part of the page, and only that part is shown.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from magicert import __version__
from magicert.atlas import Atlas, AtlasCell, Range
from magicert.chess import Piece, mask, square_name
from magicert.drawing.markup import copied, element, facts, figure, html_page
from magicert.drawing.pictures import with_key, words_board
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.verify.cover.file import read_certificate

MEANING = {
    Evidence.LEAVES: "every leaf is in the file and can be checked",
    Evidence.HASHES: "hashes of leaves, which can be rebuilt and compared",
    Evidence.RECOUNT: "counted again by a second, independent program",
    Evidence.COUNTS: "the counts of one exhaustive run",
    Evidence.PROOF: "a SAT solver's proof, checked by a verified checker",
    Evidence.SOLVER: "a solver's word",
}


COLOURS = {
    "settled": "every step can be checked",
    "recounted": "two programs counted the same",
    "counted": "one program's search",
    "open": "open",
}
"""What the colours of squares mean, from strong to weak."""


def atlas_page(atlas: Atlas, folder: Path) -> str:
    """The whole page; `folder` holds the certificates that the atlas names."""
    title = "The atlas: the fewest bits of every square's magic"
    return html_page(title, [element("h1", title), *atlas_body(atlas, folder)], __version__)


def atlas_body(atlas: Atlas, folder: Path) -> Iterator[Element]:
    """What stands below the title."""
    yield element(
        "p", f"{atlas.scheme.capitalize()} scheme. Click a square. The large number is the fewest "
        "index bits of which a magic is known, the small one is how many bits its mask has. The "
        "colour says what evidence there is that no magic has fewer bits.",
    )  # fmt: skip
    pieces = [piece for piece in Piece if any(cell.piece == piece for cell in atlas)]
    boards = (figure(evidence_board(atlas, piece, links=True), str(piece)) for piece in pieces)
    yield element("div", *boards, class_="row")
    published = _published(folder) if atlas.scheme == "white" else {}
    for piece in pieces:
        for square in range(64):
            yield _square(atlas, piece, square, folder, published)


def _published(folder: Path) -> dict[str, Any]:
    """What was published of each square before, by piece and square."""
    path = folder / "known-results.json"
    known: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known


def evidence_board(atlas: Atlas, piece: Piece, *, links: bool = False) -> Element:
    """A board with the fewest bits known of each square, coloured by what shows that fewer do not
    do, and the meaning of the colours below it. With `links` each square leads to its own part.
    """
    words, classes, targets = {}, {}, {}
    for square in range(64):
        best, c = atlas.best(piece, square), mask(piece, square).bit_count()
        bits = best.bits if best else c
        words[square] = [f"{bits}", f"/{c}"]
        classes[square] = _strength(atlas.bound(piece, square), bits)
        targets[square] = f"#{piece}-{square_name(square)}"
    label = f"{piece}: the fewest bits known, by evidence that there are no fewer"
    board = words_board(label, words, classes, targets if links else None)
    counted = Counter(classes.values())
    rows = [(kind, f"{text}: {counted[kind]}") for kind, text in COLOURS.items() if counted[kind]]
    return with_key(board, rows)


def _strength(bound: AtlasCell | None, bits: int) -> str:
    """The class of a square's colour; `bound` is the impossible cell of most bits."""
    if bound is None or bound.bits != bits - 1:
        return "open"
    if bound.evidence is Evidence.LEAVES or bound.by_leaves == 1 or bound.proof:
        return "settled"
    return "recounted" if bound.evidence is Evidence.RECOUNT else "counted"


def _square(
    atlas: Atlas, piece: Piece, square: int, folder: Path, published: dict[str, Any]
) -> Element:
    name = square_name(square)
    cells = [
        atlas_cell for atlas_cell in atlas if (atlas_cell.piece, atlas_cell.square) == (piece, name)
    ]
    best, bound = atlas.best(piece, square), atlas.bound(piece, square)
    known = published.get(piece, {}).get(name, {})
    rows = [("mask", f"{mask(piece, square):#018x}, {mask(piece, square).bit_count()} squares")]
    if best:
        few = f"{best.bits} bits"
        proved = bound is not None and bound.bits == best.bits - 1
        fewer = f"; no magic has fewer (evidence: {bound.evidence})" if bound and proved else ""
        rows.append(("fewest known", few + fewer))
    if best and best.range:
        text = f"{best.range.largest + 1:,} slots, of {best.bits} bits; {best.range.described}"
        rows.append(("shortest table known", text))
    if "fixed_range" in known:
        text = f"indexes 0 to {known['fixed_range']:,}, with {known['fixed_magic']}"
        rows.append(("smallest range of 12 or 9 bits, as published", text))
    parts = [part for atlas_cell in cells for part in _cell(atlas_cell, folder, atlas.scheme)]
    return element(
        "article", element("h2", f"{piece} {name}"), facts(rows), *parts, id=f"{piece}-{name}"
    )


def _cell(cell: AtlasCell, folder: Path, scheme: str) -> Iterator[Element]:
    yield element("h3", f"{cell.bits} bits: {cell.state}")
    rows = []
    if cell.magic:
        yield copied(f"magic-{cell.piece}-{cell.square}-{cell.bits}", cell.magic)
        rows.append(("magics", _how_many(cell, folder)))
    if cell.evidence is not None:
        rows.append(("evidence", f"{cell.evidence}: {MEANING[cell.evidence]}"))
    if cell.certificate:
        name = Path(cell.certificate).name.partition(".")[0]
        rows.append(("certificate", cell.certificate))
        rows.append(("check it with", f"magicert check {name}"))
    if cell.proof:
        name = Path(cell.proof).name.removesuffix(".xz")
        rows += [("proof", cell.proof), ("check it with", f"magicert check {name}")]
    if cell.tests:
        cost = f"{cell.tests:,} tests, {cell.seconds:,.1f} s"
        rows.append(("searched by", f"{cell.engine}, {cell.date}; {cost}"))
    if cell.state == "open":
        command = f"magicert disprove {cell.piece} {cell.square} --bits {cell.bits}"
        command += "" if scheme == "white" else f" --scheme {scheme}"
        rows.append(("try it with", command))
        rows += [("tried", tried) for tried in cell.tried]
    if cell.credit:
        rows.append(("first claimed by" if cell.state != "open" else "claimed by", cell.credit))
    yield facts(rows)
    if cell.range:
        yield from _range(cell, cell.range)


def _range(cell: AtlasCell, known: Range) -> Iterator[Element]:
    """The shortest table of a cell."""
    yield element("h4", f"{cell.bits} bits, the shortest table: indexes 0 to {known.largest:,}")
    yield copied(f"range-{cell.piece}-{cell.square}-{cell.bits}", known.magic)
    rows = [("smaller ones", known.described)]
    if known.certificate:
        name = Path(known.certificate).name.partition(".")[0]
        rows.append(("certificate", known.certificate))
        rows.append(("check it with", f"magicert check {name}"))
        cost = f"{known.tests:,} tests, {known.seconds:,.1f} s"
        rows.append(("searched by", f"{known.engine}, {known.date}; {cost}"))
    if known.estimate:
        rows.append(("estimate of the search", f"about {known.estimate:,.3g} s on one core"))
    if known.claim:
        rows.append(("claim", known.claim))
    if known.source:
        rows.append(("source", known.source))
    yield facts(rows)


def _how_many(cell: AtlasCell, folder: Path) -> str:
    """How many magics a cell has, if an exhaustive search has counted them."""
    try:
        if not cell.certificate:
            return "this one is known; they were not counted"
        header = read_certificate(folder / cell.certificate).header
    except (InputError, OSError):
        return "this is the first; the certificate that counts them is not installed"
    count = sum(int(shard.magic_count, 16) for shard in header.shards)
    return f"{count:,} up to the period; this is the first"
