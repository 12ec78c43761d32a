"""The width that the name of a type stands for, language by language."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WIDE = re.compile(
    r"(?i)long(?!word)|u?longs|u?longlong|u?int_?(?:fast|least)?64\w*|[ui]64|word64|q?u?word|qword"
    r"|_*u?int64\w*|biguint64array|bigint64array|u?longarray\w*|integer_64|natural|_*u?int128\w*|__u64"
)
"""Types of 64 bits or more."""
_FLOAT = re.compile(
    r"(?i)_?float\d*(?:_t|array)?|double(?:array\w*)?|f32|f64|real\d*|single|extended"
)
_FIXED = re.compile(
    r"(?i)(?:to|as|c|get|parse|from)?_*(?:u?int(?:eger)?|[ui]|unsigned|signed)_?(?:fast|least)?(8|16|32)"
    r"(?:_t|array|list)?_?"
)
"""Types and conversions that name their width: uint32_t, u32, Int32, Uint32Array, ToUInt32."""
_WORD = re.compile(r"Word(8|16|32)")

_ODD = re.compile(r"[ui](\d{1,2})")
_WHOLE = 64
_SMALL = {
    "bool": 1,
    "_Bool": 1,
    "char": 8,
    "byte": 8,
    "sbyte": 8,
    "ubyte": 8,
    "short": 16,
    "ushort": 16,
}
_INT_OF_32 = {"int": 32, "unsigned": 32, "uint": 32, "signed": 32, **_SMALL}
_NARROW: dict[str, dict[str, int]] = {
    **dict.fromkeys(("C", "C++", "Java", "C#", "D", "Groovy"), _INT_OF_32),
    "V": {"int": 32},
    "Kotlin": {"Int": 32, "UInt": 32, "intArrayOf": 32, "uintArrayOf": 32, "IntArray": 32,
               "UIntArray": 32, "Short": 16, "Byte": 8, "toInt": 32, "toUInt": 32, "toShort": 16},
    "Scala": {"Int": 32, "Short": 16, "Byte": 8, "toInt": 32, "toShort": 16},
    "Pascal": {"cardinal": 32, "longword": 32, "longint": 32, "integer": 32, "dword": 32,
               "word": 16, "smallint": 16, "byte": 8},
    "F#": {"int": 32, "uint": 32, "byte": 8},
    "Visual Basic": {"integer": 32, "uinteger": 32, "short": 16, "byte": 8, "cint": 32},
    "assembly": {"dd": 32, "dw": 16, "db": 8, "long": 32, "word": 16, "byte": 8},
    "Crystal": {"to_i": 32, "to_u": 32},
    "Python": {"c_int": 32, "c_uint": 32, "c_short": 16, "c_ushort": 16, "c_float": 0,
               "c_double": 0, "intc": 32, "uintc": 32},
}  # fmt: skip
_KEYWORDS = frozenset({"byte", "char"})


@dataclass(frozen=True, slots=True)
class Width:
    """What a type holds: so many bits; no bits for a floating-point number."""

    name: str
    bits: int

    @property
    def is_float(self) -> bool:
        """A type that holds no integers of 64 bits."""
        return self.bits == 0


_OF_128 = re.compile(
    r"(?i)_*u?int_?(?:fast|least)?128\w*|[ui]128\w*|word128|ucent|cent|big_?(?:u|uint|int|integer)"
    r"|(?:to|as|from|make|get|parse)_*u?int128|number128"
)
"""Types and conversions of 128 bits or more."""


def is_wide(words: Iterable[str]) -> bool:
    """Do the words of a declaration or cast name a type of 128 bits?"""
    return any(_OF_128.fullmatch(word) for word in words)


def narrow(words: Iterable[str], language: str, whole: int = 64) -> Width | None:
    """The type among the words of a declaration or cast that is narrower than a `whole` word.

    None where there is none, and where a type of the whole width stands beside it (`unsigned
    long`, a map from int to uint64_t).
    """
    words = [*words]
    if whole > _WHOLE:
        return None if is_wide(words) else narrow(words, language) or _of_64(words)
    if floating := next((word for word in words if _FLOAT.fullmatch(word)), None):
        return Width(floating, 0)
    found: Width | None = None
    for word in words:
        width = _width(word, language)
        if width is not None and (found is None or width.bits < found.bits):
            found = width
        elif (
            width is None
            and _WIDE.fullmatch(word)
            and not (language == "Pascal" and word.lower() == "word")
        ):
            return None
    return found


def _of_64(words: list[str]) -> Width | None:
    """The type of 64 bits among the words."""
    wide = next((word for word in words if _WIDE.fullmatch(word)), None)
    if wide is None:
        return None
    return Width(f"unsigned {wide}" if "unsigned" in words else wide, _WHOLE)


def _width(word: str, language: str) -> Width | None:
    if _FLOAT.fullmatch(word):
        return Width(word, 0)
    fixed = _FIXED.fullmatch(word) or _WORD.fullmatch(word)
    if language in ("Zig", "C", "C++") and (odd := _ODD.fullmatch(word)) and int(odd[1]) < _WHOLE:
        return Width(word, int(odd[1]))
    if fixed:
        return Width(word, int(fixed[1]))
    own = _NARROW.get(language, {})
    key = word.lower() if language in ("Pascal", "Visual Basic") else word
    return Width(word, own[key]) if key in own else None


def is_signed(name: str) -> bool:
    """Does a narrow type extend its sign? `unsigned` and all that begin with u or w do not."""
    if _WIDE.fullmatch(name.removeprefix("unsigned ")):
        return re.search(r"(?i)u|word", name) is None
    return name[:1].lower() not in ("u", "w", "c", "d", "b") and name != "__u32"


def as_narrow(value: int, width: Width) -> int:
    """The value as the narrow type holds it, by two's complement."""
    low = value & (1 << width.bits) - 1
    return low - (1 << width.bits) if is_signed(width.name) and low >> (width.bits - 1) else low


