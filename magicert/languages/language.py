"""Languages of sources: a row of grammars.toml each, their syntax trees, types and integers."""

import faulthandler
import os
import re
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree


LARGEST = 1 << 24
"""Bytes of the largest source that is read."""
_FAMILIES: dict[str, dict[str, object]] = {
    "c": {"comments": ["//", "/* */"], "quotes": "\"'", "octal": True, "literals": "c"},
    "slash": {"comments": ["//", "/* */"], "quotes": '"'},
    "hash": {"comments": ["#"]},
}
_ASSEMBLYSCRIPT_TYPE = re.compile(r"(?:[:<]\s*|\bas\s+)[ui]64\b")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What the reader knows of a language: a row of grammars.toml, which says what each means."""

    name: str
    endings: tuple[str, ...] = ()
    grammar: str = ""
    family: str = ""
    comments: tuple[str, ...] = ()
    continued: str = ""
    """The sign that a line goes on in the next, as a pattern."""
    quotes: str = '"'
    texts: tuple[str, ...] = ()
    """What else strings stand in, from and to, or to the line's end. Nothing is escaped there."""
    literals: str = "plain"
    octal: bool = False
    lends: bool = False
    """A call may write to what it is given, and nothing there marks it: Pascal's `var`."""
    kinds: bool = False
    """What follows an underscore in a number is its type."""
    numbers: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    separators: str = ","
    clauses: bool = False
    """An item may be a line: `magic 3 = 0x5`, `rookMagics=1,2`."""
    narrow: Mapping[str, int] = field(default_factory=dict)
    """Bits of the types that this language calls otherwise than others; below 0: signed."""
    directives: Mapping[str, int] = field(default_factory=dict)
    """Assembly's words before numbers, with their bits."""
    largest: int = 0
    """The bits of a plain literal, where there is no wider one; 0: no limit."""
    exact: tuple[str, ...] = ()
    """Suffixes of a literal that is as wide as it says."""
    first: int = 0
    """The subscript of a list's first item."""
    several: str = ""
    """What stands for several items of a list, as a pattern: `[11; 64]`, `[0 ... 63] = 11`."""
    joins: tuple[str, ...] = ()
    """Signs between lists, `+`, and between a list and how often it is repeated, `*` and `;`."""
    fills: bool = False
    """Items with subscripts stand where these say, and what is left out is zero."""
    slices: tuple[str, ...] = ()
    """Signs between the ends of a part of an array that is one with it, and no copy: `T[n:]`."""
    constant: str | None = None
    """What stands before the name of a list that nothing can write to, as a pattern."""
    operators: tuple[str, ...] = ()
    """Where no grammar helps: the signs before a number, and those between two, a text for each
    level, from the tightest on.
    """
    complement: str = "~"
    """The sign before a number that turns all its bits, where `operators` does not say it."""
    labels: tuple[str, ...] = ()
    """Names of arguments that say only how a number is converted."""
    typed: tuple[str, ...] = ()
    """Functions of a number and its type: Fortran's `int(n, 8)`."""
    unlike: tuple[str, ...] = ()
    """Signs between numbers that mean something else than in other languages."""
    defines: str = ""
    """In a Lisp: how a form begins that gives a list its name, as a pattern."""
    records: str | None = None
    """How a record begins, where that tells one from a function's call, as a pattern."""
    radix: Mapping[str, int] = field(default_factory=dict)
    """Functions that read a number in a text, with the radix of its digits."""
    makers: tuple[str, ...] = ()
    """Functions that make another kind of list, of the same items in the same order."""

    def keeps(self, name: str) -> bool:
        """Does what a function makes of a list have the same items? Its last word says it."""
        words = re.findall(r"\w+", name.partition("<")[0])
        return words[-1:] != [] and words[-1] in self.makers

    @property
    def rounds(self) -> bool:
        """Are plain numbers doubles, unless a suffix says otherwise?"""
        return self.literals == "double"

    @property
    def is_lisp(self) -> bool:
        """In brackets the function comes first."""
        return bool(self.defines)

    @property
    def is_c(self) -> bool:
        """C's preprocessor, apostrophes between digits, suffixes of the user's own."""
        return self.family == "c"

    def parser(self) -> "Parser | None":
        """The parser of its grammar; None where that is not installed, or there is none."""
        return _parser(self.grammar) if self.grammar else None


