"""A table from wherever it stands: a table file, an engine's source, or a folder with one."""

import hashlib
from dataclasses import replace
from pathlib import Path

from magicert.jobs.read_sources import is_source, judge_sources
from magicert.jobs.watch import Unseen, Watch
from magicert.problem import InputError, Problem, listed
from magicert.table import parse_table, read_table
from magicert.table.read import TableFile
from magicert.table.write import table_toml
from magicert.verify.table.budget import MAX_LOOKUPS


def table_from(path: Path, watch: Watch = Unseen) -> TableFile:
    """Read a table. A source's is read and verified, and must have one reading that certifies.

    Raises InputError where there is none, or several; `magicert import` then helps to choose.
    """
    if path.is_dir():
        path = _only_file(path)
    if not is_source(path):
        return read_table(path)
    (checked,) = judge_sources([path], None, MAX_LOOKUPS, watch)
    if isinstance(checked.result, InputError):
        raise checked.result
    readings = checked.result.valid
    if len(readings) != 1 or checked.verdict != "valid":
        found = f"{len(readings)} readings of it certify" if readings else "no reading certifies"
        message = f"{found}: magicert verify shows why, magicert import writes the one you choose"
        raise InputError([Problem(message, file=str(path))])
    read = parse_table(table_toml(readings[0].table).encode(), path)
    return replace(read, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def _only_file(folder: Path) -> Path:
    from magicert.jobs.verify_tables import files_below

    below = files_below(folder)
    found = [*below.tables, *below.sources]
    if not found:
        raise below.nothing
    if len(found) > 1:
        names = listed([str(path.relative_to(folder)) for path in found])
        message = f"{len(found)} tables or sources in this folder: expected one of them: {names}"
        raise InputError([Problem(message, file=str(folder))])
    return found[0]
