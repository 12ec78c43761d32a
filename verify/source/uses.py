"""What may change the numbers of a list: each place where its name stands, and is not only read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from magicert.verify.source.columns import Column
from magicert.verify.source.contents import Contents
from magicert.verify.source.source_text import Source

MOST_LOOKED_AT = 4000
"""Letters of a statement that are looked at: what is longer is taken to state a number."""
_SUBSCRIPT = r"\.?\[(?:[^\[\]\n]|\[[^\[\]\n]{0,400}+\]){0,400}+\]"
_ARGUMENTS = r"\.?\((?:[^()\n]|\([^()\n]{0,400}+\)){0,60}+\)"
_SIGN = r"(?P<sign>\.?(?:[-+*/%&|^~⊻]|<<|>>>?|:)?=(?![=>~])|<-)"
_BASE = r"(?:0[xX]|\$|#[xX]|&[Hh]|\d+'[hH]|16#)"
_LITERAL = rf"(?<!\w)(?:{_BASE}[0-9a-fA-F_']+#?|\d[\d_']*)[uUlLnz]*"
_LONG_LITERAL = rf"(?:{_BASE}[0-9a-fA-F_']{{9,}}|\d[\d_']{{9,}})"
_WRITE = re.compile(
    rf"(?P<at>(?:\s*+(?:{_SUBSCRIPT}|{_ARGUMENTS}|(?:\.|->)\w++|[-+]\s*+\w++\s*+\))){{1,40}}+)"
    rf"\s*+(?:{_SIGN}\s*+(?P<value>[^;\n]{{0,{MOST_LOOKED_AT}}}+)|\+\+|--)"
)
"""What may write to an item, behind a list's name."""
_PLACE = rf"\w[\w.]*+(?:{_SUBSCRIPT})?"
_FIRST = re.compile(
    rf"(?<![(,\[])[;{{}}\n]\s{{0,80}}+(?:[\[(]\s*+)?(?:{_PLACE}\s*+,\s*+){{0,40}}+(?:\w++\.)*+$"
)
_SEVERAL = re.compile(
    rf"(?P<at>\s*+{_SUBSCRIPT})(?:\s*+,\s*+{_PLACE}){{0,64}}+\s*+(?:[\])]\s*+)?{_SIGN}"
    rf"\s*+(?P<value>[^;\n]{{0,{MOST_LOOKED_AT}}}+)"
)
"""Where several places are written at once, what stands before an item, and behind it."""
_AMONG = r"[^;{}()]{0,800}(?:\([^;{}()]{0,800}\)[^;{}()]{0,800}){0,40}?"
"""What stands between two arguments of a call, on one line or several."""
_HANDED_ON = re.compile(
    rf"[ \t]*+(?![\s\[({{=:])[^;\n]{{0,{MOST_LOOKED_AT}}}?(?<!\w){_LONG_LITERAL}"
    rf"|\s*+(?:(?:\(\s*+\)|[-+]\s*+\w++)\s*+)?,{_AMONG}(?<!\w){_LONG_LITERAL}"
)
"""A list by its bare name, and a long number behind it: `set(magics, 28, 0x...)`."""
_HANDED_ON_BEFORE = re.compile(
    rf"(?<!\w)\w++\s*+\({_AMONG}(?<!\w){_LONG_LITERAL}\w*+\s*+,{_AMONG}$"
)
"""A call with a long number before the list: `set(28, 0x..., magics)`."""
_HANDED_ON_ITEM = re.compile(
    rf"\s*+(?:\[[^\]\n]{{0,400}}+\]|\([^()\n]{{0,400}}+\))\s*+,[^;\n{{]{{0,{MOST_LOOKED_AT}}}?"
    rf"(?<!\w){_LONG_LITERAL}"
)
_FORM = re.compile(rf"(?:[^()]|\([^()]*\)|\(){{0,80}}?(?:(?<!\w)|\)\s+){_LONG_LITERAL}")
"""In Lisp: in the list's form, `(aset magics 28 0x...)`, or right behind, `(setf (aref magics 28)
#x...)`.
"""
_THROUGH = re.compile(
    rf"\s*+{_SUBSCRIPT}\s*+\)\s*+(?:\^\s*+)?{_SIGN}[^;]{{0,{MOST_LOOKED_AT}}}?"
    rf"(?<!\w){_LONG_LITERAL}"
)
"""An item at an address that is taken just before it: `*(&magics[28]) = 0x...`."""
_BEHIND_STAR = re.compile(rf"\s*+(?:(?:\+\+|--)\s*+)?{_SIGN}\s*+[^;\n]{{0,{MOST_LOOKED_AT}}}+")
_ITEM = re.compile(r"(?:\s*+\[\s*+\d++\s*+\]){1,40}+")
_ITEMS = re.compile(rf"(?:\s*+(?:{_SUBSCRIPT}|{_ARGUMENTS})){{1,40}}+")
_ALIAS = re.compile(r"(?<!\w)(\w++)\s*+(?:(?::[^=;\n(){}]{0,80}+)?=\s*+[^=;\n]*+|:\s*+)$")
"""What stands before a list that another name then means, or a copy of it."""
_LENT = re.compile(
    r"(?:^|[^\w)\]\s&]|\breturn)\s*+&\s*+(?:mut\s++)?(?:\(\s*+)?(?:\w++(?:\.|::|->))*+$"
    r"|\b(?:ref|out|inout|addr)\b[\s(]*+(?:\w++\.)*+$|@\s*+$|&\s*+\w++\s*+[=:]\s*+$"
)
"""What stands before a list or an item whose address is taken, or that a reference means."""
_CALLED = re.compile(
    r"(?:^|[;{})]|\b(?:begin|then|else|do|call)\b)\s*+"
    r"(?:\w++(?:\.|->|::)(?=\w))*+\w++\s*+\((?:[^()]*,)?\s*+$",
    re.IGNORECASE,
)
"""What stands before an item in a call that is a statement: where nothing marks what a call may
write to, it may do so.
"""
_EXCHANGE = re.compile(r"\s*+\.\w++\(\s*+\d++\s*+,\s*+\d++\s*+\)")
"""`m.swap(3, 4)`."""
_PART = re.compile(
    rf"\s*+\[(?=[^\]\n]{{0,400}}+\])[^\]\n?]*(?:(?<!:):(?!:)|\.\.)[^\]\n]*+\]"
    rf"|\s*+\[\s*+\]\s*+\.|{_EXCHANGE.pattern}"
)
_WHOLE = re.compile(r"\s*+\[\s*+\]")
"""D's slice of all items, where no list is declared."""
_STATED = rf"(?:[^;\n{{]|(?<!\s)\{{|(?<=[,(\[{{])\n){{0,2000}}?(?<!\w){_LONG_LITERAL}"
"""What a statement goes on with, to a long number: a brace behind a space begins a block."""
_ONLY_READ = re.compile(r"\s*(?:\.(?:len|length|size|count|iter|cbegin|cend)\b|:(?!=))")
_MUTABLY = re.compile(r"\s*\.\w+_mut\b")
_ONLY_NAMED = re.compile(
    r"(?:^|\n)\s{0,80}+(?:pub\s++)?(?:import|export|from|use|using|require|include|module|extern)\b"
    r"[^=;}\n({]*+(?:\([^=;}\n()]*+\)[^=;}\n({]*+)*+(?:[({][^=;})]*+)?$"
    r"|\b(?:sizeof|len|length|countof|in|of)\b[\s(]*+$|\bfor\s*+\([^&\n]{0,200}:\s*+$"
    r"|\*\s*+(?:\(\s*+)?$",
    re.IGNORECASE,
)
"""What stands before a list's bare name where it is only read."""
_COPIED = re.compile(r"(?:\bauto|>|^\s*+\w++)\s++\w++\s*+=\s*+$")
"""What stands before a list in C++ that is copied."""
_INITIALISED = re.compile(
    r"^\s*+(?:(?:let|val)\s++)?\w++\s*+=\s*+((?:\w++[.:](?=\w))*+\w++)[\s(]++$"
)
"""What stands before a list that nothing can write to, and that a function makes another of."""
BY_VALUE = ("Rust", "Swift", "Zig", "D")
"""Languages in which a list by its bare name is a copy."""


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that may change a list's items. `telling`: to a number that it states."""

    text: str
    telling: bool


