"""The census of public sources: what was read and what was found, tables/census.tsv, and its page.

    python tools/census.py                 writes docs/census.md from tables/census.tsv
    python tools/census.py FOLDER ...      reads the sources again and writes both

A FOLDER has an `index.tsv` as benchmarks/bench_sources.py takes it. The sources are other people's
and not in this repository: each row says where one can be had.
"""

import csv
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from magicert.board import CHESS, MOVEMENTS, Piece, usual_mask
from magicert.data import tables_folder
from magicert.problem import InputError, NothingThereError
from magicert.table import PieceTable, Table
from magicert.table.read import read_table
from magicert.whose import Whose, is_white, magics_of, reduced, whose

ROOT = Path(__file__).parents[1]
CENSUS = ROOT / "tables/census.tsv"
PAGE = ROOT / "docs/census.md"
COLUMNS = (
    "repository", "path", "commit", "language", "found", "formula", "bits", "rook", "bishop",
)  # fmt: skip
Row = dict[str, str]

CERTIFIES, NOT = "certifies", "does not certify"
BY_HAND = {
    "made-at-run-time": "made when the program starts",
    "no-magics": "no magics",
    "variant-board": "another board",
    "needs-other-file": "a part of it is in another file",
    "partly": "a part of it is in another file",
    "right-invalid": NOT,
}
"""What people found who read the file, where the reader alone would say less."""
LANGUAGES = {
    ".c": "C", ".h": "C or C++", ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".cs": "C#",
    ".gleam": "Gleam", ".go": "Go", ".hs": "Haskell", ".java": "Java", ".jl": "Julia",
    ".ml": "OCaml", ".nim": "Nim", ".odin": "Odin", ".properties": "properties", ".py": "Python",
    ".rs": "Rust", ".scala": "Scala", ".swift": "Swift", ".ts": "TypeScript", ".zig": "Zig",
}  # fmt: skip


def read(folder: Path) -> Iterator[Row]:
    """A row for each source of a folder."""
    # The page is made without the reader and its grammars.
    from magicert.verify.source.judge import judge

    with (folder / "index.tsv").open() as index:
        for one in csv.DictReader(index, delimiter="\t"):
            path = folder / one["local"]
            row = {column: one.get(column, "") for column in COLUMNS}
            row["language"] = LANGUAGES[path.suffix]
            row["found"] = BY_HAND.get(one["class"], "not decided")
            try:
                found = judge([(path, path.read_bytes())])
            except NothingThereError:
                found, row["found"] = None, BY_HAND.get(one["class"], "no magics")
            except InputError:
                found = None
            if found is not None and found.verdict == "valid":
                row |= {"found": CERTIFIES, **described(found.valid[0].table)}
            print(row["found"], row["repository"], row["path"], file=sys.stderr, flush=True)
            yield row


def described(table: Table) -> Row:
    """Formula, bits and whose numbers, of a table that certifies."""
    halves = table.pieces
    formulas = dict.fromkeys(half.index.text for half in halves.values())
    sets = whose(table)
    return {
        "formula": "; ".join(formulas),
        "bits": "; ".join(dict.fromkeys(map(bits_of, halves.values()))),
        **{piece: short(sets.get(piece), own(table, piece)) for piece in halves},
    }


def own(table: Table, piece: str) -> str:
    """A name for numbers that are in no set, by the numbers themselves."""
    magics = magics_of(table, Piece(piece))
    if magics is None:
        return "none"
    same = reduced(Piece(piece), magics) if is_white(table, Piece(piece)) else magics
    return f"own {hashlib.sha256(str(same).encode()).hexdigest()[:8]}"


def bits_of(half: PieceTable) -> str:
    """How many bits: one number, the popcount of the mask, or a list."""
    kind = "bits" if "bits" in half.parameters else "shift"
    given = half.parameters.get(kind)
    usual = [popcount(half.piece, row) for row in range(CHESS.squares)]
    if given is None or [b if kind == "bits" else 64 - b for b in given] == usual:
        return "one for each square of the mask"
    values = {64 - b if kind == "shift" else b for b in given}
    return f"{values.pop()} for every {half.piece}" if len(values) == 1 else "another list"


