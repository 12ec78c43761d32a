"""The tables that magicert ships: measured, with their provenance."""

from dataclasses import dataclass, fields
from pathlib import Path

from magicert.data import find_table
from magicert.problem import InputError, Problem
from magicert.table import read_table
from magicert.verify.table.verifier import verify


@dataclass(frozen=True, slots=True)
class Shipped:
    """One table. `slots` and `used` are of the verification, not what the file says; `formula`
    has all pieces' where they differ.
    """

    key: str
    name: str
    verdict: str
    slots: int
    used: int
    board: str
    order: str
    formula: str
    provenance: dict[str, str | int]
    file: str


def list_tables(paths: dict[str, Path], only: str | None = None) -> list[Shipped]:
    """Verify the tables of these names, or one of them. InputError where there is none such."""
    if only is not None and only not in paths:
        find_table(only)  # the error for a name that is none
        raise InputError([Problem("a file: magicert verify tells about it", file=only)])
    return [_measured(key, path) for key, path in paths.items() if only in (None, key)]


def _measured(key: str, path: Path) -> Shipped:
    file = read_table(path)
    report = verify(file)
    origin = file.table.provenance
    known = {field.name: getattr(origin, field.name) for field in fields(origin)}
    return Shipped(
        key=key,
        name=file.table.name,
        verdict=report.verdict,
        slots=sum(buffer.length for buffer in report.buffers),
        used=sum(buffer.slots_used for buffer in report.buffers),
        board=report.board,
        order=file.table.order,
        formula=" / ".join(dict.fromkeys(report.formulas.values())),
        provenance={name: value for name, value in known.items() if value not in ("", None)},
        file=str(path),
    )
