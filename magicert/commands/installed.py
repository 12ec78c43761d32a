"""What is installed: `magicert --version`."""

from collections.abc import Mapping
from pathlib import Path

import magicert

PACKAGE = Path(magicert.__file__).parent


def commit() -> str:
    """The commit that was built, or that is checked out; "" where nobody knows."""
    import subprocess

    built = PACKAGE / "commit.txt"
    if built.exists():
        return built.read_text("ascii").strip().replace("unknown", "")
    if not (PACKAGE.parent / ".git").exists():
        return ""
    command = ["git", "-C", str(PACKAGE.parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(
            [*command, "--exclude=*"], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def about(extras: Mapping[str, str]) -> str:
    """A few lines for a report of a bug. `extras` has the extra that brings each library."""
    import platform
    from importlib.util import find_spec

    commit_id = commit()
    lacking = {extra for library, extra in extras.items() if find_spec(library) is None}
    every = list(dict.fromkeys(extras.values()))
    here, missing = (
        [extra for extra in every if (extra in lacking) == lacks] for lacks in (False, True)
    )
    lines = [f"magicert {magicert.__version__}{f', commit {commit_id}' if commit_id else ''}"]
    lines.append(f"Python {platform.python_version()}, numpy {_version('numpy')}")
    lines.append(f"extras: {', '.join(here) or 'none'}")
    lines += [f"not installed: {', '.join(missing)}"] if missing else []
    return "\n".join(lines)


def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return "missing"
