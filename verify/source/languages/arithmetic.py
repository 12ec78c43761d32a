"""Operators on numbers, by the rules of the language."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from magicert.board.geometry import WORD
from magicert.verify.source.languages.language import Language

Kind = Literal["", "big", "wide", "word", "int32", "uint32"]
"""What a number is to its language, where operators depend on it: a big integer (JavaScript's
`1n`), one that is said to have 128 bits or 64, or one of 32 bits (a C literal that fits, without a
suffix for more).
"""

WIDE = (1 << 128) - 1
"""All bits of a word of 128."""

SHIFTS = frozenset({"<<", ">>", ">>>", "shl", "shr", "ushr", "lsl", "lsr", "shiftL", "shiftR"})
_LEFT = frozenset({"<<", "shl", "lsl", "shiftL"})
_C_LEVELS: dict[str, int] = {
    "|": 1, "or": 1, "lor": 1, "^": 2, "xor": 2, "lxor": 2, "&": 3, "and": 3, "land": 3,
    **dict.fromkeys(SHIFTS, 4), "+": 5, "-": 5, "*": 6, "/": 6, "div": 6, "%": 6, "mod": 6,
}  # fmt: skip
_BY_NAME = {"or": "|", "lor": "|", "xor": "^", "lxor": "^", "and": "&", "land": "&", "div": "/",
            "mod": "%"}  # fmt: skip
_TIGHT: dict[str, int] = dict.fromkeys((*SHIFTS, "&", "and"), 6) | dict.fromkeys(
    ("|", "or", "^", "xor"), 5
)
"""Shifts bind like products, and "or" like a sum: Go, Swift, Pascal."""
_LEVELS: dict[str, dict[str, int]] = {
    **dict.fromkeys(("Go", "Swift", "Pascal", "Odin", "V"), _C_LEVELS | _TIGHT),
    # Words are one level, below sums.
    "Kotlin": _C_LEVELS | dict.fromkeys(("shl", "shr", "ushr", "or", "and", "xor"), 4),
    "Nim": _C_LEVELS | {"shl": 6, "shr": 6},
    "OCaml": _C_LEVELS
    | dict.fromkeys(("lsl", "lsr"), 7)
    | dict.fromkeys(("land", "lor", "lxor"), 6),
    "Julia": _C_LEVELS | {"<<": 7, ">>": 7, ">>>": 7, "&": 6, "|": 5},
}
_POWER = frozenset({"Julia", "Lua", "Haskell", "Nim", "Visual Basic", "R", "OCaml"})
"""Languages in which `^` raises to a power."""
_COMPLEMENT = {
    "Go": "^", "V": "~", "Odin": "~", "Rust": "!", "Pascal": "not", "Nim": "not",
    "Visual Basic": "not", "Ada": "not", "F#": "~~~", "assembly": "~", "Fortran": "",
}  # fmt: skip
_INT_OF_32 = frozenset({"C", "C++", "Java", "C#", "D", "Kotlin", "Scala", "Groovy"})
_LITERALS_OF_64 = frozenset(
    {"C", "C++", "C#", "Java", "Kotlin", "Scala", "D", "Groovy", "Pascal", "Nim", "Dart", "Odin"}
)
"""Languages without literals of more bits: their compilers refuse them, or cut them."""
_OPEN = frozenset(
    {"Rust", "Zig", "Go", "Swift", "Python", "Cython", "Ruby", "Lisp", "Erlang", "Elixir",
     "Haskell"}
)  # fmt: skip
"""Languages whose numbers are as wide as what they are meant for."""
_SIGNED_HEX = frozenset({"Java", "Scala"})
"""Languages in which 0xffffffff is -1."""
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_, "^": operator.xor, "&": operator.and_, "+": operator.add,
    "-": operator.sub, "*": operator.mul,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A value with its kind; `problem` says why the language may compute another."""

    value: int
    kind: Kind = ""
    problem: str = ""


def level(sign: str, language: Language) -> int:
    """How tightly an operator binds, from 1; 0 for what is none."""
    return _LEVELS.get(language.name, _C_LEVELS).get(sign, 0)


def literal(text: str, value: int, language: Language) -> Number:
    """A literal as its language holds it: JavaScript rounds, PHP turns to floating point."""
    if language.rounds:
        if text.endswith("n"):
            return Number(value, "big")
        if value > language.largest:
            return Number(int(float(value)), "")
        return Number(value)
    if language.largest and value > language.largest:
        exact = language.exact_suffixes and text.lower().endswith(language.exact_suffixes)
        wraps = language.name == "Lua" and text[:2] in ("0x", "0X") and value <= WORD
        if not exact and not wraps:
            return Number(value, "", f"{language.name} does not hold {text} as an integer")
    if problem := _too_narrow(text, value, language):
        return Number(value, "", problem)
    if _SUFFIX_OF_128.search(text):
        return Number(value, "wide")
    if value >> 64 or _SUFFIX_OF_64.search(text):
        return Number(value, "wide" if value >> 64 else "word")
    if language.name in ("C", "C++") and value < 1 << 32 and "l" not in text.lower():
        unsigned = "u" in text.lower() or (value >> 31 and text[0] not in "123456789")
        return Number(value, "uint32" if unsigned else "int32" if value < 1 << 31 else "")
    if language.name in _SIGNED_HEX and value >> 31 == 1 and text[-1] not in "lL":
        return Number(value - (1 << 32), "int32")
    if language.name in _INT_OF_32 and value < 1 << 32 and "l" not in text.lower():
        return Number(value, "uint32" if "u" in text.lower() else "int32")
    return Number(value)


