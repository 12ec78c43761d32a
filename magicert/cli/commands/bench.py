"""`magicert bench`: ns per lookup of several tables, in one run."""

from typing import TYPE_CHECKING

from magicert.cli.declared import Json, asks
from magicert.requests.bench import Bench
from magicert.requests.request import Given
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.compact.timing.speeds import Speed


@asks("bench", Bench, Json)
def command(asked: Bench, measured: "list[Speed]", given: Given) -> PlainDocument:
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    For example:

        magicert bench stockfish21_64 cfish_plain cfish_black black

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown, and the median; a warning where they lie far apart.
    Needs cc, gcc or clang.

    Exit status: 0 done, 2 bad input or no compiler.
    """
    from magicert.show.speeds import speeds_document

    return speeds_document(measured)
