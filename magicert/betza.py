"""Pieces by name, and in Betza's notation: R, B, NN, pR, nN, vR, W3 ...

    parse_piece("R")      rook                  parse_piece("pR")   xiangqi's cannon
    parse_piece("NN")     nightrider            parse_piece("gQ")   grasshopper
    parse_piece("nN")     xiangqi's horse       parse_piece("vR")   rook on its file only
    parse_piece("elephant@a1-i5,a6-i10")        one that does not cross the river

A capital is a step in all its directions: W F D N A L C H J G Z, and R = WW, B = FF,
Q = RB, K = WF. Doubled it goes on as a rider; a number behind it says how far (W3, R4; 0 is
no limit). Small letters before it: f b l r v s take some of the directions, n makes a lame
leaper, p a hopper of any distance, g one that lands right behind the hurdle. Behind an @ stand
the regions that the piece does not leave, each from one corner to the other.
Source: Ralph Betza, "Betza notation"; XBoard's dialect for p, g and n.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import gcd
from operator import le

from magicert.board import FILES, Board
from magicert.movement import Atom, Kind, Movement, Region, Step
from magicert.problem import suggestion

LEAPS: dict[str, Step] = {
    "W": (0, 1), "F": (1, 1), "D": (0, 2), "N": (1, 2), "A": (2, 2), "H": (0, 3),
    "C": (1, 3), "L": (1, 3), "Z": (2, 3), "J": (2, 3), "G": (3, 3),
}  # fmt: skip
"""The step of each capital, as its shorter and its longer distance."""

SLIDERS = {"R": ("W",), "B": ("F",), "Q": ("W", "F")}
"""Capitals that stand for riders without limit."""
KING = ("W", "F")

NAMES = {
    "rook": "R", "bishop": "B", "queen": "Q", "knight": "N", "king": "K",
    "wazir": "W", "ferz": "F", "dabbaba": "D", "alfil": "A", "camel": "C", "zebra": "Z",
    "threeleaper": "H", "tripper": "G", "mann": "K", "commoner": "K",
    "amazon": "QN", "archbishop": "BN", "princess": "BN", "cardinal": "BN",
    "chancellor": "RN", "empress": "RN", "marshall": "RN", "centaur": "KN",
    "dragon-king": "RF", "dragon-horse": "BW", "gold": "WfF", "silver": "FfW",
    "champion": "WAD", "wizard": "FC", "squirrel": "NAD", "gnu": "NC", "bison": "CZ",
    "kirin": "FD", "phoenix": "WA",
    "nightrider": "NN", "camelrider": "CC", "zebrarider": "ZZ", "dabbabarider": "DD",
    "alfilrider": "AA",
    "cannon": "pR", "diagonal-cannon": "pB", "grasshopper": "gQ",
    "horse": "nN", "horse-to": "nN", "elephant": "nA", "janggi-elephant": "nZ",
    "lame-dabbaba": "nD", "lance": "fR", "chariot": "R",
}  # fmt: skip
"""Names of pieces, in Betza's notation. `horse-to`: the horse as seen from its target."""