SPARE, A_LETTER = 200 << 20, 100
"""Bytes that a parse may need, and those that it may need for each letter."""


def parse_within(parser: "Parser", text: bytes, seconds: float) -> "Tree | None":
    """The syntax tree; None where that takes too much time or memory.

    On some texts of a few thousand letters a grammar takes minutes and gigabytes, between two calls
    of its callbacks. So a copy of this process parses it first, and is killed where it is too much.
    """
    started = time.process_time()
    if sys.platform != "win32" and hasattr(os, "fork") and not _survives(parser, text, seconds):
        return None

    calls = count()

    def late(*_: object) -> bool:
        return next(calls) % 64 == 0 and time.process_time() - started > 2 * seconds

    try:
        return parser.parse(lambda start, _: text[start : start + 4096], progress_callback=late)
    except ValueError:
        parser.reset()
        return None


def _survives(parser: "Parser", text: bytes, seconds: float) -> bool:
    """Does a copy of this process parse the text within these bounds?"""
    import resource

    try:
        child = os.fork()
    except OSError:
        return True  # no copies here: the callback is all there is
    if child == 0:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            faulthandler.disable()  # where there is no memory: not a word of it
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            whole = max(1, round(seconds))
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))
            pages = Path("/proc/self/statm")
            if pages.exists():
                size = int(pages.read_text().split()[0]) * resource.getpagesize()
                most = size + SPARE + A_LETTER * len(text)
                resource.setrlimit(resource.RLIMIT_AS, (most, most))
            parser.parse(text)
            os._exit(0)
        finally:
            os._exit(1)
    try:
        return os.waitpid(child, 0)[1] == 0
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


@cache
def _parser(grammar: str) -> "Parser | None":
    module, _, function = grammar.partition(".")
    if find_spec(module) is None or find_spec("tree_sitter") is None:
        return None
    import tree_sitter

    make = getattr(import_module(module), function or "language")
    return tree_sitter.Parser(tree_sitter.Language(make()))


def _row(name: str, row: dict[str, object]) -> Language:
    known = {**_FAMILIES.get(str(row.get("family", "")), {}), **row}
    return Language(
        name,
        **{key: tuple(v) if isinstance(v, list) else v for key, v in known.items()},  # type: ignore[arg-type]
    )


@cache
def _rows() -> tuple[dict[str, Language], dict[str, str]]:
    """The languages by name, and the kinds of nodes by their types."""
    document = tomllib.loads(Path(__file__).with_name("grammars.toml").read_text("utf-8"))
    nodes = document.pop("nodes")
    kinds = {node: kind for kind, text in nodes.items() for node in text.split()}
    return {name: _row(name, row) for name, row in document.items()}, kinds


def kinds() -> dict[str, str]:
    """What a node of a syntax tree is, by its type."""
    return _rows()[1]


PLAIN = Language(
    "unknown language", endings=(".txt",), comments=("//", "/* */"), quotes='"',
    also=("text", "txt"),
)  # fmt: skip


@cache
def _by_ending() -> dict[str, Language]:
    return {ending: row for row in _rows()[0].values() for ending in row.endings}


def language_of(path: PurePath, text: str = "") -> Language:
    """The language of a file, by its ending; PLAIN where the ending says nothing.

    A TypeScript file that names integers of 64 bits as a type is AssemblyScript.
    """
    language = _by_ending().get(path.suffix.lower(), PLAIN)
    if language.name == "TypeScript" and _ASSEMBLYSCRIPT_TYPE.search(text):
        return _rows()[0]["AssemblyScript"]
    return language


def known_endings() -> tuple[str, ...]:
    """All endings that stand for a language."""
    return tuple(_by_ending())


def ending_called(name: str) -> str | None:
    """The ending that stands for a language: .rs for rs, .rs, rust or Rust; else None."""
    called = name.lower().removeprefix(".")
    for row in (*_rows()[0].values(), PLAIN):
        if called in (row.name.lower(), *row.also):
            return row.endings[0] if row.endings else ".ts"
    return f".{called}" if f".{called}" in _by_ending() else None


# Integers of sources: how they are written, their types, and what operators make of them.

LONGEST = 160
"""Longest number in characters that is read; 128 bits in binary with separators fit."""
FLOAT = 0
"""The "bits" of a floating-point type."""


