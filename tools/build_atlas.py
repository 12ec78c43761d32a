"""Build tables/atlas.toml from published results, published tables and certificates.

    python tools/build_atlas.py known-results.json LEDGER...
    python tools/build_atlas.py

The second form only reads the kind of evidence of each certificate again.

`known-results.json` holds the published state of every square at c - 1 bits, and of some the
shortest table of c bits. A magic is entered only after an exhaustive check; what is merely claimed
to be impossible stays open, with the claim as its source, and so does a range. What the atlas
there already settles with a certificate stays; finished cells of the ledgers are entered with
their certificates, which are written beside the atlas. Estimates of open cells are those of the
atlas that is there already or else of the search with windows, or of low bits first where that is
less.
"""

import json
import sys
from pathlib import Path
from typing import Any

from magicert.atlas import Atlas, Entry, Range, read_atlas, write_atlas
from magicert.board import Piece, mask, parse_square, square_name
from magicert.cell import first_conflict, slider_of, square_cell
from magicert.data import published_tables
from magicert.jobs.covers.again import count_again
from magicert.jobs.covers.counted import beside
from magicert.jobs.evidence import evidence_of, proof_of
from magicert.jobs.settle_atlas import certificate_name, entry_of
from magicert.jobs.watch import Unseen
from magicert.outcome import Evidence
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.planning.candidates import build, chains, low_plans
from magicert.search.planning.choice import choose_plan
from magicert.search.planning.sampling import sample
from magicert.search.problem.terms import Terms, mask_bits, terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.table import read_table
from magicert.valid import largest_indexes

TABLES = Path(__file__).parent.parent / "tables"
SHIPPED = TABLES / "atlas.toml"
PLAIN = "surge"  # a published table with c bits on every square


def main(*paths: str) -> None:
    if paths:
        build_anew(*paths)
    else:
        atlas = read_atlas(SHIPPED)
        known = json.loads((TABLES / "known-results.json").read_text("utf-8"))
        for entry in atlas:
            enter_range(atlas, entry, known)
        renew_evidence(atlas)
        write_atlas(SHIPPED, atlas)


def renew_evidence(atlas: Atlas) -> None:
    for entry in atlas:
        if entry.state == "impossible":
            entry.evidence = sampled_evidence(TABLES / entry.certificate)
            entry.proof = proof_of(TABLES / entry.certificate)
        if entry.range is not None:
            renew_range(atlas, entry, entry.range)


def renew_range(atlas: Atlas, entry: Entry, given: Range) -> None:
    least = atlas.least_range(*entry.key[:2], entry.bits)
    given.least = max(given.least, least)
    if given.certificate:
        given.evidence = evidence_of(TABLES / given.certificate)
    if given.is_smallest:
        given.claim, given.estimate = "", 0.0


def build_anew(known_path: str, *ledgers: str) -> None:
    known = json.loads(Path(known_path).read_text("utf-8"))
    atlas = Atlas()
    table = read_table(published_tables()[PLAIN]).table
    for piece in Piece:
        magics = table.pieces[piece].parameters["magic"]
        for square in range(64):
            c = mask(piece, square).bit_count()
            enter_magic(
                atlas, piece, square, c, int(magics[square]), f"tables/published/{PLAIN}.toml"
            )
            claim = known[piece.value][square_name(square)]["c_minus_1"]
            source = source_of(known)
            if claim.startswith("0x"):
                enter_magic(atlas, piece, square, c - 1, int(claim, 16), source)
                enter_open(atlas, piece, square, c - 2, "")
            else:
                enter_open(atlas, piece, square, c - 1, f"{claim} in {source}")
    before = read_atlas(SHIPPED) if SHIPPED.exists() else Atlas()
    for entry in before:
        if entry.certificate and (TABLES / entry.certificate).exists():
            atlas.put(entry)
    for path in ledgers:
        with Ledger(path) as ledger:
            enter_ledger(atlas, ledger)
    for entry in atlas:
        known_entry = before.entries.get(entry.key)
        entry.range = known_entry.range if known_entry and entry.state == "exists" else None
        enter_range(atlas, entry, known)
    for piece in Piece:
        for square in range(64):
            best = atlas.best(piece, square)
            key = (piece, square, 1 - best.bits) if best else None
            if best and key not in atlas.entries:
                enter_open(atlas, piece, square, best.bits - 1, "")
    for entry in atlas.open():
        known_entry = before.entries.get(entry.key)
        cell = square_cell(
            SCHEMES["white"], Piece(entry.piece), parse_square(entry.square), entry.bits
        )
        about = terms_of(cell)
        windows = known_entry.estimate if known_entry else 0.0
        seconds = min(windows or seconds_of(about), seconds_low_bits_first(about))
        entry.estimate = float(f"{seconds:.2g}")
        print(entry.piece, entry.square, entry.bits, entry.estimate, flush=True)
    renew_evidence(atlas)
    write_atlas(SHIPPED, atlas)