_SIDES: tuple[Step, ...] = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""From a cell of a hexagonal board across its six sides, in turn."""
_CORNERS: tuple[Step, ...] = ((2, 1), (1, 2), (-1, 1), (-2, -1), (-1, -2), (1, -1))
"""Past its six corners."""
_HEX_KNIGHT: tuple[Step, ...] = (
    (3, 1), (3, 2), (2, 3), (1, 3), (-1, 2), (-2, 1),
    (-3, -1), (-3, -2), (-2, -3), (-1, -3), (1, -2), (2, -1),
)  # fmt: skip
"""Two cells across a side, and one aside."""
HEXAGONAL: dict[str, tuple[Atom, ...]] = {
    "hex-rook": (Atom("rider", _SIDES),),
    "hex-bishop": (Atom("rider", _CORNERS),),
    "hex-queen": (Atom("rider", _SIDES + _CORNERS),),
    "hex-king": (Atom("rider", _SIDES + _CORNERS, 1),),
    "hex-knight": (Atom("rider", _HEX_KNIGHT, 1),),
    "hex-cannon": (Atom("hopper", _SIDES),),
}
"""Pieces of hexagonal chess (Glinski's), on boards such as hexagon11, where a cell's neighbours
stand left, right, above, below, above to the right and below to the left.
"""

FROM_TARGET = frozenset({"horse-to"})

DIRECTIONS: dict[str, Callable[[Step], bool]] = {
    "f": lambda step: step[1] > 0,
    "b": lambda step: step[1] < 0,
    "r": lambda step: step[0] > 0,
    "l": lambda step: step[0] < 0,
    "v": lambda step: abs(step[1]) > abs(step[0]),
    "s": lambda step: abs(step[0]) > abs(step[1]),
}

_ATOM = re.compile(r"([a-z]*)([A-Z])(\2?)([0-9]*)")


def parse_piece(text: str, board: Board | None = None) -> Movement:
    """The piece called so: a name of NAMES or HEXAGONAL, or Betza's notation; regions behind an @.

    Raises ValueError that says what cannot be read. Without a board the regions' corners may lie
    anywhere.
    """
    text, sign, areas = text.partition("@")
    movement = _without_regions(text)
    if not sign:
        return movement
    parts = re.split(r"[,\s]+", areas.strip())
    return replace(movement, regions=parse_regions(parts, board))


def piece_words(movement: Movement) -> str:
    """A piece by its name or notation, with its regions: `parse_piece` reads it."""
    areas = ",".join(map(region_text, movement.regions))
    return f"{movement.name}@{areas}" if areas else movement.name


_CORNER = re.compile(r"([a-z])([1-9][0-9]{0,2})", re.ASCII)


def parse_regions(texts: Iterable[str], board: Board | None = None) -> tuple[Region, ...]:
    """Regions by two corners each: "a1-i5". Raises ValueError for one that is none or that the
    board does not hold, and for two that overlap.
    """
    regions = tuple(dict.fromkeys(parse_region(text, board) for text in texts))
    refuse_overlaps(regions)
    return regions


def parse_region(text: str, board: Board | None = None) -> Region:
    """One region. Raises ValueError."""
    corners = [_CORNER.fullmatch(corner.strip().lower()) for corner in text.split("-")]
    if len(corners) != 2 or None in corners:
        raise ValueError(f"region {text!r}: expected two corners, such as a1-i5")
    places = [(FILES.index(c[1]), int(c[2]) - 1) for c in corners if c is not None]
    for file, rank in places if board is not None else ():
        if board is not None and (file >= board.files or rank >= board.ranks):
            last = board.name(board.squares - 1)
            message = f"{FILES[file]}{rank + 1} is not on {board}: expected a1..{last}"
            raise ValueError(f"region {text!r}: {message}")
    files, ranks = (sorted(numbers) for numbers in zip(*places, strict=True))
    return Region((files[0], ranks[0]), (files[1], ranks[1]))


def refuse_overlaps(regions: Sequence[Region]) -> None:
    """ValueError for two regions with a square in common: a piece there would stand in both."""
    for one, other in combinations(regions, 2):
        low = tuple(map(max, one.low, other.low))
        if all(map(le, low, map(min, one.high, other.high))):
            both = f"{region_text(one)} and {region_text(other)}"
            square = f"{FILES[low[0]]}{low[1] + 1}"
            raise ValueError(f"the regions {both} overlap on {square}: expected one for a square")


def region_text(region: Region) -> str:
    """A region by its corners: "a1-i5"."""
    return "-".join(f"{FILES[file]}{rank + 1}" for file, rank in (region.low, region.high))


def _without_regions(text: str) -> Movement:
    if text in HEXAGONAL:
        return Movement(HEXAGONAL[text], name=text)
    notation = NAMES.get(text, text)
    if not re.search(r"[A-Z]", notation):
        near = suggestion(text, NAMES) or suggestion(text, HEXAGONAL)
        known = "expected a piece's name, such as rook or cannon, or Betza's notation, such as pR"
        raise ValueError(f"unknown piece {text!r}: {f'{near} {known}'.strip()}")
    atoms: list[Atom] = []
    place = 0
    while place < len(notation):
        parsed = _ATOM.match(notation, place)
        if not parsed:
            raise ValueError(f"{notation!r}: {notation[place:]!r} is not Betza's notation")
        atoms += _atoms(notation, *parsed.groups())
        place = parsed.end()
    if text in FROM_TARGET:
        atoms = [replace(atom, from_target=True) for atom in atoms]
    return Movement(tuple(dict.fromkeys(atoms)), name=text)


def _atoms(notation: str, modifiers: str, capital: str, doubled: str, number: str) -> list[Atom]:
    for word in ("m", "c"):
        if word in modifiers:
            message = "a table holds one attack set: give the moves or the captures, without"
            raise ValueError(f"{notation!r}: {message} {word}")
    leaps = SLIDERS.get(capital, KING if capital == "K" else (capital,))
    if not set(leaps) <= LEAPS.keys():
        known = " ".join([*LEAPS, *SLIDERS, "K"])
        raise ValueError(f"{notation!r}: unknown {capital}: expected one of {known}")
    kind, rest = _kind(notation, modifiers)
    slides = capital in SLIDERS or bool(doubled)
    if doubled and (capital in SLIDERS or capital == "K"):
        raise ValueError(f"{notation!r}: {capital} goes on without being doubled")
    limit = int(number) if number else 0 if slides else 1
    if kind == "lame leaper":
        if slides or number:
            raise ValueError(f"{notation!r}: a lame leaper makes one step: expected nN, nA ...")
        limit = 0
    elif kind == "hopper":
        if not slides and limit == 1 and not number:
            raise ValueError(f"{notation!r}: a hopper needs a line: expected pR, gQ, pNN ...")
        limit = 1 if "g" in modifiers else 0 if not number else int(number)
        if "g" in modifiers and number:
            raise ValueError(f"{notation!r}: g lands right behind the hurdle: expected no number")
    return [Atom(kind, _chosen(notation, rest, LEAPS[leap]), limit) for leap in leaps]


def _kind(notation: str, modifiers: str) -> tuple[Kind, str]:
    """The rule that small letters choose, and those that are left: the directions."""
    rules = [letter for letter in modifiers if letter in "npg"]
    rest = "".join(letter for letter in modifiers if letter not in "npg")
    unknown = [letter for letter in rest if letter not in DIRECTIONS]
    if unknown:
        raise ValueError(f"{notation!r}: unknown {unknown[0]}: expected f b l r v s, n, p or g")
    if len(rules) > 1:
        raise ValueError(f"{notation!r}: {rules[0]} and {rules[1]}: expected one of n, p, g")
    kinds: dict[str, Kind] = {"n": "lame leaper", "p": "hopper", "g": "hopper"}
    return (kinds[rules[0]] if rules else "rider"), rest


def _chosen(notation: str, letters: str, leap: Step) -> tuple[Step, ...]:
    """The steps that the letters of direction take: all of them without letters.

    Letters of one axis join (fb = v), letters of both meet (fl: forward left). Of a knight's
    eight steps one letter alone could mean two or four: ff, bb, ll, rr are the narrow pair.
    """
    steps = _all_steps(*leap)
    if not letters:
        return steps
    oblique = 0 < leap[0] < leap[1]
    if oblique:
        steps, letters = _narrowed(notation, letters, steps)
    axes = ["".join(x for x in letters if x in axis) for axis in ("fb", "lr")]
    if leap[0] == 0:  # along the axes fl joins forward and left
        chosen = [s for s in steps if any(DIRECTIONS[letter](s) for letter in letters)]
    else:
        chosen = [
            s
            for s in steps
            if all(not axis or any(DIRECTIONS[letter](s) for letter in axis) for axis in axes)
            and all(DIRECTIONS[letter](s) for letter in letters if letter in "vs" and oblique)
        ]
        if not oblique and set(letters) & set("vs"):
            raise ValueError(f"{notation!r}: v and s mean nothing on a diagonal: expected f b l r")
    if not chosen:
        raise ValueError(f"{notation!r}: no step goes {letters}")
    return tuple(chosen)


def _narrowed(notation: str, letters: str, steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], str]:
    """Of eight steps the narrow pairs that doubled letters name; the letters that are left."""
    if set(letters) <= set("vs"):
        return steps, letters
    pairs = re.fullmatch(r"(?:ff|bb|ll|rr)+", letters)
    if not pairs:
        message = "of a knight's steps one letter could mean two or four"
        raise ValueError(f"{notation!r}: {message}: expected ff, bb, ll, rr, v or s")
    narrow = tuple(
        step
        for step in steps
        for letter in set(letters)
        if DIRECTIONS[letter](step) and DIRECTIONS["v" if letter in "fb" else "s"](step)
    )
    return tuple(s for s in steps if s in narrow), ""


def _all_steps(short: int, long: int) -> tuple[Step, ...]:
    """The four or eight steps of a leap: forward first, then clockwise in the end."""
    steps = [
        (x * sx, y * sy)
        for x, y in ((short, long), (long, short))
        for sx in (1, -1)
        for sy in (1, -1)
    ]
    return tuple(dict.fromkeys(steps))


# A piece as lines, each a piece of its own, and leaps: a rook is its file and its rank, an amazon
# four lines and the knight's leaps.
#
# The attack set of the piece is the OR of those of its lines, one lookup each in far smaller
# tables, because the mask of a line has few squares; and of its leaps, which nothing blocks.

SUFFIXES: dict[Step, str] = {(1, 0): "h", (0, 1): "v", (1, 1): "d", (1, -1): "a"}
"""Horizontal, vertical, diagonal and antidiagonal."""
LETTERS: dict[Step, tuple[str, ...]] = {
    (1, 0): ("s",), (0, 1): ("v",), (1, 1): ("fr", "bl"), (1, -1): ("fl", "br"),
}  # fmt: skip
"""Betza's letters for these lines."""


def leaps_of(movement: Movement) -> Movement | None:
    """The steps of a piece that nothing blocks; None where it has none."""
    atoms = tuple(filter(_is_leap, movement.atoms))
    return replace(movement, atoms=atoms, name=_notation(atoms)) if atoms else None


def _is_leap(atom: Atom) -> bool:
    return atom.kind == "rider" and atom.limit == 1


def lines_of(movement: Movement) -> dict[str, Movement]:
    """The lines by the ends of their names: "h" and "v" of a rook, "1_2" of a nightrider.

    Lame leapers have short masks; all their steps stay together, as "lame". Leaps are on no line.
    """
    atoms: dict[str, list[Atom]] = {}
    for atom in movement.atoms:
        if _is_leap(atom):
            continue
        if atom.kind == "lame leaper":
            atoms.setdefault("lame", []).append(atom)
            continue
        steps: dict[str, list[Step]] = {}
        for step in atom.steps:
            steps.setdefault(_suffix(step), []).append(step)
        for suffix, vectors in steps.items():
            atoms.setdefault(suffix, []).append(replace(atom, steps=tuple(vectors)))
    if len(atoms) == 1 and leaps_of(movement) is None:
        return {next(iter(atoms)): movement}
    return {
        suffix: replace(movement, atoms=tuple(parts), name=_notation(tuple(parts)))
        for suffix, parts in atoms.items()
    }


def _suffix(step: Step) -> str:
    """The end of the name of a step's line: the same for a step and its opposite."""
    across, up = max(step, (-step[0], -step[1]))
    length = gcd(across, up)
    short = SUFFIXES.get((across // length, up // length))
    if short is not None:
        return short if length == 1 else f"{short}{length}"
    return f"{across}_{up}".replace("-", "m")


def _notation(atoms: tuple[Atom, ...]) -> str:
    """A line of a rook or bishop of some sort, or all leaps of one kind, in Betza's notation; ""
    where there is none.
    """
    if len(atoms) != 1:
        return ""
    (atom,) = atoms
    letters: Iterable[str] = ("",)
    if _is_leap(atom):
        short, long = sorted(map(abs, atom.steps[0]))
        capital = next((x for x, leap in LEAPS.items() if leap == (short, long)), "")
    else:
        line = next((line for line in LETTERS if line in atom.steps), None)
        if line is None:
            return ""
        letters, capital = LETTERS[line], "B" if all(line) else "R"
    rule = {"rider": "", "lame leaper": "n", "hopper": "g" if atom.limit == 1 else "p"}[atom.kind]
    text = "".join(f"{letter}{rule}{capital}" for letter in letters)
    return text if capital and _is_written(text, atoms) else ""


def _is_written(text: str, atoms: tuple[Atom, ...]) -> bool:
    """Whether a notation means these steps."""
    rules = Movement(atoms).rules
    return parse_piece(text).rules == rules
