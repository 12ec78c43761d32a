"""Files that are written whole or not at all: a reader, or a kill, never meets half of one."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
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
            spare = Path(mkdtemp(prefix="magicert-")) / path.name
            write_whole(spare, data)
            error.strerror = f"{error.strerror}; kept in {spare}"
        raise


def write_with(path: Path, data: bytes | str, about: Path, saying: bytes | str) -> None:
    """As `write_whole`, and beside it a file that says something about it. Where there is no room
    for both, as on a full disk, both stay as they were; and never does an older `about` stand
    beside the new file.
    """
    if any(target.exists() and not target.is_file() for target in (path, about)):
        write_whole(path, data)
        write_whole(about, saying)
        return
    targets = {path.resolve(): data, about.resolve(): saying}
    try:
        with ExitStack() as parts:
            written = [(parts.enter_context(_part(to, text)), to) for to, text in targets.items()]
            about.resolve().unlink(missing_ok=True)
            for part, target in written:
                part.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _put(path: Path, content: bytes) -> None:
    with _part(path, content) as part:
        part.replace(path)


@contextmanager
def _part(path: Path, content: bytes | str) -> Iterator[Path]:
    """The content in a file beside `path`, with its permissions: gone where nobody moved it.

    It is named after this process: another one may write the same file, or have left half of one.
    """
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        if path.exists():
            part.chmod(path.stat().st_mode & 0o7777)
        yield part
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
