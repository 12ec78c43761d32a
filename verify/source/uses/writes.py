"""Statements that change a list after it was made: what was read is then not what is used."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from magicert.verify.source.languages.altering import altered
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.uses.handles import ALIASES, handled_writes
from magicert.verify.source.uses.spoken import spoken_writes

_SUBSCRIPT = (
    r"(?:\s*(?:\[[^\]\n]*\]|\.\([^)\n]*\)|\.\[[^\]\n]*\]|\.at\([^)\n]*\)|\([^()\n]*\)(?=\s*=[^=])))"
)
_FIELD = r"(?:\s*(?:\.|->|\^\.)\s*(?P<field>\w+))?"
_STORE = r"\s*(?P<sign>(?:[-+*/|&^%~]|<<|>>>?|\*\*)?=(?![=>])|:=|<-|\+\+|--)"
_METHODS = (
    r"fill|reverse|sort\w*|swap\w*|rotate\w*|set\w*|assign|replace\w*|insert|clear|put|store"
    r"|iter_mut|copy_from_slice|copyFrom|splice|copyWithin|each_with_index!|map!|reverse!|setindex!|apply"
)
_FUNCTIONS = (
    r"memcpy|memmove|memset|f?read\w*|f?scanf|recv|getrandom|RtlCopyMemory"
    r"|(?:std::)?(?:copy\w*|fill\w*|q?swap\w*|reverse|rotate|q?sort|transform|for_each|shuffle)"
    r"|(?:std::)?ranges::\w+|Array\.(?:Copy|Reverse|Fill|Sort)|System\.arraycopy|setindex!|reverse!|rand!|table\.(?:insert|remove|sort)"
    r"|Arrays\.(?:setAll|fill|sort)|Collections\.\w+|sort!|map!"
)
_PATTERNS = (
    # name[i].field ^= x; (*name)[i] = x
    r"(?<![\w$@]){name}(?:\s+as\s+\w+)?\)?" + _SUBSCRIPT + "{{1,3}}" + _FIELD + _STORE,
    # name ^= x, as numpy does; name .⊻= x
    r"(?<![\w$@]){name}\s*\.?(?P<sign>(?:[-+*/|&^%⊻~]|<<|>>)=)(?!=)",
    # ++name[i], inc(name[i])
    r"(?:\+\+|--|\b(?i:inc|dec|incf|decf)\s*\(\s*){name}\s*[\[(]",
    # (setf (aref name 3) x), (aset name 3 x)
    r"\(\s*(?:setf\s*\(\s*\w+|aset|vector-set!)\s+\*?{name}(?![\w-])",
    # name(3) := x, name (3) = x at the beginning of a line: Ada, Visual Basic, Fortran
    r"^[ \t]*{name}\s*\([^()\n=]*\)\s*:?=(?![=>])",
    # *name = x, *name.begin() = x, std::get<3>(name) = x, name.front() = x
    r"(?:[;{{}})]|^|\belse|\bdo)\s*\*\s*{name}\s*(?:\.\s*\w+\(\s*\))?\s*[-+*/|&^%]?=(?!=)",
    r"\bget\s*<\s*\d+\s*>\s*\(\s*{name}\s*\)\s*[-+*/|&^%]?=(?!=)",
    r"(?<![\w$@]){name}\s*\.\s*(?:front|back|first|last|length)\s*(?:\(\s*\))?\s*[-+*/|&^%]?=(?!=)",
    # (name[3], name[4]) = ..., name[3], name[4] = ...
    r"(?<![\w$@]){name}\s*\[[^\]\n]*\](?P<several>\s*),[^=;\n()]*\)?\s*=(?![=>])",
    # Array.set name 3 x in OCaml, del name[3] in Python, xor qword [name + rax*8], 5 in assembly
    r"\bArray\.(?:set|fill|blit|unsafe_set)\s+{name}(?!\w)",
    r"^[ \t]*del\s+{name}(?!\w)",
    r"(?i:\b(?:mov|xor|and|or|add|sub|not|neg|xchg|bswap))\s+(?:(?:qword|ptr|byte|dword)\s+)*\[[^\]\n]*{name}",
    # #define name other
    r"^[ \t]*\#[ \t]*(?:define|undef)[ \t]+{name}(?!\w)",
    # copied or transformed into: the list is not the first argument
    r"\b(?:transform|copy\w*|arraycopy|Copy)\s*\([^;]*,[^;]*,\s*(?:std::)?(?:begin\s*\(\s*)?{name}(?![\w\[])",
    # name = f(name)
    r"(?<![\w$@]){name}\s*=(?![=>])(?P<value>[^;\n]*(?<![\w$@]){name}(?![\w$]))",
    # name.fill(0), name.iter_mut()
    rf"(?<![\w$@]){{name}}(?:\[[^\]\n]*\])?\s*(?:\.|->)\s*(?:{_METHODS})\s*\(",
    # memcpy(name, ...), std::swap(name[0], name[1])
    rf"\b(?:{_FUNCTIONS})\s*\(\s*&?\s*(?:mut\s+)?{{name}}(?![\w$])",
    # a reference or pointer to one item, or to all, by which it may be changed
    r"(?P<declared>\bconst\b[^;{{}}()=\n]{{0,60}}?)?(?:[&*]\s*|\bmut\s+)\w+\s*=\s*&?\s*"
    r"{name}\s*\[[^\]\n]*\]\s*;",
    r"&\s*mut\s+{name}(?![\w$])",
    # for m in name.mitems
    r"(?<![\w$@]){name}\.(?:mitems|mpairs)\b",
    # *(name + 20) = x
    r"\*\s*\(\s*{name}\s*\+[^)\n]*\)\s*[-+*/|&^%]?=(?!=)",
    # for (auto& m : name), for m in &mut name, foreach ($name as &$m), foreach (ref m; name)
    r"\bfor\b[^;{{}}\n]*&\s*\w+\s*:\s*{name}(?![\w$])",
    r"\bfor\b[^;{{}}\n]*&mut\s+{name}(?![\w$])",
    r"\bforeach\s*\(\s*{name}\s+as\s+[^)\n]*&",
    r"\bforeach\s*\(\s*ref\b[^)\n]*;\s*{name}(?![\w$])",
    r"\bfor\s*\(\s*&{name}\s*\)\s*\|\s*\*",
    r"\bfor(?:each)?\s*\(?\s*(?=@){name}(?![\w$])",
)
_ALIAS = (
    r"(\w+)\s*:?=\s*(?:(?:&\s*(?:mut\s+)?|ref\s+)?{name}\s*(?:\[\s*0\s*\]|\.data\(\)|\.begin\(\))?"
    r"|(?:&\s*(?:mut\s+)?|ref\s+){name}\s*\[[^\]\n]*\])\s*[;,\n]"
)
"""Another name for a list, or for one of its items."""
_THROUGH = (
    # *p = x, *p++ ^= x, and what C# and Zig write for it
    r"(?:[;{{}})]|^|\belse|\bdo)\s*\*\s*{name}\s*(?:\+\+|--)?\s*(?:[-+*/|&^%]|<<|>>)?=(?!=)",
    r"(?<![\w$@.]){name}\s*(?:\.\*)?\s*(?:[-+*/|&^%]|<<|>>)=(?!=)",
)
"""Changes of an item by its other name."""
_REBINDING = frozenset(
    {"Python", "Ruby", "Crystal", "Lua", "Julia", "R", "JavaScript", "TypeScript", "PHP", "Elixir"}
)
_DECLARES = re.compile(r"[\w\]>*][ \t]+\*?\w+[ \t]*=(?!=)[^=;{}\n]*\Z")
"""`U64 mask = name[s], occ = 0`: what stands before the name."""
_CONSTANT_SUBSCRIPT = re.compile(r"\[\s*(?:\w*::|\w+\.)?(?:\d+|[A-Za-z]{0,6}_?[a-hA-H][1-8])\s*\]")
_OPENS = re.compile(r"\s*(?:\(\s*\w+\s*\)\s*)?(?:new\b|vec!|\[|\{|\(|\.\{|#\(|@\[|@\()")


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that changes a list."""

    file: str
    line: int
    text: str
    never_called: str = ""
    """The function around it, if nothing in the source calls it."""


