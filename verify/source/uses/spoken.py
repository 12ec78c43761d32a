"""Writes to a list that is named otherwise than plainly: in a string, or as C's own subscript.

globals()['rook_magics'][3] = 5         the name stands in a string
setattr(tables, "rook_magics", other)
exec("rook_magics[3] = 5")
20[rook_magics] = 1                     C adds a list and a number in either order
"""

import re
from collections.abc import Iterator

from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.uses.about import about_a_name, marked

_SUBSCRIPT = r"(?:\s*(?:\[[^\]\n]*\]|\.at\([^)\n]*\)))"
_STORE = r"\s*(?:(?:[-+*/|&^%~]|<<|>>>?|\*\*)?=(?![=>~])|\+\+|--|<-(?!-))"
_NAMESPACES = r"globals|vars|locals|GLOBALS|_G|_ENV|globalThis|window|__dict__|self|this"
_SETTERS = (
    r"setattr|rawset|const_set|class_variable_set|instance_variable_set|global_variable_set"
    r"|defineProperty|Reflect\.set|assign|setglobal|intern"
)
_SPOKEN = r"[\"'`:@ (;]{name}(?![\w$])"
_QUOTED = (
    # globals()['name'][3] = x, getattr(tables, "name")[3] = x, $GLOBALS['name'][3] ^= x
    r"[\"'`]{name}[\"'`]\s*[\])]" + _SUBSCRIPT + "{{1,3}}" + _STORE,
    # globals()['name'] = x
    rf"(?:{_NAMESPACES})(?:\(\))?\s*\[\s*[\"'`]{{name}}[\"'`]\s*\]" + _STORE,
    # asm("movq $5, %0" : "=m"(name[3]))
    r"\"[=+]\w+\"\s*\(\s*{name}(?![\w$])",
    # vars()['name'].reverse()
    r"[\"'`]{name}[\"'`]\s*\]\s*\.\s*(?:sort|reverse|fill|insert|append|pop|remove|clear|update)\w*\s*\(",
    # setattr(tables, 'name', x), rawset(_G, "name", x), Object.const_set(:NAME, x)
    rf"\b(?:{_SETTERS})\b\s*\(?[^;\n]{{{{0,80}}}}?[\"'`:]@{{{{0,2}}}}{{name}}(?!\w)",
    # exec("name[3] = x")
    r"\b(?:exec|eval|execute|loadstring|load|instance_eval|class_eval|Function)\b\s*\(?[^\n]*?"
    r"(?<![\w$]){name}(?![\w$])" + _SUBSCRIPT + "{{0,3}}" + _STORE,
)
_C_SUBSCRIPT = (
    r"(?:(?<![\w$])(?:\d\w*|[a-z]\w{{0,2}}|sq\w*)|\))\s*\[\s*{name}\s*\](?:\s*(?:\.|->)\s*\w+)?"
)
"""`i[name]`: a number, a short variable or a bracket before the list."""
WITH_SUBSCRIPTS_TURNED = frozenset({"C", "C++", "Objective-C", "CUDA"})


def turned_item(name: str) -> str:
    """The pattern of an item whose subscript stands before the list."""
    return _C_SUBSCRIPT.format(name=re.escape(name))


def spoken_writes(name: str, source: SourceText) -> Iterator[int]:
    """The places in a source where a statement changes the list so."""
    text = marked(source.text, name)
    if about_a_name(_SPOKEN).search(text):
        for pattern in map(about_a_name, _QUOTED):
            if pattern.search(text):
                found = pattern.finditer(marked(source.with_strings, name))
                yield from (match.start() for match in found)
    if source.language.name in WITH_SUBSCRIPTS_TURNED:
        item = about_a_name(_C_SUBSCRIPT + _STORE)
        if item.search(text):
            yield from (match.start() for match in item.finditer(marked(source.code, name)))
