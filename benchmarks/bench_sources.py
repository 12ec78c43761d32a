"""How public sources are judged, by class, and how long it takes; beside another version.

    python benchmarks/bench_sources.py FOLDER... [--old CLONE] [--only TEXT] [--results FILE]
    python benchmarks/bench_sources.py --made      a repository of 5 MB, 2 MB of attack tables

FOLDER has the sources and an `index.tsv` with the columns repository, path, commit, class and
local (the file, relative to FOLDER). The sources are other people's: they are not in this
repository; tables/census.tsv says where each can be had. `class` is what people found who read
the file: what must come out is in EXPECTED. `--old` runs another checkout over the same files.

Each file is judged as `magicert verify FILE` does it, in a process of its own that has the
interpreter and its libraries loaded. Times are processor time, so that they mean something on a
busy machine too.
"""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
LONGEST = 60
"""Seconds of processor time after which a file is given up."""
SLOW = 5
"""Seconds that no file should need."""
VERDICTS = {0: "valid", 1: "invalid", 2: "no table", 3: "not decided"}
EXPECTED = {
    "right-valid": {0},
    "wrong-invalid": {0, 2, 3},  # an earlier reader called it invalid
    "refused-readable": {0},
    "timeout-60s": {0},
    "right-invalid": {1, 3},  # with the squares: --results has the text
    "made-at-run-time": {2, 3},
    "no-magics": {0, 2, 3},  # finished attack sets, or nothing
    "needs-other-file": {2, 3},
    "partly": {2, 3},
    "variant-board": {0, 2, 3},
}
"""The exit statuses that are right, by class; of a class that is not here: valid. A wrong
"invalid" accuses somebody."""


def work() -> None:
    """Judge the files named on stdin, a line each; print a JSON line for each."""
    from magicert.cli import main

    for line in sys.stdin:
        path = line.rstrip("\n")
        with tempfile.TemporaryFile() as shown:
            child = os.fork()
            if not child:
                resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
                os.dup2(shown.fileno(), 1)
                os.dup2(shown.fileno(), 2)
                sys.argv = ["magicert", "verify", path]
                main()
                os._exit(99)  # main leaves by SystemExit
            _, status, used = os.wait4(child, 0)
            shown.seek(0)
            text = shown.read().decode(errors="replace")
        seconds = round(used.ru_utime + used.ru_stime, 2)
        code = os.waitstatus_to_exitcode(status)
        found = {"status": code, "seconds": seconds, "MB": used.ru_maxrss >> 10, "text": text}
        print(json.dumps(found), flush=True)


