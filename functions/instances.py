"""What the instances of a template, or of a generic function, are said to compute.

    rook=attacks_bb   ->   attacks_bb<BISHOP> is a bishop's, attacks_bb<ROOK> is a rook's

The source says which instances it calls. Whose attacks an instance computes is guessed from the
piece or direction that its arguments name (`<ROOK>`, `<NORTH_EAST>`). A guess can make it proved,
never refuted, unless it is the only instance that names the piece that was asked. An instance
without such a word is claimed to be what `--function` says.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from magicert.betza import parse_piece
from magicert.board import Board
from magicert.functions.compare.claim import SIDES, FunctionClaim
from magicert.functions.piece_names import owners_of, pieces_in, words_of

COMPASS = {word: side for side, word in SIDES.items()}
"""Words that name a direction, as Betza writes it."""


def words_in(instance: str) -> list[str]:
    """The words of an instance's arguments, without their namespaces: ["north", "east"]."""
    arguments = instance.partition("<")[2]
    return words_of(re.sub(r"\w+(?:<[^<>]*>)?::", "", arguments))


def piece_of(instance: str, claim: FunctionClaim, board: Board) -> str:
    """Whose attacks an instance's arguments speak of, as a key of `--function` would; "" where they
    do not say, or name several pieces. A pawn's differ by its colour, which says nothing alone.
    """
    words = words_in(instance)
    pieces = {
        piece for word in words for piece in pieces_in(word, board) if not owners_of(piece)
    }  # fmt: skip
    if len(pieces) == 1:
        return pieces.pop()
    sides = "".join(sorted({COMPASS[word] for word in words if word in COMPASS}))
    if pieces or claim.kind != "setwise" or len(sides) not in {1, 2} or sides in {"bf", "lr"}:
        return ""
    atom = claim.movement.atoms[0]
    letter = ("W", "F") if atom.limit == 1 else ("R", "B")
    return sides + letter[len(sides) - 1]


def claims_of(
    claim: FunctionClaim, instances: Sequence[str], others: Iterable[FunctionClaim], board: Board
) -> list[FunctionClaim]:
    """A claim about a template, as a claim about each of its instances.

    - If no instance names a piece, each is claimed to be what the claim says; and so is an
      instance that the claim itself names.
    - If some do, those that name none are left out.
    - If all of them name other pieces than the claim does, the claim stays as it is.

    What one of `others`, the claims beside it, speaks of already is left to that one.
    """
    named = "<" in claim.name and len(instances) == 1
    pieces = {instance: "" if named else piece_of(instance, claim, board) for instance in instances}
    same = [one for one in others if one.kind == claim.kind]
    if any(pieces.values()):
        own = {p for p in pieces.values() if p and _is_of(p, claim, board)}
        if not own:
            return [claim]
        pieces = {
            instance: claim.piece if piece in own else piece
            for instance, piece in pieces.items()
            if piece and not any(_is_of(piece, one, board) for one in same)
        }
    alone = len(instances) == 1 and {*pieces.values()} <= {claim.piece, ""}
    meant = [instance for instance, piece in pieces.items() if piece == claim.piece]
    # Of directions one of many is asked for, whatever the board's order.
    sure = (
        {*pieces} if alone else {*meant} if meant[1:] == [] and claim.kind != "setwise" else set()
    )
    return [
        replace(
            claim, name=instance, piece=piece or claim.piece,
            movement=parse_piece(piece or claim.piece, board), guessed=instance not in sure,
        )
        for instance, piece in pieces.items()
    ]  # fmt: skip


def _is_of(piece: str, claim: FunctionClaim, board: Board) -> bool:
    return parse_piece(piece, board).rules == claim.movement.rules
