"""A packed table as a file, which every lookup is verified for first."""

import hashlib
from dataclasses import replace
from pathlib import Path

from magicert.system.whole_file import write_whole, write_with
from magicert.table import (
    Table,
    parse_table,
)
from magicert.table.write import file_text
from magicert.verify.table.report import Report, to_json
from magicert.verify.table.verifier import verify


class NotValidError(AssertionError):
    """A layout that did not survive verification: a fault in the packer, never in the input."""


def publish(table: Table, path: Path) -> Report:
    """Verify a table, then write it and its certificate in one step each.

    A reader, or whoever kills this process, never sees half a file or an invalid one, nor the
    certificate of another table beside it. Raises NotValidError with the findings.
    """
    data = file_text(table).encode()
    report = verify(parse_table(data, path))
    if report.verdict != "valid":
        findings = "; ".join(finding.message for finding in report.findings[:3])
        raise NotValidError(f"{path.name} would be {report.verdict}: {findings}")
    write_with(path, data, path.with_suffix(".certificate.json"), to_json(report))
    return report


def publish_levels(table: Table, numbers: bytes, words: bytes, path: Path) -> None:
    """Write a table of two levels in two finished buffers, verified, with its certificate; the
    table says everything but their names.

    The buffers get names of their own each time, so that the file on disk always finds those that
    belong to it. Those that it had before are removed. Raises NotValidError, and leaves everything
    as it was, where the table would not be valid.
    """
    assert table.two_level is not None
    digest = hashlib.sha256(numbers + words).hexdigest()[:8]
    names = [f"{path.stem}.{digest}.{level}.bin" for level in ("numbers", "words")]
    before = buffers_named(path)
    levels = replace(table.two_level, literal_words=names[1])
    for name, data in zip(names, (numbers, words), strict=True):
        write_whole(path.with_name(name), data)
    try:
        publish(replace(table, literal=names[0], two_level=levels), path)
    except BaseException:
        _remove(path, set(names) - before)
        raise
    _remove(path, before - set(names))


def buffers_named(path: Path) -> set[str]:
    """The buffers of an earlier run that a table file names: beside it, by names like ours."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return set()
    here = path.parent.glob(f"{path.stem}.????????.*.bin")
    return {file.name for file in here if f'"{file.name}"' in text}


def _remove(path: Path, names: set[str]) -> None:
    for name in names:
        path.with_name(name).unlink(missing_ok=True)
