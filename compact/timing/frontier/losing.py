"""Where tables lose, in words."""

from collections.abc import Sequence

from magicert.compact.timing.frontier.figures import Measure, Measured

SMALL = 16 << 10
"""Bytes of the largest way that counts as one without a table."""


def losing(ways: Sequence[Measured], measures: Sequence[Measure]) -> list[str]:
    """For each measure, how the tables stand against the fastest way that hardly needs one."""
    return [_standing(ways, measure) for measure in measures]


def _standing(ways: Sequence[Measured], measure: Measure) -> str:
    by_time = sorted(ways, key=lambda way: way.ns(measure))
    tables = [way for way in by_time if way.bytes > SMALL]
    small = [way for way in by_time if way.bytes <= SMALL]
    if not tables or not small:
        return f"{measure.how}: nothing to compare"
    slower = sum(way.ns(measure) > small[0].ns(measure) for way in tables)
    against = _told(small[0], measure)
    if slower == len(tables):
        return f"{measure.how}: all {slower} tables lose to {against}"
    some = f"{slower} of {len(tables)} tables lose" if slower else "no table loses"
    return f"{measure.how}: the fastest is {_told(tables[0], measure)}; {some} to {against}"


def _told(way: Measured, measure: Measure) -> str:
    return f"{way.title} ({way.bytes:,} bytes, {way.ns(measure):.1f} ns)"
