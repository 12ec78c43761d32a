"""Python: integers that are cut to their width, in numpy arrays."""

from typing import ClassVar

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.language import Language
from magicert.compact.emit.unit import PieceUnit, Unit


class Python(Language):
    """Python: integers cut to their width; numpy holds the buffer and looks up many at once."""

    name = "python"
    suffix = ".py"
    comment = "#"
    helpers: ClassVar = {
        "_rotate_left": """

def _rotate_left(x: int, amount: int, width: int) -> int:
    amount %= width
    return (x << amount | x >> (width - amount)) & ((1 << width) - 1)
""",
        "_trailing_zeros": """

def _trailing_zeros(x: int, width: int) -> int:
    return (x & -x).bit_length() - 1 if x else width
""",
    }
    kinds: ClassVar = {8: "np.uint8", 16: "np.uint16", 64: "np.uint64"}
    step = ("(", ")")
    read = "${PIECE}_$COLUMN[square]"
    column = """
${PIECE}_$COLUMN = (
$items)
"""
    empty = "\n$array = np.zeros($length, dtype=$kind)\n"
    finished = "\n$array = np.array([\n$items], dtype=$kind)\n"
    function = """

def $called(square: int, occ: int) -> int:
    return $expression
"""
    file = "$heading\nimport numpy as np\n$columns$buffers$helpers$lookups$filling"
    filling = "$walk$subsets$fills"
    walk = """

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
    subsets = """
def _subsets(mask):
    occ = 0
    while True:
        yield occ
        occ = (occ - mask) & mask
        if not occ:
            break

"""
    fill = """
for square in range($squares):
    occ, mask = 0, $mask
    while True:
        attacks = _walk(square, occ, ($steps))
        slot = $slot
        if $array[slot] not in (0, attacks):
            raise AssertionError("a write would change an entry of the buffer")
        $array[slot] = attacks
        occ = (occ - mask) & mask
        if not occ:
            break
"""
    fill_levels = """
for square in range($squares):
    steps, start = ($steps), $start
    walks = [(occ, _walk(square, occ, steps)) for occ in _subsets($mask)]
    own = sorted({attacks for _, attacks in walks})
    $sets[start : start + len(own)] = own
    numbers = {attacks: number for number, attacks in enumerate(own)}
    for occ, attacks in walks:
        $array[$slot] = numbers[attacks]
"""
    check_levels = """
for square in range($squares):
    for occ in _subsets($mask):
        attacks = _walk(square, occ, ($steps))
        if $attacks(square, occ) != attacks:
            raise AssertionError("a write has changed an entry of the buffer")
"""

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

    def number_read(self, found: str, bits: int) -> str:
        """An integer, because numpy's own would overflow."""
        return f"int({found})"

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """What stands in the buffer is numpy's."""
        return f"int({super().entry(unit, piece, slot)})"

    def called(self, piece: PieceUnit, name: str) -> str:
        """A name that begins with an underscore is private."""
        return f"{'' if name == 'attacks' else '_'}{piece.piece}_{name}"

    def either(self, lower: str, upper: str) -> str:
        """Python's conditional expression."""
        return f"{lower} if square < 32 else {upper}"


def _ones(width: int) -> str:
    return "0xffffffff" if width == 32 else "0xffffffffffffffff"
