"""Options that do not go together, and files that are not to be written over."""

from pathlib import Path
from typing import Any

import click

from magicert.cli.commands.finding.boards import check_board
from magicert.cli.options.output import check_output
from magicert.cli.options.types import values_by_name
from magicert.square_order import ORDERS


def check_order(given: dict[str, Any]) -> None:
    """Refuse --order and --search where they mean nothing. Raises click.UsageError."""
    of_a_square = given["keys"] is None and given["board"] is None and not given.get("whole_set")
    if of_a_square:
        return
    if given["order"] != ORDERS[0]:
        raise click.UsageError("--order is for one square of chess: a table file has its own order")
    if given["search"]:
        raise click.UsageError("--search is for one square of chess: the atlas has no others")


def check_usage(given: dict[str, Any]) -> None:
    """Refuse options that do not go together. Raises click.UsageError."""
    check_board(given)
    check_order(given)
    if not given["whole_set"]:
        of_a_set = {
            "--piece": "only_pieces",
            "--fixed-shift": "fixed_shift",
            "--fewer-bits": "fewer_bits",
            "--output": "output",
            "--form": "form",
            "--two-level": "two_level",
            "--masks": "masks",
            "--sizes": "sizes",
        }
        alone = [shown for shown, name in of_a_set.items() if given[name]]
        if alone:
            raise click.UsageError(f"{', '.join(alone)}: expected together with --set")
        check_subject(given, "or --set")
        return
    if given["keys"] is not None:
        raise click.UsageError("--set is for all squares: not together with --keys")
    if given["piece"] is not None:
        raise click.UsageError("--set is for all squares: expected --piece rook, not PIECE SQUARE")
    of_a_square = {
        "--all": given["everything"],
        "--largest-index": given["largest_index"] is not None,
        "--ledger": given["ledger"],
        "--cluster": given["cluster"],
    }
    for shown, is_given in of_a_square.items():
        if is_given:
            raise click.UsageError(f"{shown} is for one square: not together with --set")
    ways = [given["bits"] is not None, given["fixed_shift"], given["fewer_bits"]]
    if sum(ways) > 1:
        raise click.UsageError("expected one of --bits, --fixed-shift and --fewer-bits")


def check_subject(given: dict[str, Any], other: str = "") -> None:
    """Refuse anything but a square or keys. Raises click.UsageError."""
    has_square = given["piece"] is not None and given["square"] is not None
    if given["keys"] is None and not has_square:
        ways = ", ".join(filter(None, ["expected PIECE and SQUARE, or --keys FILE", other]))
        raise click.UsageError(ways)
    if given["keys"] is not None and given["piece"] is not None:
        raise click.UsageError("--keys is for no square: expected --keys FILE, or PIECE SQUARE")
    if given["keys"] is not None and given.get("proof") is not None:
        raise click.UsageError("--proof is for squares: expected -O certificate=FILE with --keys")
    certificate = "certificate" in values_by_name(given["given"])
    if given["keys"] is not None and given["bits"] is None and certificate:
        raise click.UsageError("-O certificate: expected --bits with --keys")


def check_outputs(given: dict[str, Any]) -> None:
    """Refuse to write over what is not magicert's: -o, --proof and the engine's certificate."""
    certificate = values_by_name(given["given"]).get("certificate")
    written = [given.get("output"), given.get("proof")]
    if certificate and Path(certificate).parent.is_dir():  # else its folder is made
        written.append(Path(certificate))
    for path in filter(None, written):
        check_output(path, [given["ledger"], given["keys"]], force=given["force"])
