"""The question that options ask."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.board import Piece
from magicert.board.betza import parse_piece
from magicert.cli.options.types import values_by_name

if TYPE_CHECKING:
    from magicert.cell import Subject
    from magicert.jobs.find import Wanted
    from magicert.jobs.sets.chess import SetWanted


def wanted_of(
    given: dict[str, Any], *, everything: bool, proof: bool, about: "Subject | None" = None
) -> "Wanted":
    """The question that these options ask, about the square they name or something else."""
    from magicert.jobs.find import Wanted

    ledger: Path | None = given["ledger"]
    own = {"ledger": str(ledger or ""), "cluster": given["cluster"]}
    named = {name: value for name, value in own.items() if value}
    return Wanted(
        about=about or square_of(given),
        scheme=given["scheme"],
        bits=given["bits"],
        largest_index=given["largest_index"],
        engine=given["engine"],
        everything=everything,
        proof=proof,
        search=given["search"],
        seconds=given["seconds"],
        memory=given["memory"],
        seed=given["seed"],
        workers=given["workers"],
        options=values_by_name(given["given"]) | named,
    )


def square_of(given: dict[str, Any]) -> "Subject":
    """The square that these options name, of chess or of another board of up to 64.

    Each order of chess is a symmetry of the board: the square of bit n has the occupancies, and so
    the magics, that a1's order has for bit n.
    """
    from magicert.cell import Mover, Slider
    from magicert.square_order import place_of

    if given["board"] is None:
        return Slider(Piece(given["piece"]), place_of(given["order"], given["square"]))
    return Mover(given["board"], parse_piece(given["piece"]), given["square"])


def set_of(given: dict[str, Any]) -> "SetWanted":
    """The set that these options ask for."""
    from magicert.jobs.sets.chess import SetWanted

    only = given["only_pieces"]
    return SetWanted(
        pieces=tuple(map(Piece, only)) or tuple(Piece),
        scheme=given["scheme"],
        bits=given["bits"],
        fixed_shift=given["fixed_shift"],
        fewer_bits=given["fewer_bits"],
        engine=given["engine"],
        seconds=given["seconds"],
        memory=given["memory"],
        seed=given["seed"],
        workers=given["workers"],
        options=values_by_name(given["given"]),
        output=given["output"],
    )
