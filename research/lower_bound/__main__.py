"""A lower bound of the shared buffer of all rook and bishop attacks: research/lower_bound/proof.md.

    python -m research.lower_bound                    # the first program
    python -m research.lower_bound --second           # the second one
    python -m research.lower_bound --bits 8 --files b # a part
    python -m research.lower_bound --write            # and put the numbers into tables/bounds

Rooks of 8 to 12 bits, any magic, constant and offset; one multiplication and one load a lookup.
"""

import argparse
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from magicert.chess import Piece
from research.lower_bound import first, second
from research.lower_bound.first import Rooks, Sum, add_up, classes, different_sets, shared_sets

FILES = "abcdefgh"
BITS = range(8, 13)
TERMS = (
    "one multiplication and one load a lookup; an entry is a whole attack set; "
    "any magics, constants (white, black, any other) and offsets"
)
DATA = Path(__file__).parents[2] / "tables" / "bounds" / "lower-bound.toml"


def computed(by_second: bool, bits: Iterable[int], files: str) -> Iterator[Rooks]:
    """The rooks of some files, one number of bits after the other."""
    for number in bits:
        for name in files:
            file = FILES.index(name)
            if by_second:
                ((_, _, line, least),) = second.table([number], [file])
                yield Rooks(file, number, line, least)
            else:
                yield first.least_rooks(file, number)


def shown(found: Iterable[Rooks]) -> Iterator[Rooks]:
    """The same, printed as they come."""
    print("file  bits  line  rooks on ranks 1 and 8, 2 and 7, 3 and 6, 4 and 5")
    for rooks in found:
        row = "".join(f"{slots:5}" for slots in rooks.least.values())
        print(f"{FILES[rooks.file]:>4}{rooks.bits:6}{rooks.line:6}  {row}", flush=True)
        yield rooks


def report(total: Sum) -> str:
    """The table of squares and the sums."""
    rows = [
        f"rank {rank + 1} ({classes[rank]:2} classes)" + cells(total.squares[rank])
        for rank in reversed(range(8))
    ]
    bishops = different_sets(Piece.BISHOP)
    alone, rooks = total.by_lines, total.rooks
    return "\n".join(
        [
            *rows,
            f"line               {cells(total.lines)}",
            f"attack sets of more than one square: {len(shared_sets())}",
            f"rooks by their lines {alone:,} + bishops' sets {bishops:,} = {alone + bishops:,}",
            f"rooks with overlaps {rooks:,} + bishops' sets {bishops:,} = {rooks + bishops:,}",
        ]
    )


def cells(numbers: Iterable[int]) -> str:
    """A row of them."""
    return "".join(f"{number:5}" for number in numbers)


def program_hash(by_second: bool) -> str:
    """Of the source of the program that counts rooks."""
    path = Path(second.__file__) if by_second else first.SOURCE
    return sha256(path.read_bytes()).hexdigest()


def machine() -> str:
    """The processor's name, where the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    names = [
        line.partition(":")[2].strip()
        for line in text.splitlines()
        if line.startswith("model name")
    ]
    return names[0] if names else platform.machine()


def run_of(by_second: bool, bits: Sequence[int], seconds: float) -> str:
    """A run for the data file."""
    return f"""
[[runs]]
program = "research/lower_bound/{"second.py" if by_second else "rook.c"}"
sha256 = "{program_hash(by_second)}"
rook_bits = [{", ".join(map(str, bits))}]
command = "python -m research.lower_bound{" --second" if by_second else ""} --write"
date = "{datetime.now(UTC):%Y-%m-%d}"
machine = "{machine()}, Python {platform.python_version()}"
seconds = {seconds:.0f} # of CPU time, one process
"""


def data_of(total: Sum) -> str:
    """The numbers, as they stand in the data file."""
    bishops = different_sets(Piece.BISHOP)
    squares = "".join(
        f"  [{', '.join(map(str, rank))}], # rank {n}\n" for n, rank in enumerate(total.squares, 1)
    )
    return f"""\
# A lower bound of the buffer of all rook and bishop attacks, proved in
# research/lower_bound/proof.md.
# python -m research.lower_bound --write wrote this. With --second it adds the second program's
# run, whose numbers must be the same.
page = "research/lower_bound/proof.md"
terms = "{TERMS}"
rook_bits = [{", ".join(map(str, BITS))}]
entries = {total.rooks + bishops}
rooks = {total.rooks}
bishops = {bishops} # their different attack sets
rooks_by_lines = {total.by_lines}
lines = [{", ".join(map(str, total.lines))}] # by file: the least slots of a rank's patterns
squares = [ # the least slots of each rook, from a to h
{squares}]
"""


def write(total: Sum, by_second: bool, bits: Sequence[int], seconds: float) -> str:
    """Write the data file, or add a run of the second program where the numbers are the same."""
    numbers, old = data_of(total), DATA.read_text("utf-8") if DATA.exists() else ""
    if by_second:
        if not old.startswith(numbers):
            return f"not written: {DATA} has other numbers"
        new = f'"{program_hash(by_second)}"'
        runs = [
            run
            for run in old.split("\n[[runs]]\n")[1:]
            if "second.py" not in run or (new in run and f"rook_bits = {[*bits]}" not in run)
        ]
        numbers += "".join(f"\n[[runs]]\n{run.rstrip()}\n" for run in runs)
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(numbers + run_of(by_second, bits, seconds), "utf-8")
    return f"wrote {DATA}"


def main() -> None:
    """Compute, print, and write if that is wanted."""
    introduction, _, commands = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m research.lower_bound",
        description=introduction,
        epilog=commands,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--bits", type=int, nargs="+", choices=BITS, default=[*BITS], help="only these (8 to 12)"
    )
    parser.add_argument("--files", default=FILES, help="only rooks of these, such as ab")
    parser.add_argument(
        "--second", action="store_true", help="by the second program: exact fractions, no C"
    )
    parser.add_argument("--write", action="store_true", help="write tables/bounds/lower-bound.toml")
    asked = parser.parse_args()
    if not set(asked.files) <= set(FILES):
        parser.error(f"--files {asked.files}: expected letters from a to h")
    bits, all_files = sorted(set(asked.bits)), set(asked.files) == set(FILES)
    whole = bits == [*BITS] and all_files
    if asked.write and not (whole or (asked.second and all_files)):
        parser.error("--write: expected all files, and of the first program all bits")
    began = cpu()
    total = add_up(shown(computed(asked.second, bits, asked.files)))
    print(report(total))
    if not whole:
        print("These are the rooks of some files and bits only: no bound of the whole.")
    if asked.write:
        print(write(total, asked.second, bits, cpu() - began))


def cpu() -> float:
    """Seconds of this process and of the programs that it ran."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


if __name__ == "__main__":
    main()
