"""Python: integers that are cut to their width, in numpy arrays."""

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.helpers import PYTHON_HELPERS
from magicert.compact.emit.language import Language, buffer_name, lines, sets_name, steps_text
from magicert.compact.emit.unit import PieceUnit, Unit


class Python(Language):
    """Python: integers cut to their width; numpy holds the buffer and looks up many at once."""

    name = "python"
    suffix = ".py"
    comment = "#"
    two_level = True
    helpers = PYTHON_HELPERS

    def literal(self, value: int) -> str:
        """Hexadecimal where it is a bit pattern."""
        return str(value) if value < 256 else f"0x{value:x}"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Cut to 32 bits."""
        if function == "hi32":
            return f"(({word}) >> 32)"
        return f"(({word}) & 0xffffffff)"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """An integer has no width to rotate in."""
        return f"_rotate_left({word}, {amount}, {width})"

    def swap_bytes(self, word: str) -> str:
        """By way of bytes."""
        return f'int.from_bytes({receiver(word)}.to_bytes(8, "little"), "big")'

    def ones(self, word: str, width: int) -> str:
        """A method since Python 3.10."""
        return f"{receiver(word)}.bit_count()"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A function of its own."""
        return f"_trailing_zeros({word}, {width})"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """A complement is negative until it is cut."""
        return f"({operator}{operand} & {_ones(width)})"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Only arithmetic can leave the word."""
        text = f"{left} {operator} {right}"
        return f"({text} & {_ones(width)})" if operator in "*+-" else text

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """Only shifts to the left can leave the word."""
        text = f"{left} {operator} {amount}"
        return f"({text} & {_ones(width)})" if operator == "<<" else text

    def source(self, unit: Unit, literal: bool) -> str:
        """One module; numpy is the only import."""
        parts = [self.heading(unit), "\nimport numpy as np\n"]
        for piece in unit.pieces:
            for column in piece.columns:
                shown = [self.number(column, value) for value in column.values]
                body = "".join(
                    f"    {', '.join(shown[p : p + 4])},\n" for p in range(0, len(shown), 4)
                )
                parts.append(f"\n{piece.piece.upper()}_{column.name.upper()} = (\n{body})\n")
        for name, words in unit.buffers.items():
            bits = unit.levels.entry_bits if unit.levels else 64
            parts.append(self.buffer(buffer_name(name), words.tolist(), literal, bits))
        if unit.levels:
            for piece_of, words in unit.levels.sets.items():
                parts.append(self.buffer(sets_name(piece_of), words.tolist(), literal))
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(_PYTHON_WALK)
            if unit.levels:
                parts.append(_PYTHON_SUBSETS)
                parts += [self.fill_levels(piece) for piece in unit.pieces]
                # Only when all is written: squares may share slots.
                parts += [self.check_levels(piece) for piece in unit.pieces]
            else:
                parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def buffer(self, name: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """An array, empty or finished."""
        made = f"np.zeros({len(words)}, dtype=np.uint{bits})"
        if literal:
            shown = self.words(words) if bits == 64 else lines([*map(str, words)], "    ", 16)
            made = f"np.array([\n{shown}], dtype=np.uint{bits})"
        return f"\n{name.upper()} = {made}\n"

    def number_read(self, unit: Unit, found: str) -> str:
        """An integer, because numpy's own would overflow."""
        return f"int({found})"

    def slot(self, piece: PieceUnit) -> str:
        """The slot, an integer."""
        name = piece.piece.upper()
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return f"{name}_OFFSET[square] + ({index})"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer; what stands in it is numpy's."""
        return f"int({self.entry(unit, piece, self.slot(piece))})"

    def called(self, unit: Unit, piece: PieceUnit, name: str) -> str:
        """A name that begins with an underscore is private."""
        return f"{'' if name == 'attacks' else '_'}{piece.piece}_{name}"

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A function of one statement."""
        called = self.called(unit, piece, name)
        return f"\n\ndef {called}(square: int, occ: int) -> int:\n    return {expression}\n"

    def either(self, lower: str, upper: str) -> str:
        """Python's conditional expression."""
        return f"{lower} if square < 32 else {upper}"

    def fill_levels(self, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        name, array = piece.piece.upper(), buffer_name(piece.buffer).upper()
        return f"""
for square in range({piece.squares}):
    steps, start = ({steps_text(piece.piece, "(", ")")}), {name}_SET_OFFSET[square]
    walks = [(occ, _walk(square, occ, steps)) for occ in _subsets({name}_MASK[square])]
    own = sorted({{attacks for _, attacks in walks}})
    {name}_SETS[start : start + len(own)] = own
    numbers = {{attacks: number for number, attacks in enumerate(own)}}
    for occ, attacks in walks:
        {array}[{self.slot(piece)}] = numbers[attacks]
"""

    def check_levels(self, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        return f"""
for square in range({piece.squares}):
    for occ in _subsets({piece.piece.upper()}_MASK[square]):
        attacks = _walk(square, occ, ({steps_text(piece.piece, "(", ")")}))
        if {piece.piece}_attacks(square, occ) != attacks:
            raise AssertionError("a write has changed an entry of the buffer")
"""

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        return f"""
for square in range({piece.squares}):
    occ, mask = 0, {name}_MASK[square]
    while True:
        attacks = _walk(square, occ, ({steps_text(piece.piece, "(", ")")}))
        slot = {self.slot(piece)}
        if {array}[slot] not in (0, attacks):
            raise AssertionError("a write would change an entry of the buffer")
        {array}[slot] = attacks
        occ = (occ - mask) & mask
        if not occ:
            break
"""


def _ones(width: int) -> str:
    return "0xffffffff" if width == 32 else "0xffffffffffffffff"


_PYTHON_WALK = """

def _walk(square, occ, steps):
    attacks = 0
    for by_file, by_rank in steps:
        file, rank = (square & 7) + by_file, (square >> 3) + by_rank
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << (8 * rank + file)
            attacks |= bit
            if occ & bit:
                break
            file += by_file
            rank += by_rank
    return attacks

"""

_PYTHON_SUBSETS = """
def _subsets(mask):
    occ = 0
    while True:
        yield occ
        occ = (occ - mask) & mask
        if not occ:
            break

"""