def sampled_evidence(certificate: Path) -> Evidence:
    """The kind of evidence. Of a recount that it rests on, one random shard is counted again: what
    is forged shows some day.
    """
    kind = evidence_of(certificate)
    if kind is Evidence.RECOUNT:
        found = count_again(beside(certificate), 1, None, Unseen)
        if found.problems:
            raise SystemExit(f"{beside(certificate)}: {'; '.join(found.problems)}")
    return kind


def enter_magic(
    atlas: Atlas, piece: Piece, square: int, bits: int, magic: int, source: str
) -> None:
    cell = square_cell(SCHEMES["white"], piece, square, bits)
    if first_conflict(cell, magic) is not None:
        raise SystemExit(f"{cell}: {magic:#x} of {source} is no magic")
    name = square_name(square)
    entry = Entry(piece=piece.value, square=name, bits=bits, state="exists", source=source)
    entry.magic = f"{magic:#x}"
    atlas.put(entry)


def enter_range(atlas: Atlas, entry: Entry, known: dict[str, Any]) -> None:
    """What was published of a cell's range: its magic is checked; that none is smaller is not."""
    place = known[entry.piece][entry.square]
    if "c_range" not in place or entry.bits != place["c"]:
        return
    magic, largest = place["c_magic"], place["c_range"]
    piece, square, _ = entry.key
    cell = square_cell(SCHEMES["white"], piece, square, entry.bits)
    if largest_indexes(cell, [int(magic, 16)]) != [largest]:
        raise SystemExit(f"{cell}: the largest index of {magic} is not {largest}")
    ours = entry.range
    if ours is not None and (ours.largest < largest or ours.least > largest):
        raise SystemExit(f"{cell}: published is {largest}, which {ours} contradicts")
    source = source_of(known)
    if ours is None:
        ours = Range(largest=largest, magic=magic, least=0)
    ours.largest, ours.magic, ours.source = largest, magic, source
    ours.claim = f"smallest in {source}"
    entry.range = ours
    renew_range(atlas, entry, ours)


def source_of(known: dict[str, Any]) -> str:
    """Where the published results are from."""
    return str(known["source"]).split(";")[0].split(", with")[0]


def enter_open(atlas: Atlas, piece: Piece, square: int, bits: int, source: str) -> None:
    name = square_name(square)
    atlas.put(Entry(piece=piece.value, square=name, bits=bits, state="open", source=source))


def seconds_of(terms: Terms) -> float:
    if len(terms.attack) <= 128:
        return choose_plan(terms, budget=1).seconds
    # Planning takes long with many occupancies, and rooks want the number line anyway.
    best = sample(terms, build(terms, mask_bits(terms), 1, 8, 0), 64, seed=1)
    for plan in chains(terms):
        other = sample(terms, plan, 64, seed=1, limit=best.seconds if best else None)
        best = other or best
    return best.seconds if best else 0.0


def seconds_low_bits_first(terms: Terms) -> float:
    estimates = [sample(terms, plan, 1000, seed=1) for plan in low_plans(terms)]
    return min((one.seconds for one in estimates if one), default=float("inf"))


def enter_ledger(atlas: Atlas, ledger: Ledger) -> None:
    for cell in ledger.cells():
        work, summary = ledger.find(cell), ledger.summary(cell)
        if work is None or not summary.finished or cell.scheme.name != "white":
            continue
        name = certificate_name(cell)
        known = atlas.entries.get((*slider_of(cell).place, -cell.bits))
        if known is not None and known.certificate == name:
            continue
        write_certificate(TABLES / name, work, ledger.results(cell))
        atlas.put(entry_of(cell, summary, TABLES, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
