"""The forms of integers in source: radix, digit separators, suffixes."""

import re
from functools import cache

from magicert.verify.source.languages.language import Language

LONGEST = 160
"""Longest number in characters that is read; 128 bits in binary with separators fit."""


@cache
def number_pattern(language: Language) -> str:
    """The pattern of a number in a language, its suffix included.

    Any letters may follow: ULL, u64, L, n, UL, 'u64, or a literal suffix of the user's own.
    """
    s = re.escape(language.separators)
    suffix = r"(?:'?[A-Za-z_]\w*)?"
    if language.separators == "'":
        # `_bb` is a suffix where `_` separates no digits, although b is a digit.
        suffix = r"(?:_[A-Za-z]\w*|[G-Zg-z]\w*)?"
    forms = [
        rf"0[xX][0-9a-fA-F][0-9a-fA-F{s}]*{suffix}",
        rf"0[oO][0-7][0-7{s}]*{suffix}",
        rf"0[bB][01][01{s}]*{suffix}",
        r"\d[\d_]*\.\d[\w.]*(?:[eE][+-]?\d+)?",
        rf"\d[\d{s}]*[eE][+-]?\d+",
    ]
    match language.name:
        case "Pascal":
            forms += [r"\$[0-9a-fA-F][0-9a-fA-F_]*", r"%[01][01_]*", r"&[0-7][0-7_]*"]
        case "Visual Basic":
            forms += [r"&[Hh][0-9a-fA-F][0-9a-fA-F_]*", r"&[Oo][0-7_]+", r"&[Bb][01_]+"]
        case "Lisp":
            forms += [r"#x[0-9a-fA-F]+", r"#o[0-7]+", r"#b[01]+"]
        case "Ada" | "Erlang":
            forms.insert(0, r"\d{1,2}#[0-9a-fA-F][0-9a-fA-F_]*#?")
        case "assembly":
            forms.insert(0, r"\d[0-9a-fA-F]*[hH]\b|\$0x?[0-9a-fA-F]+")
        case _:
            pass
    forms.append(rf"\d[\d{s}]*{suffix}")
    return rf"(?<![\w$])(?:{'|'.join(forms)})"


_DIGITS = re.compile(
    r"(?:(?P<hex>0[xX]|\$0?[xX]?|&[Hh]|#x|16#)(?P<h>[0-9a-fA-F_']+)"
    r"|(?P<oct>0[oO]|&[Oo]?|#o|8#)(?P<o>[0-7_']+)"
    r"|(?P<bin>0[bB]|%|&[Bb]|#b|2#)(?P<b>[01_']+)"
    r"|(?P<asm>[0-9][0-9a-fA-F]*)[hH]$"
    r"|(?P<dec>[0-9][0-9_']*))(?P<rest>.*)$",
    re.DOTALL,
)


def read_number(text: str, language: Language) -> int | None:
    """The value of a number's text; None for a fraction and for what is too long to be one."""
    if len(text) > LONGEST:
        return None
    if language.separators == "'" and (underscore := text.find("_")) > 0:
        text = text[:underscore]
    match = _DIGITS.match(text)
    if not match:
        return None
    if match["hex"]:
        return _digits(match["h"], 16)
    if match["oct"]:
        return _digits(match["o"], 8)
    if match["bin"]:
        return _digits(match["b"], 2)
    if match["asm"]:
        return int(match["asm"], 16)
    if re.match(r"\.\d|[eE][+-]?\d", match["rest"]):
        return None
    digits = match["dec"]
    octal = language.octal and re.fullmatch(r"0[0-7_']+", digits) is not None
    return _digits(digits, 8 if octal else 10)


def own_suffix(text: str, language: Language) -> str:
    """A literal suffix that a C++ source defines itself, as in 0x12_bb; "" where there is none."""
    return text[text.index("_") :] if language.name == "C++" and "_" in text else ""


def _digits(text: str, radix: int) -> int | None:
    plain = text.replace("_", "").replace("'", "")
    return int(plain, radix) if plain else None


_FORMS = {"h": (16, "x"), "o": (8, "o"), "b": (2, "b"), "asm": (16, "x"), "dec": (10, "d")}
"""The groups of _DIGITS: their radix, and how Python writes it."""


def rewritten(text: str, value: int, language: Language, digits: int = 0) -> str | None:
    """The text of another number in the notation of this one: radix, case, separators, suffix.

    It has at least so many `digits`; None where the notation cannot be told.
    """
    cut = text.find("_") if language.separators == "'" else -1
    match = _DIGITS.match(text[:cut] if cut > 0 else text)
    if not match:
        return None
    group = next(name for name in _FORMS if match[name])
    old = match[group].rstrip("_'")
    octal = group == "dec" and language.octal and re.fullmatch(r"0[0-7_']+", old)
    if octal:
        old = old[1:]
    sign = next((one for one in "_'" if one in old), "")
    new = format(value, "o" if octal else _FORMS[group][1])
    new = new.upper() if re.search("[A-F]", old) else new
    if octal or group not in ("dec", "asm"):
        new = new.zfill(digits)
    if sign:
        size = len(old) - old.rindex(sign) - 1
        head = len(new) % size or size
        parts = [new[:head], *(new[at : at + size] for at in range(head, len(new), size))]
        new = sign.join(parts)
    start = match.start(group) + bool(octal)
    found = text[:start] + new + text[start + len(old) :]
    return found if read_number(found, language) == value else None


def digit_count(text: str) -> int:
    """How many digits a number's text has after its prefix, leading zeros included."""
    match = _DIGITS.match(text)
    group = next((name for name in _FORMS if match and match[name]), "")
    return sum(one.isalnum() for one in match[group]) if match and group else 0


def read_text_number(text: str, radix: int = 0) -> int | None:
    """The value of a string literal that holds one number, as for BigInt or parseLong."""
    plain = text.strip().replace("_", "")
    if not plain or len(plain) > LONGEST:
        return None
    try:
        if radix:
            return int(plain, radix)
        if re.fullmatch(r"-?0[0-9]+", plain):
            return int(plain, 10)
        return int(plain, 0)
    except ValueError:
        return None
