"""Files that are written whole or not at all: a reader, or a kill, never meets half of one."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp


def write_whole(path: Path, data: bytes | str) -> None:
    """Write `data` (text as UTF-8) beside `path`, then put it in its place.

    A link stays one: what it leads to is written. An older file's permissions stay, too. What is
    no file (a device, a pipe) is written straight into.

    Raises OSError that names `path`; then, or if interrupted, nothing is left of what was written.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _put(path.resolve(), content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_precious(path: Path, data: bytes | str) -> None:
    """As `write_whole`, for what took long to make: where `path` cannot be written it is kept in
    the folder for temporary files, and the OSError says so.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        with suppress(OSError):
            kept = Path(mkdtemp(prefix="magicert-")) / path.name
            write_whole(kept, data)
            error.strerror = f"{error.strerror}; kept in {kept}"
        raise


def _put(path: Path, content: bytes) -> None:
    # Named after this process: another one may write the same file, or have left half of one.
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if path.exists():
            part.chmod(path.stat().st_mode & 0o7777)
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
