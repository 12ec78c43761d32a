"""What a call, a method or a macro around a number does to it.

`Bitboard(0x12)`, `0x12.toULong()` and `UINT64_C(0x12)` are the number inside. `bswap64(0x12)` is
another one. Of a name that nobody here knows, the source itself may tell: a macro or function
whose body is its parameter changes nothing.
"""

import re
from typing import Literal

from magicert.verify.source.languages.types import narrow

Effect = Literal["same", "complement", "changes", "unknown", "constructor"]

_CONTAINERS = frozenset(
    """
    alloc arr array arrayof arrays begin boxed buffer bytes cell collections const constexpr
    ctypes def defconstant defparameter dict do expand final fn freeze frozen hash immutable
    in inline js lambda lazy let lines list lists map matrix mut mvector new numba object
    once private pub public py react readonly ref return sc seq sequence slice smatrix span
    split static string strings svector table the tuple type types uarray use util var vec
    vector vectorof words
    """.split()  # noqa: SIM905 - a table of words
)
_LIKELY = frozenset(
    """
    128 16 32 64 8 and as b asintn asuintn asulong attack bb big bigint biguint bit bitboard
    bitboards bitcast bits board box build builder bv bv64 bytes4 c cast checked clone const
    constant conv convert copy core data dec decimal default dword e entry exactly expect
    fast from frominteger fromintegral get half halves hex hexadecimal hi high i i64 id
    identity if init inner int int64 intcast integer integral intn into item just key keys l
    least lit literal ll lo long longs low lu magic magics make mask masks mk n natural
    needed new np num number numeric numpy of pack packed pair parse parsed pattern qword
    raw record reinterpret rep row s set signed some square squares static std stoull str
    string strtoul strtoull struct t text to toint64 tolong tonumber touint64 toulong
    truncate truncating try tuple two u u64 ui uint uint64 uintn ul ull ulong unchecked
    unsafe unsigned unwrap val value valued valueof w w64 word word64 words
    """.split()  # noqa: SIM905 - a table of words
)
"""Words around lists, and of types that hold a number."""
_SAME = frozenset(
    """
    8 16 32 64 128 and arc as asintn asuintn asulong b bb big bigint biguint bit bitboard
    bitboards bitcast bits board box bv bv64 c cast checked clone const constant conv convert copy
    dec decimal dword exactly expect fast from frominteger fromintegral get hex hexadecimal i
    i64 id identity init int int64 intcast integer integral intn into item just l lit literal ll
    long longs lu n natural new np num number numeric numpy of parse parsed qword raw rc reinterpret
    s set signed some static std stoull str string strtoul strtoull t text to toint64 tolong
    tonumber touint64 toulong truncate truncating try u u64 ui uint uint64 uintn ul ull ulong
    unchecked unsafe unsigned unwrap val value valueof w64 word word64
    """.split()  # noqa: SIM905 - a table of words
)
"""Words of conversions that keep a number as it is."""
_VAGUE = frozenset(
    """
    bit bits c const constant dec exactly expect fast i init just key l lit n num number s static
    string t text try u val value
    """.split()  # noqa: SIM905 - a table of words
)
"""Words that are a conversion only together with others, as in BitBoard and fromBits."""
_CHANGES = frozenset(
    """
    abs band be bitreverse bitswap bnot bor bsl bsr bswap bxor byteswap byteswapped count decode
    decoded decrement decrypt decrypted deobfuscate descramble div double encode encoded encrypt
    encrypted endian flip flipped half hash hton htonll iand ieor inc increment invert inverted
    le leading lshift lsl lsr max min minus mirror mirrored mix mod mul neg negate negated next
    obfuscate plus popcount pow pred prev rem rev reverse reversed rol ror rot rotate rotated
    rotl rotr rshift scramble scrambled shift shifted shl shr sqrt sub succ swap swapped times
    trailing unscramble xor xored
    """.split()  # noqa: SIM905
)
_ALONE = frozenset("const expect init just new of qword some try unwrap val value".split())  # noqa: SIM905
"""Words that are harmless alone, too."""
_COMPLEMENT = frozenset({"inv", "complement", "lognot", "lnot", "bitnot", "bnot", "not"})


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case, digits apart: "UINT64_C" has uint, 64, c."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return [part.lower() for part in parts]


def effect(name: str) -> Effect:
    """What a function, method or macro of this name does to its one argument."""
    words, plain = words_of(name), name.lower()
    if not words:
        return "unknown"
    if name.lower() in _COMPLEMENT or any(word in ("complement", "lognot") for word in words):
        return "complement"
    if any(word in _CHANGES for word in words) or plain in ("real", "dble", "float"):
        return "changes"
    if plain in _ALONE or (all(word in _SAME for word in words) and not _VAGUE.issuperset(words)):
        return "same"
    if re.fullmatch(r"(?:[A-Z][a-z]+\d*)+[A-Z]?", name):
        return "constructor"
    return "unknown"