@dataclass(frozen=True, slots=True)
class Int:
    """A number and its type. `bits` 0: an untyped constant; `problem`: why it is another one."""

    value: int
    bits: int = 0
    signed: bool = True
    problem: str = ""

    def in_type(self, bits: int, signed: bool) -> "Int":
        """The number as a type of so many bits holds it."""
        low = self.value & (1 << bits) - 1
        low -= (1 << bits) if signed and low >> (bits - 1) else 0
        return Int(low, bits, signed, self.problem)


@cache
def number_pattern(language: Language) -> str:
    """The pattern of a number in a language, its suffix included.

    Any letters may follow: ULL, u64, L, n, UL, 'u64, or a literal suffix of the user's own.
    """
    s = "'" if language.is_c else "_"
    suffix = r"(?:'?[A-Za-z_]\w*)?" if not language.is_c else r"(?:_[A-Za-z]\w*|[G-Zg-z]\w*)?"
    forms = [
        *(form for form in language.numbers if form[0] == "\\"),
        rf"0[xX][0-9a-fA-F][0-9a-fA-F{s}]*{suffix}",
        rf"0[oO][0-7][0-7{s}]*{suffix}",
        rf"0[bB][01][01{s}]*{suffix}",
        r"\d[\d_]*\.\d[\w.]*(?:[eE][+-]?\d+)?",
        rf"\d[\d{s}]*[eE][+-]?\d+",
        *(form for form in language.numbers if form[0] != "\\"),
        rf"\d[\d{s}]*{suffix}",
    ]
    return rf"(?<![\w$])(?:{'|'.join(forms)})"


_DIGITS = re.compile(
    r"(?:(?P<asm>[0-9][0-9a-fA-F]*)[hH]$"  # 0b12h, too
    r"|(?P<hex>0w?[xX]|\d+'[hH]|\$0?[xX]?|&[Hh]|#x|16#|[zZ][\x22'])(?P<h>[0-9a-fA-F_']+)"
    r"|(?P<oct>0[oO]|&[Oo]?|#o|8#)(?P<o>[0-7_']+)"
    r"|(?P<bin>0[bB]|%|&[Bb]|#b|2#)(?P<b>[01_']+)"
    r"|(?:\d+'[dD])?(?P<dec>[0-9][0-9_']*))(?P<rest>.*)$",
    re.DOTALL,
)
FORMS: Mapping[str, tuple[int, str]] = {
    "h": (16, "x"), "o": (8, "o"), "b": (2, "b"), "asm": (16, "x"), "dec": (10, "d"),
}  # fmt: skip
"""The groups of _DIGITS: their radix, and how Python writes it."""


def read_number(text: str, language: Language) -> int | None:
    """The value of a number's text; None for a fraction and for what is too long to be one."""
    parts = parts_of(text, language)
    if parts is None:
        return None
    match, group = parts
    digits = match[group].replace("_", "").replace("'", "")
    if group == "dec":
        if re.match(r"\.\d|[eE][+-]?\d", match["rest"]):
            return None
        if language.octal and re.fullmatch(r"0[0-7]+", digits):
            return int(digits, 8)
    return int(digits, FORMS[group][0]) if digits else None


def parts_of(text: str, language: Language) -> tuple[re.Match[str], str] | None:
    """A number's text by _DIGITS, and the group of FORMS that its digits are in."""
    if len(text) > LONGEST:
        return None
    cut = text.find("_") if language.is_c or language.kinds else -1
    match = _DIGITS.match(text[:cut] if cut > 0 else text)
    if match is None:
        return None
    return match, next(name for name in FORMS if match[name])


