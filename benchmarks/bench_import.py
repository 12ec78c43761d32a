"""What `import magicert` costs, beside a Python that imports nothing: milliseconds, best of 15.

python benchmarks/bench_import.py
"""

import subprocess
import sys
import time

CODES = {
    "nothing": "pass",
    "import magicert": "import magicert",
    "magicert.certify (with numpy)": "import magicert; magicert.certify",
    "import numpy": "import numpy",
}
TURNS = 15


def main() -> None:
    best = dict.fromkeys(CODES, float("inf"))
    for _ in range(TURNS):
        for name, code in CODES.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, "-P", "-c", code], check=True)
            best[name] = min(best[name], time.perf_counter() - started)
    for name, seconds in best.items():
        more = (seconds - best["nothing"]) * 1000
        print(f"{name:<30} {seconds * 1000:7.1f} ms, {more:6.1f} ms more than nothing")


if __name__ == "__main__":
    main()