def writes(column: Column, sources: tuple[SourceText, ...]) -> Iterator[Write]:
    """The statements that change a list, or the field of it that a column is."""
    if column.halves:
        for half in column.halves:
            yield from writes(half, sources)
        return
    seen: set[tuple[str, int]] = set()
    for source, name in product(sources, list_names(column)[-1:]):
        for write in _writes_to(name, column, source):
            if (write.file, write.line) not in seen:
                seen.add((write.file, write.line))
                yield write


def list_names(column: Column) -> list[str]:
    """The words of the name of a column's list, its own last."""
    return re.findall(r"[\w$@]*[A-Za-z_$@][\w$@]*", column.list_name)


def _writes_to(name: str, column: Column, source: SourceText) -> Iterator[Write]:
    if not re.search(rf"{re.escape(name)}(?![\w$])", source.text):
        return
    yield from _named(name, column, source)
    yield from _made_again(name, column, source)
    for at in spoken_writes(name, source):
        yield from _at(at, column, source, stated=column.stated)
    for at in handled_writes(name, source):
        yield from _at(at, column, source, stated=False)
    for pattern in (_ALIAS, *ALIASES):
        alias = re.compile(pattern.format(name=re.escape(name)))
        if alias.search(source.text):
            for match in alias.finditer(source.code):
                if match[1] != name:
                    yield from _named(match[1], column, source, (*_PATTERNS, *_THROUGH))


