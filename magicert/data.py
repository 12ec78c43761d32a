"""Where the data of the project is: `tables/`, in the wheel, in a checkout, or in the data archive.

A wheel carries everything but the large certificates and proofs; the data archive, unpacked,
has them all.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from magicert.problem import SUGGESTED, InputError, Problem, did_you_mean, listed, nearly

VARIABLE = "MAGICERT_DATA"
"""The environment variable that names another folder of data: the archive's, unpacked."""
ELSEWHERE = (
    "is not among the data of this installation, which has the small ones only. It is in "
    f"tables/ of the repository and of the data archive: let {VARIABLE} name that folder"
)

PACK_RUNS = "pack-runs.toml"
"""What packing from nothing came to, in the folder of tables."""
BOUND = "bounds/lower-bound.toml"
"""The lower bound of packed buffers, in the folder of tables."""


def tables_folder() -> Path:
    """The folder of published tables, records, certificates and results.

    Raises InputError where there is none, or where the one that the user names is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        folder = Path(named)
        if not (folder / "published").is_dir():
            message = f"{named}: expected a folder with published/, such as tables/"
            raise InputError([Problem(message, key=VARIABLE)])
        return folder
    package = Path(__file__).parent
    for folder in (package / "tables", package.parent / "tables"):
        if (folder / "published").is_dir():
            return folder
    raise InputError([Problem("the tables that magicert ships are not installed")])


def documents() -> dict[str, Path]:
    """README and the documents by name: in a checkout, and in what is installed."""
    package = Path(__file__).parent
    folder = next(
        (at for at in (package / "docs", package.parent / "docs") if at.is_dir()), package
    )
    first = [at for at in (folder / "README.md", folder.parent / "README.md") if at.is_file()]
    return {path.stem: path for path in [*first[:1], *sorted(folder.glob("[!R]*.md"))]}


def published_tables() -> dict[str, Path]:
    """The published tables by name (the file's name without its ending)."""
    return {path.stem: path for path in sorted((tables_folder() / "published").glob("*.toml"))}


def record_tables() -> dict[str, Path]:
    """The tables of tables/records/, this project's shortest, by name."""
    return {path.stem: path for path in sorted((tables_folder() / "records").glob("*.toml"))}


def board_tables() -> dict[str, Path]:
    """The tables of other boards than chess's, by name."""
    return {path.stem: path for path in sorted((tables_folder() / "boards").glob("*.toml"))}


def small_board_tables() -> dict[str, Path]:
    """Tables of other boards that magicert found, far smaller than the engines' own."""
    folder = tables_folder() / "boards" / "small"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def tables_by_name() -> dict[str, Path]:
    """Every table that ships: the published ones, then the records, then those of other boards."""
    return {**published_tables(), **record_tables(), **board_tables(), **small_board_tables()}


def atlas_path(scheme: str = "white") -> Path:
    """The atlas of a scheme, white or black, that ships."""
    return tables_folder() / ("atlas.toml" if scheme == "white" else f"atlas_{scheme}.toml")


@dataclass(frozen=True, slots=True)
class RookBound:
    """What is proved of how short a buffer can be: each rook takes at least so many slots of its
    own, with any magic of `bits`. `source` names the page and the file.
    """

    bits: tuple[int, ...]
    slots: tuple[int, ...]
    """From a1, b1 to h8."""
    source: str


def rook_bound() -> RookBound:
    """The proved lower bound that ships: research/lower_bound/proof.md."""
    data = tomllib.loads((tables_folder() / BOUND).read_text("utf-8"))
    slots = tuple(slots for rank in data["squares"] for slots in rank)
    return RookBound(tuple(data["rook_bits"]), slots, f"{data['page']}, tables/{BOUND}")


@dataclass(frozen=True, slots=True)
class PackRun:
    """What packing from nothing came to in so many seconds: `entries`, 0 where there was no layout
    yet. `shifts` is "fixed" (12 bits for a rook, 9 for a bishop) or "square" (as many as the mask).
    """

    pieces: list[str]
    scheme: str
    shifts: str
    seconds: int
    entries: int
    machine: str
    date: str


def pack_runs() -> list[PackRun]:
    """The runs that ship."""
    data = tomllib.loads((tables_folder() / PACK_RUNS).read_text("utf-8"))
    return [PackRun(**run) for run in data["runs"]]


def broken_tables() -> dict[str, Path]:
    """Tables that ship as examples of what is refused, by name."""
    return {path.stem: path for path in sorted((tables_folder() / "broken").glob("*.toml"))}


def certificates_by_name() -> dict[str, Path]:
    """The certificates that ship: bishop-d1-4 is a cover, bishop-d1-4.drup a solver's proof,
    rook-c2-8.tsv what the independent program has counted.
    """
    folder = tables_folder()
    covers = {
        path.name.partition(".")[0]: path
        for path in sorted((folder / "certificates").glob("*.cover.xz"))
    }
    others = [*(folder / "proofs").glob("*.drup.xz"), *(folder / "recounts").glob("*.tsv.xz")]
    return covers | {path.stem: path for path in sorted(others)}


def find_table(name: str) -> Path:
    """A table by path, or by the name of one that ships: published, a record, or broken.

    Raises InputError where there is neither.
    """
    known = {**broken_tables(), **tables_by_name()}
    return _find(name, known, "no published table or record", "magicert tables")


def find_tables(names: Iterable[str]) -> list[Path]:
    """Tables by path or name. Raises InputError with all that are none."""
    paths: list[Path] = []
    problems: list[Problem] = []
    for name in names:
        try:
            paths.append(find_table(name))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return paths


SHOWN = 6
"""So many names of hundreds are shown to somebody who named none of them."""


def find_certificate(name: str) -> Path:
    """A certificate by path, or by the name of one that ships, such as bishop-d1-4.

    Raises InputError where there is neither, and says so where only this installation lacks it.
    """
    shipped = certificates_by_name()
    if name and not Path(name).exists() and name not in shipped and _is_in_the_atlas(name):
        raise InputError([Problem(ELSEWHERE, file=name)])
    return _find(name, shipped, "no shipped certificate", "")


def _is_in_the_atlas(name: str) -> bool:
    """Whether the atlas, which every installation has, knows a certificate of that name."""
    file = f"proofs/{name}.xz" if name.endswith(".drup") else f"certificates/{name}.cover.xz"
    atlases = filter(Path.exists, map(atlas_path, ("white", "black")))
    return any(f'"{file}"' in atlas.read_text("utf-8") for atlas in atlases)


def _find(name: str, known: Mapping[str, Path], none: str, lister: str) -> Path:
    path = Path(name)
    with suppress(OSError):  # a name too long for a file
        if name and path.exists():
            return path
    if name in known:
        return known[name]
    some = f"expected one of {listed(known, SHOWN)}" if known else "none is installed"
    near = [*_files_nearly(path), *nearly(name, known)][:SUGGESTED]
    hint = did_you_mean(near) or (f"{lister} lists them" if lister else some)
    raise InputError([Problem(f"no such file, and {none} of that name: {hint}", file=name)])


def _files_nearly(path: Path) -> list[str]:
    """The files and folders that somebody may have meant by a path, in the same folder."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir() if entry.name[:1] != ".")
    except (OSError, ValueError):
        return []
    near = nearly(path.name, names)
    # Files of one kind end alike, which makes none of them the one that is meant.
    stems = nearly(path.stem, {Path(name).stem for name in near})
    return [str(path.with_name(name)) for name in near if Path(name).stem in stems]


def is_source(path: Path) -> bool:
    """Anything but a table file is read as source: its ending says in which language."""
    return path.suffix.lower() != ".toml" and str(path) != "-" and not path.is_dir()
