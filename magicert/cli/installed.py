"""What is installed: `magicert --version`, and completion for PowerShell, which click has not."""

import os
from collections.abc import Mapping
from pathlib import Path

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

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
    asked = ["git", "-C", str(PACKAGE.parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(
            [*asked, "--exclude=*"], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def about(extras: Mapping[str, str]) -> str:
    """A few lines for a report of a bug. `extras` has the extra that brings each library."""
    import platform
    from importlib.util import find_spec

    found = commit()
    lacking = {extra for library, extra in extras.items() if find_spec(library) is None}
    every = list(dict.fromkeys(extras.values()))
    here, missing = (
        [extra for extra in every if (extra in lacking) == lacks] for lacks in (False, True)
    )
    lines = [f"magicert {magicert.__version__}{f', commit {found}' if found else ''}"]
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


SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $env:COMP_WORDS = $words -join "`n"
    $env:COMP_WORD = $wordToComplete
    $env:%(complete_var)s = 'powershell_complete'
    try {
        %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_ -split "`t", 3
            if ($kind -eq 'plain') {
                if (-not $help) { $help = $value }
                [System.Management.Automation.CompletionResult]::new(
                    $value, $value, 'ParameterValue', $help)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename(
                    $wordToComplete)
            }
        }
    } finally {
        Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s -ErrorAction Ignore
    }
}
"""


@add_completion_class
class PowerShell(ShellComplete):
    """Words before the cursor in COMP_WORDS, one a line; the word at it in COMP_WORD."""

    name = "powershell"
    source_template = SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        words = os.environ.get("COMP_WORDS", "")
        return words.split("\n") if words else [], os.environ.get("COMP_WORD", "")

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type}\t{item.value}\t{' '.join((item.help or '').split())}"
