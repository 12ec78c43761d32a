"""Certificates, checked; and the atlas of what is known."""

from os import PathLike

from magicert.api.asked import asking, path_of
from magicert.atlas import Atlas
from magicert.atlas import read_atlas as read
from magicert.data import tables_folder
from magicert.requests.check import Check, CheckedCertificate


def _checked(found: CheckedCertificate, _: Check) -> CheckedCertificate:
    return found


check = asking("check", Check, _checked)


def read_atlas(path: str | PathLike[str] | None = None) -> Atlas:
    """What is known of every cell of the white scheme: the atlas that ships, or another file.

    Iterating gives its entries; `best(piece, square)` is the magic with the fewest bits,
    `bound(piece, square)` the impossible cell with the most. Raises InputError for what is none.
    """
    return read(tables_folder() / "atlas.toml" if path is None else path_of(path))


__all__ = ["CheckedCertificate", "check", "read_atlas"]