_SUFFIX_OF_32 = re.compile(r"[\da-fA-F_'](?:[ui]32|'[ui]32)$")
_SUFFIX_OF_64 = re.compile(r"[\da-fA-F_'](?:[ui]64|'[ui]64)$")
_SUFFIX_OF_128 = re.compile(r"[\da-fA-F_'](?:[ui]128|'[ui]128)$")


def _too_narrow(text: str, value: int, language: Language) -> str:
    """Why the compiler refuses a literal, or cuts it, for want of the right suffix."""
    if value >> 32 and _SUFFIX_OF_32.search(text):
        return f"{text} is declared to have 32 bits"
    if value >> 64 and _SUFFIX_OF_64.search(text):
        return f"{text} is declared to have 64 bits"
    if value >> 64 and language.name in _LITERALS_OF_64:
        return f"{language.name} has no integer literal of more than 64 bits: {text}"
    if language.name in ("Java", "Scala") and value >> 32 and text[-1] not in "lL":
        return f"{language.name} has no integer {text} without the suffix L"
    if language.name == "Kotlin" and value >> 63 and text.isdecimal():
        return f"Kotlin has no signed integer {text}: it needs the suffix u"
    return ""


def prefixed(sign: str, number: Number, language: Language) -> Number:
    """A sign, complement or negation before a number."""
    value = number.value
    if sign in ("+", "&", "*", "."):
        return number
    if sign == "-":
        value = -value if value <= 1 << 63 or value >> 64 else -value & WORD
        return Number(value, number.kind, number.problem)
    if sign == complement_sign(language):
        return complement(number, language)
    if sign == "^" and language.name in ("Pascal", "Zig", "Odin"):
        return number
    return Number(value, number.kind, f"{sign} before a number is no complement in {language.name}")


def complement_sign(language: Language) -> str:
    """The operator that turns all bits; "" where the language has none."""
    return _COMPLEMENT.get(language.name, "~")


def complement(number: Number, language: Language) -> Number:
    """All bits turned, in the width of the number."""
    value = number.value
    if number.kind == "uint32":
        return Number(value ^ 0xFFFF_FFFF, number.kind, number.problem)
    if language.rounds and number.kind != "big":
        return Number(_int32(~value), number.kind, number.problem)
    whole = WIDE if number.kind == "wide" else WORD
    return Number(~value & whole if value >= 0 else ~value, number.kind, number.problem)


def combined(sign: str, a: Number, b: Number, language: Language) -> Number | None:
    """Two numbers under an operator; None where that is no number."""
    problem = a.problem or b.problem
    sign = _BY_NAME.get(sign, sign)
    if sign == "^" and language.name in _POWER:
        problem = problem or f"^ is a power in {language.name}"
    big = "big" in (a.kind, b.kind)
    widest: tuple[Kind, ...] = ("big", "wide", "word", "uint32")
    kind: Kind = next((one for one in widest if one in (a.kind, b.kind)), a.kind)
    script = language.rounds and not big
    if sign in SHIFTS:
        if not 0 <= b.value < 128:
            return None
        if script:
            return _script_shift(sign, a.value, b.value, problem)
        kind = a.kind
        if sign not in _LEFT:
            value = (a.value & (WIDE if a.value >> 64 > 0 else WORD)) >> b.value
        else:
            value = a.value << b.value
            value = value & WIDE if kind == "wide" else value
            if b.value >= 64 and kind not in ("wide", "big"):
                known = kind == "word" or language.name not in _OPEN
                problem = problem or f"{sign} {b.value} of a number of 64 bits" * known
    elif sign in ("/", "%"):
        if not b.value:
            return None
        value = a.value // b.value if sign == "/" else a.value % b.value
    else:
        value = _OPERATIONS[sign](a.value, b.value)
        if script:
            value = _int32(value) if sign in "|&^" else int(float(value))
        elif not (a.kind and b.kind) and kind not in ("wide", "word"):
            kind = "big" if big else ""
    narrow = kind in ("int32", "uint32") and (value >> 32 or (kind == "int32" and value >> 31 > 0))
    if narrow and value > 0:
        problem = problem or f"{sign} of 32-bit numbers leaves 32 bits: {value:#x}"
    return Number(value, kind, problem)


def _script_shift(sign: str, a: int, b: int, problem: str) -> Number:
    if sign == "<<":
        return Number(_int32(a << (b & 31)), "", problem)
    return Number((a & 0xFFFF_FFFF) >> (b & 31) if sign == ">>>" else _int32(a) >> (b & 31))


def _int32(value: int) -> int:
    low = value & 0xFFFF_FFFF
    return low - (1 << 32) if low >> 31 else low