def judged(checkout: Path, paths: list[Path]) -> Iterator[dict[str, object]]:
    """What a checkout's reader says of each file."""
    command = [sys.executable, "-P", __file__, "--work"]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    with subprocess.Popen(
        command, env=environment, cwd=checkout, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as worker:  # fmt: skip
        assert worker.stdin
        assert worker.stdout
        for path in paths:
            worker.stdin.write(f"{path}\n")
            worker.stdin.flush()
            yield json.loads(worker.stdout.readline())
        worker.stdin.close()


def show(name: str, classes: list[str], found: list[dict[str, object]]) -> None:
    """The table of one reader: class by verdict, right ones and times."""
    verdicts = [VERDICTS.get(int(str(one["status"])), "broke off") for one in found]
    columns = [*VERDICTS.values(), "broke off"]
    print(f"\n{name}")
    print(f"{'class':<18}{'files':>6}{'right':>6}" + "".join(f"{c:>13}" for c in columns))
    for group in sorted({*classes}):
        own = [n for n, c in enumerate(classes) if c == group]
        counts = Counter(verdicts[n] for n in own)
        right = sum(found[n]["status"] in EXPECTED.get(group, {0}) for n in own)
        shown = "".join(f"{counts[c] or '':>13}" for c in columns)
        print(f"{group:<18}{len(own):>6}{right:>6}{shown}")
    seconds = [float(str(one["seconds"])) for one in found]
    memory = max(int(str(one["MB"])) for one in found)
    slow = sum(s > SLOW for s in seconds)
    print(
        f"processor time: median {median(seconds):.2f} s, worst {max(seconds):.2f} s, "
        f"all {sum(seconds):.0f} s; above {SLOW} s: {slow}; most memory {memory} MB"
    )


LINES = """
static int evaluate_{0}(const Position *pos, int depth) {{
    int score = {0} + (depth << 2), bonus[8] = {{ 1, {0}, 3, 5, 8, 13, 21, 34 }};
    for (int i = 0; i < 8; i++) score += bonus[i] * popcount(pos->pieces[i] & 0x{0:x}ULL);
    return score > 400 ? score - {0} : score; /* no number of a table */
}}
"""


def make(folder: Path) -> Iterator[tuple[str, Path]]:
    """Sources of our own that are as large as the largest known."""
    from magicert.data import published_tables
    from magicert.table.read import TableFile, read_table
    from magicert.verify.table import MAX_LOOKUPS
    from magicert.verify.table.layout import lay_out
    from magicert.verify.table.lookups import Lookups

    table = read_table(published_tables()["bbc"]).table
    lists, attacks = "", ""
    for layout in lay_out(TableFile.unsaved(table, "")):
        piece = table.pieces[layout.name]
        for name, kind in (("magic", "U64"), ("bits", "int")):
            numbers = ", ".join(map(hex, piece.parameters[name]))
            lists += f"const {kind} {layout.name}_{name}[64] = {{ {numbers} }};\n"
        entries = [0] * {"rook": 102_400, "bishop": 5_248}[layout.name]
        for block in Lookups(layout, MAX_LOOKUPS):
            for slot, attack in zip(block.slots.flat, block.attacks.flat, strict=True):
                entries[int(slot)] = int(attack)
        own = ",\n".join(f"0x{entry:016x}ULL" for entry in entries)
        attacks += f"const U64 {layout.name}_attacks[{len(entries)}] = {{\n{own}\n}};\n"
    repository = folder / "repository"
    repository.mkdir()
    for number in range(100):
        text = "".join(LINES.format(number * 1000 + n) for n in range(150))
        (repository / f"file{number}.c").write_text(text + (lists if number == 50 else ""))
    (folder / "tables.c").write_text(lists + attacks)
    yield (
        f"a repository of {sum(f.stat().st_size for f in repository.iterdir()):,} bytes",
        repository,
    )
    yield f"attack tables of {(folder / 'tables.c').stat().st_size:,} bytes", folder / "tables.c"


def time_made(checkout: Path) -> None:
    """How long the made sources take."""
    with tempfile.TemporaryDirectory() as folder:
        named = list(make(Path(folder)))
        for (name, _), found in zip(named, judged(checkout, [p for _, p in named]), strict=True):
            verdict = VERDICTS.get(int(str(found["status"])), "broke off")
            print(f"{name}: {verdict}, {found['seconds']} s, {found['MB']} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--old", type=Path, help="another checkout")
    parser.add_argument("--new", type=Path, default=ROOT, help="this checkout, if not its own")
    parser.add_argument("--only", default="", help="files whose repository, path or class has this")
    parser.add_argument("--results", type=Path, help="a JSON line a file")
    parser.add_argument("--made", action="store_true", help="large sources, made here")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work()
        return
    if options.made:
        time_made(options.new)
        return
    rows = []
    for folder in options.folders:
        with (folder / "index.tsv").open() as index:
            rows += [
                {**row, "file": str((folder / row["local"]).resolve())}
                for row in csv.DictReader(index, delimiter="\t")
                if any(options.only in row[key] for key in ("repository", "path", "class"))
            ]
    if not rows:
        parser.error("no file with this name in index.tsv")
    classes, paths = [row["class"] for row in rows], [Path(row["file"]) for row in rows]
    readers = {"new": options.new} | ({"old": options.old} if options.old else {})
    results: dict[str, list[dict[str, object]]] = {name: [] for name in readers}
    with options.results.open("w") if options.results else nullcontext() as file:
        for name, checkout in readers.items():
            for row, found in zip(rows, judged(checkout, paths), strict=True):
                results[name].append(found)
                if file:
                    print(json.dumps({**row, "reader": name, **found}), file=file, flush=True)
    for name, judgements in results.items():
        show(name, classes, judgements)
    print("\nnot as expected:")
    for n, row in enumerate(rows):
        statuses = {name: found[n]["status"] for name, found in results.items()}
        if statuses["new"] not in EXPECTED.get(row["class"], {0}):
            print(f"  {row['class']:<18}{statuses}  {row['repository']} {row['path']}")


if __name__ == "__main__":
    main()
