"""Pack all attack sets into the smallest buffer that a budget allows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from magicert.outcome import Watch
from magicert.requests.packing.question import PackQuestion

if TYPE_CHECKING:
    from magicert.outcome import Impossible, Unknown
    from magicert.requests.packing.shared import Found, Interrupted

    PackOutcome: TypeAlias = Found | Interrupted | Impossible | Unknown


@dataclass(frozen=True, slots=True)
class Pack(PackQuestion["PackOutcome"]):
    """Pack; every better layout replaces the output file, verified, with its certificate."""

    def run(self, watch: Watch) -> "PackOutcome":
        """Raises InputError for a table that cannot be packed."""
        from magicert.requests.packing.pack import PlainJob

        return PlainJob(self, watch).outcome()
