"""What hatchling puts into the distributions besides the code: the data, and the commit.

    data that a wheel carries      everything in tables/ but the large packed files; the documents
    commit.txt in magicert         which commit it was built from, for `magicert --version`

A wheel is to stay small. The data that it leaves out is in the repository, in the sdist, and in
the data archive (`make archive`).
"""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LARGEST_PACKED = 12 << 10
"""Bytes of the largest .xz file that a wheel carries."""
EXAMPLES = {
    "certificates/bishop-d1-4.cover.xz",
    "certificates/bishop-e1-4.cover.xz",
    "proofs/bishop-d1-4.drup.xz",
}
"""Larger ones that README and the documents name, so that they can be followed anywhere."""
FOR_DOCUMENTS = {
    "census.tsv", "claims.tsv", "frontier.json", "expected.json", "proved-functions.tsv",
    "engines.tsv",
}  # fmt: skip
"""What documents and tests are made from, and no command reads."""
COMMIT = "/".join(("magicert", "commit.txt"))


class Hook(BuildHookInterface[Any]):
    """Called by hatchling for both distributions."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files."""
        root = Path(self.root)
        added: dict[str, str] = build_data["force_include"]
        if self.target_name == "wheel":
            carried = [*wheel_data(root), *(f"docs/{path.name}" for path in root.glob("docs/*.md"))]
            added |= {str(root / name): f"magicert/{name}" for name in carried}
            added[str(root / "README.md")] = "/".join(("magicert", "docs", "README.md"))
        path = root / COMMIT  # it is there in an unpacked sdist
        if not path.exists():
            path = Path(self.directory) / "commit.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{commit_of(root) or 'unknown'}\n", "ascii")
        added[str(path)] = COMMIT

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing beside the distributions."""
        (Path(self.directory) / "commit.txt").unlink(missing_ok=True)


def wheel_data(root: Path) -> list[str]:
    """The files of tables/ that a wheel carries."""
    tables = root / "tables"
    return [
        path.relative_to(root).as_posix()
        for path in sorted(tables.rglob("*"))
        if path.is_file() and is_carried(path, path.relative_to(tables).as_posix())
    ]


def is_carried(path: Path, name: str) -> bool:
    """Whether a wheel carries this file."""
    if name in FOR_DOCUMENTS or name.startswith("engines/"):
        return False
    return path.suffix != ".xz" or path.stat().st_size <= LARGEST_PACKED or name in EXAMPLES


def commit_of(root: Path) -> str:
    """The commit that is checked out, marked if files differ from it; "" outside a repository."""
    if not (root / ".git").exists():
        return ""
    try:
        command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
        command += ["--exclude=*"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
