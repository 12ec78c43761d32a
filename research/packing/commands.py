"""Packing tables that are not plain: several squares in an entry, or in a word."""

from collections.abc import Iterator, Mapping
from typing import Any

from magicert.cli.declared import Force, Json, asks
from magicert.requests.packing.shared import Found
from magicert.requests.request import Given
from magicert.show.document import PlainDocument
from magicert.show.packing import packing_document
from research.packing.layered_job import PackedInLayers
from research.packing.overlaid_job import Overlaid
from research.packing.question import LayeredPack, OverlaidPack


@asks("layered", LayeredPack, Json, Force)
def layered(asked: LayeredPack, outcome: Any, given: Given) -> PlainDocument:  # noqa: ANN401
    """Pack several squares into one entry: attacks = entry & line (research/packing/layered.md).

    The best table so far is always on disk, verified, with its certificate.

        python -m research.packing layered --budget 10m -o layered.toml
        python -m research.packing layered --from layered_48036 --budget 1h -o smaller.toml

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    return packing_document(outcome, asked, layered_lines, layered_figures)


def layered_lines(found: Found, output: str, picture: str) -> Iterator[str]:
    """What came of it."""
    assert isinstance(found, PackedInLayers)
    layout = found.layout
    yield (
        f"{output}: {layout.length:,} entries (layered, {layout.scheme}); "
        f"{found.used:,} used; {found.rounds} rounds, stopped: {found.stopped}"
    )
    yield f"  {picture}: a map of the buffer"


def layered_figures(found: Found) -> Mapping[str, Any]:
    """The same as data."""
    assert isinstance(found, PackedInLayers)
    layout = found.layout
    return {"scheme": layout.scheme, "entries": layout.length, "used": found.used}


@asks("overlaid", OverlaidPack, Json, Force)
def overlaid(asked: OverlaidPack, outcome: Any, given: Given) -> PlainDocument:  # noqa: ANN401
    """Pack into two levels: bytes, and words that several squares share
    (research/packing/layered.md).

    The best table so far is always on disk, verified, with its certificate.

        python -m research.packing overlaid --budget 20m -o levels.toml
        python -m research.packing overlaid --from two_level_79593 --resume --budget 1h -o x.toml

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    return packing_document(outcome, asked, overlaid_lines, overlaid_figures)


def overlaid_lines(found: Found, output: str, picture: str) -> Iterator[str]:
    """What came of it."""
    assert isinstance(found, Overlaid)
    yield (
        f"{output}: {found.bytes:,} bytes in both levels ({found.layout.scheme}): "
        f"{found.entries:,} entries, {found.words:,} words"
    )
    yield (
        f"  a word serves {found.demand / found.words:.1f} attack sets, "
        f"{128 - found.parties} pairs of rooks share bytes; "
        f"{found.rounds} rounds, stopped: {found.stopped}"
    )
    yield f"  {picture}: a map of the bytes"


def overlaid_figures(found: Found) -> Mapping[str, Any]:
    """The same as data."""
    assert isinstance(found, Overlaid)
    return {
        "scheme": found.layout.scheme,
        "bytes": found.bytes,
        "entries": found.entries,
        "words": found.words,
    }
