"""What is wrong with a table, on boards: the positions side by side, what differs marked."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from magicert.board import CHESS, Board
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
    count = len(report.findings)
    yield element("h2", f"What is wrong: {count} finding{'' if count == 1 else 's'}")
    for number, finding in enumerate(report.findings[:MOST]):
        yield from _finding(finding, report.geometry, places[number] if places else ())
    if len(report.findings) > MOST:
        rest = len(report.findings) - MOST
        yield element("p", f"... and {rest} more, which magicert verify --full shows.")


def _finding(finding: Finding, on: Board, places: Sequence[str]) -> Iterator[Element]:
    where = " and ".join(finding.squares)
    yield element("h3", where or finding.kind)
    yield element("p", finding.message)
    for place in places:
        yield element("p", place, class_="quiet")
    if finding.lookups:
        boards = finding_boards(finding, on)
        captions = [_caption(lookup) for lookup in finding.lookups]
        drawn = [figure(*pair) for pair in zip(boards, captions, strict=True)]
        yield element("div", *drawn, class_="pair")


def finding_boards(finding: Finding, on: Board = CHESS) -> list[Element]:
    """A board for each position of a finding; what only one of them attacks is marked on it."""
    sets = [set(map(on.parse, lookup.attacked)) for lookup in finding.lookups]
    common = set.intersection(*sets)
    differing = [attacked - common if len(sets) > 1 else set() for attacked in sets]
    return [
        slider_board(
            lookup.piece[0].upper(),
            on.parse(lookup.square),
            set(map(on.parse, lookup.blockers)),
            attacked,
            differs,
            on,
        )
        for lookup, attacked, differs in zip(finding.lookups, sets, differing, strict=True)
    ]


def _caption(lookup: Lookup) -> str:
    blockers = " ".join(lookup.blockers) or "none"
    return (
        f"{lookup.piece} {lookup.square}, blockers {blockers}: index {_number(lookup.index)}, "
        f"slot {_number(lookup.slot)}; occupancy {lookup.occupancy}, attack set {lookup.attacks}"
    )


def _number(number: int | str) -> str:
    """A number with commas; one of more than 64 bits is a hexadecimal text already."""
    return number if isinstance(number, str) else f"{number:,}"
