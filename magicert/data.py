"""Where the data of the project is: `tables/`, in the wheel or in a checkout."""

from difflib import get_close_matches
from pathlib import Path

from magicert.problem import InputError, Problem

SUGGESTED = 3
"""Most tables that are suggested for a mistyped name."""


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


def find_table(name: str) -> Path:
    """A table by path, or by the name of a published one or of a record.

    Raises InputError where there is neither.
    """
    path = Path(name)
    if path.exists():
        return path
    known = {**record_tables(), **published_tables()}
    if name in known:
        return known[name]
    near = get_close_matches(name, known, SUGGESTED)
    hint = f"did you mean {' or '.join(near)}?" if near else "magicert tables lists them"
    message = f"no such file, and no published table or record of that name: {hint}"
    raise InputError([Problem(message, file=name)])
