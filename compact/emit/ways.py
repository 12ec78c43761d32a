"""Ways to get attacks, each as one file of constants and functions: nothing is made at start.

A way is a template, ways/NAME of a language's folder, with the constants that it needs (ways.toml).
Where it needs an instruction that a target lacks, the file holds another way for that target. The
board is chess's, a1 = 0, b1 = 1.
"""

import hashlib
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from textwrap import indent
from typing import Any

import msgspec

from magicert import __version__
from magicert.board import squares_of
from magicert.chess import Piece, attack_set, mask, ray
from magicert.compact.emit.dialect import Dialect, dialects
from magicert.compact.emit.emitted_table import (
    EmittedPiece,
    EmittedTable,
    NumberColumn,
    prepare_table,
)
from magicert.compact.emit.printer import (
    ANY_ORDER,
    NUMBERS_PER_LINE,
    WORDS_PER_LINE,
    Printer,
    buffer_names,
)
from magicert.compact.emit.spelling import commented, lines
from magicert.data import find_table
from magicert.formula.tree import MASK, Name, Node, Unary, children, names, with_children
from magicert.problem import InputError, Problem, suggestion
from magicert.table.files import read_table
from magicert.targets import Slider

FRAME, PART = "way", "part"
"""What the templates around a way are called: the file, and what is for one kind of target."""
FALLBACK = "hyperbola"
"""What a target gets that lacks what a way needs."""
PROVED = Path(__file__).parent / "proved.toml"
"""What tools/kits.py proved: of each text its SHA-256, and when by what."""
TARGETS = ("x86_64", "x86_64_v3", "aarch64", "wasm32", "armv7", "i386")
"""What each way is proved for, where the compiler has the language's library for it."""
NOT_MASK = "not_mask"

Items = Sequence[int] | Sequence[tuple[int, ...]]


