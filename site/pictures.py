"""Draw the pictures of README.md and the documents, docs/pictures/*.svg, from the tables.

    python site/pictures.py           # after a change of a table or of the drawing

It also writes the figures of tables/frontier.json into research/frontier/measurements.md.

They lie in the repository, because README shows them; a test compares them with what is drawn.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "site"))
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
sys.path.append(str(ROOT))  # behind what is installed: research is in the checkout only

from charts import NARROW, PLANE, BitRange, Point, plane, words  # noqa: E402

from magicert.atlas import read_atlas  # noqa: E402
from magicert.board import squares_of  # noqa: E402
from magicert.chess import Piece, attack_set, mask, parse_square  # noqa: E402
from magicert.data import find_table, tables_folder  # noqa: E402
from magicert.drawing.boards import Diagram  # noqa: E402
from magicert.drawing.markup import PICTURES, as_svg, element, joined  # noqa: E402
from magicert.drawing.pictures import coloured_board, piece_board, words_board  # noqa: E402
from magicert.show.atlas_page import evidence_board  # noqa: E402
from magicert.show.buffers import (  # noqa: E402
    SHARED,
    Band,
    bands,
    buffer_map,
    map_of,
    square_colour,
    usage_of,
)
from magicert.table import read_table  # noqa: E402
from magicert.verify.table import MAX_LOOKUPS  # noqa: E402
from magicert.verify.table.diagrams import diagrams  # noqa: E402
from magicert.verify.table.layout import lay_out  # noqa: E402
from magicert.verify.table.lookups import Lookups  # noqa: E402
from magicert.verify.table.verifier import verify  # noqa: E402
from research.frontier.figures import (  # noqa: E402
    Measure,
    Survey,
    frontier,
    losing,
    read_survey,
    unsteady,
)

FOLDER = ROOT / "docs" / "pictures"
MEASURED = ROOT / "research" / "frontier" / "measurements.md"
CHARTS = {
    "warm": Measure("queen", "random", "throughput", 0),
    "touched": Measure("queen", "random", "throughput", 1024),
    "latency": Measure("queen", "random", "latency", 256),
}
"""What of tables/frontier.json is drawn."""
SHOWN = (
    ("throughput", 0), ("throughput", 256), ("throughput", 1024), ("latency", 0), ("latency", 256),
)  # fmt: skip
"""The columns of the table: what is measured, and KiB touched between two lookups."""


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    square = parse_square("e4")
    blockers = [parse_square("e6"), parse_square("c4")]
    attacks = attack_set(Piece.ROOK, square, sum(1 << blocker for blocker in blockers))
    relevant = mask(Piece.ROOK, square)
    atlas = read_atlas(tables_folder() / "atlas.toml")
    drawn = {
        "rook-e4": (rook(square, blockers, attacks), "A rook on e4"),
        "mask-e4": (
            rook(square, [], relevant),
            "The squares that matter to a rook on e4",
        ),
        "counterexample": (counterexample(), "Two positions that share a slot"),
        "window": (window(), "The window of known bits grows to either side"),
        "buffer-fancy": (buffer("bbc"), "107,648 entries, each square on its own"),
        "buffer-packed": (buffer("black"), "The same attack sets in a packed buffer"),
        "buffer-layered": (buffer("layered"), "The same attack sets, several in an entry"),
        "buffer-key": (colour_key(), "The colour of each square in the pictures of buffers"),
        **{
            f"evidence-{piece}": (evidence_board(atlas, piece), f"The fewest bits of each {piece}")
            for piece in Piece
        },
        "entry-layered": (entry("layered", 3), "What three squares want of an entry"),
        **{
            f"frontier-{name}{ending}": (bytes_against_time(m, size), m.how)
            for name, m in CHARTS.items()
            for ending, size in (("", PLANE), ("-narrow", NARROW))
        },
    }
    return {
        f"{name}.svg": as_svg(picture, PICTURES, title, "for its documents")
        for name, (picture, title) in drawn.items()
    }


def window() -> Element:
    """A window, and the two ways in which it grows."""

    def row(low: int, high: int) -> list[BitRange]:
        return [
            BitRange(high, 64, "unknown", "h: not known"),
            BitRange(low, high, "known", f"bits {low} to {high - 1}: known"),
            BitRange(0, low, "unknown", "r: not known"),
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
    return joined([piece_board(one) for one in diagrams(report.findings[0])])


def rook(square: int, blockers: Sequence[int], reached: int) -> Element:
    """A rook's board."""
    diagram = Diagram("rook", square, frozenset(blockers), frozenset(squares_of(reached)))
    return piece_board(diagram)


