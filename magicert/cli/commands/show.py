"""`magicert show`: one square's mask, attack set, index and slot, as boards."""

from itertools import takewhile

import click

from magicert.cli.declared import Force, Json, asks
from magicert.requests.request import Given
from magicert.requests.show import PieceShown, Show
from magicert.show.document import PlainDocument


class SquaresBehind(click.Command):
    """`--layouts e4 d5` is `--layouts e4,d5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--layouts" in args:
            first = args.index("--layouts") + 1
            squares = list(takewhile(lambda word: not word.startswith("-"), args[first:]))
            args[first : first + len(squares)] = [",".join(squares)] if squares else []
        return super().parse_args(ctx, args)


@asks("show", Show, Force, Json, cls=SquaresBehind)
def command(asked: Show, shown: PieceShown, given: Given) -> PlainDocument:
    """Show a piece's mask and attack set, and where a table looks them up.

    For example:

        magicert show rook e4
        magicert show bishop c1 --occupancy e3,b2 --table shakmaty
        magicert show rook e4 --occupancy e6 --svg rook.svg
        magicert show cannon e4 --table pikafish_cannon --occupancy e6,e9
        magicert show pNN f5 --board 12x10
        magicert show --layouts e4 d5
        magicert show --layouts 0x8100000000000081

    Exit status: 0, or 2 for bad input.
    """
    from magicert.show.piece import shown_document, write_picture

    if asked.svg is not None and shown.piece is not None:
        write_picture(asked.svg, shown.piece)
    return shown_document(shown)
