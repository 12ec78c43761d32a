"""Boards: a slider with its blockers and attack set, and a board with words on each square.

Squares have a1=0. A board is nine units wide and high: the names of ranks and files stand
left of it and below it. Rank 8 is at the top.
"""

from collections.abc import Collection, Mapping, Sequence
from xml.etree.ElementTree import Element

from magicert.board import square_name
from magicert.draw.markup import element

SIDE = 9


def corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    return 1 + (square & 7), 7 - (square >> 3)


def _area(squares: Collection[int], inset: float = 0.0) -> str:
    """A path that fills squares, each a little smaller than it is by `inset`."""
    side = 1 - 2 * inset
    parts = []
    for square in sorted(squares):
        x, y = corner(square)
        parts.append(f"M{x + inset:g} {y + inset:g}h{side:g}v{side:g}h{-side:g}z")
    return "".join(parts)


def _frame(label: str) -> Element:
    dark = [s for s in range(64) if (s + (s >> 3)) % 2 == 0]
    names = [
        element("text", name, class_="name", x=x, y=y)
        for place in range(8)
        for name, x, y in (("abcdefgh"[place], 1.5 + place, 8.7), (8 - place, 0.5, 0.65 + place))
    ]
    return element(
        "svg", element("title", label),
        element("rect", class_="light", x=1, y=0, width=8, height=8),
        element("path", class_="dark", d=_area(dark)), *names,
        class_="board", viewBox=f"0 0 {SIDE} {SIDE}", role="img",
    )  # fmt: skip


def slider_board(
    letter: str, square: int, blockers: Collection[int], attacked: Collection[int],
    differing: Collection[int] = (),
) -> Element:  # fmt: skip
    """A slider (`letter` R or B), its blockers, and what it attacks. Attacked squares in
    `differing` are marked: another attack set has them not, or this one lacks them.
    """
    names = " ".join(map(square_name, sorted(blockers))) or "none"
    reached = " ".join(map(square_name, sorted(attacked))) or "nothing"
    picture = _frame(f"{letter} on {square_name(square)}; blockers: {names}; attacks {reached}")
    picture.append(element("path", class_="attacked", d=_area(attacked, 0.12)))
    if differing:
        picture.append(element("path", class_="differs", d=_area(differing, 0.06)))
    for blocker in sorted(blockers):
        x, y = corner(blocker)
        picture.append(element("circle", class_="blocker", cx=x + 0.5, cy=y + 0.5, r=0.24))
    x, y = corner(square)
    picture.append(element("circle", class_="slider", cx=x + 0.5, cy=y + 0.5, r=0.42))
    picture.append(element("text", letter, class_="letter", x=x + 0.5, y=y + 0.68))
    return picture


def side_by_side(boards: Sequence[Element]) -> Element:
    """Several boards as one picture."""
    whole = element("svg", class_="board", role="img")
    for place, board in enumerate(boards):
        part = element("g", *board)
        part.set("transform", f"translate({place * (SIDE + 1)} 0)")
        whole.append(part)
    whole.set("viewBox", f"0 0 {len(boards) * (SIDE + 1) - 1} {SIDE}")
    return whole


def squares_board(squares: Collection[int], label: str) -> Element:
    """A set of squares: a bitboard."""
    picture = _frame(label)
    picture.append(element("path", class_="attacked", d=_area(squares, 0.12)))
    return picture


def words_board(
    label: str, words: Mapping[int, Sequence[str]], classes: Mapping[int, str] | None = None,
    links: Mapping[int, str] | None = None,
) -> Element:  # fmt: skip
    """Up to three short words on each square; the first is the largest."""
    picture = _frame(label)
    for square, lines in words.items():
        x, y = corner(square)
        inside: list[Element] = []
        if classes and square in classes:
            inside.append(element("path", class_=classes[square], d=_area([square], 0.04)))
        for line, text in enumerate(lines):
            kind = "first" if line == 0 else "more"
            height = y + (0.38, 0.64, 0.88)[line] if len(lines) > 1 else y + 0.64
            inside.append(element("text", text, class_=kind, x=x + 0.5, y=height))
        if links and square in links:
            inside = [element("a", *inside, href=links[square])]
        picture.extend(inside)
    return picture


def coloured_board(label: str, colours: Mapping[int, str]) -> Element:
    """A board with a colour for each square: the key of a map."""
    picture = _frame(label)
    for square, colour in colours.items():
        area = element("path", element("title", square_name(square)), d=_area([square]))
        area.set("fill", colour)
        picture.append(area)
    return picture