def literal(text: str, language: Language) -> Int | None:
    """A literal as the language types it; None where it is no integer."""
    value = read_number(text, language)
    if value is None:
        return None
    parts = parts_of(text, language)
    suffix = (parts[0]["rest"] or "").lower() if parts else ""
    if language.is_c and "_" in text:
        return Int(value, 0, True, f"{text} has a suffix that the source defines itself")
    if (width := re.search(r"([ui])(8|16|32|64|128)$", suffix)) is not None:
        bits = int(width[2])
        problem = "" if value >> bits == 0 else f"{text} does not fit into {width[0]}"
        return Int(value, bits, width[1] == "i", problem)
    match language.literals:
        case "c":
            return _c_literal(text, value, suffix, decimal=text[:1] not in "0&")
        case "least" if suffix or not value >> 63:
            return _c_literal(text, value, suffix, decimal=True)
        case "java":
            bits = 64 if suffix == "l" else 32
            most = 1 << (bits - 1) if text[:1] != "0" else (1 << bits) - 1
            problem = "" if value <= most else f"{text} does not fit into {bits} bits"
            return Int(value, bits, True, problem).in_type(bits, True)
        case "digits" if parts and parts[1] in ("h", "bin"):
            needed = len(parts[0][parts[1]].replace("_", "")) * (4 if parts[1] == "h" else 1)
            return Int(value, next((n for n in (8, 16, 32, 64) if needed <= n), 128), False)
        case "double":
            if suffix == "n":
                return Int(value)
            rounded = int(float(value))
            lost = value >> 53 and rounded != value
            return Int(
                value, 53, True, f"{language.name} makes {rounded} of {text}" if lost else ""
            )
        case _:
            limit = language.largest
            lost = limit and value >> limit and not text[-3:].lower().endswith(language.exact)
            wraps = lost and limit == 63 and language.name == "Lua" and text[:2].lower() == "0x"
            problem = f"{text} is no integer of {language.name}" if lost and not wraps else ""
            return Int(value, 0, True, problem)


def _c_literal(text: str, value: int, suffix: str, *, decimal: bool) -> Int:
    unsigned, least = "u" in suffix, 64 if "l" in suffix else 32
    for bits, signed in ((32, True), (32, False), (64, True), (64, False)):
        fits = value >> (bits - signed) == 0
        allowed = not (unsigned and signed) and (signed or unsigned or not decimal)
        if bits >= least and fits and allowed:
            return Int(value, bits, signed)
    return Int(value, 64, False, "" if value >> 64 == 0 else f"{text} needs more than 64 bits")


# Operators by C's names.
_SAME = {
    "or": "|", "xor": "^", "and": "&", "shl": "<<", "shr": ">>", ">>>": ">>", "lsl": "<<",
    "lsr": ">>", "bor": "|", "bxor": "^", "band": "&", "|||": "|", "^^^": "^",
    "&&&": "&", "<<<": "<<", "bsl": "<<", "bsr": ">>", "shiftl": "<<", "shiftr": ">>",
    "unsafeshiftl": "<<", "unsafeshiftr": ">>", ".<<.": "<<", ".>>.": ">>", ".^.": "^", "~": "^",
    ".|.": "|", ".&.": "&", "*%": "*", "+%": "+", "-%": "-", "lor": "|", "lxor": "^", "land": "&",
    "⊻": "^", "xor.": "^", "&*": "*", "&+": "+", "&-": "-",
}  # fmt: skip


def usual_sign(sign: str) -> str:
    """C's name of an operator."""
    return _SAME.get(sign.lower(), sign)


_COMPUTE: Mapping[str, Callable[[int, int], int]] = {
    "|": int.__or__, "^": int.__xor__, "&": int.__and__, "+": int.__add__, "-": int.__sub__,
    "*": int.__mul__,
}  # fmt: skip


def combined(sign: str, a: Int, b: Int, language: Language) -> Int | str:
    """What an operator makes of two numbers; a text says why that is not known."""
    if sign.lower() in language.unlike:
        return f"the operator {sign} is not worked out"
    sign, problem = _SAME.get(sign.lower(), sign), a.problem or b.problem
    if sign in ("<<", ">>"):
        bits = a.bits or (0 if language.literals == "plain" else 64)
        if not 0 <= b.value < (bits or 256):
            return f"a shift by {b.value} of a number of {bits} bits"
        if bits == 53:
            a, bits = a.in_type(32, True), 32
        value = a.value << b.value if sign == "<<" else a.value >> b.value
        return _fitted(value, bits, a.signed, problem, language)
    if sign not in _COMPUTE:
        return f"the operator {sign} is not worked out"
    if a.bits == 53 or b.bits == 53:
        if sign in "|^&":
            a, b = a.in_type(32, True), b.in_type(32, True)
        return _fitted(_COMPUTE[sign](a.value, b.value), 0, True, problem, language)
    bits = max(a.bits, b.bits)
    signed = all(operand.signed for operand in (a, b) if operand.bits == bits)
    return _fitted(_COMPUTE[sign](a.value, b.value), bits, signed, problem, language)


def _fitted(value: int, bits: int, signed: bool, problem: str, language: Language) -> Int | str:
    if not bits or problem:
        return Int(value, bits, signed, problem)
    wrapped = Int(value).in_type(bits, signed)
    if wrapped.value != value and signed and language.literals == "c":
        return f"{value:#x} does not fit into a signed number of {bits} bits"
    return wrapped


