"""One C program for each way: its text, compiled, and what the program says of itself."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from magicert.compact.emit import prepare_table, printer
from magicert.compact.emit.harness import all_lookups
from magicert.compact.emit.ways import kit
from magicert.compact.timing.games import PIECES
from magicert.table.files import TableFile

HARNESS = Path(__file__).with_name("harness.c")
"""The clock around every way."""


@dataclass(frozen=True, slots=True)
class TimedWay:
    """One way to get attacks. `table` is the table that it emits, `emits` what `emit --way` calls
    it, `sources` its files in C; two of them are not given. They define way_init, rook_attacks,
    bishop_attacks, TABLE_BYTES (what occupancies choose from) and SQUARE_BYTES (masks, magics,
    offsets, lines).

    `by` names who thought of the technique; `needs` is "bmi2" (PEXT or PDEP), "avx2" or "".
    """

    name: str
    title: str
    by: str
    table: str = ""
    emits: str = ""
    needs: str = ""
    sources: tuple[Path, ...] = ()


HEAD = """#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

"""
FLAGS = {"": (), "bmi2": (), "avx2": ("-mavx2",)}
"""What a way is compiled with in addition, by what it needs."""
RIGHT = re.compile(r"right: (\d+) lookups")


class WrongError(Exception):
    """A way answers wrongly, or its program does not end as it should; says how."""


class NotCompiledError(Exception):
    """The compiler refuses a way's program; says its first words."""


@dataclass(frozen=True, slots=True)
class TimedProgram:
    """A way that is compiled and checked: what it takes, and how many lookups were compared."""

    way: TimedWay
    path: Path
    table_bytes: int
    square_bytes: int
    finished: bool
    lookups: int

    def start_us(self) -> float:
        """Microseconds until its tables are there, in a fresh process."""
        return 0.0 if self.finished else float(_output_of([str(self.path)]).split()[2]) / 1000

    def measure(self, lookups: Path, first: int, sizes: Sequence[int]) -> list[list[str]]:
        """One repetition: positions, piece, kind, KiB touched and ns, for each measure."""
        command = [str(self.path), "measure", str(lookups), *map(str, (first, *sizes))]
        return [line.split() for line in _output_of(command).splitlines()]


def program_of(
    way: TimedWay, file: TableFile | None, folder: Path, compiler: str, flags: str
) -> TimedProgram:
    """Compile a way and check all its lookups. A table's way takes its file.

    Raises NotCompiledError, WrongError, or InputError where the table cannot be emitted.
    """
    if file is not None:
        text, finished = emitted(file)
    elif way.emits:
        text, finished = emitted_way(way.emits), True
    else:
        text = "\n".join(path.read_text("utf-8") for path in way.sources)
        finished = False
    harness = HARNESS.read_text("utf-8")
    check = all_lookups().replace("int main(void)", "static int check_all(void)")
    source, path = folder / f"{way.name}.c", folder / way.name
    source.write_text("\n".join((HEAD, text, check, harness)), encoding="utf-8")
    command = [compiler, *flags.split(), *FLAGS[way.needs], "-std=c11", str(source), "-o"]
    compiled = subprocess.run([*command, path], capture_output=True, check=False, text=True)
    if compiled.returncode:
        words = (line for line in compiled.stderr.splitlines() if "error" in line)
        raise NotCompiledError(next(words, f"exit status {compiled.returncode}"))
    checked = subprocess.run([path, "check"], capture_output=True, check=False, text=True)
    right = RIGHT.match(checked.stdout)
    if checked.returncode or right is None:
        output = checked.stdout or checked.stderr or f"exit status {checked.returncode}"
        raise WrongError(" ".join(output.split()))
    table_bytes, square_bytes, _ = map(int, _output_of([str(path)]).split())
    return TimedProgram(way, path, table_bytes, square_bytes, finished, int(right[1]))


def emitted(file: TableFile) -> tuple[str, bool]:
    """A table's lookups under the names that the harness calls, and whether they come with
    finished buffers, for want of a fill routine. Each order of chess is a symmetry of its board, so
    that the harness need not know which it is.
    """
    unit = prepare_table(file, "magicert bench")
    finished = not unit.can_be_filled
    text = printer("c").emit(unit, literal=False)
    records = " + ".join(f"sizeof magics_{piece.piece}" for piece in unit.pieces)
    return (
        "#define MAGICS_IMPLEMENTATION\n"
        f"{text}\n"
        "#define way_init magics_init\n"
        "#define rook_attacks magics_rook_attacks\n"
        "#define bishop_attacks magics_bishop_attacks\n"
        f"#define TABLE_BYTES {unit.bytes}\n"
        f"#define SQUARE_BYTES ({records})\n"
    ), finished


def emitted_way(name: str) -> str:
    """What `emit --way` writes, under the names that the harness calls."""
    source = kit(name, printer("c"))
    lines = [source.body, "static void way_init(void) {}", "#define OWN_QUEEN"]
    lines += [f"#define {piece}_attacks magics_{piece}_attacks" for piece in PIECES]
    lines.append(f"#define TABLE_BYTES {source.constants - source.of_squares}")
    return "\n".join([*lines, f"#define SQUARE_BYTES {source.of_squares}", ""])


def _output_of(command: Sequence[str]) -> str:
    # In a session of its own, so that Ctrl-C is ours to handle.
    run = subprocess.run(
        command, capture_output=True, check=False, text=True, start_new_session=True
    )
    if run.returncode:
        raise WrongError(f"{Path(command[0]).name}: exit status {run.returncode}")
    return run.stdout
