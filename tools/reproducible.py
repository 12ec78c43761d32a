"""`make dist`: build sdist and wheel twice, from two copies of the commit, and compare them.

    python tools/reproducible.py FOLDER

writes the distributions to FOLDER. It ends with 1 where the two builds differ, and where the wheel
that is built from the sdist is another than the one that is built from the commit.
"""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(folder: Path) -> int:
    """Build, compare, keep the first."""
    epoch = git("log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory() as temporary:
        first, second = (built(Path(temporary) / name, epoch) for name in ("one", "two"))
        again = from_sdist(first, Path(temporary) / "three", epoch)
        sums = [digests(one) for one in (first, second, again)]
        alike = sums[0] == sums[1] and sums[2].items() <= sums[0].items()
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(first.iterdir()):
            (folder / path.name).write_bytes(path.read_bytes())
            print(f"{sums[0][path.name]}  {folder / path.name}  {path.stat().st_size:,} bytes")
    print("two builds and the wheel of the sdist are the same" if alike else f"they differ: {sums}")
    return 0 if alike else 1


def git(*words: str) -> str:
    """What git says of this repository."""
    command = ["git", "-C", str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def built(folder: Path, epoch: str) -> Path:
    """The distributions of a clone of the commit."""
    git("clone", "--quiet", "--local", str(ROOT), str(folder))
    build(folder, epoch)
    return folder / "dist"


def from_sdist(distributions: Path, folder: Path, epoch: str) -> Path:
    """The wheel that the sdist gives."""
    (sdist,) = distributions.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    build(unpacked, epoch, "-t", "wheel")
    return unpacked / "dist"


def build(folder: Path, epoch: str, *targets: str) -> None:
    """Run hatchling, with the date of the commit."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch}
    environment.pop("PYTHONPATH", None)
    words = [sys.executable, "-m", "hatchling", "build", *targets]
    subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True)


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every distribution."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


if __name__ == "__main__":
    FOLDER = sys.argv[1] if len(sys.argv) > 1 else "dist"
    if FOLDER.startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(Path(FOLDER)))
