"""The lookups of an emitted program, one expression each, and the functions that they call."""

import re
from collections.abc import Iterable

from magicert.compact.emit.arrays import Arrays
from magicert.compact.emit.spelling import buffer_name, title
from magicert.compact.emit.unit import PieceUnit, Unit
from magicert.formula.tree import OCCUPANCY, WORD, Node, names


class Lookups(Arrays):
    """A lookup says where a slot is, what stands there, and what that means."""

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression. A half board has a second one,
        for ranks 1 to 4, and the first calls it as it is or with the ranks swapped.
        """
        expression = self.entry(unit, piece, self.slot(piece))
        if not piece.half_board:
            return self.looking(piece, "attacks", expression)
        lower = self.called(piece, "lower")
        occ = self.put(self.swapped, "occ")
        upper = self.put(self.swapped, f"{lower}({self.mirrored}, {occ})")
        mirroring = self.write(self.either, lower=f"{lower}(square, occ)", upper=upper)
        return self.looking(piece, "lower", expression) + self.looking(piece, "attacks", mirroring)

    def looking(self, piece: PieceUnit, name: str, expression: str) -> str:
        """A function of `square` and `occ`; `name` is "attacks" or "lower"."""
        public = self.public * (name == "attacks")
        called = self.called(piece, name)
        return self.write(
            self.function,
            **self.names(piece, name),
            called=called,
            public=public,
            expression=expression,
        )

    def called(self, piece: PieceUnit, name: str) -> str:
        """What a lookup function is called: "rookAttacks"."""
        return self.write(self.call, **self.names(piece, ""), name=name, Name=title(name))

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """The lookup: what stands at a slot, or the attack set whose number stands there."""
        return self.result(piece, self.loaded(unit, piece, slot))

    def loaded(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """The word that a lookup loads, through one level or two."""
        found = f"{self.array(buffer_name(piece.buffer))}[{slot}]"
        if unit.levels is None:
            return found
        ones = f"{(1 << unit.levels.entry_bits) - 1:x}"
        number = self.write(self.read_number, found=found, ones=ones)
        return f"{self.array(unit.levels.name(piece.piece))}[{self.start(piece)} + {number}]"

    def result(self, piece: PieceUnit, word: str) -> str:
        """The attack set, given the expression of the loaded word."""
        if piece.result is None:
            return word
        read = {**self.read_names(piece), WORD: word}
        text = self.text(piece.result, read, {**self.widths(piece), WORD: self.bits})
        if piece.result.width > self.bits:
            return self.put(self.low64, text, piece.result.width)
        return self.widen(text, self.bits) if piece.result.width < self.bits else text

    def start(self, piece: PieceUnit) -> str:
        """Where the attack sets of `square` begin."""
        return self.column_of(piece, "set_offset")

    def slot(self, piece: PieceUnit) -> str:
        """The slot of `square` and `occ`."""
        index, width = self.index(piece)
        own = {32: self.addend_32, 128: self.addend_128}.get(width)
        addend = self.write(own or self.addend, index=index)
        return f"{self.column_of(piece, 'offset')} + {addend}"

    def index(self, piece: PieceUnit) -> tuple[str, int]:
        """The index expression, and its width."""
        text = self.text(piece.index, self.read_names(piece), self.widths(piece))
        return text, piece.index.width

    def widths(self, piece: PieceUnit) -> dict[str, int]:
        """The bits of what stands for the names of the formulas, where they are not 64."""
        columns = {column.name: column.bits for column in piece.columns if column.bits != 64}
        return {OCCUPANCY: self.bits, **columns}

    def read_names(self, piece: PieceUnit) -> dict[str, str]:
        """What stands for the names of the formulas."""
        read = {column.name: self.column_of(piece, column.name) for column in piece.columns}
        return {OCCUPANCY: "occ", **read}

    def imports(self, lookups: str) -> str:
        """What the lookups need of the language's library."""
        return ""

    def needed(self, trees: Iterable[Node], also: str = "") -> str:
        """The helpers that these indexes call, and other text, in the order of `helpers`."""
        shown = "".join(self.text(tree, {name: name for name in names(tree)}) for tree in trees)
        shown += f" {also}"
        called = {name.removeprefix(self.own) for name in re.findall(r"\w+(?=\()", shown)}
        return "".join(self.write(text) for name, text in self.helpers.items() if name in called)

    def helping(self, unit: Unit) -> str:
        """The helpers of a unit."""
        swaps = self.put(self.swapped, "occ") * any(piece.half_board for piece in unit.pieces)
        results = (piece.result for piece in unit.pieces if piece.result is not None)
        return self.needed((*(piece.index for piece in unit.pieces), *results), swaps)
