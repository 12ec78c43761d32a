"""Whether the code around a value makes another value of it before it is used.

`(occ & mask) * magic[s] >> shift` uses the number as it stands. `magic[s] ^ key`, `~magic[s]` and
`reverse(magic[s])` do not: what multiplies is then another number than the one that was read.
"""

import re
from collections.abc import Iterator

from magicert.verify.source.languages.arithmetic import complement_sign
from magicert.verify.source.languages.conversions import words_of
from magicert.verify.source.languages.language import Language

NEAR = 60
"""So many characters around a value are looked at."""

_ALTERING = frozenset(
    """
    bnot bswap byteswap byteswapped complement decode decrypt descramble flip inv invert lnot
    lognot mirror mirrored negate obfuscate rev reverse reversed rol ror rotate rotl rotr scramble
    swap swapped
    """.split()  # noqa: SIM905 - a table of words
)
_PRODUCT_BEFORE = re.compile(r"[\w)\]]\s*\*%?\s*(?:\([\w\s]+\)\s*)*$")
_PRODUCT_BEHIND = re.compile(r"\s*\*(?!\*)")
_WORDS = r"xor|lxor|bxor|\^\^\^|⊻|\.⊻|\.\^"
_BEFORE = re.compile(rf"[\w)\]]\s*(?:\^|(?<!\|)\||\+|(?<!<)-|%|(?<![\w.])(?:{_WORDS}))\s*$")
_BEHIND = re.compile(
    rf"\s*(?:\^|\+(?!\+)|-(?![->])|\|(?![|>])|%|/(?![/*])|~(?!=)|(?:{_WORDS})(?!\w))\s*(?!=)[\w($]"
)
_DOUBLES = ("Number", "parseFloat", "parseInt")
_CALL = re.compile(r"([\w.]*\w)!?\s*\(\s*&?\s*$")
_CALLED = re.compile(r"\s*[,)]")
_METHOD = re.compile(r"\s*\.\s*(\w+)")


def alters(name: str) -> bool:
    """Does a function of this name make another number of its argument, whatever it is?"""
    return not _ALTERING.isdisjoint(words_of(name))


def altered(value: str, code: str, language: Language) -> Iterator[re.Match[str]]:
    """Where the pattern `value` stands in the code, and is changed before it is used."""
    for match in re.finditer(value, code):
        before = code[max(0, match.start() - NEAR) : match.start()]
        behind = code[match.end() : match.end() + NEAR]
        if _is_altered(before, behind, language):
            yield match


def _is_altered(before: str, behind: str, language: Language) -> bool:
    sign = re.escape(complement_sign(language))
    if sign and re.search(rf"(?:^|[^\w]){sign}\s*$", before):
        return True
    called = _CALL.search(before) if _CALLED.match(behind) else None
    if called and (alters(called[1]) or (language.rounds and called[1] in _DOUBLES)):
        return True
    if (method := _METHOD.match(behind)) and alters(method[1]):
        return True
    if _PRODUCT_BEFORE.search(before) or _PRODUCT_BEHIND.match(behind):
        return False
    return bool(_BEFORE.search(before) or _BEHIND.match(behind))
