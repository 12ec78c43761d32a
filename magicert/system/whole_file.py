"""Files that are written whole or not at all: a reader, or a kill, never meets half of one."""

from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write `data` (text as UTF-8) beside `path`, then put it in its place.

    Raises OSError that names `path`; then nothing is left of what was written.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