def colour_key() -> Element:
    """Rooks and bishops, each square in its colour."""
    boards = []
    for piece in Piece:
        colours = {square: square_colour(piece, square) for square in range(64)}
        board = coloured_board(f"colours of the {piece}s", colours)
        board.append(element("text", f"{piece}s", class_="key", x=1, y=9.5))
        board.set("viewBox", "0 0 9 10")
        boards.append(board)
    key = joined(boards)
    rows = [("ground", "a free slot"), *((SHARED[n], f"shared by {n} squares") for n in (2, 3))]
    for line, (colour, text) in enumerate(rows):
        box = element("rect", x=1, y=10.5 + line, width=0.6, height=0.6)
        box.set("style", f"fill:{'var(--ground)' if colour == 'ground' else colour}")
        key.append(box)
        key.append(element("text", text, class_="key", x=2, y=11 + line))
    for text in key.iter("text"):
        if text.get("class") == "key":
            text.set("style", "font-size:.7px")
    key.set("viewBox", "0 0 19 13.5")
    return key


def bytes_against_time(measure: Measure, size: tuple[int, int]) -> Element:
    """Every way that was measured: its bytes and its nanoseconds."""
    # Kogge-Stone reads nothing: no logarithm.
    ways = [way for way in read_survey(tables_folder() / "frontier.json").ways if way.bytes]
    best = frontier(ways, measure)
    points = [Point(way.title, way.bytes, way.ns(measure), way.name in best) for way in ways]
    title = f"{measure.piece}, {measure.positions} positions, {measure.how}"
    return plane(title, points, "bytes", "ns", size)


def with_figures(page: str) -> str:
    """The page of measured ways with the figures of tables/frontier.json between its marks."""
    survey = read_survey(tables_folder() / "frontier.json")
    begin, end = "<!-- figures -->\n", "<!-- end of figures -->"
    head, _, rest = page.partition(begin)
    return (
        head
        + begin
        + "".join(f"{line}\n" for line in figures_of(survey))
        + end
        + (rest.partition(end)[2])
    )


def figures_of(survey: Survey) -> Iterator[str]:
    """What was measured, as Markdown."""
    machine = survey.machine
    caches = ", ".join(f"{name} {size:,} KiB" for name, size in machine.caches_kib.items())
    yield f"Machine: {machine.processor}, {machine.system}; {caches}."
    yield f"Compiler: `{machine.compiler}`, `{machine.flags}`. Run: {survey.date},"
    yield f"`{survey.command}`, {min(way.repetitions for way in survey.ways)} repetitions."
    columns = [Measure("queen", "random", kind, touched) for kind, touched in SHOWN]
    heads = [f"{m.kind} {f'{m.touched:,} KiB' if m.touched else 'warm'}" for m in columns]
    best = {measure: frontier(survey.ways, measure) for measure in columns}
    yield ""
    yield "Queens, random positions, nanoseconds; bold: on the frontier."
    yield ""
    yield f"| way | bytes | start | {' | '.join(heads)} |"
    yield f"|---|{'---|' * (2 + len(columns))}"
    for way in survey.ways:
        shown = [
            "~" * way.figure(m).wide
            + (f"**{way.ns(m):.1f}**" if way.name in best[m] else f"{way.ns(m):.1f}")
            for m in columns
        ]
        start = f"{way.start_us:,.0f} us" if way.start_us else "none"
        yield f"| {way.title} | {way.bytes:,} | {start} | {' | '.join(shown)} |"
    yield ""
    said = filter(None, [unsteady(survey.ways, columns), survey.machine.busy])
    yield from (f"- {line}." for line in said)
    yield ""
    yield "Queens, played positions ([figures](../../docs/sliders.md#on-played-positions)):"
    yield ""
    played = [Measure("queen", "games", m.kind, m.touched) for m in CHARTS.values()]
    yield from (f"- {line}." for line in losing(survey.ways, played))
    yield ""
    yield from (f"- left out: {left.title}: {left.why}." for left in survey.left_out)


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


def entry(name: str, sharers: int) -> Element:
    """The first entry of a layered table that so many squares use: what each wants of it, behind
    the fewest blockers, and the word.
    """
    file = read_table(find_table(name))
    slot = int((usage_of(file)[0].sharers == sharers).argmax())
    boards, ones, zeros = [], 0, 0
    for block in Lookups(lay_out(file)[0], MAX_LOOKUPS):
        for place, row in enumerate(block.rows.tolist()):
            found = block.slots[place] == slot
            if found.any():
                piece, square = Piece(block.layout.table.slider), file.table.row_square(row)
                line, attacks = attack_set(piece, square, 0), int(block.attacks[place][found][0])
                ones, zeros = ones | attacks, zeros | line & ~attacks
                fewest = min(block.occupancies[place][found].tolist(), key=int.bit_count)
                sets = [frozenset(squares_of(each)) for each in (fewest, attacks, line & ~attacks)]
                blockers, attacked, never = sets
                shown = Diagram(piece, square, blockers, attacked, differing=never)
                boards.append(piece_board(shown))
    bits = dict.fromkeys(squares_of(ones), ("1",))
    bits |= dict.fromkeys(squares_of(zeros), ("0",))
    label = f"entry {slot:,}: {ones:#018x}; nobody asks for {64 - len(bits)} bits"
    return joined([*boards, words_board(label, bits)])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, "utf-8")
    MEASURED.write_text(with_figures(MEASURED.read_text("utf-8")), "utf-8")
