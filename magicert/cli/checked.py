"""One verified file: its report, or why there is none."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.problem import InputError

if TYPE_CHECKING:
    from verify.report import Report  # numpy-free, but not needed for help


@dataclass(frozen=True, slots=True)
class Checked:
    """One file: its report, or why there is none."""

    path: Path
    result: "Report | InputError"

    @property
    def verdict(self) -> str:
        """The report's verdict, or "bad input"."""
        return "bad input" if isinstance(self.result, InputError) else self.result.verdict
