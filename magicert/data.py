"""Where the data of the project is: `tables/`, in the wheel or in a checkout."""

from collections.abc import Mapping
from pathlib import Path

from magicert.problem import InputError, Problem, suggestion


def tables_folder() -> Path:
    """The folder of published tables, records, certificates and results."""
    package = Path(__file__).parent
    for folder in (package / "tables", package.parent / "tables"):
        if (folder / "published").is_dir():
            return folder
    raise InputError([Problem("the tables that magicert ships are not installed")])


def published_tables() -> dict[str, Path]:
    """The published tables by name (the file's name without its ending)."""
    return {path.stem: path for path in sorted((tables_folder() / "published").glob("*.toml"))}


def record_tables() -> dict[str, Path]:
    """The tables of tables/records/, this project's shortest, by name."""
    return {path.stem: path for path in sorted((tables_folder() / "records").glob("*.toml"))}


def tables_by_name() -> dict[str, Path]:
    """Every table that ships: the published ones, then the records."""
    return {**published_tables(), **record_tables()}


def broken_tables() -> dict[str, Path]:
    """Tables that ship as examples of what is refused, by name."""
    return {path.stem: path for path in sorted((tables_folder() / "broken").glob("*.toml"))}


def certificates_by_name() -> dict[str, Path]:
    """The certificates that ship: bishop-d1-4 is a cover, bishop-d1-4.drup a solver's proof."""
    folder = tables_folder()
    covers = {
        path.name.partition(".")[0]: path
        for path in sorted((folder / "certificates").glob("*.cover.xz"))
    }
    return covers | {path.stem: path for path in sorted((folder / "proofs").glob("*.drup.xz"))}


def find_table(name: str) -> Path:
    """A table by path, or by the name of one that ships: published, a record, or broken.

    Raises InputError where there is neither.
    """
    known = {**broken_tables(), **tables_by_name()}
    return _found(name, known, "no published table or record", "magicert tables")


def find_certificate(name: str) -> Path:
    """A certificate by path, or by the name of one that ships, such as bishop-d1-4.

    Raises InputError where there is neither.
    """
    return _found(name, certificates_by_name(), "no shipped certificate", "magicert atlas --cell")


def _found(name: str, known: Mapping[str, Path], none: str, lister: str) -> Path:
    path = Path(name)
    if name and path.exists():
        return path
    if name in known:
        return known[name]
    hint = suggestion(name, known) or f"{lister} lists them"
    raise InputError([Problem(f"no such file, and {none} of that name: {hint}", file=name)])