def _at(at: int, column: Column, source: SourceText, *, stated: bool) -> Iterator[Write]:
    """A write at a place, unless it stands where the list itself does, and is no statement."""
    line = source.text.count("\n", 0, at) + 1
    if source.file != column.file or stated or line not in _own_lines(column):
        text = source.raw_lines[line - 1].strip()
        yield Write(source.file, line, text, uncalled(source, line))


def _made_again(name: str, column: Column, source: SourceText) -> Iterator[Write]:
    """`name = load()` below the list, in a language where that makes no other variable."""
    if source.language.name not in _REBINDING:
        return
    for match in re.finditer(
        rf"^[ \t]*{re.escape(name)}\s*=(?![=>~])(.*)$", source.code, re.MULTILINE
    ):
        line = source.code.count("\n", 0, match.start()) + 1
        own = source.file == column.file and column.first_line - 2 <= line <= column.last_line
        argument = match[1].rstrip().endswith(",") or match[1].strip().rstrip(",)") == name
        if not own and not argument and not column.stated:
            yield Write(source.file, line, match[0].strip())


def _named(
    name: str, column: Column, source: SourceText, patterns: Sequence[str] = _PATTERNS
) -> Iterator[Write]:
    escaped = re.escape(name)
    if name.startswith("@"):
        # Perl's $name[3] is an item of @name.
        item = rf"\${escaped[1:]}\s*\[[^\]\n]*\]\s*(?:[-+*/|&^%]|<<|>>)?=(?![=~>])"
        patterns = (*patterns, item.replace("{", "{{").replace("}", "}}"))
    for pattern in patterns:
        compiled = re.compile(pattern.format(name=escaped), re.MULTILINE)
        # The raw text is asked first: telling comments from code takes a long source a second.
        if not any(True for _ in _matches(compiled, source.text, column, source)):
            continue
        for line in _matches(compiled, source.code, column, source):
            text = source.lines[line - 1].strip()
            yield Write(source.file, line, text, uncalled(source, line))


def _matches(
    pattern: re.Pattern[str], text: str, column: Column, source: SourceText
) -> Iterator[int]:
    """The lines of a text where a statement changes the column."""
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        of_source = column.file == source.file
        if of_source and not column.stated and line in _own_lines(column):
            continue
        if _is_of(match, column.field) and not _is_declaration(match, line, column, of_source):
            yield line


def _own_lines(column: Column) -> range:
    return range(column.first_line - 1, column.last_line + 1)


def _is_of(match: re.Match[str], field: str) -> bool:
    """Is the field written the one that the column is made of, or the whole record?"""
    groups = match.groupdict()
    if groups.get("declared"):
        return False
    if groups.get("several") is not None and _DECLARES.search(
        match.string, max(0, match.start() - 200), match.start()
    ):
        return False
    written = groups.get("field")
    return not written or not field or written == field


