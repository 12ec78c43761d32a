"""Which buffers a table has: one or two levels, and the files of finished ones."""

from collections.abc import Iterable
from typing import Any

from magicert.table.locate import KeyPath
from magicert.table.model import TwoLevel
from magicert.table.values import Values
from magicert.table.words import found_text


def two_level(values: Values, document: dict[str, Any]) -> TwoLevel | None:
    """What the file says of a second level, if it has one."""
    if "two_level" not in document:
        return None
    path: KeyPath = ("two_level",)
    section = values.section(document["two_level"], path)
    values.known(path, section, ("entry_bits", "words", "literal_words"))
    bits = section.get("entry_bits")
    if bits not in (8, 16) or isinstance(bits, bool | float):
        found = "missing" if bits is None else found_text(bits)
        values.problem((*path, "entry_bits"), f"{found}: expected 8 or 16")
        bits = 8
    words = values.size(section, (*path, "words"))
    literal_words = values.sidecar(section, (*path, "literal_words"))
    if (words is None) != (literal_words is None):
        given, lacks = ("words", "literal_words")[:: 1 if literal_words is None else -1]
        values.problem((*path, lacks), f"missing: expected with {given}")
    return TwoLevel(bits, words, literal_words)


def literal_pairs(
    values: Values, document: dict[str, Any], pieces: Iterable[str], shared: bool
) -> None:
    """In a two-level table a finished buffer needs its attack sets, and they need it. They are
    of a piece, or words that all pieces share.
    """
    levels = document.get("two_level")
    words = isinstance(levels, dict) and "literal_words" in levels
    for piece in pieces if levels is not None else ():
        section = document[piece]
        if not isinstance(section, dict):
            continue
        literal = "literal" in (document if shared else section)
        if words:
            _words_of_all(values, section, piece, literal)
            continue
        if literal and "literal_sets" not in section:
            values.problem((piece, "literal_sets"), "missing: expected with a literal")
        if not literal and "literal_sets" in section:
            values.problem((piece, "literal_sets"), "without a literal: expected both")


def _words_of_all(values: Values, section: dict[str, Any], piece: str, literal: bool) -> None:
    """What a piece has, and has not, where all pieces share the words of the second level."""
    for key in ("attack_sets", "literal_sets"):
        if key in section:
            message = "with two_level.literal_words: expected one or the other"
            values.problem((piece, key), message)
    if not literal:
        values.problem(("two_level", "literal_words"), "without a literal: expected both")
    if "set_offset" not in section:
        values.problem((piece, "set_offset"), "missing: expected with literal_words")
