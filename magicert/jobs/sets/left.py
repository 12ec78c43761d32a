"""A set with squares left open: what there is of it, and the file that keeps that."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from magicert.outcome import Impossible, Outcome, Unknown
from magicert.search.sets.magic_list import AnyPiece, Magic, MagicList, write_magic_list


def partial_of(output: Path) -> Path:
    """The file that keeps an interrupted set, beside the output."""
    return output.with_name(output.name + ".partial")


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Generic[AnyPiece]):
    """What there is of a set of `squares` squares; those in `left` are all impossible, or none is.

    `partial` is the file that keeps the magics, if one does.
    """

    squares: int
    magics: Mapping[tuple[AnyPiece, int], Magic]
    left: Mapping[tuple[AnyPiece, int], Outcome]
    partial: Path | None = None

    @property
    def impossible(self) -> bool:
        """Whether the squares that are left have no magic."""
        return any(isinstance(outcome, Impossible) for outcome in self.left.values())

    @property
    def exit_status(self) -> int:
        """1 or 3."""
        return Impossible.exit_status if self.impossible else Unknown.exit_status


def decisive(
    left: Mapping[tuple[AnyPiece, int], Outcome],
) -> Mapping[tuple[AnyPiece, int], Outcome]:
    """The squares that are impossible, if any is: then the others do not matter."""
    impossible = {s: outcome for s, outcome in left.items() if isinstance(outcome, Impossible)}
    return impossible or left


def keep(
    listed: MagicList[AnyPiece],
    left: Mapping[tuple[AnyPiece, int], Outcome],
    output: Path | None,
) -> Path | None:
    """Write what there is beside the output, unless no search can complete it; the file."""
    impossible = any(isinstance(outcome, Impossible) for outcome in left.values())
    if output is None or not listed.magics or impossible:
        return None
    partial = partial_of(output)
    write_magic_list(listed, partial, "What a set had when it was interrupted.")
    return partial
