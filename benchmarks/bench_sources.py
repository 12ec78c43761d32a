"""Reading sources: a 10,000-line engine as one process, and all samples.

python benchmarks/bench_sources.py
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from magicert.verify.source.languages.language import language_of
from magicert.verify.source.readings.judge import judge
from magicert.verify.source.text.lexing import lex

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "tests/source/samples"
MAGICERT = [sys.executable, "-P", "-c", "from magicert.cli import main; main()"]
LINES = 10_000

CODE = (
    """
// Probe the table before anything else: it may know the answer.
static int search_node(Position *position, int depth, int alpha, int beta) {
    if (depth > 3 && position->side == WHITE) {
        alpha += material[position->piece[square]] * 12 + table->entries[index].value;
        printf("info depth %d score cp %d\\n", depth, alpha);
    }
    for (int i = 0; i < count; i++)
        best = MAX(best, -search_node(position, depth - 1, -beta, -alpha));
    return best;
}
""",
    """
/* Static exchange evaluation
 * on one square. */
bool exchange_wins(const Position& position, Move move, int threshold = 0) {
    Square from = from_square(move), to = to_square(move);
    int swap = value[position.piece_on(to)] - threshold;
    if (swap < 0) return false;
    swap = value[position.piece_on(from)] - swap;
    return swap <= 0;
}
""",
    """
static const int bonus[64] = {
    0, 0, 0, 0, 0, 0, 0, 0, 78, 83, 86, 73, 102, 82, 85, 90,
    7, 29, 21, 44, 40, 31, 44, 7, -17, 16, -2, 15, 14, 0, 15, -13,
    -26, 3, 10, 9, 6, 1, 0, -23, -22, 9, 5, -11, -10, -2, 3, -19,
    -31, 8, -7, -37, -36, -14, 3, -31, 0, 0, 0, 0, 0, 0, 0, 0,
};
""",
)


def engine() -> str:
    """LINES lines of C++ with one table in the middle."""
    rng = random.Random(1)
    parts: list[str] = []
    lines = 0
    table = (SAMPLES / "bbc.c").read_text()
    while lines < LINES:
        part = rng.choices(CODE, (10, 10, 1))[0].replace("bonus", f"bonus{lines}")
        if lines > LINES / 2 and table:
            part, table = table, ""
        parts.append(part)
        lines += part.count("\n")
    return "".join(parts)


def process(path: Path) -> tuple[float, float, float]:
    """Elapsed seconds, seconds of processor time and peak MB of a whole `magicert verify`."""
    start = time.perf_counter()
    child = subprocess.Popen([*MAGICERT, "verify", str(path)], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, f"{path} is not valid"
    # ru_maxrss is in KiB on Linux.
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "engine.cpp"
        path.write_text(engine())
        text = path.read_text()
        best = min(process(path) for _ in range(3))
        start = time.process_time()
        lex(text, language_of(path))
        lexed = time.process_time() - start
    print(
        f"{text.count(chr(10)):,} lines, {len(text):,} characters, one process (aim: 1.5 s, 200 MB)"
    )
    print(f"  read and certified    {best[0]:6.2f} s   ({best[1]:.2f} s of processor time)")
    print(f"  peak memory           {best[2]:6.0f} MB")
    print(f"  of it, telling comments from code {lexed:.2f} s")
    start, cpu = time.perf_counter(), time.process_time()
    count = 0
    for path in sorted(SAMPLES.iterdir()):
        if path.name != "index.toml":
            judge([(path, path.read_bytes())])
            count += 1
    print(f"{count} samples, one process (aim: 20 s)")
    print(
        f"  all of them           {time.perf_counter() - start:6.2f} s   "
        f"({time.process_time() - cpu:.2f} s of processor time)"
    )


if __name__ == "__main__":
    main()
