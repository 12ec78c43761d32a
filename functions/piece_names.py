"""What a name says of a piece: whose attacks a function computes, as far as its words tell.

    rook_attacks                    rook
    PAWN_ATTACKS[WHITE]             fF, what a white pawn captures
    knightEffect(BLACK, square)     on a board of shogi ffN: its knight goes forward only

Names are the source's, and may mean anything: they choose what is asked, and prove nothing.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from magicert.board import Board

_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_OWNERS = {piece: frozenset(words) for piece, words in _DATA.pop("owners").items()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDS = {
    piece: frozenset(
        word for game in _DATA.values() for word in game["pieces"].get(piece, ())
    )
    for game in _DATA.values() for piece in game["pieces"]
}  # fmt: skip
"""What a piece is called in any game."""
_ALL_WORDS = frozenset[str]().union(*_WORDS.values())
COLOURS = frozenset[str]().union(*_OWNERS.values())
"""What the two sides are called."""


def words_of(name: str) -> list[str]:
    """The words that a name is made of, in small letters: of NORTH_EAST ["north", "east"]."""
    return [word.lower() for word in _WORD.findall(name)]


def names_piece(name: str, piece: str) -> bool:
    """Whether a name has a word for a piece, in any game."""
    words = _WORDS.get(piece, frozenset({piece, f"{piece}s"}))
    return not words.isdisjoint(words_of(name))


def names_any_piece(name: str) -> bool:
    """Whether a name has a word for any piece."""
    return not _ALL_WORDS.isdisjoint(words_of(name))


def pieces_in(name: str, board: Board) -> list[str]:
    """The pieces that a name may mean on a board: ["fF", "bF"] of PAWN_ATTACKS."""
    words = words_of(name)
    pieces = _game_of(board)["pieces"]
    return [piece for piece, known in pieces.items() if not {*known}.isdisjoint(words)]


def owners_of(piece: str) -> frozenset[str]:
    """What the side is called whose piece goes so; nothing where both sides' do."""
    return _OWNERS.get(piece, frozenset())


def is_owner(name: str, piece: str) -> bool:
    """Whether a constant's name is that of a side whose piece goes so, and says no more: WHITE, or
    kWhite.
    """
    words = words_of(name)
    words = words[words[:1] == ["k"] :]
    return bool(words) and (owners_of(piece) or COLOURS).issuperset(words)


def sliders_on(board: Board) -> list[str]:
    """What a function on a board computes that can be given a rook."""
    return [*_game_of(board)["sliders"]]


def _game_of(board: Board) -> dict[str, Any]:
    """The game that a board is for, whatever its holes."""
    size = f"{board.files}x{board.ranks}"
    games = (game for game in _DATA.values() if game.get("board") == size)
    return next(games, _DATA["chess"])
