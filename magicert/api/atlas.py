"""The atlas for programs: what is known of every square's magics."""

from os import PathLike

from magicert.arguments import Arguments, path_of
from magicert.atlas import Atlas
from magicert.atlas import read_atlas as read_file
from magicert.data import atlas_path


def read_atlas(path: str | PathLike[str] | None = None) -> Atlas:
    """What is known of every cell of the white scheme: the atlas that ships, or another file.

    Iterating gives its cells; `best(piece, square)` is the magic with the fewest bits,
    `bound(piece, square)` the impossible cell with the most. Squares have a1 = 0.

        best = magicert.read_atlas().best("rook", 4)  # e1
        print(best.bits, best.magic)

    Raises InputError for a file that is no atlas.
    """
    arguments = Arguments()
    file = arguments.optional("path", path, path_of)
    arguments.refuse()
    return read_file(atlas_path() if file is None else file)
