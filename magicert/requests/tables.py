"""The tables that magicert ships: measured, with their provenance."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from magicert.data import find_table, tables_by_name, tables_folder
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.requests.request import Request, ShippedName, option

FIGURES = "figures.json"
"""In tables/: what verifying each table that ships came to, and the SHA-256 of what was read."""


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


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """What a verification came to, as long as these files, by name, have these SHA-256."""

    files: dict[str, str]
    figures: Shipped

    def holds(self, folder: Path) -> bool:
        return all(
            (folder / name).is_file() and digest((folder / name).read_bytes()) == known
            for name, known in self.files.items()
        )


@dataclass(frozen=True, slots=True)
class Tables(Request[list[Shipped]]):
    """The tables that ship, or one of them."""

    begins = ("tables",)
    name: str | None = option(
        None, kind=ShippedName(None, tables_by_name, str, files=False), argument=True
    )

    def exit_status(self, found: list[Shipped]) -> int:
        return 0

    def run(self, watch: Watch) -> list[Shipped]:
        return list_tables(tables_by_name(), self.name)


def list_tables(paths: dict[str, Path], only: str | None = None) -> list[Shipped]:
    """Verify the tables of these names, or one of them. InputError where there is none such."""
    if only is not None and only not in paths:
        find_table(only)  # the error for a name that is none
        raise InputError([Problem("is a file: use magicert verify", file=only)])
    known = measured_before()
    return [_shipped(key, path, known) for key, path in paths.items() if only in (None, key)]


def measured_before() -> dict[str, MeasuredTable]:
    """What ships of earlier verifications, by name."""
    import msgspec

    path = tables_folder() / FIGURES
    if not path.exists():
        return {}
    return msgspec.json.decode(path.read_bytes(), type=dict[str, MeasuredTable])


def _shipped(key: str, path: Path, known: dict[str, MeasuredTable]) -> Shipped:
    before = known.get(key)
    if before is not None and path.name in before.files and before.holds(path.parent):
        return replace(before.figures, file=str(path))
    return measure(key, path).figures


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def measure(key: str, path: Path) -> MeasuredTable:
    """Verify a table."""
    from magicert.table import read_table
    from magicert.verify.table.verifier import verify

    file = read_table(path)
    report = verify(file)
    figures = Shipped(
        key=key,
        name=file.table.name,
        verdict=report.verdict,
        slots=sum(buffer.length for buffer in report.buffers),
        used=sum(buffer.slots_used for buffer in report.buffers),
        board=report.board,
        order=file.table.order,
        formula=" / ".join(dict.fromkeys(report.formulas.values())),
        provenance=file.table.provenance.said,
        file=path.name,
    )
    return MeasuredTable({path.name: report.input.sha256, **report.input.sidecars}, figures)
