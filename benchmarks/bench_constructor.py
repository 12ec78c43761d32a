"""How long the emitted constructor takes, in each language, beside our own in Python.

    python benchmarks/bench_constructor.py [--smallest]

For the fourteen families of a 12x10 engine: a magic for each of their 1,680 masks, and all attack
tables, as an engine makes them when the board is chosen. The shortest of several runs, in
processor time. A language whose tools are not here is left out; --smallest is one run in C of two
families.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.betza import parse_piece
from magicert.board import Board
from magicert.compact.emit import LANGUAGES, printer
from magicert.compact.emit.constructor import constructor
from magicert.movement import least_mask
from magicert.search.finders.trial import construct_magic

BOARD = Board(12, 10)
FAMILIES = (
    "rook_h=sR", "rook_v=vR", "bishop", "cannon_h=spR", "cannon_v=vpR", "cannon_diag=pB",
    "lame_dabbaba=nD", "horse", "elephant", "janggi_elephant=nZ", "nightrider",
    "grasshopper_h=sgR", "grasshopper_v=vgR", "grasshopper_diag=gB",
)  # fmt: skip
PROGRAMS = Path(__file__).parent / "constructor"
BUILDS = {
    "c": ("main.c", "magics.h", "gcc -O2 main.c -o main", "./main"),
    "rust": ("main.rs", "magics.rs", "rustc --edition=2021 -O main.rs", "./main"),
    "go": ("main.go", "magics/magics.go", "go build -o main .", "./main"),
    "javascript": ("main.mjs", "magics.mjs", "", "node main.mjs"),
}
RUNS = 10


def masks_of(families: Sequence[str]) -> list[int]:
    """The masks of all squares."""
    pieces = [parse_piece(name.rpartition("=")[2]) for name in families]
    return [least_mask(BOARD, piece, square) for piece in pieces for square in range(BOARD.squares)]


def measured(language: str, families: Sequence[str], masks: Sequence[int], runs: int) -> str | None:
    """What the program of a language says; None where a tool is missing."""
    program, source, build, run = BUILDS[language]
    commands = [command.split() for command in (build, f"{run} {runs}") if command]
    if any(shutil.which(words[0]) is None for words in commands if words[0][0] != "."):
        return None
    said = ""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / source).parent.mkdir(exist_ok=True)
        text = constructor(printer(language, None, "magics"), BOARD, families)
        (folder / source).write_text(text)
        shutil.copy(PROGRAMS / program, folder)
        (folder / "go.mod").write_text("module engine\n\ngo 1.18\n")
        data = b"".join(mask.to_bytes(16, "little") for mask in masks)
        for words in commands:
            done = subprocess.run(words, cwd=folder, input=data, capture_output=True, check=True)
            said = done.stdout.decode()
    return said


def main() -> None:
    """Print a line for each language."""
    smallest = "--smallest" in sys.argv
    families = FAMILIES[:2] if smallest else FAMILIES
    masks = masks_of(families)
    print(f"{len(masks):,} masks of {BOARD}")
    for language in ("c",) if smallest else BUILDS:
        said = measured(language, families, masks, 1 if smallest else RUNS)
        if said is None:
            print(f"{LANGUAGES[language].name:<12} not here")
            continue
        magics, tables, *more = said.split(maxsplit=2)
        note = more[0].strip() if language == "javascript" else ""
        print(f"{language:<12} magics {magics:>8} ms  all tables {tables:>8} ms  {note}")
    started = time.process_time()
    built = [construct_magic(mask, mask.bit_count(), BOARD.word, 1) for mask in masks]
    spent = (time.process_time() - started) * 1e3
    print(f"{'python':<12} magics {spent:>8.2f} ms  ({built.count(None)} not built)")


if __name__ == "__main__":
    main()
