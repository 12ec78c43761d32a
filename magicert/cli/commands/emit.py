"""`magicert emit`: source for an engine: of a table, a way, a crate."""

from magicert.cli.declared import Force, asks
from magicert.requests.emit import Emit, Emitted
from magicert.requests.request import Given
from magicert.show.document import PlainDocument


@asks("emit", Emit, Force)
def command(asked: Emit, found: Emitted, given: Given) -> PlainDocument:
    """Write a table as source, with the lookup as one expression.

    TABLE is a table file, the name of a table that ships, an engine's source, or a folder
    with one of them. The table is verified first; the lookup is printed from the formula
    that was verified. Without --literal the source has a fill routine that walks the rays,
    and stops at the first write that would change an entry. The comment at its top says how
    to use it.

        magicert emit cfish_black --lang rust -o src/magics.rs
        magicert emit black --lang c --prefix my_ -o my_magics.h
        magicert emit src/bitboard.cpp --lang zig -o magics.zig
        magicert emit cfish_black --lang binary -o attacks.bin
        magicert emit black --lang rust --crate magics
        magicert emit --check-harness --lang c++ -o check_magics.cpp

    Tables of other boards and pieces are written, too, beyond 64 squares where the language
    has words of 128 bits. Layered and two-level tables are always written as finished data.

    With --way the file is all that an engine needs, constants and functions: magic and
    two_level (of any TABLE), pext, pext16, pext_lines, hyperbola, hyperbola_avx2, reversal,
    obstruction_difference, kogge_stone, kindergarten or lines_in_bytes. best holds several:
    the target chooses when it is compiled. The head says what was proved of the text.

        magicert emit --way best --dispatch --lang c -o attacks.h
        magicert emit --way lines_in_bytes --lang rust -o src/attacks.rs
        magicert emit --way magic stockfish21_64 --lang c++ -o attacks.hpp
        magicert emit --way best --dispatch --lang rust --crate attacks

    Exit status: 0 written, or 2 for bad input.
    """
    if found.written is None:
        return PlainDocument(remarks=found.remarks, raw=found.data)
    return PlainDocument([found.said], remarks=found.remarks)
