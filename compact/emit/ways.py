"""Attacks that are computed: ways without a buffer of attack sets, as source.

A way is a template, ways/NAME of a language's folder, around the constant lists that it needs:
lines of each square, or 512 bytes of rows. The board is chess's, a1 = 0, b1 = 1.
"""

from collections.abc import Mapping

from magicert import __version__
from magicert.board import Piece, attack_set, ray
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.printer import WORDS_PER_LINE, Printer
from magicert.compact.emit.spelling import commented, lines
from magicert.problem import InputError, Problem, suggestion

_LINES = {"rank_line": (1, 0), "file_line": (0, 1), "diagonal": (1, 1), "antidiagonal": (1, -1)}
_BISHOP = ("diagonal", "antidiagonal")

WAYS: Mapping[str, tuple[str, ...]] = {
    "hyperbola": ("file_line", *_BISHOP, "row"),
    "reversal": ("rank_line", "file_line", *_BISHOP),
    "obstruction_difference": ("rank_line", "file_line", *_BISHOP),
    "kogge_stone": (),
    "lines_in_bytes": (*_BISHOP, "row"),
}
"""The lists that each way needs."""
FRAME = "way"
"""What the template around a way is called."""


def languages_of_ways() -> list[str]:
    """The languages that have ways."""
    return [name for name, row in dialects().items() if row.path(FRAME + row.suffix).exists()]


def refuse_way(way: str, language: str) -> None:
    """Raise InputError for a way that does not exist, or not in a language."""
    if way not in WAYS:
        hint = suggestion(way, WAYS) or f"expected one of {', '.join(WAYS)}"
        raise InputError([Problem(f"{way!r}: {hint}", key="--way")])
    if language not in (known := languages_of_ways()):
        message = f"{language!r} has no ways: expected one of {', '.join(known)}"
        raise InputError([Problem(message, key="--lang")])


def print_way(way: str, printer: Printer) -> str:
    """The source of a way, in a language that has it."""
    row = printer.dialect
    own = dialects()[row.ways or row.name]
    body = printer.shown(str(own.path(f"ways/{way}{own.suffix}")), {})
    numbers = sum(len(_numbers(name)) * _bits(name) // 8 for name in WAYS[way])
    scope = f" --{row.scope_option} {printer.scope}" * (printer.scope != row.scope)
    command = f"magicert emit --way {way} --lang {row.name}{scope}"
    heading = (
        f"{way}: rook and bishop attacks, computed; {numbers:,} bytes of constants.",
        f"Written by magicert {__version__}. Squares: a1 = 0, b1 = 1, ..., h8 = 63.",
        f"This file: {command}",
    )
    lists = [
        {
            "name": name,
            "NAME": name.upper(),
            "kind": row.kinds[_bits(name)],
            "length": len(_numbers(name)),
            "items": lines([*map(printer.literal, _numbers(name))], row.indent, per_line(name)),
        }
        for name in WAYS[way]
    ]
    given = {"lists": lists, "body": body.rstrip("\n"), "calls": body}
    given["heading"] = commented(row.comment, heading).removesuffix("\n")
    return printer.shown(FRAME + row.suffix, given)


def per_line(name: str) -> int:
    """How many numbers of a list stand on a line."""
    return 16 if _bits(name) == 8 else WORDS_PER_LINE


def _bits(name: str) -> int:
    return 8 if name == "row" else 64


def _numbers(name: str) -> list[int]:
    """A line of each square, without the square; or what a rook attacks on the first rank, by its
    file and the six inner squares.
    """
    if name == "row":
        pairs = ((file, inner << 1) for file in range(8) for inner in range(64))
        return [attack_set(Piece.ROOK, file, occupied) & 0xFF for file, occupied in pairs]
    x, y = _LINES[name]
    return [
        sum(1 << other for by in ((x, y), (-x, -y)) for other in ray(square, by))
        for square in range(64)
    ]
