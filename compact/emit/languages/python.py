"""Python: integers that are cut to their width, in arrays of the standard library."""

from typing import ClassVar

from magicert.compact.emit.language import Language
from magicert.compact.emit.unit import PieceUnit


class Python(Language):
    """Python: integers cut to their width; a buffer takes no more room than in C."""

    name = "python"
    suffix = ".py"
    usage = """
Usage; the table is made when the module is imported:
    from $stem import $called
    attacks = $called(square, occupied)
where the bits of occupied are the occupied squares.
"""
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
    widest = 128
    typed_128 = "$value"
    low32 = "(($word) & 0xffffffff)"
    high32 = "(($word) >> 32)"
    low64 = "(($word) & 0xffffffffffffffff)"
    high64 = "(($word) >> 64)"
    widened_128 = "$word"
    rotated = "_rotate_left($word, $amount, $width)"
    swapped = 'int.from_bytes($receiver.to_bytes(8, "little"), "big")'
    counted = "$receiver.bit_count()"
    trailing = "_trailing_zeros($word, $width)"
    # An integer has no width: what can leave the word, or is negative, is cut.
    inverted = "(~$word & 0x$ones)"
    negated = "(-$word & 0x$ones)"
    arithmetic = "($word $operator $right & 0x$ones)"
    left_shift = "($word << $amount & 0x$ones)"
    array_name = "_$NAME"
    either = "$lower if square < 32 else $upper"
    kinds: ClassVar = {8: "B", 16: "H", 64: "Q"}
    step = ("(", ")")
    read = "_${PIECE}_$COLUMN[square]"
    column = """
_${PIECE}_$COLUMN = (
$items)
"""
    empty = '\n$array = array("$kind", [0]) * $length\n'
    finished = '\n$array = array("$kind", [\n$items])\n'
    function = '''

def $called(square: int, occ: int) -> int:
    """The squares that a $piece on a square attacks; the bits of occ are the occupied ones."""
    return $expression
'''
    file = "$heading\nfrom array import array\n$columns$buffers$helpers$lookups$filling"
    filling = """$walk$subsets

def _fill() -> None:
$fills

_fill()
"""
    walk = """

def _walk(square: int, occ: int, steps: tuple[tuple[int, int], ...]) -> int:
    reached = 0
    for by_file, by_rank in steps:
        file, rank = (square & 7) + by_file, (square >> 3) + by_rank
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << (8 * rank + file)
            reached |= bit
            if occ & bit:
                break
            file += by_file
            rank += by_rank
    return reached
"""
    subsets = """

def _subsets(mask: int) -> list[int]:
    all_of_them, occ = [0], mask
    while occ:
        all_of_them.append(occ)
        occ = (occ - 1) & mask
    return all_of_them
"""
    write_once = """if $array[slot] not in (0, reached):
                raise AssertionError("a write would change an entry of the buffer")
            $array[slot] = reached"""
    add_layer = "$array[slot] |= reached"
    check_layer = """if ($found) != reached:
                raise AssertionError("a write has changed an entry of the buffer")"""
    fill = """\
    for square in range($squares):
        occ, mask = 0, $mask
        while True:
            reached = _walk(square, occ, ($steps))
            slot = $slot
            $write
            occ = (occ - mask) & mask
            if not occ:
                break
"""
    fill_levels = """\
    for square in range($squares):
        steps, start = ($steps), $start
        walks = [(occ, _walk(square, occ, steps)) for occ in _subsets($mask)]
        own = sorted({reached for _, reached in walks})
        $sets[start : start + len(own)] = array("Q", own)
        numbers = {reached: number for number, reached in enumerate(own)}
        for occ, reached in walks:
            $array[$slot] = numbers[reached]
"""
    check_levels = """\
    for square in range($squares):
        for occ in _subsets($mask):
            if $attacks(square, occ) != _walk(square, occ, ($steps)):
                raise AssertionError("a write has changed an entry of the buffer")
"""

    def called(self, piece: PieceUnit, name: str) -> str:
        """A name that begins with an underscore is private."""
        return f"{'' if name == 'attacks' else '_'}{piece.piece}_{name}"
