"""`magicert atlas`: what is known, square by square, and how to learn more."""

from magicert.cli.declared import Force, Json, asks
from magicert.requests.atlas import AtlasRead, AtlasRequest, Entered, SettledCells
from magicert.requests.request import Given
from magicert.show.document import PlainDocument


@asks("atlas", AtlasRequest, Json, Force)
def command(
    asked: AtlasRequest, found: AtlasRead | Entered | SettledCells, given: Given
) -> PlainDocument:
    """Show what is known about every square's magics, or find out more.

    For example:

        magicert atlas
        magicert atlas --ranges
        magicert atlas --scheme black
        magicert atlas --html atlas.html
        magicert atlas --settle --budget 2h
        magicert atlas --atlas atlas.toml --settle --only bishop:d6 --budget 30m

    Exit status: 0, 2 bad input, or 3 if the budget ended before the open cells did.
    """
    from magicert.show.atlas import atlas_document

    if asked.html is not None and isinstance(found, AtlasRead):
        from magicert.show.atlas_page import atlas_page
        from magicert.system.whole_file import write_whole

        write_whole(asked.html, atlas_page(found.atlas, found.folder))
    return atlas_document(asked, found)
