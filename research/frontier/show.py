"""Bytes against time, as a table: small ways first, and who stands on the frontier."""

from collections.abc import Iterator

from research.frontier.figures import (
    KINDS,
    TOUCHED,
    Measure,
    Measured,
    Survey,
    frontier,
    losing,
    unsteady,
)


def survey_lines(survey: Survey, piece: str, positions: str) -> Iterator[str]:
    """A run as text, for one piece and one kind of positions."""
    yield from _machine(survey)
    measures = [Measure(piece, positions, kind, touched) for kind in KINDS for touched in TOUCHED]
    if survey.ways:
        yield ""
        yield f"ns a lookup: {piece}, {_named(positions)}. KiB: other data touched between lookups."
        yield "* = no other is both smaller and faster. Squares: masks, magics, offsets."
        yield from _rows(survey.ways, measures)
        yield ""
        yield from filter(None, [unsteady(survey.ways, measures), survey.machine.busy])
        yield from losing(survey.ways, measures)
    for way in survey.left_out:
        yield f"left out: {way.title}: {way.why}"


def _named(positions: str) -> str:
    return "positions around played games" if positions == "games" else "random positions"


def _machine(survey: Survey) -> Iterator[str]:
    machine = survey.machine
    caches = ", ".join(f"{name} {size:,} KiB" for name, size in machine.caches_kib.items())
    yield f"{machine.processor} ({machine.system}); caches: {caches or 'not said by the system'}"
    yield f"{machine.compiler}, {machine.flags}"
    if survey.ways:
        turns = sorted({way.repetitions for way in survey.ways})
        shown = " to ".join(map(str, turns))
        lookups = min(way.lookups for way in survey.ways)
        yield f"{survey.date}: medians of {shown} repetitions, in turns. Before it was timed, each"
        yield f"way was checked on all occupancies of all masks, {lookups:,} lookups"


def _rows(ways: list[Measured], measures: list[Measure]) -> Iterator[str]:
    wide = max(len(way.title) for way in ways)
    best = {measure: frontier(ways, measure) for measure in measures}
    kinds = "  ".join(f"{kind:-^{8 * len(TOUCHED) - 1}}" for kind in KINDS)
    heads = [f"{touched} KiB" if touched else "warm" for touched in TOUCHED]
    groups = "  ".join(" ".join(f"{head:>7}" for head in heads) for _ in KINDS)
    yield f"{'':<{wide}}  {'':>9}  {'of them':>7}  {'':>9}  {kinds}"
    yield f"{'':<{wide}}  {'bytes':>9}  {'squares':>7}  {'start':>9}  {groups}"
    for way in ways:
        cells = [
            f"{'~' * figure.wide + format(figure.ns, '.1f'):>6}{'*' if here else ' '}"
            for figure, here in (
                (way.figure(measure), way.name in best[measure]) for measure in measures
            )
        ]
        half = len(TOUCHED)
        figures = f"{' '.join(cells[:half])}  {' '.join(cells[half:])}".rstrip()
        start = f"{way.start_us:,.0f} us" if way.start_us else "finished"
        yield f"{way.title:<{wide}}  {way.bytes:>9,}  {way.square_bytes:>7,}  {start:>9}  {figures}"
