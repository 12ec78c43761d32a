"""The positions of a finding, to be drawn."""

from collections.abc import Iterator

from magicert.board import CHESS, Board
from magicert.drawing.boards import Diagram
from magicert.verify.table.report import Finding, Lookup


def diagrams(finding: Finding, on: Board = CHESS) -> Iterator[Diagram]:
    """The positions of a finding; what only one of them attacks differs."""
    sets = [frozenset(map(on.parse, lookup.attacked)) for lookup in finding.lookups]
    common = frozenset[int]().union(*sets).intersection(*sets)
    for lookup, attacked in zip(finding.lookups, sets, strict=True):
        yield Diagram(
            lookup.piece, on.parse(lookup.square), frozenset(map(on.parse, lookup.blockers)),
            attacked,
            (
                f"{lookup.piece} {lookup.square}, slot {lookup.slot}",
                f"occupancy {lookup.occupancy}",
                f"attacks   {lookup.attacks}",
            ),
            _caption(lookup), attacked - common if len(sets) > 1 else frozenset(), on,
        )  # fmt: skip


def _caption(lookup: Lookup) -> str:
    blockers = " ".join(lookup.blockers) or "none"
    # A number of more than 64 bits is a hexadecimal text already.
    index, slot = (n if isinstance(n, str) else f"{n:,}" for n in (lookup.index, lookup.slot))
    return (
        f"{lookup.piece} {lookup.square}, blockers {blockers}: index {index}, slot {slot}; "
        f"occupancy {lookup.occupancy}, attack set {lookup.attacks}"
    )
