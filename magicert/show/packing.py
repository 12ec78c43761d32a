"""What packing came to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.outcome import Impossible, Unknown
from magicert.problem import printable
from magicert.requests.packing.layered import PackedInLayers
from magicert.requests.packing.overlaid import Overlaid
from magicert.requests.packing.pack import PackFound
from magicert.requests.packing.shared import Found, Interrupted
from magicert.show.buffers import write_map
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.requests.pack import Pack, PackOutcome


def packing_document(outcome: "PackOutcome", asked: "Pack") -> PlainDocument:
    """What came of it, with a drawing of the buffer beside the table."""
    picture = write_map(asked.path) if isinstance(outcome, Found) else None
    return PlainDocument(
        _lines(outcome, asked, picture), lambda: _document(outcome, asked, picture)
    )


def _lines(outcome: "PackOutcome", asked: "Pack", picture: Path | None) -> Iterator[str]:
    output = printable(asked.path)
    match outcome:
        case Impossible():
            yield f"IMPOSSIBLE {outcome.argument}"
            return
        case Unknown():
            yield f"UNKNOWN {outcome.reason}"
            return
        case PackFound():
            yield from _plain(outcome, output, picture)
        case PackedInLayers():
            layout = outcome.layout
            yield (
                f"{output}: {layout.length:,} entries (layered, {layout.scheme}); "
                f"{outcome.used:,} used; {outcome.rounds} rounds, stopped: {outcome.stopped}"
            )
            yield f"  {printable(picture)}: a map of the buffer"
        case Overlaid():
            yield (
                f"{output}: {outcome.bytes:,} bytes in both levels ({outcome.layout.scheme}): "
                f"{outcome.entries:,} entries, {outcome.words:,} words"
            )
            yield (
                f"  a word serves {outcome.demand / outcome.words:.1f} attack sets, "
                f"{128 - outcome.parties} pairs of rooks share bytes; "
                f"{outcome.rounds} rounds, stopped: {outcome.stopped}"
            )
            yield f"  {printable(picture)}: a map of the bytes"
        case Interrupted():
            what = "table" if asked.is_overlaid else "layout"
            before = f"interrupted before there was a {what}"
            yield _resumes(output) if outcome.on_disk else before
            return
    if outcome.stopped == "interrupted":
        yield _resumes(output)
    elif not outcome.within_limit:
        yield _too_long(outcome)


def _resumes(output: str) -> str:
    return f"interrupted: {output} has the best so far (--resume goes on)"


def _too_long(outcome: Found) -> str:
    if isinstance(outcome, Overlaid):
        return (
            f"UNKNOWN at most {outcome.limit:,} bytes: the best found has {outcome.bytes:,}; "
            "no proof that none has fewer"
        )
    return (
        f"UNKNOWN at most {outcome.limit:,} entries: the shortest found has "
        f"{outcome.layout.length:,}; no proof that none is shorter"
    )


def _plain(packed: PackFound, output: str, picture: Path | None) -> Iterator[str]:
    layout = packed.layout
    yield (
        f"{output}: {layout.length:,} entries ({layout.scheme}), from {packed.first:,}; "
        f"{layout.used_slots:,} used, {layout.holes:,} holes, "
        f"{layout.used_slots / layout.length:.1%} full"
    )
    yield (
        f"  {packed.rounds} rounds, stopped: {packed.stopped}; these magics cannot go below "
        f"{layout.used_slots:,}, no magics below {packed.bound:,}"
    )
    if packed.exact is not None:
        yield f"  {packed.exact}"
    yield f"  {printable(picture)}: a map of the buffer"
    if packed.second is not None:
        second = packed.second
        yield f"{printable(second.path)}: {second.bytes:,} bytes in both levels"
    if packed.anew is not None:
        came = "packed from nothing" if packed.anew else "a start from nothing was not shorter yet"
        yield f"  the given squares share nothing: {came} (same scheme and shifts)"
    if packed.shorter is not None:
        name, length = packed.shorter
        yield f"  shorter: {name}, which ships, has {length:,} entries"


def _document(outcome: "PackOutcome", asked: "Pack", picture: Path | None) -> dict[str, Any]:
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
    return {"outcome": word, "output": str(asked.path), **_figures(outcome), **rest}


def _figures(outcome: Found) -> dict[str, Any]:
    if isinstance(outcome, Overlaid):
        return {
            "scheme": outcome.layout.scheme,
            "bytes": outcome.bytes,
            "entries": outcome.entries,
            "words": outcome.words,
        }
    layout = outcome.layout
    if isinstance(outcome, PackedInLayers):
        return {"scheme": layout.scheme, "entries": layout.length, "used": outcome.used}
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
