"""ns per lookup: fancy, the published shared buffers and the records, in one run.

python benchmarks/bench_lookup.py
"""

import subprocess
import sys

from magicert.data import record_tables

TABLES = [
    "stockfish21_64",
    "cfish_plain",
    "cfish_black",
    *(n for n in record_tables() if "two_level" not in n),
]

if __name__ == "__main__":
    command = [
        sys.executable,
        "-P",
        "-m",
        "magicert",
        "bench",
        *TABLES,
    ]
    subprocess.run(command, check=True)
