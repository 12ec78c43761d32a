"""Source of a table, in the languages that engines are written in.

`LANGUAGES` are the printers by name, and `own_name` knows what else they are called; `emit` writes
one, `binary` the finished buffers.

    packages    a crate, a header with its tests, a package for npm
    harness     tests of an engine's own lookups
    keyed       lookups of keys
    languages   the languages, one a file
    records     a language that keeps the columns of a piece in an array of records
    language    what every emitted program has: the file and its parts
    filling     the fill routine
    lookups     the lookups
    arrays      columns and buffers
    texts       the texts that a language spells in its own way
    expression  the formula as an expression of another language
    pairs       the formula in two 32-bit words
    unit        what is emitted, before it is in any language
    levels      both levels of a two-level table
    boards      what a table of another board or of other pieces says
    moves       how a piece moves, in the engine's numbering
    spelling    how names and lists are spelt
"""

from magicert.compact.emit.language import Language
from magicert.compact.emit.languages import LANGUAGES, own_name
from magicert.compact.emit.unit import Unit, binary, make_unit

__all__ = ["LANGUAGES", "Language", "Unit", "binary", "make_unit", "own_name"]
