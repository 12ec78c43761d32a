"""One verified file: its report, or why there is none."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.problem import InputError, printable

if TYPE_CHECKING:
    from magicert.verify.table.report import Report  # numpy-free, but not needed for help


@dataclass(frozen=True, slots=True)
class Checked:
    """One file: its report, or why there is none."""

    path: Path
    result: "Report | InputError"

    @property
    def verdict(self) -> str:
        """The report's verdict, or "bad input"."""
        return "bad input" if isinstance(self.result, InputError) else self.result.verdict


def bad_input(file: str, error: InputError) -> dict[str, Any]:
    """What --json says of an input that cannot be used: every problem with its place."""
    problems = [
        {
            "file": printable(problem.file),
            "key": problem.key,
            "line": problem.line,
            "message": printable(problem.message),
        }
        for problem in error.problems
    ]
    return {"verdict": "bad input", "input": {"file": printable(file)}, "problems": problems}
