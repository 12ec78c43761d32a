"""The languages that a lookup of keys can be written in: each is a few texts around the formula's
dialect, which tables of attack sets use, too.
"""

from dataclasses import dataclass

from magicert.compact.emit.keyed.program import Program
from magicert.compact.emit.languages import LANGUAGES
from magicert.compact.emit.spelling import lines
from magicert.formula.tree import OCCUPANCY

WORDS_PER_LINE = 4
PREFIX = "keys_"
"""What names begin with in C, if nobody says."""


@dataclass(frozen=True, slots=True)
class Printer:
    """`file` has $heading, $helpers, $length, $keys, $values, $expression, and $strings, which
    is `of_text` where the keys are strings; `within` stands where an index may lie behind the last
    slot.
    """

    file: str
    of_text: str
    within: str = ""


C = Printer(
    """$heading
#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
$helpers
static const uint64_t ${scope}keys[$length] = {
$keys};

static const uint64_t ${scope}values[$length] = {
$values};

/* Whether `key` is one of the keys; if it is, *value is what is found for it. */
static inline bool ${scope}find(uint64_t key, uint64_t *value) {
    uint64_t slot = $expression;
    if (${within}${scope}keys[slot] != key) return false;
    *value = ${scope}values[slot];
    return true;
}
$strings
#endif
""",
    """
/* The same for a string of so many bytes. */
static inline bool ${scope}find_text(const char *text, size_t length, uint64_t *value) {
    uint64_t key = 0;
    if (length > 8 || (length > 0 && text[length - 1] == 0)) return false;
    for (size_t n = 0; n < length; n++) key |= (uint64_t)(unsigned char)text[n] << (8 * n);
    return ${scope}find(key, value);
}
""",
    "slot >= $length || ",
)

RUST = Printer(
    """$heading
static KEYS: [u64; $length] = [
$keys];

static VALUES: [u64; $length] = [
$values];

/// What is found for a key; None if it is not one of the keys.
#[inline]
pub fn find(key: u64) -> Option<u64> {
    let slot = ($expression) as usize;
    if ${within}KEYS[slot] == key { Some(VALUES[slot]) } else { None }
}
$strings""",
    """
/// The same for a string.
#[inline]
pub fn find_text(text: &[u8]) -> Option<u64> {
    if text.len() > 8 || text.last() == Some(&0) {
        return None;
    }
    let mut key = [0; 8];
    key[..text.len()].copy_from_slice(text);
    find(u64::from_le_bytes(key))
}
""",
    "slot < $length && ",
)

PYTHON = Printer(
    '''$heading$helpers
_KEYS = (
$keys)

_VALUES = (
$values)


def find(key: int) -> int | None:
    """What is found for a key; None if it is not one of the keys."""
    if not 0 <= key < 1 << 64:
        return None
    slot = $expression
    return _VALUES[slot] if ${within}_KEYS[slot] == key else None
$strings''',
    '''

def find_text(text: str | bytes) -> int | None:
    """The same for a string."""
    data = text.encode() if isinstance(text, str) else text
    if len(data) > 8 or data.endswith(b"\\0"):
        return None
    return find(int.from_bytes(data, "little"))
''',
    "slot < $length and ",
)

PRINTERS = {"c": C, "rust": RUST, "python": PYTHON}
"""By the names of the languages."""


def print_program(program: Program, lang: str, scope: str | None, stem: str | None) -> str:
    """The source. Raises InputError where the language cannot have such a scope."""
    usual = PREFIX if lang == "c" else None
    language, printer = LANGUAGES[lang](usual if scope is None else scope, stem), PRINTERS[lang]
    words = {
        "length": str(len(program.keys)),
        "helpers": language.needed([program.index]),
        "heading": "".join(f"{language.comment} {line}\n" for line in program.heading),
        "keys": lines([*map(language.literal, program.keys)], language.indent, WORDS_PER_LINE),
        "values": lines([*map(language.literal, program.values)], language.indent, WORDS_PER_LINE),
        "expression": language.text(program.index, {OCCUPANCY: "key"}),
    }
    words["within"] = language.write(printer.within, **words) if program.bounded else ""
    words["strings"] = language.write(printer.of_text, **words) if program.is_text else ""
    return language.write(printer.file, **words)
