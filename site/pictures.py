"""Draw the pictures of README.md and the documents, docs/pictures/*.svg, from the tables.

    python site/pictures.py           # after a change of a table or of the drawing

They lie in the repository, because README shows them; a test compares them with what is drawn.
"""

import sys
from pathlib import Path
from xml.etree.ElementTree import Element

ROOT = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from magicert.board import Piece, attack_set, mask, parse_square, squares_of  # noqa: E402
from magicert.data import find_table  # noqa: E402
from magicert.draw.board import side_by_side, slider_board  # noqa: E402
from magicert.draw.buffer_map import Band, buffer_map  # noqa: E402
from magicert.draw.markup import as_svg  # noqa: E402
from magicert.draw.style import PICTURES  # noqa: E402
from magicert.draw.word import Part, words  # noqa: E402
from magicert.jobs.pages.findings import finding_boards  # noqa: E402
from magicert.jobs.pages.usage import bands, map_of, usage_of  # noqa: E402
from magicert.table import read_table  # noqa: E402
from magicert.verify.table.verifier import verify  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    square = parse_square("e4")
    blockers = [parse_square("e6"), parse_square("c4")]
    attacks = attack_set(Piece.ROOK, square, sum(1 << blocker for blocker in blockers))
    relevant = mask(Piece.ROOK, square)
    drawn = {
        "rook-e4": (slider_board("R", square, blockers, list(squares_of(attacks))), "A rook on e4"),
        "mask-e4": (
            slider_board("R", square, [], list(squares_of(relevant))),
            "The squares that matter to a rook on e4",
        ),
        "counterexample": (counterexample(), "Two positions that share a slot"),
        "window": (window(), "The window of known bits grows to either side"),
        "buffer-fancy": (buffer("bbc"), "107,648 entries, each square on its own"),
        "buffer-packed": (buffer("black"), "The same attack sets in a packed buffer"),
    }
    return {
        f"{name}.svg": as_svg(picture, PICTURES, title, "for its documents")
        for name, (picture, title) in drawn.items()
    }


def window() -> Element:
    """A window, and the two ways in which it grows."""

    def row(low: int, high: int) -> list[Part]:
        return [
            Part(high, 64, "unknown", "h: not known"),
            Part(low, high, "known", f"bits {low} to {high - 1}: known"),
            Part(0, low, "unknown", "r: not known"),
        ]

    return words(
        "A window of known bits in a magic",
        [
            ("a node: m = h * 2^44 + window * 2^18 + r", row(18, 44)),
            ("q is raised: occupancies with lower squares no longer depend on h", row(18, 48)),
            ("p is lowered: products are known more exactly", row(12, 44)),
        ],
    )


def counterexample() -> Element:
    """The first finding in a table of a real engine."""
    report = verify(read_table(find_table("olah_bad_4425a97")))
    return side_by_side(finding_boards(report.findings[0]))


def buffer(name: str) -> Element:
    """The buffers of a table, one behind the other."""
    usages = usage_of(read_table(find_table(name)))
    if len(usages) == 1:
        return map_of(usages[0], name)
    joined, start = [], 0
    for usage in usages:
        joined += [
            Band(band.label, band.colour, [start + slot for slot in band.slots])
            for band in bands(usage)
            if len(band.slots)
        ]
        start += usage.length
    return buffer_map(name, joined, start)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, "utf-8")
