"""What is wrong with a table, on boards: the positions side by side, what differs marked."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from magicert.board import Piece, parse_square
from magicert.draw.board import slider_board
from magicert.draw.markup import element
from magicert.draw.page import figure
from magicert.verify.table.report import Finding, Lookup, Report

MOST = 40
"""Findings with boards; the certificate has all of them."""


def findings(report: Report, places: Sequence[Sequence[str]] = ()) -> Iterator[Element]:
    """Every finding in words, the first MOST with boards; `places` says where in a source the
    numbers of each are.
    """
    if not report.findings:
        return
    yield element("h2", f"What is wrong: {len(report.findings)} findings")
    for number, finding in enumerate(report.findings[:MOST]):
        yield from _finding(finding, places[number] if places else ())
    if len(report.findings) > MOST:
        rest = len(report.findings) - MOST
        yield element("p", f"... and {rest} more, which magicert verify --full shows.")


def _finding(finding: Finding, places: Sequence[str]) -> Iterator[Element]:
    where = " and ".join(finding.squares)
    yield element("h3", where or finding.kind)
    yield element("p", finding.message)
    for place in places:
        yield element("p", place, class_="quiet")
    if finding.lookups:
        boards = finding_boards(finding)
        captions = [_caption(lookup) for lookup in finding.lookups]
        drawn = [figure(*pair) for pair in zip(boards, captions, strict=True)]
        yield element("div", *drawn, class_="pair")


def finding_boards(finding: Finding) -> list[Element]:
    """A board for each position of a finding; what only one of them attacks is marked on it."""
    sets = [set(map(parse_square, lookup.attacked)) for lookup in finding.lookups]
    common = set.intersection(*sets)
    differing = [attacked - common if len(sets) > 1 else set() for attacked in sets]
    return [
        slider_board(
            Piece(lookup.piece).value[0].upper(),
            parse_square(lookup.square),
            set(map(parse_square, lookup.blockers)),
            attacked,
            differs,
        )
        for lookup, attacked, differs in zip(finding.lookups, sets, differing, strict=True)
    ]


def _caption(lookup: Lookup) -> str:
    blockers = " ".join(lookup.blockers) or "none"
    return (
        f"{lookup.piece} {lookup.square}, blockers {blockers}: index {lookup.index:,}, "
        f"slot {lookup.slot:,}; occupancy {lookup.occupancy}, attack set {lookup.attacks}"
    )
