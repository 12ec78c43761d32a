"""How long tables take, as a document."""

from collections.abc import Sequence

from magicert.compact.timing.speeds import Speed
from magicert.show.document import PlainDocument

UNSTEADY = 0.1
"""From which part on a median turn that took longer than the best is worth a warning."""


def speeds_document(speeds: Sequence[Speed]) -> PlainDocument:
    """Tables alone: the best of all turns."""
    wide = max(len(speed.name) for speed in speeds)
    heads = "  ".join(f"{f'ns {kind}':>9}  {'median':>6}" for kind in speeds[0].nanoseconds)
    lines = [f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  {heads}"]
    for s in speeds:
        shown = [f"{s.name:<{wide}}  {s.entries:>9,}  {s.bytes / 1024:>7,.1f}"]
        shown += [f"{best:>9.2f}  {s.medians[kind]:>6.2f}" for kind, best in s.nanoseconds.items()]
        lines.append("  ".join(shown))
    unsteady = max(speed.unsteady for speed in speeds)
    if unsteady > UNSTEADY:
        lines += [
            f"warning: a median turn took {unsteady:.0%} longer than the best: other work on this",
            "machine? Measure when it is quiet, or with more --turns",
        ]
    told = [
        {
            "table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds,
            "median_ns": s.medians,
        }
        for s in speeds
    ]  # fmt: skip
    return PlainDocument(lines, lambda: told)