def prefixed(sign: str, a: Int, language: Language, word: int) -> Int | str:
    """What a sign before a number makes of it."""
    if sign in ("-", "+", "-%"):
        value = a.value if sign == "+" else -a.value
        bits = 0 if a.bits == 53 else a.bits
        return Int(value).in_type(bits, a.signed) if bits else Int(value, 0, True, a.problem)
    if sign.lower() in (language.operators or (language.complement,))[0].split():
        if a.bits == 53:
            a = a.in_type(32, True)
        bits = a.bits or (0 if language.name in ("Python", "Go", "Ruby") else word)
        return Int(~a.value).in_type(bits, a.signed and bits == a.bits) if bits else Int(~a.value)
    return f"{sign} before a number is not worked out"


# --------------------------------------------------------------------------- types

_SIZED = re.compile(
    r"(?i)_*(?:(?P<signed>int|s?int|i)|(?P<unsigned>u_?int|unsigned|uint|u|word))_?(?:fast|least|eger)?"
    r"(?P<bits>8|16|32|64|128)(?:_t|x\d+|array|list|be|le)?"
)
_FLOATS = re.compile(
    r"(?i)_?float\d*(?:_t|array)?|double(?:array\w*)?|f32|f64|real\d*|single|extended"
)
_NAMED: Mapping[str, int] = {
    "bool": 1, "char": -8, "sbyte": -8, "short": -16, "ushort": 16, "wchar_t": -32,
    "long": -64, "ulong": 64, "longlong": -64, "size_t": 64, "usize": 64, "isize": -64, "qword": 64,
    "ulonglong": 64, "bigint": -128, "biginteger": -128, "ucent": 128, "cent": -128,
    "biguint64array": 64, "longarray": -64, "ulongarray": 64, "ulongarrayof": 64,
    "longarrayof": -64,
    "__u64": 64, "__int128": -128, "__uint128": 128, "uint128": 128, "number128": 128,
    "makeuint128": 128, "c_uint64": 64, "c_ulonglong": 64, "c_int": -32, "c_uint": 32, "dword": 32,
}  # fmt: skip
_INTS: Mapping[str, int] = {"int": -32, "uint": 32, "unsigned": 32, "signed": -32, "byte": 8,
                            "intarrayof": -32, "uintarrayof": 32}  # fmt: skip


def type_of(words: Iterable[str], language: Language) -> tuple[int, bool] | None:
    """The bits of the type that words name, and whether it is signed; (FLOAT, True) for a
    floating-point type; None where no word is a known type.
    """
    widths = [width for word in words if (width := _width(word, language)) is not None]
    if not widths:
        return None
    if FLOAT in widths:
        return FLOAT, True
    wide = [width for width in widths if abs(width) >= 64]
    best = max(wide, key=abs) if wide else min(widths, key=abs)
    unsigned = "unsigned" in {word.lower() for word in words} or best > 0
    return abs(best), not unsigned


@cache
def _width(word: str, language: Language) -> int | None:
    """The bits of a type, below 0 where it is signed."""
    low = word.lower()
    if low in language.narrow:
        return language.narrow[low]
    if _FLOATS.fullmatch(word):
        return FLOAT
    if (sized := _SIZED.fullmatch(word)) is not None:
        bits = int(sized["bits"])
        return -bits if sized["signed"] else bits
    if language.name in ("C", "C++", "Zig") and re.fullmatch(r"[ui]\d{1,2}", word):
        return int(word[1:]) * (1 if word[0] == "u" else -1)
    if language.literals in ("c", "java") and low in _INTS and word == low:
        return -8 if (low, language.literals) == ("byte", "java") else _INTS[low]
    if language.name in ("Kotlin", "Scala", "D") and low in ("int", "uint", "byte", *_INTS):
        return _INTS[low]
    return _NAMED.get(low)


def read_text_number(text: str, radix: int = 0) -> int | None:
    """The value of a string literal that holds one number, as for BigInt or parseLong."""
    plain = text.strip().replace("_", "")
    if not plain or len(plain) > LONGEST:
        return None
    try:
        return int(plain, radix or (10 if re.fullmatch(r"-?0[0-9]+", plain) else 0))
    except ValueError:
        return None
