"""Writes to a list by another way to its items: an address, a cast, a method, a new value.

(&rook_magics[0])[3] = 5          json.Unmarshal(text, &rook)
*ROOK.get_unchecked_mut(3) = 5    rook = other, where that makes no other variable
"""

from collections.abc import Iterator

from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.uses.about import about_a_name, marked

_STORE = r"\s*(?:[-+*/|&^%~]|<<|>>>?|\*\*)?=(?![=>~])"
_ITEM = r"\[[^\]\n]*\]"
_STORERS = (
    r"(?:__|std::)?atomic_(?:store|exchange|fetch|ref|compare)\w*(?:<[^<>\n]*>)?|__sync_\w+"
    r"|atomic\.\w*(?:Store|Swap|Add)\w*|\w*scanf\w*|strn?cpy|(?:std::)?exchange|(?:std::)?iter_swap"
    r"|\w+\.(?:Unmarshal|Read|ReadFull|setitem|delitem|iadd|imul)|(?:np|numpy)\.(?:put\w*|place|copyto)"
    r"|Array\.set\w*|Reflect\.(?:set|deleteProperty)|Object\.assign|(?:\w+\.)?(?:heapify|insort\w*)|sort\.\w+"
    r"|(?:std::)?ptr::write\w*|addr_of_mut!"
)
_METHODS = (
    r"__[a-z]*(?:set|del|i)[a-z]+__|append|extend|push\w*|pop\w*|unshift|remove\w*|get_(?:unchecked_)?mut"
    r"|as_mut\w*|first_mut|last_mut|\w*chunks\w*_mut|split_at_mut|truncate|drain|retain|erase"
    r"|emplace\w*|itemset"
)
_EVERYWHERE = (
    # (name + 3)[0] = x, (&name[0])[3] = x, name.data()[3] = x, const_cast<T&>(name[3]) = x
    r"(?<![\w$])\(\s*[&*]*\s*{name}\s*(?:\[\s*0\s*\])?\s*(?:\+\s*\w+\s*)?\)\s*" + _ITEM + _STORE,
    r"(?<![\w.:>])new\s*\(\s*&\s*{name}\s*\[",
    r"(?<![\w$@]){name}\s*\.\s*\w+\(\s*\)\s*" + _ITEM + _STORE,
    r"\w\s*<[^<>\n]*>\s*\(\s*{name}\s*" + _ITEM + r"\s*\)" + _STORE,
    # f(&name[3], x), f(x, &name)
    rf"(?<![\w.])(?:{_STORERS})\s*\((?:[^;\n()]*,)?\s*(?:\([\w\s*]+\)\s*)?&?\s*(?:mut\s+)?{{name}}(?![\w$])",
    rf"(?<![\w$@]){{name}}\s*\.\s*(?:{_METHODS})\s*\(",
    r"(?<![\w$@]){name}\s*\.\s*shift\s*\(\s*\)",
    r"\bdelete\s+{name}\s*\[",
    r"\(\s*\{{[^{{}}\n]*(?<![\w$]){name}(?![\w$])[^{{}}\n]*\}}\s*=(?![=>])",
)
_PYTHON = (
    r"\bfor\s+{name}\s*\[",
    r"\(\s*{name}\s*:=",
    r"^[ \t]*{name}\s*:[^=\n]+=(?!=)",
    r"\bas\s+{name}\s*[:,\n]",
    r"^[ \t]*from\s+[\w.]+\s+import\b[^\n]*(?<!\w){name}(?!\w)",
    r"\bmodules\[[^\]\n]*\]\.{name}\s*=(?!=)",
)
_AGAIN = r"(?:^[ \t]*|[;{{}}][ \t]*)(?:(?:this|self)\.)?{name}\s*=(?![=>])(?!\s*\{{)"
_MADE_AGAIN = frozenset({"Go", "Rust", "Java", "Kotlin", "Swift", "C#", "Scala"})
"""Languages in which `name = other` needs a declaration to be another variable."""
ALIASES = (
    r"(\w+)\s*=\s*(?:\([\w\s*]+\*\s*\)\s*|(?:std::)?(?:data|begin)\s*\(\s*)&?{name}\s*\)?\s*;",
    r"(\w+)\s*:=\s*(?:&\s*{name}|{name}\s*\[\s*:\s*\])\s*[;\n]",
    r"\bspan\s*(?:<[^<>\n]*>)?\s+(\w+)\s*[({{]\s*{name}\s*[)}}]",
)
"""Other names for a list, by a cast, an iterator or a slice."""


def handled_writes(name: str, source: SourceText) -> Iterator[int]:
    """The places in a source where a statement changes the list so."""
    language = source.language.name
    patterns = [*_EVERYWHERE, *(_PYTHON if language in ("Python", "Cython") else ())]
    patterns += [_AGAIN] if language in _MADE_AGAIN else []
    text = marked(source.text, name)
    for pattern in map(about_a_name, patterns):
        if pattern.search(text):
            for match in pattern.finditer(marked(source.code, name)):
                # The place of the name, and not that of a line's end before it.
                yield match.end() - 1