def is_container(name: str) -> bool:
    """Is this the name of a type, a container or a keyword, and no function of the engine's own?"""
    return (
        all(word in _CONTAINERS or word in _LIKELY for word in words_of(name)) or name[:1].isupper()
    )


_MACRO = r"#\s*define[ \t]+{name}\(([^)\n]*)\)((?:[^\n]*\\\n)*[^\n]*)"
_FUNCTION = (
    r"\b(?:def|fn|func|fun|function|let|const|proc|template|macro_rules!|sub|val|var)\s+{name}\b"
    r"|\b(?!return\b|new\b|else\b|case\b)[A-Za-z_][\w:]*[\s*&]+{name}\s*\([^()]*[A-Za-z_]\w*\s+[\w&*\s]*\)\s*(?:const)?\s*(?:\{{|=>)"
)
_RULES = r"\bmacro_rules!\s+{name}\b((?:[^\n]*\n){{1,30}}?\}}|.*)"
"""Rust's macros: their whole text, to the first line that begins with a closing brace."""
_ON_A_PARAMETER = re.compile(r"[!~^*%+-]\s*\$\w+|\$\w+\s*(?:[\^*%+-]|<<|>>|\.\s*\w+\s*\()")
_ONLY_CASTS = re.compile(
    r"\(\s*(?:unsigned|long|u?int\w*|u64|U64|[Bb]it[Bb]oard|BB|ulong|\s)+\)|static_cast\s*<[^>]*>"
    r"|\b(?:UINT64_C|INT64_C|ULL|uint64_t|U64|Bitboard|BitBoard|C64)\b|##\s*\w+|[(){}\s]"
)
_BODY = (
    r"\b{name}\s*[!(=:][^{{}}]*\{{([^{{}}]*)\}}"
    r"|\b{name}\s*\(.*\)[^\n]*:\s*\n\s*([^\n]*)"
    r"|\b{name}\s*=\s*([^\n]*)"
)
"""A function's body: in braces, indented under its head, or behind an equals sign."""
_TWO_WORDS = re.compile(r"<<\s*32")


def defined_effect(name: str, text: str, language: str) -> Effect | None:
    """What the source's own definition of a name does; None where it has none.

    A macro or function whose body is its parameter, but for casts and suffixes, changes
    nothing. A macro of several parameters makes a record, or a word of two halves, if it has
    no other operator.
    """
    own = re.escape(name)
    macros = list(re.finditer(_MACRO.format(name=own), text))
    if macros:
        same = all(_macro_keeps(match[1].split(","), match[2], language) for match in macros)
        return "same" if same else "changes"
    if rules := re.search(_RULES.format(name=own), text):
        return "changes" if _ON_A_PARAMETER.search(rules[1]) else "unknown"
    if re.search(_FUNCTION.format(name=own), text):
        body = re.search(_BODY.format(name=own), text)
        inside = next((part for part in body.groups() if part is not None), "") if body else "~"
        return "same" if _keeps(inside, language) else "changes"
    return None


def operator_effect(suffix: str, text: str, language: str) -> Effect | None:
    """What C++'s `operator""_bb` does to a literal; None where the source does not define it."""
    head = rf'\boperator\s*""\s*{re.escape(suffix)}\s*\([^()]*\)[^{{;]*\{{([^{{}}]*)\}}'
    bodies = re.findall(head, text)
    if not bodies:
        return None
    return "same" if all(_keeps(body, language) for body in bodies) else "changes"


def _macro_keeps(parameters: list[str], body: str, language: str) -> bool:
    plain = re.sub(r"//.*|/\*.*?\*/|\\\n", " ", body)
    if len(parameters) == 1:
        bare = _ONLY_CASTS.sub("", plain)
        return bare == parameters[0].strip() and _is_wide(plain, language)
    return _keeps(plain, language)


def _keeps(body: str, language: str) -> bool:
    """Does a body only wrap its parameters, or put two words together?"""
    if _TWO_WORDS.search(body):
        return True
    calls = re.findall(r"(\w+)!?\s*\(", body)
    bare = _ONLY_CASTS.sub(" ", re.sub(r"&self|->|=>|\breturn\b|::", " ", body))
    return (
        all(effect(call) in ("same", "constructor") for call in calls)
        and not re.search(r"[~^*%/+|&!-]|<<|>>", bare)
        and _is_wide(body, language)
    )


_CASTS = re.compile(r"\(([\w\s]+)\)|<([\w\s:]+)>|\b(\w+)\s*\(")


def _is_wide(body: str, language: str) -> bool:
    """Is no cast in a body to a narrow type?"""
    casts = [next(filter(None, match.groups())) for match in _CASTS.finditer(body)]
    return all(narrow(re.findall(r"\w+", part), language) is None for part in (body, *casts))
