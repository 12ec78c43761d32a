"""Boards: a piece with its blockers and attack set, and a board with words on each square.

Squares have a1=0. A board is one unit wider and higher than its files and ranks: their names stand
left of it and below it. The last rank is at the top. Without another board it is chess's.
"""

from collections.abc import Collection, Mapping, Sequence
from xml.etree.ElementTree import Element

from magicert.board import CHESS, FILES, Board
from magicert.drawing.boards import Diagram
from magicert.drawing.markup import element


def corner(square: int, on: Board = CHESS) -> tuple[int, int]:
    """The upper left corner of a square."""
    file, rank = on.place(square)
    return 1 + file, on.ranks - 1 - rank


def _area(on: Board, squares: Collection[int], inset: float = 0.0) -> str:
    """A path that fills squares, each a little smaller than it is by `inset`."""
    side = 1 - 2 * inset
    parts = []
    for square in sorted(squares):
        x, y = corner(square, on)
        parts.append(f"M{x + inset:g} {y + inset:g}h{side:g}v{side:g}h{-side:g}z")
    return "".join(parts)


def _frame(label: str, on: Board) -> Element:
    dark = [square for square in on.playable if sum(on.place(square)) % 2 == 0]
    light = [square for square in on.playable if square not in dark]
    names = []
    for place in range(max(on.files, on.ranks)):
        if place < on.files:
            x, y = 1.5 + place, on.ranks + 0.7
            names.append(element("text", FILES[place], class_="name", x=x, y=y))
        if place < on.ranks:
            names.append(element("text", on.ranks - place, class_="name", x=0.5, y=0.65 + place))
    return element(
        "svg", element("title", label),
        element("rect", class_="light", x=1, y=0, width=on.files, height=on.ranks)
        if not on.holes
        else element("path", class_="light", d=_area(on, light)),
        element("path", class_="dark", d=_area(on, dark)), *names,
        class_="board", viewBox=f"0 0 {on.files + 1} {on.ranks + 1}", role="img",
    )  # fmt: skip


def piece_board(diagram: Diagram) -> Element:
    """A piece, its blockers, and what it attacks; what differs is framed."""
    on, square = diagram.on, diagram.square
    letter = diagram.piece[:1].upper()
    names = " ".join(map(on.name, sorted(diagram.blockers))) or "none"
    reached = " ".join(map(on.name, sorted(diagram.attacked))) or "nothing"
    label = f"{letter} on {on.name(square)}; blockers: {names}; attacks {reached}"
    picture = _frame(label, on)
    picture.append(element("path", class_="attacked", d=_area(on, diagram.attacked, 0.12)))
    if diagram.differing:
        picture.append(element("path", class_="differs", d=_area(on, diagram.differing, 0.06)))
    for blocker in sorted(diagram.blockers):
        x, y = corner(blocker, on)
        picture.append(element("circle", class_="blocker", cx=x + 0.5, cy=y + 0.5, r=0.24))
    x, y = corner(square, on)
    picture.append(element("circle", class_="slider", cx=x + 0.5, cy=y + 0.5, r=0.42))
    picture.append(element("text", letter, class_="letter", x=x + 0.5, y=y + 0.68))
    return picture


LINES = {
    1: (("first", 0.64),),
    2: (("first", 0.45), ("second", 0.82)),
    3: (("first", 0.38), ("more", 0.64), ("more", 0.88)),
}
"""The class of each word on a square that has so many, and how far below the square's top it is."""


def words_board(
    label: str, words: Mapping[int, Sequence[str]], classes: Mapping[int, str] | None = None,
    links: Mapping[int, str] | None = None, on: Board = CHESS,
) -> Element:  # fmt: skip
    """Up to three short words on each square; the first is the largest.

    The second of two may have three letters, which are read on a phone, too.
    """
    picture = _frame(label, on)
    for square, lines in words.items():
        x, y = corner(square, on)
        inside: list[Element] = []
        if classes and square in classes:
            inside.append(element("path", class_=classes[square], d=_area(on, [square], 0.04)))
        for line, text in enumerate(lines):
            kind, height = LINES[len(lines)][line]
            inside.append(element("text", text, class_=kind, x=x + 0.5, y=y + height))
        if links and square in links:
            inside = [element("a", *inside, href=links[square])]
        picture.extend(inside)
    return picture


KEY_LINE = 0.55


def with_key(board: Element, rows: Sequence[tuple[str, str]]) -> Element:
    """A board with a line below it for each class of its squares: the colour, and what it means."""
    _, _, width, height = map(int, board.get("viewBox", "").split())
    for line, (class_, text) in enumerate(rows):
        y = height + KEY_LINE * (line + 0.2)
        board.append(element("rect", class_=class_, x=1, y=y, width=0.4, height=0.4))
        board.append(element("text", text, class_="key", x=1.6, y=y + 0.33))
    board.set("viewBox", f"0 0 {width} {height + KEY_LINE * (len(rows) + 0.2):g}")
    return board


def coloured_board(label: str, colours: Mapping[int, str], on: Board = CHESS) -> Element:
    """A board with a colour for each square: the key of a map."""
    picture = _frame(label, on)
    for square, colour in colours.items():
        area = element("path", element("title", on.name(square)), d=_area(on, [square]))
        area.set("fill", colour)
        picture.append(area)
    return picture
