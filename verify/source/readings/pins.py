"""What the user fixes by hand: `--map`, `--formula`, `--order`, `--bits`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from magicert.board import Piece
from magicert.formula import Formula
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.square_order import ORDERS
from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import piece_said

if TYPE_CHECKING:
    from magicert.verify.source.readings.counts import Count

_TARGET = re.compile(r"(rook|bishop)\.([A-Za-z_]\w*)")


@dataclass(frozen=True, slots=True)
class Pins:
    """The parts of a reading that are given by hand; empty where nothing is.

    `lists` maps (piece, parameter) to the name of a list, as it is reported, perhaps with
    the line it begins on behind a colon; or to a number. `bits` is "popcount" or a number.
    """

    formula: Formula | None = None
    lists: Mapping[tuple[Piece, str], str] = field(default_factory=dict)
    order: str = ""
    bits: Mapping[Piece, str] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()
    """The pieces that are wanted; none: both, unless the files' names say one."""

    def column(self, material: Material, piece: Piece, parameter: str) -> Column | None:
        """The list that a parameter is pinned to. InputError if the source has no such list."""
        name = self.lists.get((piece, parameter))
        if name is None or _number(name) is not None:
            return None
        plain, _, line = name.rpartition(":")
        found = [
            column
            for column in material.columns
            if column.name == name or (column.name == plain and str(column.first_line) == line)
        ]
        if not found:
            # A list's own last name is enough where it is unique.
            ending = re.compile(rf"(?:^|[.\]]){re.escape(name)}$")
            found = [column for column in material.columns if ending.search(column.name)]
        lists = {(column.file, column.first_line, column.part, column.name) for column in found}
        if len(lists) == 1:
            return found[0]
        key = f"--map {piece}.{parameter}"
        if not found:
            known = sorted({c.name for c in material.columns if c.name})
            message = f"no list {name!r} of 64: expected one of {', '.join(known[:24]) or 'none'}"
            raise InputError([Problem(message, key=key)])
        places = ", ".join(f"{c.name}:{c.first_line}" for c in found[:8])
        raise InputError([Problem(f"{name!r} is more than one list: say {places}", key=key)])

    def counts(self, material: Material, piece: Piece) -> "list[Count]":
        """The index's bits or shift, if they are pinned."""
        from magicert.verify.source.lists.roles import shift_kind
        from magicert.verify.source.readings.counts import Count

        bits = self.bits.get(piece)
        if bits is not None and bits != "popcount":
            return [Count("bits", (int(bits),), "given by hand", f"{bits}, given by hand")]
        for parameter in ("bits", "shift"):
            text = self.lists.get((piece, parameter))
            number = _number(text) if text else None
            halves = self.formula is not None and "32" in self.formula.text
            shift = "shift32" if halves else "shift"
            if number is not None:
                kind = "bits" if parameter == "bits" else shift
                words = f"{number}, given by hand"
                return [Count(kind, (number,), "given by hand", words)]  # type: ignore[arg-type]
            column = self.column(material, piece, parameter)
            if column is not None:
                kind = shift_kind(column) or ("bits" if parameter == "bits" else "shift")
                return [Count(kind, column.words64, "given by hand", column.where, column)]
        return []

    def fill(
        self,
        material: Material,
        piece: Piece,
        formula: Formula,
        magic: Column,
        parameters: dict[str, Values],
        sources: dict[str, str],
    ) -> bool:
        """Give the formula's other names their values; False if one has none."""
        for name in sorted(formula.names - {OCCUPANCY, "mask"} - parameters.keys()):
            text = self.lists.get((piece, name))
            number = _number(text) if text else None
            column = self.column(material, piece, name) or _by_name(material, piece, magic, name)
            if number is not None:
                parameters[name], sources[name] = (number,), f"{number}, given by hand"
            elif column is not None:
                parameters[name], sources[name] = column.words64, column.where
            else:
                return False
        return True


def _by_name(material: Material, piece: Piece, magic: Column, name: str) -> Column | None:
    wanted = split_words(name)
    for column in material.columns:
        if wanted <= column.own and (
            column.group == magic.group or piece_said(column) in (None, piece)
        ):
            return column
    return None


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def parse_pins(
    formula: str | None,
    maps: tuple[str, ...],
    order: str | None,
    bits: tuple[str, ...],
    pieces: tuple[str, ...] = (),
) -> Pins:
    """The options' texts. InputError with all that is wrong with them."""
    problems: list[Problem] = []
    lists: dict[tuple[Piece, str], str] = {}
    for text in maps:
        target, sign, name = text.partition("=")
        match = _TARGET.fullmatch(target.strip())
        if not match or not sign or not name.strip():
            message = "expected PIECE.PARAMETER=NAME, as in rook.magic=RookMagics"
            problems.append(Problem(message, key=f"--map {text}"))
        else:
            lists[Piece(match[1]), match[2]] = name.strip()
    if order is not None and order not in ORDERS:
        problems.append(Problem(f"expected one of {', '.join(ORDERS)}", key=f"--order {order}"))
    counted: dict[Piece, str] = {}
    for text in bits:
        for part in text.split(","):
            piece, sign, number = part.rpartition("=")
            meant = [Piece(piece)] if piece in ("rook", "bishop") else list(Piece)
            good = number == "popcount" or (number.isdecimal() and 1 <= int(number) <= 32)
            if not good or (sign and piece not in ("rook", "bishop")):
                message = "expected popcount, or rook=12,bishop=9"
                problems.append(Problem(message, key=f"--bits {text}"))
            else:
                counted.update(dict.fromkeys(meant, number))
    parsed = None
    if formula is not None:
        try:
            parsed = resolve_scheme(formula).formula
        except InputError as error:
            problems += [problem.at("", "--formula", None) for problem in error.problems]
    if problems:
        raise InputError(problems)
    return Pins(parsed, lists, order or "", counted, tuple(map(Piece, dict.fromkeys(pieces))))
