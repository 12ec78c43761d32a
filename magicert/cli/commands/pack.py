"""`magicert pack`: the smallest buffer that can be found in a given time."""

from typing import TYPE_CHECKING

from magicert.cli.declared import Force, Json, asks
from magicert.requests.pack import Pack
from magicert.requests.request import Given
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.requests.pack import PackOutcome


@asks("pack", Pack, Json, Force)
def command(asked: Pack, outcome: "PackOutcome", given: Given) -> PlainDocument:
    """Pack all attack sets into the smallest shared buffer that the budget allows.

    The best layout so far is always on disk, verified, with its certificate. What is there
    already stays, but for --resume and --force. The same seed, workers and rounds give the
    same layout; --budget only limits the rounds.

        magicert pack --budget 10m --workers 2
        magicert pack --scheme white --budget 1h -o mine.toml
        magicert pack --from shakmaty --budget 1h -o shorter.toml
        magicert pack --from mine.toml --resume --budget 8h -o mine.toml

    Without --from the first layout takes some minutes: allow at least ten.

    Exit status: 0 done (and within --limit), 1 proved impossible, 2 bad input,
    3 not found in this budget, or interrupted.
    """
    from magicert.show.packing import packing_document, plain_figures, plain_lines

    return packing_document(outcome, asked, plain_lines, plain_figures)
