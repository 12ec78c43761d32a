"""Enter evidence for impossible cells of tables/atlas.toml.

    python -m research.atlas.evidence FILE...          # or: make evidence FILES="FILE..."

A FILE is one of these, and nothing is written unless all of them are as they should be:

- CELL.tsv: what a program of verify/recount printed, under two lines that say which cell, and which
  compiler, machine and day (tables/recounts/README.md). Every shard once, in any order; one that is
  drawn is counted again. It goes to tables/recounts, packed.
- CELL.settled: what `magicert check CELL --replay ... --proved --settled FILE` wrote; any shards.
  Its lines are added to those in tables/settled.

The cells' evidence and share by leaves are read again, and all that is written from the atlas
(tools/texts.py).
"""

import lzma
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from magicert.api.atlas_files import contradictions, evidence_of
from magicert.api.covers.counted import FOLDER as RECOUNTS
from magicert.api.covers.counted import Counted, read_counted
from magicert.api.covers.replay import FOLDER as SETTLED
from magicert.api.covers.replay import settled_in, settled_share
from magicert.api.covers.shards import count_again
from magicert.atlas import read_atlas, write_atlas
from magicert.outcome import NullPhase
from magicert.problem import InputError, Problem
from magicert.verify.cover.file import Header, read_certificate

TABLES = Path(__file__).parents[2] / "tables"
TOOLS = TABLES.with_name("tools")


def main(files: Sequence[Path], tables: Path = TABLES) -> None:
    """Enter files. Raises InputError for what is wrong in them; then nothing is written."""
    written = [new_file(path, tables) for path in files]
    for path, content in written:
        path.write_bytes(content)
    cells = {f"certificates/{path.name.partition('.')[0]}.cover.xz" for path, _ in written}
    atlas = read_atlas(tables / "atlas.toml")
    for atlas_cell in atlas:
        if atlas_cell.certificate in cells and atlas_cell.state == "impossible":
            certificate = tables / atlas_cell.certificate
            atlas_cell.evidence = evidence_of(certificate)
            share = settled_share(certificate, read_certificate(certificate).header)
            atlas_cell.by_leaves = share or atlas_cell.by_leaves
            print(
                f"{atlas_cell.piece} {atlas_cell.square}: {atlas_cell.evidence}, "
                f"{atlas_cell.by_leaves:g} by leaves"
            )
    write_atlas(tables / "atlas.toml", atlas)


def new_file(path: Path, tables: Path) -> tuple[Path, bytes]:
    """Where a file goes, and what it comes to be there."""
    cell = path.name.partition(".")[0]
    header = read_certificate(tables / "certificates" / f"{cell}.cover.xz").header
    if path.suffix == ".settled":
        known = tables / SETTLED / path.name
        return known, joined(path, known, header)
    return tables / RECOUNTS / f"{cell}.tsv.xz", packed(path, header)


def joined(path: Path, known: Path, header: Header) -> bytes:
    """The lines of both files, each once."""
    if not settled_in(path, header):
        raise InputError([Problem("expected the lines of settled shards", file=str(path))])
    files = [file for file in (known, path) if file.exists()]
    lines = dict.fromkeys(line for file in files for line in file.read_text("ascii").splitlines())
    return "".join(f"{line}\n" for line in lines).encode("ascii")


def packed(path: Path, header: Header) -> bytes:
    """The same, its shards in order."""
    counted = read_counted(path)
    problems = list(wrong(path, counted, header))
    if not problems:
        problems = list(count_again(path, 1, None, NullPhase).problems)
    if problems:
        raise InputError([Problem(problem, file=str(path)) for problem in problems])
    first, *lines = path.read_text("ascii").splitlines()
    said = f"{first.partition(':')[0]}: all {len(counted.rows)} shards"
    comments = [line for line in lines if line.startswith("#")]
    rows = [row.text for _, row in sorted(counted.rows.items())]
    return lzma.compress("".join(f"{t}\n" for t in (said, *comments, *rows)).encode(), preset=9)


def wrong(path: Path, counted: Counted, header: Header) -> Iterator[str]:
    """What does not let a recount be evidence for the cell of a certificate."""
    if not counted.is_of_cell(header):
        yield f"found {' '.join(counted.arguments)}: expected the cell that the file is named after"
        return
    missing = sorted(set(range(1 << counted.level)) - counted.rows.keys())
    if missing:
        shown = ", ".join(map(str, missing[:5])) + ", ..." * (len(missing) > 5)
        yield f"not counted: {len(missing)} of {1 << counted.level} shards ({shown})"
    if path.read_text("ascii").splitlines()[1][:2] != "# ":
        yield "line 2: expected such as '# gcc 12.2 -O3 -march=native, AMD EPYC, 2026-11-23'"
    yield from contradictions(counted, header)


if __name__ == "__main__":
    try:
        main([Path(word) for word in sys.argv[1:]])
    except InputError as error:
        sys.exit("\n".join(map(str, error.problems)))
    subprocess.run([sys.executable, TOOLS / "texts.py"], check=True)
