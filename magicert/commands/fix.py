"""`magicert fix`: the smallest edit that makes a source's table valid."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.commands.command import Answer, command, option, wants_json
from magicert.commands.options import WholeNumber
from magicert.commands.source_options import SourceOptions, source_options
from magicert.problem import printable
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.verify.fixing.fix import Fixed


@command("fix")
@click.argument("sources", type=click.Path(), nargs=-1, required=True, metavar="SRC...")
@option("--write", is_flag=True, help="Also change the files themselves.")
@option("--seed", type=WholeNumber(0), default=1, show_default=True, seldom=True,
        help="Another seed finds other magics, where new ones are needed.")  # fmt: skip
@source_options()
def run(sources: tuple[str, ...], write: bool, seed: int, source: SourceOptions) -> Answer:
    """Find the smallest edit that makes the table of engine source files valid.

    All SRC are read together. For a wrong number three things are tried, in this order: the
    number of a published table, another digit in one place, and a new magic of the same bits and
    scheme. Where every square is right by itself, offsets are tried: the sum of the sizes before,
    or those of a published table. Numbers keep their notation. The patch is shown on standard
    output, once the patched source has been verified.

        magicert fix src/magics.h
        magicert fix src/magics.h | patch -p1
        magicert fix src/magics.rs --write
        magicert fix magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9

    Exit status: 0 valid already or a patch found, 1 invalid and no patch found, 2 bad input,
    3 not decided.
    """
    from magicert.system.whole_file import write_whole
    from magicert.verify.fixing.fix import fix

    fixed = fix([Path(name) for name in sources], source.overrides, seed, ProgressDisplay)
    if write and fixed.verdict == "valid":
        for path, data in fixed.contents.items():
            write_whole(path, data)
    name = printable(" and ".join(sources))
    remarks = [] if wants_json() else _remarks(fixed, name, written=write)
    return Answer(fixed.verdict, (), lambda: _data(fixed), remarks, _patch(fixed).encode())


def _patch(fixed: "Fixed") -> str:
    return "".join(fixed.patches) if fixed.verdict == "valid" else ""


def _data(fixed: "Fixed") -> dict[str, Any]:
    return {
        "verdict_before": fixed.before.verdict,
        "verdict": fixed.verdict,
        "changes": [asdict(change) for change in fixed.changes],
        "patch": _patch(fixed),
        "reasons": fixed.reasons,
    }


def _remarks(fixed: "Fixed", name: str, *, written: bool) -> list[str]:
    """What stands beside the patch, on standard error."""
    if fixed.before.verdict == "valid":
        warnings = [f"warning: {printable(warning)}" for warning in fixed.before.warnings]
        return [f"valid: {name} needs no fix", *warnings]
    if fixed.verdict != "valid":
        unknown = fixed.before.undecided or ["its verification did not finish"]
        reasons = [f"  {printable(reason)}" for reason in fixed.reasons or unknown]
        return [f"{fixed.verdict}: {name}: no patch was found:", *reasons]
    what_now = "written" if written else "--write applies it"
    changes = [printable(str(change)) for change in fixed.changes]
    return [*changes, f"verified: with this patch {name} is valid; {what_now}"]