def writes(contents: Contents, columns: Sequence[Column]) -> tuple[Write, ...]:
    """What may write to some columns' lists, but for statements whose numbers these surely are:
    where it looks so, nobody is accused.
    """
    all_writes = [
        *_handed_on(contents, columns),
        *(write for column in columns for write in _not_only_read(contents, column)),
    ]
    for _, source, place, end in contents.named(columns):
        write = _WRITE.match(source.code, end)
        several = write is None and _FIRST.search(source.code, max(0, place - 400), place)
        match = _SEVERAL.match(source.code, end) if several else write
        value = (match["value"] or "").lstrip() if match is not None else ""
        part = several or _PART.match(source.code, end)
        declared = value.startswith("'{") or (value.startswith(("{", "[")) and not part)
        if match is None or declared:
            continue  # a declaration
        known = next((sure for a, b, sure in source.followed if a <= place < b), None)
        numbers = re.findall(_LITERAL, value)
        plain = not re.search(r"[A-Za-z_$]", re.sub(_LITERAL, "", value))
        zero = re.compile(rf"{_BASE}?[0_uUlLnz#]+")
        telling = any(
            len(number) > 9 or (plain and not zero.fullmatch(number)) for number in numbers
        )
        telling |= len(value) >= MOST_LOOKED_AT
        telling |= match["sign"] is None and _ITEM.fullmatch(match["at"]) is not None
        if not known:
            all_writes.append(Write(_shown(source, place, match.end()), telling and known is None))
    return tuple(dict.fromkeys(all_writes))