def _is_declaration(match: re.Match[str], line: int, column: Column, of_source: bool) -> bool:
    """Is this a list's own beginning, `U64 name[64] = {`, or a statement that fills it in?"""
    sign = match.groupdict().get("sign")
    if sign not in ("=", ":=", "<-"):
        return False
    own = of_source and column.first_line <= line <= column.last_line
    if own and column.stated and _CONSTANT_SUBSCRIPT.search(match[0]):
        return True
    before = match.string[: match.start()].rpartition("\n")[2].rstrip(" (*&")
    typed = re.search(r"[\w>\]]$", before) and not re.search(r"\b(?:else|do|then|begin)$", before)
    return bool(typed) and _OPENS.match(match.string, match.end()) is not None


_FUNCTION_HEAD = re.compile(r"^[A-Za-z_][\w\s*&:<>]*?\b(\w+)\s*\([^;{}]*\)\s*(?:\{|$)")


def uncalled(source: SourceText, line: int) -> str:
    """The C function around a line, if the source names it nowhere else."""
    if source.language.name not in ("C", "C++") or "constructor" in source.code:
        return ""
    for number in range(line - 1, max(-1, line - 200), -1):
        text = source.lines[number]
        if text.startswith("}") and number < line - 1:
            return ""
        head = _FUNCTION_HEAD.match(text)
        if head:
            name = head[1]
            called = len(re.findall(rf"\b{re.escape(name)}\b", source.code)) > 1
            return "" if called or name == "main" else name
    return ""


_FUNCTIONS_OF = (
    r"(?<![\w.])(?<!new ){name}\s*(?:<[^<>()]*>)?\s*\(([^()]*)\)[^;{{}}()=]*\{{",
    r"(?<![\w.]){name}\s*=\s*(?:async\s*)?(?:function\s*)?\(([^()]*)\)\s*(?:=>)?\s*\{{?",
    r"\bdef\s+{name}\s*\(([^()]*)\)[^\n]*:?",
    r"\b(?:function|procedure|sub)\s+{name}\s*\(([^()]*)\)[^\n]*",
)
_PARAMETER_TYPES = re.compile(r"\[[^\]]*\]|=.*$")
_LONGEST_BODY = 60
"""Lines of a function that are looked at."""


def changed_in(function: str, place: int, source: SourceText) -> str | None:
    """The statement by which a function changes what its parameter number `place` holds; "" if it
    does not. None where the source does not define the function.
    """
    for pattern in _FUNCTIONS_OF:
        for head in re.finditer(pattern.format(name=re.escape(function)), source.code):
            parameters = head[1].split(",")
            if "(" in head[1] or len(parameters) <= place or not parameters[place].strip():
                continue
            name = _parameter_name(parameters[place], source.language.name)
            return _changes(name, _body(source.code, head.end()), source) if name else ""
    return None


def _parameter_name(text: str, language: str) -> str:
    """`const U64 *m`, `m: &mut [u64]`, `m []uint64`, `var m: TMagics`: m."""
    before, colon, _ = text.partition(":") if "::" not in text else (text, "", "")
    words = re.findall(r"[$\w]+", before if colon else _PARAMETER_TYPES.sub(" ", text))
    if not words:
        return ""
    return words[0] if language in ("Go", "V") and not colon else words[-1]


def _body(code: str, start: int) -> str:
    """The lines behind a function's head, to the bracket or the line that ends it."""
    lines = code[start:].split("\n", _LONGEST_BODY)[:_LONGEST_BODY]
    depth = 1
    kept: list[str] = []
    for number, line in enumerate(lines):
        if number and re.match(r"\S", line):
            break
        kept.append(line)
        depth += line.count("{") - line.count("}")
        if depth <= 0 and "{" in code[start - 2 : start]:
            break
    return "\n".join(kept)


def _changes(name: str, body: str, source: SourceText) -> str:
    item = rf"(?<![\w$@.]){re.escape(name)}\s*\[[^\]\n]*\]"
    stored = [re.compile(p.format(name=re.escape(name)), re.MULTILINE) for p in
              (*_PATTERNS, *_THROUGH)]  # fmt: skip
    found = [m.start() for pattern in stored for m in pattern.finditer(body)]
    found += [m.start() for m in altered(item, body, source.language)]
    if not found:
        return ""
    at = min(found)
    return body[body.rfind("\n", 0, at + 1) + 1 :].strip().partition("\n")[0][:60]
