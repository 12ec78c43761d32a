"""Renew tables/atlas.toml: its evidence is read again, ledgers are entered, estimates are made.

    python -m research.atlas.build [LEDGER...]

The evidence of each certificate is read again, and the published ranges (known-results.json) are
held against ours. Finished cells of the ledgers are entered with their certificates, which are
written beside the atlas; what is settled already stays. An open cell without an estimate gets one:
of the search with windows, or of low bits first where that is less.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

from magicert.api.atlas_files import evidence_of, proof_of
from magicert.api.covers.counted import beside
from magicert.api.covers.replay import settled_share
from magicert.api.covers.shards import count_again
from magicert.api.covers.shards import sample as sample_subtrees
from magicert.api.settle_atlas import atlas_cell_of, cell_of, certificate_name
from magicert.atlas import US, Atlas, AtlasCell, Range, read_atlas, write_atlas
from magicert.outcome import Evidence, NullPhase
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.planning import build_plan, chain_plans, choose_plan, low_plans, sample
from magicert.search.problem import Terms, mask_bits, terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.targets import slider_of, square_cell
from magicert.valid import largest_indexes
from magicert.verify.cover.file import read_certificate

TABLES = Path(__file__).parents[2] / "tables"
SHIPPED = TABLES / "atlas.toml"


def main(*ledgers: str) -> None:
    atlas = read_atlas(SHIPPED)
    known = json.loads((TABLES / "known-results.json").read_text("utf-8"))
    for path in ledgers:
        with Ledger(path) as ledger:
            enter_ledger(atlas, ledger)
    for cell in atlas:
        enter_range(atlas, cell, known)
    for cell in atlas.open():
        if not cell.estimate:
            about = terms_of(cell_of(cell))
            cell.estimate = float(f"{min(seconds_of(about), seconds_low_bits_first(about)):.2g}")
            print(cell.piece, cell.square, cell.bits, cell.estimate, flush=True)
    renew_evidence(atlas)
    write_atlas(SHIPPED, atlas)


def renew_evidence(atlas: Atlas) -> None:
    for cell in atlas:
        if cell.state == "impossible":
            cell.evidence = sampled_evidence(TABLES / cell.certificate)
            cell.by_leaves = share_by_leaves(cell)
            cell.proof = proof_of(cell_of(cell), TABLES)
        if cell.range is not None:
            renew_range(atlas, cell, cell.range)


def share_by_leaves(cell: AtlasCell) -> float:
    """The share of all m that leaves prove: those of the file, those that the proved checker has
    seen, or those of random subtrees.
    """
    if cell.evidence is Evidence.LEAVES:
        return 1.0
    certificate = read_certificate(TABLES / cell.certificate)
    if share := settled_share(certificate.path, certificate.header):
        return share
    if cell.by_leaves:
        return cell.by_leaves  # of subtrees, sampled once
    return float(f"{float(sample_subtrees(certificate, 1, 1, NullPhase).share):.2g}")


def renew_range(atlas: Atlas, cell: AtlasCell, given: Range) -> None:
    least = atlas.least_range(*cell.key[:2], cell.bits)
    given.least = max(given.least, least)
    if given.certificate:
        given.evidence = evidence_of(TABLES / given.certificate)
    if given.is_smallest:
        given.estimate = 0.0


def sampled_evidence(certificate: Path) -> Evidence:
    """The kind of evidence. Of a recount that it rests on, one random shard is counted again: what
    is forged shows some day.
    """
    kind = evidence_of(certificate)
    if kind is Evidence.RECOUNT:
        found = count_again(beside(certificate), 1, None, NullPhase)
        if found.problems:
            raise SystemExit(f"{beside(certificate)}: {'; '.join(found.problems)}")
    return kind


def enter_range(atlas: Atlas, atlas_cell: AtlasCell, known: dict[str, Any]) -> None:
    """What was published of a cell's range: its magic is checked; that none is smaller is not."""
    published = known[atlas_cell.piece][atlas_cell.square]
    if "c_range" not in published or atlas_cell.bits != published["c"]:
        return
    magic, largest = published["c_magic"], published["c_range"]
    piece, square, _ = atlas_cell.key
    cell = square_cell(SCHEMES["white"], piece, square, atlas_cell.bits)
    if largest_indexes(cell, [int(magic, 16)]) != [largest]:
        raise SystemExit(f"{cell}: the largest index of {magic} is not {largest}")
    ours = atlas_cell.range
    if ours is not None and (ours.largest < largest or ours.least > largest):
        raise SystemExit(f"{cell}: published is {largest}, which {ours} contradicts")
    source = source_of(known)
    if ours is None:
        ours = Range(largest=largest, magic=magic, least=0)
    ours.largest, ours.magic, ours.source = largest, magic, source
    atlas_cell.range = ours
    renew_range(atlas, atlas_cell, ours)
    if not ours.is_smallest:
        ours.claim = f"smallest in {source}"


def source_of(known: dict[str, Any]) -> str:
    """Where the published results are from."""
    return str(known["source"]).split(";")[0].split(", with")[0]


def seconds_of(terms: Terms) -> float:
    if len(terms.attack) <= 128:
        return choose_plan(terms, budget=1).seconds
    # Planning takes long with many occupancies, and rooks want the number line anyway.
    best = sample(terms, build_plan(terms, mask_bits(terms), 1, 8, 0), 64, seed=1)
    for plan in chain_plans(terms):
        other = sample(terms, plan, 64, seed=1, limit=best.seconds if best else math.inf)
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
        known = atlas.cells.get((*slider_of(cell).piece_square, -cell.bits))
        if known is not None and known.certificate == name:
            continue
        write_certificate(TABLES / name, work, ledger.results(cell))
        atlas_cell = atlas_cell_of(cell, summary, TABLES, name)
        first = known if known is not None and known.finder else None
        if first is None or (atlas_cell.state == "exists") != (first.state == "exists"):
            atlas_cell.finder, atlas_cell.published, atlas_cell.source = (
                US,
                atlas_cell.date,
                "tables/atlas.toml",
            )
        else:
            atlas_cell.finder, atlas_cell.published, atlas_cell.source = (
                first.finder,
                first.published,
                first.source,
            )
            atlas_cell.magic = first.magic
        atlas.put(atlas_cell)


if __name__ == "__main__":
    main(*sys.argv[1:])