ONLY = "only"
"""The key of the one field of a record that has no other."""
_BIT_FIELD = re.compile(r"\w+\s*:\s*(\d+)\s*$")


def field_widths(record: str, text: str, language: str) -> dict[str | int, Width]:
    """The narrow fields of a record type that the source defines, by name and by place."""
    head = rf"\b(?:struct|class|record|type|object)\s+{re.escape(record)}\b"
    body = re.search(rf"{head}(?:\s*\(([^()]*)\)|[^{{;(]*\{{([^{{}}]*)[{{}}])", text)
    if not body:
        return {}
    parts = re.split(r"[;,\n]+", (body[1] or body[2] or "").strip())
    fields = [part for part in parts if part.strip() and "(" not in part]
    found: dict[str | int, Width] = {}
    for place, declaration in enumerate(fields):
        words = re.findall(r"[A-Za-z_]\w*", declaration)
        width = narrow(words, language)
        bits = _BIT_FIELD.search(declaration)
        if bits and int(bits[1]) < _WHOLE:
            width = Width(f"{bits[1]} bits", int(bits[1]))
        if width is not None:
            found |= dict.fromkeys((place, *words), width)
            if len(fields) == 1:
                found[ONLY] = width
    return found


_ALIAS = re.compile(
    r"""
    \btypedef\s+(?P<words_a>\w[\w\s]*?)\s+(?P<name_a>\w+)\s*;
  | \busing\s+(?P<name_b>\w+)\s*=\s*(?P<words_b>[\w:\s]+);
  | ^[ \t]*\#[ \t]*define[ \t]+(?P<name_c>\w+)[ \t]+
    (?P<words_c>(?:unsigned|signed|u?int\w*|long|float|double|short|char)\b[\w ]*)$
  | \b(?:typealias|type|alias)\s+(?P<name_d>\w+)\s*=?\s*(?P<words_d>\w+)
  | \bconst\s+(?P<name_e>\w+)\s*=\s*(?P<words_e>[ui]\d+)\s*;
  | ^[ \t]*(?P<name_f>\w+)\s*=\s*(?P<words_f>(?i:cardinal|longword|integer|dword|qword))\s*;
  | \bnewtype\s+(?P<name_g>\w+)\s*=\s*\w+\s+(?P<words_g>\w+)
    """,
    re.VERBOSE | re.MULTILINE,
)


_LONGEST_CHAIN, _MOST_WORDS = 3, 8


def aliases(text: str) -> dict[str, tuple[str, ...]]:
    """The types that a source gives other names, each with the words of the first definition:
    `typedef unsigned int U32;`, `using U = std::uint32_t;`, `#define BITS unsigned`.
    """
    found: dict[str, tuple[str, ...]] = {}
    for match in _ALIAS.finditer(text):
        groups = {key: value for key, value in match.groupdict().items() if value is not None}
        name = next(value for key, value in groups.items() if key.startswith("name"))
        words = next(value for key, value in groups.items() if key.startswith("words"))
        found.setdefault(name, tuple(re.findall(r"\w+", words)))
    for _ in range(_LONGEST_CHAIN):
        found = {name: _resolved(words, found) for name, words in found.items()}
    return found


def _resolved(words: tuple[str, ...], known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The words with other names of types put for what they stand for, once."""
    return tuple(part for word in words for part in known.get(word, (word,)))[:_MOST_WORDS]
