"""The census of public sources, tables/census.tsv, as a page: research/census/census.md.

python -m research.census
"""

import csv
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from magicert.board import CHESS
from magicert.data import tables_folder
from magicert.table.files import read_table

ROOT = Path(__file__).parents[2]
CENSUS = ROOT / "tables/census.tsv"
PAGE = ROOT / "research/census/census.md"
Row = dict[str, str]

CERTIFIES, NOT = "certifies", "does not certify"


def rows() -> list[Row]:
    """The census as it is kept."""
    with CENSUS.open() as file:
        return [*csv.DictReader(file, delimiter="\t")]


def page(census: Iterable[Row]) -> str:
    """research/census/census.md."""
    census = [*census]
    with_table = [row for row in census if row["found"] in (CERTIFIES, NOT)]
    right = [row for row in with_table if row["found"] == CERTIFIES]
    text = (ROOT / "research/census/census.txt").read_text()
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


def link(row: Row) -> str:
    """A link to the file at its commit."""
    where = f"{row['repository']}/blob/{row['commit']}/{quote(row['path'])}"
    return f"[{row['repository']}](https://github.com/{where})"


def broken() -> list[tuple[str, ...]]:
    """The tables of tables/broken."""
    expected = json.loads((tables_folder() / "expected.json").read_text())
    found: list[tuple[str, ...]] = []
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


if __name__ == "__main__":
    PAGE.write_text(page(rows()))