class Method(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of ways.toml."""

    title: str
    lists: tuple[str, ...] = ()
    needs: str = ""
    table: str = ""
    choices: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Kit:
    """A way in a language: its file without the head, the bytes of its constants, and of those that
    are numbers of squares.
    """

    way: str
    body: str
    constants: int
    of_squares: int

    @property
    def digest(self) -> str:
        """Names the text that a proof is of, with a formatter's marks around its lists."""
        return hashlib.sha256(self.body.encode()).hexdigest()


@cache
def ways() -> Mapping[str, Method]:
    """All ways by name."""
    rows = tomllib.loads(Path(__file__).with_name("ways.toml").read_text("utf-8"))
    return msgspec.convert(rows, dict[str, Method])


def languages_of_ways(*, proved: bool = False) -> list[str]:
    """The languages that have ways; those whose functions can be proved."""
    return [
        name
        for name, row in dialects().items()
        if row.path(FRAME + row.suffix).exists() and (not proved or _can_be_proved(row))
    ]


def ways_of(language: str) -> list[str]:
    """The ways that a language has: those whose code it has for every target."""
    row = dialects()[language]
    own = dialects()[row.ways or row.name]

    def has(name: str) -> bool:
        method = ways()[name]
        if method.choices:
            return all(has(choice) for _, choice in method.choices)
        return own.path(_code_of(name, own)).exists() and (not method.needs or has(FALLBACK))

    return [name for name in ways() if has(name)]


def refuse_way(way: str, language: str, *, with_table: bool = False) -> None:
    """Raise InputError for a way that does not exist, or not in a language, or has no table."""
    if way not in ways():
        hint = suggestion(way, ways()) or f"expected one of {', '.join(ways())}"
        raise InputError([Problem(f"{way!r}: {hint}", key="--way")])
    if language not in (known := languages_of_ways()):
        message = f"--way cannot write {language!r}: expected one of {', '.join(known)}"
        raise InputError([Problem(message, key="--lang")])
    if way not in (known := ways_of(language)):
        has = [name for name in languages_of_ways() if way in ways_of(name)]
        message = (
            f"{language} has no {way}: expected {' or '.join(known)}, "
            f"or --lang {', '.join(has[:-1])} or {has[-1]}"
        )
        raise InputError([Problem(message, key="--way")])
    if with_table and not ways()[way].table:
        known = [name for name in known if ways()[name].table]
        others = f", or --way {' or '.join(known)}" if known else ""
        message = f"{way} takes no table: give none{others}"
        raise InputError([Problem(message, key="TABLE")])


def way_command(way: str, printer: Printer, table: str = "") -> str:
    """What writes a file."""
    row = printer.dialect
    scope = ["--" + row.scope_option, printer.scope] if printer.scope != row.scope else []
    return shlex.join(
        ["magicert", "emit", *filter(None, [table]), "--way", way, "--lang", row.name, *scope]
    )


def kit(way: str, printer: Printer, emitted: EmittedTable | None = None) -> Kit:
    """A way in a language that has it; `emitted` is the table of a way that writes one."""
    row, printer.aligned = printer.dialect, True
    own = ways()[way]
    choices = own.choices or (((own.needs, way), ("", FALLBACK)) if own.needs else (("", way),))
    parts = [_part(name, printer, emitted) for _, name in choices]
    several = len(parts) > 1
    conditions = [indent(row.conditions[need], row.indent) for need, _ in choices if need]
    shown = [
        {
            "condition": row.conditions[need] if need else "",
            "first": number == 0,
            "intrinsics": bool(ways()[name].needs),
            "part": indent(part, row.indent if several and row.nested else "").rstrip("\n"),
        }
        for number, ((need, name), (part, _)) in enumerate(zip(choices, parts, strict=True))
    ]
    given = {"choices": shown, "several": several, "conditions": ",\n".join(conditions).strip()}
    given |= {"heading": "", "alone": len(conditions) == 1, "setwise": way == "kogge_stone"}
    given["calls"] = " ".join(part for part, _ in parts)
    body = printer.shown(FRAME + row.suffix, given).lstrip("\n")
    return Kit(way, body, *max(sizes for _, sizes in parts))


def print_way(
    way: str, printer: Printer, emitted: EmittedTable | None = None, command: str = ""
) -> str:
    """The whole file; `command` is what writes it, if that is not `emit --way` alone."""
    made = kit(way, printer, emitted)
    command = command or way_command(way, printer)
    heading = commented(printer.dialect.comment, _heading(made, printer, emitted, command))
    body = made.body
    if formatter := printer.dialect.words.get("formatter"):  # the whole file is left alone
        heading = f"// {formatter} off\n{heading}"
        body = re.sub(rf"^// {formatter} o(n|ff)\n", "", body, flags=re.MULTILINE)
    if ways()[way].needs == "bmi2":
        heading += printer.dialect.without_bmi2
    return f"{heading}\n{body}"


def prove_command(way: str, printer: Printer, order: str) -> str:
    """What proves the functions of a file for a target, given its square order."""
    flags = linkage(printer)
    given = functions(way, printer)
    asked = [f"--function {piece}={name}" for piece, name in given.items()]
    behind = ["--", *flags] if flags else []
    ordered = ["--order", order] if order != "a1" else []
    words = [*asked, *ordered, "--target", TARGETS[0], *behind]
    return " ".join(["magicert verify", printer.filename, *words])


def linkage(printer: Printer) -> list[str]:
    """What the compiler must be told to prove a file."""
    return printer.filled(printer.dialect.linkage).split()


def unit_of(way: str) -> EmittedTable | None:
    """The table of a way that writes one, if nobody names another."""
    table = ways()[way].table
    return prepare_table(read_table(find_table(table)), "") if table else None


def functions(way: str, printer: Printer) -> dict[str, str]:
    """The functions to prove, by what `magicert verify --function` calls them.

    Queens are tested, and not proved: `verify --function queen=` can do that, too.
    """
    row = printer.dialect
    before = f"{printer.scope}::" if row.scope_option == "namespace" else printer.own
    found = {piece: f"{before}{piece}_attacks" for piece in ("rook", "bishop")}
    if way == "kogge_stone":
        found |= {f"setwise:{p}": f"{before}all_{p}_attacks" for p in ("rook", "bishop")}
    return found


def _heading(
    made: Kit, printer: Printer, emitted: EmittedTable | None, command: str
) -> Iterator[str]:
    yield f"{ways()[made.way].title}: sliding attacks from {made.constants:,} bytes of constants."
    if emitted is not None:
        yield from emitted.header[:-1]
    else:
        yield f"Written by magicert {__version__}. Squares: a1 = 0, b1 = 1, ..., h8 = 63."
    yield f"This file: {command}"
    yield from ANY_ORDER
    if not _can_be_proved(printer.dialect):
        yield "Not proved; tested with all occupancies of all masks."
        yield ""
        yield from _usage(printer)
        return
    proof = proofs().get(printer.dialect.name, {}).get(made.way)
    if proof is not None and proof["sha256"] == made.digest:
        yield "Rooks and bishops proved for every square and all 2^64 occupancies, as compiled for"
        targets = ", ".join(target for target in TARGETS if target in proof["seconds"])
        yield f"{targets} by {proof['compiler']}, on {proof['date']}."
        yield "Queens were tested, not proved. To prove it again, for one target:"
    else:
        yield "Not proved yet. To prove it, for one target:"
    yield f"    {prove_command(made.way, printer, emitted.order if emitted else 'a1')}"


def _usage(printer: Printer) -> list[str]:
    """How an engine calls it, as of a finished table."""
    row = printer.dialect
    words = {"piece": "rook", "Piece": "Rook", "Name": "Attacks"}
    given = {**printer.word(64), "literal": True, "called": printer.filled(row.call, words)}
    return printer.shown(printer.usage, given).splitlines()


def _can_be_proved(row: Dialect) -> bool:
    return row.proved_finished is not None


@cache
def proofs() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """What was proved, by language and way."""
    return tomllib.loads(PROVED.read_text("utf-8")) if PROVED.exists() else {}


# The parts of a file


def _part(name: str, printer: Printer, emitted: EmittedTable | None) -> tuple[str, tuple[int, int]]:
    """What a target gets, and the bytes of its constants, all of them and those of squares."""
    row, way = printer.dialect, ways()[name]
    own = dialects()[row.ways or row.name]
    scope: dict[str, Any] = {"intrinsics": bool(way.needs), "pieces": [], "lookups": []}
    scope |= printer.word(64)
    given = [_list(one, printer) for one in way.lists]
    size = sum(one["bytes"] for one in given)
    of_squares = sum(one["bytes"] for one in given if one["length"] == 64)
    if way.table:
        assert emitted is not None  # whoever asks for such a way brings the table
        emitted = replace(emitted, pieces=tuple(map(_inverted, emitted.pieces)))
        scope |= printer.program(emitted, literal=True)
        plain = {"across": 0, "aligned": False}
        given = [
            {**one, **plain, "name": one["array"].removeprefix(printer.own)}
            for one in scope["buffers"]
        ]
        columns = (column for piece in emitted.pieces for column in piece.columns)
        of_squares = sum(len(c.values) * (4 if c.place else c.bits // 8) for c in columns)
        size = emitted.bytes + of_squares
    if "runtime" in row.words and way.needs:
        scope |= {"inline": row.words["runtime"], "api": row.words["runtime"]}
    body = printer.shown(str(own.path(_code_of(name, own))), scope)
    scope |= {"lists": given, "body": body.rstrip("\n"), "calls": body}
    return printer.shown(str(own.path(PART + own.suffix)), scope), (size, of_squares)


def _code_of(name: str, own: Dialect) -> str:
    """The template of a way's code, in the folder of the language that has it."""
    return f"ways/{'table' if ways()[name].table else name}{own.suffix}"


def _inverted(piece: EmittedPiece) -> EmittedPiece:
    """The same with ~mask stored, where the index uses nothing else of the mask."""
    index = _without_inversion(piece.index)
    if MASK in names(index) or NOT_MASK not in names(index):
        return piece
    columns = tuple(
        NumberColumn(NOT_MASK, tuple(~value & (1 << c.bits) - 1 for value in c.values), c.bits)
        if c.name == MASK else c
        for c in piece.columns
    )  # fmt: skip
    return replace(piece, index=index, columns=columns)


def _without_inversion(node: Node) -> Node:
    if isinstance(node, Unary) and node.operator == "~" and node.operand == Name(MASK, node.span):
        return Name(NOT_MASK, node.span)
    return with_children(node, tuple(map(_without_inversion, children(node))))


def _list(name: str, printer: Printer) -> dict[str, Any]:
    """What a template is given of a list."""
    row = printer.dialect
    bits, items = LISTS[name]()
    first, across = items[0], 0
    kind = row.kinds[bits]
    spell = partial(printer.entry, bits=bits)
    if isinstance(first, tuple):
        across = len(first)
        rows = [", ".join(map(spell, cells)) for cells in items if isinstance(cells, tuple)]
        shown = [row.fill(row.inner, {"cells": cells}) for cells in rows]
        text = lines(shown, row.indent, 1)
    else:
        shown = [spell(word) for word in items if isinstance(word, int)]
        text = lines(shown, row.indent, WORDS_PER_LINE if bits == 64 else NUMBERS_PER_LINE)
    return {
        **buffer_names(name), "kind": kind, "length": len(items), "across": across,
        "items": text, "aligned": name == "lines", "small": bits < 64,
        "bytes": len(items) * max(1, across) * bits // 8,
    }  # fmt: skip


# The constants

_LINES = {"rank": (1, 0), "file": (0, 1), "diagonal": (1, 1), "antidiagonal": (1, -1)}
_SQUARES = range(64)


def _half(line: str, square: int, sign: int) -> list[int]:
    x, y = _LINES[line]
    return list(ray(square, (sign * x, sign * y)))


def _both(line: str, square: int) -> list[int]:
    return [*_half(line, square, -1)[::-1], *_half(line, square, 1)]


def _set(squares: Sequence[int]) -> int:
    return sum(1 << square for square in squares)


def _line(line: str) -> tuple[int, Items]:
    """The line of each square, without the square."""
    return 64, [_set(_both(line, square)) for square in _SQUARES]


def _three_lines() -> tuple[int, Items]:
    three = [_line(line)[1] for line in ("diagonal", "antidiagonal", "file")]
    return 64, [(*cells, 0) for cells in zip(*three, strict=True)]


def _row(bits: int) -> tuple[int, Items]:
    """What a rook attacks on the first rank, by its file and the six inner squares; of 64 bits, on
    every rank.
    """
    pairs = ((file, inner << 1) for file in range(8) for inner in range(64))
    rows = [attack_set(Piece.ROOK, file, occupied) & 0xFF for file, occupied in pairs]
    return bits, rows if bits == 8 else [byte * 0x0101010101010101 for byte in rows]


def _a_file() -> tuple[int, Items]:
    """What a rook attacks on the a file, by its rank and what the multiplication gathers."""
    found = [0] * 512
    for rank in range(8):
        for inner in range(64):
            occupied = sum((inner >> n & 1) << 8 * (n + 1) for n in range(6))
            index = occupied * 0x0080402010080400 % (1 << 64) >> 58
            column = attack_set(Piece.ROOK, 8 * rank, occupied) & 0x0101010101010101
            found[64 * rank + index] = column
    return 64, found


def _along(line: str) -> tuple[int, Items]:
    """The inner squares of each square's line, and the line. A square between two neighbours is one
    of its inner squares, so that the others keep their places.
    """
    rows = []
    for square in _SQUARES:
        whole = sorted([*_both(line, square), square])
        rows.append((_set(whole[1:-1]), _set(whole)))
    return 64, rows


def _place(line: str) -> tuple[int, Items]:
    """How many squares of each square's line are below it."""
    return 8, [sum(other < square for other in _both(line, square)) for square in _SQUARES]


@cache
def _starts() -> Mapping[Piece, list[int]]:
    """Where the entries of each square begin, rooks first."""
    sizes = [1 << mask(piece, square).bit_count() for piece in Piece for square in _SQUARES]
    starts = list(accumulate(sizes, initial=0))
    return {Piece.ROOK: starts[:64], Piece.BISHOP: starts[64:128]}


def _places(piece: Piece, *, lines: bool = False) -> tuple[int, Items]:
    """The mask of each square, its lines (if asked for), and where its entries begin."""
    starts = _starts()[piece]
    return 64, [
        (mask(piece, square), *([attack_set(piece, square, 0)] * lines), starts[square])
        for square in _SQUARES
    ]


def _sets(bits: int) -> tuple[int, Items]:
    """The attack sets in PEXT's order; of 16 bits, gathered from their lines."""
    found: list[int] = []
    for piece in (Piece.ROOK, Piece.BISHOP):
        for square in _SQUARES:
            about, line = Slider(piece, square), [*squares_of(attack_set(piece, square, 0))]
            one_of_each = dict(zip(about.values, about.words, strict=True)).items()
            sets = {number: attack_set(piece, square, o) for number, o in one_of_each}
            if bits == 16:
                sets = {
                    number: sum((own >> place & 1) << n for n, place in enumerate(line))
                    for number, own in sets.items()
                }
            found += [sets[number] for number in about.values]
    return bits, found


LISTS: Mapping[str, Callable[[], tuple[int, Items]]] = {
    "rank_line": partial(_line, "rank"),
    "file_line": partial(_line, "file"),
    "diagonal": partial(_line, "diagonal"),
    "antidiagonal": partial(_line, "antidiagonal"),
    "lines": _three_lines,
    "row": partial(_row, 8),
    "every_rank": partial(_row, 64),
    "a_file": _a_file,
    **{f"{line}_squares": partial(_along, line) for line in _LINES},
    **{f"{line}_place": partial(_place, line) for line in ("diagonal", "antidiagonal")},
    **{f"{piece}_place": partial(_places, piece) for piece in Piece},
    **{f"{piece}_squares": partial(_places, piece, lines=True) for piece in Piece},
    "sets": partial(_sets, 64),
    "packed_sets": partial(_sets, 16),
}
"""The constants of the ways: their bits, and the numbers, or rows of them."""
