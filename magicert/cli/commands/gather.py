"""`magicert gather`: 32-bit bit gatherers for lines of the board."""

from dataclasses import dataclass

from magicert.cli.declared import Json, asks
from magicert.requests.gather import Gather, GatherAnswer
from magicert.requests.request import Given, option
from magicert.show.document import PlainDocument


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is shown besides."""

    draw: bool = option(False, "Draw where each square falls in the folded word.")


@asks("gather", Gather, Drawn, Json)
def command(asked: Gather, found: GatherAnswer, given: Given) -> PlainDocument:
    """Gather the squares of a line into an index by one 32-bit multiplication.

    The index is ((rol32(hi, r) | lo) * C) >> s & (2^bits - 1), or the same with lo rotated.
    LINE is ranks, files, diagonals, antidiagonals, all, or one line by its ends. One gatherer
    must serve all lines given. Of r, C and s, what is not given is found or proved not to exist.

        magicert gather a8-h1 --rotated hi --rotate 8 --constant 0x401041 --shift 22
        magicert gather diagonals antidiagonals --inner --bits 6
        magicert gather all --inner --bits 6

    Exit status: 0 found or valid, 1 none exists or invalid, 2 bad input, 3 unknown.
    """
    from magicert.show.gatherer import gather_document

    return gather_document(found, draw=given["draw"])
