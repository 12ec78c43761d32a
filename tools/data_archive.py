"""`make archive`: all data as one archive, ready to be deposited.

    python tools/data_archive.py FOLDER

writes FOLDER/magicert-data-VERSION.tar.xz: everything in tables/, with a README, the licence, how
to cite it, and the SHA-256 of every file. The same files give the same bytes. Its tables/ is what
MAGICERT_DATA may name where a wheel is installed.
"""

import hashlib
import io
import lzma
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import magicert

ROOT = Path(__file__).parents[1]
README = """# The data of magicert {version}

Published magic-bitboard tables of {published} engines and libraries (numbers only, with their
provenance), this project's shortest tables, an atlas of what is known about every square, and the
certificates and proofs behind it. TOML, JSON and text files; the larger ones are packed with xz.

    sha256sum -c SHA256SUMS                            checks the files
    pip install .                                      in the program's repository, at {version}
    MAGICERT_DATA=$PWD/tables magicert check bishop-c7-4
    MAGICERT_DATA=$PWD/tables magicert verify --published

`tables/README.md` says what is where. docs/ of the program's repository has the formats
(table-format.md, cover-certificates.md, proofs.md, atlas.md).

Licence: MIT (LICENSE). The numbers of published tables belong to the engines that their files name.
To cite: CITATION.cff. DOI of this archive: {doi}.
"""


def main(folder: Path) -> None:
    """Write the archive, and say what is in it."""
    name = f"magicert-data-{magicert.__version__}"
    files = contents()
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in files.items())
    files["SHA256SUMS"] = sums.encode()
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{name}.tar.xz"
    output.write_bytes(lzma.compress(packed(name, files), preset=0))
    digest = hashlib.sha256(output.read_bytes()).hexdigest()
    print(f"{output}: {len(files)} files, {output.stat().st_size:,} bytes\nsha256 {digest}")


def contents() -> dict[str, bytes]:
    """The files by their paths in the archive, sorted."""
    tables = {name: (ROOT / name).read_bytes() for name in committed()}
    published = sum(path.startswith("tables/published/") for path in tables)
    doi = re.search(r"^doi: *(\S+)", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    filled = {"published": published, "doi": doi[1] if doi else "none yet"}
    readme = README.format(version=magicert.__version__, **filled)
    own = {name: (ROOT / name).read_bytes() for name in ("LICENSE", "CITATION.cff")}
    return dict(sorted({**tables, **own, "README.md": readme.encode()}.items()))


def committed() -> list[str]:
    """The files of tables/ that git knows: what lies beside them is nobody's yet."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "tables"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


def packed(name: str, files: dict[str, bytes]) -> bytes:
    """A tar file that depends on nothing but the files and the date of the commit."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), date(), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return made.getvalue()


def date() -> int:
    """SOURCE_DATE_EPOCH, or the date of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return int(given or subprocess.run(command, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    FOLDER = sys.argv[1] if len(sys.argv) > 1 else "dist"
    if FOLDER.startswith("-"):
        sys.exit(__doc__)
    main(Path(FOLDER))
