"""What packing came to."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.outcome import Impossible, Unknown
from magicert.problem import printable
from magicert.requests.packing.pack import PackFound
from magicert.requests.packing.shared import AnyPack, Found, Interrupted
from magicert.show.buffers import write_map
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.requests.pack import PackOutcome

Lines = Callable[[Found, str, str], Iterator[str]]
"""Lines about what was found, the name of the output, and that of the picture."""
Figures = Callable[[Found], Mapping[str, Any]]


def packing_document(
    outcome: "PackOutcome", asked: AnyPack, lines: Lines, figures: Figures
) -> PlainDocument:
    """What came of it, with a drawing of the buffer beside the table. `lines` and `figures` say
    what was found, as text and as data.
    """
    picture = write_map(asked.path) if isinstance(outcome, Found) else None
    return PlainDocument(
        _lines(outcome, asked, picture, lines), lambda: _document(outcome, asked, picture, figures)
    )


def _lines(
    outcome: "PackOutcome", asked: AnyPack, picture: Path | None, lines: Lines
) -> Iterator[str]:
    output = printable(asked.path)
    match outcome:
        case Impossible():
            yield f"IMPOSSIBLE {outcome.argument}"
            return
        case Unknown():
            yield f"UNKNOWN {outcome.reason}"
            return
        case Interrupted():
            before = "interrupted before there was a layout"
            yield _resumes(output) if outcome.on_disk else before
            return
    yield from lines(outcome, output, printable(picture))
    if outcome.stopped == "interrupted":
        yield _resumes(output)
    elif not outcome.within_limit:
        yield f"UNKNOWN {outcome.shortfall}"


def _resumes(output: str) -> str:
    return f"interrupted: {output} has the best so far (--resume goes on)"


def plain_lines(packed: Found, output: str, picture: str) -> Iterator[str]:
    """What came of packing a plain table."""
    assert isinstance(packed, PackFound)
    layout = packed.layout
    yield (
        f"{output}: {layout.length:,} entries ({layout.scheme}), from {packed.first:,}; "
        f"{layout.used_slots:,} used, {layout.holes:,} holes, "
        f"{layout.used_slots / layout.length:.1%} full"
    )
    yield (
        f"  {packed.rounds} rounds, stopped: {packed.stopped}; these magics cannot go below "
        f"{layout.least:,}, no magics below {packed.bound:,}"
    )
    if packed.exact is not None:
        yield f"  {packed.exact}"
    yield f"  {picture}: a map of the buffer"
    if packed.second is not None:
        second = packed.second
        yield f"{printable(second.path)}: {second.bytes:,} bytes in both levels"
    if packed.anew is not None:
        if packed.anew:
            yield "  the given squares share no entries: packed afresh with their scheme and shifts"
        else:
            yield "  no improvement found yet: try a longer --budget"
    if packed.shorter is not None:
        name, length = packed.shorter
        yield f"  shorter: {name}, which ships, has {length:,} entries"


def _document(
    outcome: "PackOutcome", asked: AnyPack, picture: Path | None, figures: Figures
) -> dict[str, Any]:
    """The outcome ("packed", "interrupted", "impossible", "unknown"), and the table if any."""
    if isinstance(outcome, Impossible):
        return {"outcome": "impossible", "argument": outcome.argument}
    if isinstance(outcome, Unknown):
        return {"outcome": "unknown", "reason": outcome.reason}
    if isinstance(outcome, Interrupted):
        saved = str(asked.path) if outcome.on_disk else None
        return {"outcome": "interrupted", "output": saved}
    word = "packed" if outcome.within_limit else "unknown"
    if outcome.stopped == "interrupted":
        word = "interrupted"
    rest = {
        "rounds": outcome.rounds,
        "stopped": outcome.stopped,
        "limit": outcome.limit,
        "picture": picture and str(picture),
    }
    return {"outcome": word, "output": str(asked.path), **figures(outcome), **rest}


def plain_figures(outcome: Found) -> dict[str, Any]:
    """The same as data."""
    layout = outcome.layout
    assert isinstance(outcome, PackFound)
    second, shorter = outcome.second, outcome.shorter
    return {
        "scheme": layout.scheme,
        "entries": layout.length,
        "used": layout.used_slots,
        "holes": layout.holes,
        "first": outcome.first,
        "bound": outcome.bound,
        "exact": None if outcome.exact is None else str(outcome.exact),
        "two_level": second and {"output": str(second.path), "bytes": second.bytes},
        "shorter": shorter and {"table": shorter[0], "entries": shorter[1]},
    }
