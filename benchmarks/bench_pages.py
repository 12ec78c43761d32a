"""Sizes of reports, and the time that the page "Check my magics" needs, beside what was asked for.

    python -P benchmarks/bench_pages.py

References: a report of a chess table is below 1,000,000 bytes; all 107,648 occupancies are looked
up in JavaScript below 1,000 ms (in node here; a browser's own figure stands on the page).
"""

import shutil
import subprocess
import time
from pathlib import Path

from magicert.data import broken_tables, tables_by_name
from magicert.jobs.pages.report import report_page, subject_of
from magicert.jobs.watch import Unseen

CHECK = Path(__file__).parents[1] / "site" / "static" / "check.js"
LARGEST = 1_000_000
SLOWEST = 1_000
PROGRAM = """
const {check} = require(process.argv[1]);
const text = require("fs").readFileSync(process.argv[2], "utf-8");
const began = process.hrtime.bigint();
const {verdict} = check(text);
console.log(verdict, Number(process.hrtime.bigint() - began) / 1e6);
"""


def main() -> None:
    node = shutil.which("node")
    print(
        f"{'table':<20} {'report, bytes':>14} {'of':>10} {'seconds':>8}   page, ms of {SLOWEST:,}"
    )
    for name, path in {**tables_by_name(), **broken_tables()}.items():
        began = time.perf_counter()
        size = len(report_page(subject_of(str(path), None, Unseen)).encode())
        seconds = time.perf_counter() - began
        said = "no node"
        if node is not None:
            command = [node, "-e", PROGRAM, str(CHECK), str(path)]
            verdict, milliseconds = subprocess.check_output(command, text=True).split(" ")[-2:]
            said = f"{float(milliseconds):7.0f} {verdict}"
        print(f"{name:<20} {size:>14,} {size / LARGEST:>9.1%} {seconds:>8.2f}   {said}")


if __name__ == "__main__":
    main()