def popcount(piece: str, square: int) -> int:
    """The squares of a mask."""
    return usual_mask(CHESS, MOVEMENTS[Piece(piece)], square).bit_count()


def short(one: Whose | None, otherwise: str) -> str:
    """The name of a set, or what the numbers are called without one."""
    if one is None:
        return otherwise
    return one.numbers.tables[0] + (f" but for {one.others}" if one.others else "")


def rows() -> list[Row]:
    """The census as it is kept."""
    with CENSUS.open() as file:
        return [*csv.DictReader(file, delimiter="\t")]


def page(census: Iterable[Row]) -> str:
    """docs/census.md."""
    census = [*census]
    with_table = [row for row in census if row["found"] in (CERTIFIES, NOT)]
    right = [row for row in with_table if row["found"] == CERTIFIES]
    text = (ROOT / "tools/census.txt").read_text()
    names = Counter(name(row["rook"]) for row in right if row["rook"])
    alone = sum(count == 1 and one.startswith("own ") for one, count in names.items())
    sets = [(one, str(n)) for one, n in names.most_common() if n > 2]
    few = sum(n <= 2 for n in names.values()) - alone
    in_few = sum(n for n in names.values() if n <= 2) - alone
    sets.append((f"{few} other sets, in one file or two each", str(in_few)))
    sets.append(("own numbers, in one file each", str(alone)))
    return text.format(
        files=len(census),
        repositories=len({row["repository"] for row in census}),
        languages=len({row["language"] for row in census}),
        tables=len(with_table),
        right=len(right),
        found=table(("what was found", "files"), counted(row["found"] for row in census)),
        sets=table(("the rooks' numbers", "files"), sets),
        formulas=table(("index", "files"), counted(f"`{r['formula']}`" for r in right)),
        broken=table(("source", "squares that conflict", "what was read"), broken()),
    )


def name(numbers: str) -> str:
    """The set's name without what differs; own numbers that one file only has are "own"."""
    return numbers.partition(" but for ")[0]


def counted(found: Iterable[str]) -> list[tuple[str, ...]]:
    """The commonest first."""
    return [(what, str(number)) for what, number in Counter(found).most_common()]


def listed(row: Row) -> tuple[str, ...]:
    """A row of the long list."""
    formula = f"`{row['formula']}`" if row["formula"] else ""
    return (link(row), row["language"], row["found"], formula, row["rook"], row["bishop"])


def link(row: Row) -> str:
    """A link to the file at its commit."""
    where = f"{row['repository']}/blob/{row['commit']}/{quote(row['path'])}"
    return f"[{row['repository']}](https://github.com/{where})"


def broken() -> list[tuple[str, ...]]:
    """The tables of tables/broken."""
    expected = json.loads((tables_folder() / "expected.json").read_text())
    found = []
    for path in sorted((tables_folder() / "broken").glob("*.toml")):
        origin = read_table(path).table.provenance
        squares: dict[str, list[str]] = {}
        for piece, square in expected[path.stem]["bad_squares"]:
            squares.setdefault(piece, []).append(CHESS.name(square))
        said = "; ".join(
            f"{piece} {' '.join(own)}" if len(own) <= 8 else f"{len(own)} squares of the {piece}"
            for piece, own in sorted(squares.items())
        )
        repository = origin.repository.removeprefix("github:")
        row = {"repository": repository, "commit": origin.commit, "path": origin.path}
        found.append((link(row), said, origin.notes))
    return found


def table(head: tuple[str, ...], body: Iterable[tuple[str, ...]]) -> str:
    """A table of Markdown."""
    lines = [head, ("---",) * len(head), *body]
    return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in one) + " |" for one in lines)


def main() -> None:
    """Read again what is named, and write the page."""
    if sys.argv[1:]:
        census = [row for folder in sys.argv[1:] for row in read(Path(folder))]
        census.sort(key=lambda row: (row["repository"].lower(), row["path"]))
        with CENSUS.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
            writer.writeheader()
            writer.writerows(census)
    PAGE.write_text(page(rows()))


if __name__ == "__main__":
    main()
