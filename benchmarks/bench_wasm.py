"""Bytes of what `emit --way` writes as WebAssembly: the whole module, constants and code.

    python benchmarks/bench_wasm.py [WAY...]

For wasm32-freestanding, by size, rook_attacks and bishop_attacks exported. Lines in bytes
must have less than 2 KB of constants, and 4 KB in all: exit status 1 where they do not.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.compact.emit import printer
from magicert.compact.emit.ways import kit, print_way, unit_of, ways

SMALL = "lines_in_bytes"
COMMAND = (
    "-m ziglang cc -target wasm32-freestanding -Oz -nostdlib -x c -DMAGICS_API= -Wl,--no-entry"
)
EXPORTED = [f"-Wl,--export=magics_{piece}_attacks" for piece in ("rook", "bishop")]


def main() -> int:
    """Print a line for each way."""
    right = True
    for way in sys.argv[1:] or ways():
        unit = unit_of(way)
        with TemporaryDirectory() as folder:
            (Path(folder) / "magics.h").write_text(print_way(way, printer("c"), unit))
            command = [
                sys.executable,
                *COMMAND.split(),
                *EXPORTED,
                "-s",
                "-o",
                "w.wasm",
                "magics.h",
            ]
            subprocess.run(command, cwd=folder, check=True, stderr=subprocess.DEVNULL)
            whole = (Path(folder) / "w.wasm").stat().st_size
        constants = kit(way, printer("c"), unit).constants
        print(f"{way:24}{constants:>9,} bytes of constants {whole:>9,} bytes in all", flush=True)
        right &= way != SMALL or (constants < 2048 and whole < 4096)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
