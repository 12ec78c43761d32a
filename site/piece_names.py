"""What the page that checks magics knows of pieces and of other boards, as the command does."""

import json
from dataclasses import asdict

from magicert.betza import FROM_TARGET, HEXAGONAL, LEAPS, NAMES
from magicert.verify.source.larger_boards import LIKELY_BOARDS, LIKELY_PIECES


def piece_names() -> str:
    """The names and notations of pieces, and the boards and pieces that lists are for by their
    lengths and names, as JSON.
    """
    hexagonal = {name: [asdict(atom) for atom in atoms] for name, atoms in HEXAGONAL.items()}
    return json.dumps(
        {
            "names": NAMES,
            "leaps": LEAPS,
            "hexagonal": hexagonal,
            "fromTarget": sorted(FROM_TARGET),
            "likelyBoards": LIKELY_BOARDS,
            "likelyPieces": LIKELY_PIECES,
        }
    )