def _handed_on(contents: Contents, columns: Sequence[Column]) -> Iterator[Write]:
    """What may write a stated number where a list is an argument, under another name, in a copy, or
    counted up or down.
    """
    for name, source, place, end in contents.elsewhere(columns):
        code = source.code
        two = re.compile(rf"\s*\[\d+\]\s*,\s*&?{re.escape(name)}\s*\[\d+\]\s*(?:\)|:?=)")
        argument = (_FORM if source.language.is_lisp else _HANDED_ON).match(code, end)
        argument = argument or two.match(code, end)
        if re.search(r"(?:\+\+|--|\bdel\b)[\s(]*$", code[max(0, place - 9) : place]):
            argument = _ITEM.match(code, end)
        before = _line_before(code, place)
        lent, part = _is_lent(source, before, end), _is_part(source, before, end)
        if argument is None and part and not _WRITE.match(code, end):
            stated = re.search(_LONG_LITERAL, re.split("[;{}]", before)[-1])
            argument = _PART.match(code, end) if stated else re.compile(_STATED).match(code, end)
        if argument is None and lent:
            argument = _HANDED_ON_ITEM.match(code, end) or _THROUGH.match(code, end)
        if argument is not None:
            yield Write(_shown(source, place, argument.end()), telling=True)
        bare = _ITEMS.match(code, end) is None
        call = _HANDED_ON_BEFORE.search(code, max(0, place - 400), place) if bare or lent else None
        if call is not None:
            yield Write(_shown(source, call.start(), end), telling=True)
        alias = _ALIAS.search(before)
        if alias is None or not (bare or lent or part):
            continue
        for other in re.compile(rf"(?<!\w){alias[1]}\b").finditer(code, end):
            write = _WRITE.match(code, other.end()) or _SEVERAL.match(code, other.end())
            if write is None and (lent or code[: other.start()].rstrip(" (+-").endswith("*")):
                write = _BEHIND_STAR.match(code, other.end())
            if write is None or not re.search(_LONG_LITERAL, write[0]):
                write = _EXCHANGE.match(code, other.end())
            if write is not None:
                yield Write(_shown(source, other.start(), write.end()), telling=True)


def _not_only_read(contents: Contents, column: Column) -> Iterator[Write]:
    """Where the list of a column, if it can change, is handed on, lent or taken under another name:
    what becomes of it is not known.
    """
    constant = contents.is_constant(column)
    for name, source, place, end in contents.elsewhere([column]):
        code = source.code
        line = _line_before(code, place)
        if name != column.list_name and not re.search(r"(?:\.|::|->)$", line):
            continue  # another thing of that name
        items = _ITEMS.match(code, end)
        lent = _is_lent(source, line, end) or _is_part(source, line, end)
        if source.language.name == "C++" and items is not None and _CALLED.search(line):
            lent |= re.match(r"\s*[,)]", code[items.end() : items.end() + 40]) is not None
        before = code[max(0, place - 2000) : place]
        bare = items is None and not _ONLY_READ.match(code, end)
        bare &= _MUTABLY.match(code, end) is not None or not _ONLY_NAMED.search(before)
        if constant:
            lent &= re.search(r"[(,]\s*&", line) is not None
            bare &= _is_copied(source, line, end)
        if lent or bare:
            yield Write(_shown(source, place, items.end() if items else end), telling=False)


def _line_before(code: str, place: int) -> str:
    """What stands before a place in its line, as far as it matters."""
    return code[max(code.rfind("\n", 0, place) + 1, place - 400) : place]


def _is_copied(source: Source, line: str, end: int) -> bool:
    """Is a constant list, behind a part of a line, copied to where it can be written to? Or, where
    nothing can be, is another made of it?
    """
    if source.language.constant == "":
        initialiser = (
            _INITIALISED.search(line)
            if re.match(r"[ )]*(?:\n|$)", source.code[end : end + 80])
            else None
        )
        return initialiser is not None and not source.language.keeps(initialiser[1])
    if source.language.name in BY_VALUE:
        return not re.search(r"&\s*$", line)
    return source.language.is_c and _COPIED.search(line) is not None


def _is_part(source: Source, line: str, end: int) -> bool:
    """Is it some or all items of a list, which can be written to through them?"""
    whole = re.search(r"[(,=]\s*$", line) and _WHOLE.match(source.code, end)
    return bool(whole or _PART.match(source.code, end))


def _is_lent(source: Source, line: str, end: int) -> bool:
    """Is what stands behind a part of a line lent, so that it can be written to?"""
    items = _ITEMS.match(source.code, end)
    if source.language.lends and items is not None and _CALLED.search(line):
        return re.compile(r"\s*[,)]").match(source.code, items.end()) is not None
    borrow = _LENT.search(line)
    if borrow is None or re.search(r"\bconst\b", line):
        return False
    return source.language.name != "Rust" or "mut" in borrow[0]


def _shown(source: Source, place: int, end: int) -> str:
    text = " ".join(source.text[place:end].split())
    return f"{source.file}:{source.spot(place)[0]}: {text[:80]}".strip()
