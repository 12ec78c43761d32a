"""Uses of a list as a whole: a loop or a function works on every item, and what comes out is used.

const M = rook_magics.map(m => m ^ 5n);      other numbers: refused
fix(rook_magics);                            refused if `fix` stands here and changes its items
scramble(rook_magics, 64);                   said in the verdict's line: nobody here knows it
"""

import re
from collections.abc import Iterator

from magicert.verify.source.languages.altering import altered, alters
from magicert.verify.source.languages.conversions import words_of
from magicert.verify.source.languages.language import Language
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.uses.items import Use
from magicert.verify.source.uses.writes import changed_in, list_names, uncalled

MOST_LINES = 8
"""A statement is looked at for so many lines."""
LEAST_NAME = 3
"""A list of a shorter name is not looked for as an argument."""

_SUBSCRIPT = re.compile(r"\s*(?:\[|\.\(|\.\[|\.at\(|\.get\(|!!|->|\((?!\s*\))|::\w)")
_LOOPED = (
    r"\|([^|\n]{1,40})\|",
    r"\(?([\w$, ]{1,40}?)\)?\s*(?:=>|->)",
    r"\\\s*\(?([\w, ]+)\)?\s*->",
    r"\b(?:fun|fn|func|function|lambda)\s*\(?([\w$, ]{1,40}?)\)?\s*(?::|->|=>|\{|return\b)",
    r"\]\s*\(([\w:\s&]+)\)\s*\{",
    r"\bfor(?:each)?\b\s*\(?(?:const\s+|auto\s*|ref\s+|var\s+|let\s+|my\s+|&)*([\w$, ]+?)\)?\s*"
    r"(?:\bin\b|:|<-|\bof\b)",
    r"(?:\||\[|,|;)\s*(\w+)\s*<-",
)
"""Names that stand for an item in a loop or a function without a name."""
_IMPLIED = {"Kotlin": "it", "Groovy": "it", "Nim": "it", "V": "it", "Swift": r"\$0", "Scala": "_",
            "Perl": r"\$_", "Elixir": "&1"}  # fmt: skip
_BLOCK = re.compile(r"(?:(?<=[(,={])|\b(?:move|do)\b)\s*\|[^|\n]{1,40}\|")
_BARS = dict.fromkeys(("Rust", "Ruby", "Crystal"), _BLOCK) | {
    "Zig": re.compile(r"(?<=\))\s*\|[^|\n]{1,40}\|")
}
"""The variables of a block, which no sign | changes."""
_WORD = re.compile(r"[A-Za-z_][\w.]*(?:-[a-z]+)*[!?]?")
_WORKS = frozenset(
    ("bit-not", "bit-xor", "bitxor", "bxor", "ieor", "lognot", "logxor", "lxor", "xor")
)
_REORDER = frozenset(
    """
    assoc del delete drop flip flipped pop remove rev reverse reversed rotate rotated setf shuffle
    shuffled skip sort sorted splice swap
    """.split()  # noqa: SIM905 - a table of words
)
"""Words of functions that put other items at a square."""
_PREFIXED = frozenset({"Clojure", "Lisp", "Haskell", "OCaml", "F#"})
"""Languages in which a function stands inside the brackets of its call."""
_ARRAY_SIGN = r"(?:np|numpy)\.\w+\(\s*{name}[^()]*\)\s*(?:\^|\+|-|<<|>>|%|\*)"
_TRANSPARENT = frozenset(
    """
    alen and array arraysize as_ptr as_slice assert assert_eq begin count countof cout data decltype
    each end enumerate extern from if import include in ipairs is_sorted iter len length lengthof
    list numberof of or pairs print printf println puts range return size sizeof static_assert std
    switch test tuple typeof use vec vector while zip
    """.split()  # noqa: SIM905 - a table of words
)
"""Words of calls that only look at a list, or keep it."""


def whole_uses(column: Column, sources: tuple[SourceText, ...]) -> Iterator[Use]:
    """What the code does with the whole list, each line once."""
    parts = column.halves or (column,)
    for name in dict.fromkeys(name for part in parts for name in list_names(part)[-1:]):
        for source in sources:
            seen: set[int] = set()
            for at, text, certain in _found(name, column, source):
                line = source.code.count("\n", 0, at) + 1
                if line not in seen:
                    seen.add(line)
                    shown = f"{source.lines[line - 1].strip()} ({text})" if text else ""
                    shown = shown or source.lines[line - 1].strip()
                    yield Use(
                        source.file,
                        line,
                        shown,
                        uncalled(source, line),
                        whole=True,
                        open=not certain,
                    )


def _found(name: str, column: Column, source: SourceText) -> Iterator[tuple[int, str, bool]]:
    """Where, what of, and whether it is certain that other numbers are made."""
    own = re.escape(name)
    if len(re.findall(rf"(?<![\w$@]){own}(?![\w$])", source.text)) < 2:
        return
    code, language = source.code, source.language
    for match in re.finditer(rf"(?:(?<![\w.>])|(?<=self\.)|(?<=this\.))[$@&*]?{own}(?!\w)", code):
        line = code.count("\n", 0, match.start()) + 1
        inside = source.file == column.file and column.first_line <= line <= column.last_line
        if inside or _SUBSCRIPT.match(code, match.end()):
            continue
        start, end = _statement(code, match.start())
        statement = code[start:end]
        if _works_on_items(statement, language) or _works_on_all(name, statement, language):
            yield match.start(), "", True
            continue
        callers = _callers(code[start : match.start()], language)
        around = [*callers, *_methods(code[match.end() : end])]
        if any(not _REORDER.isdisjoint(words_of(word)) for word in around):
            yield match.start(), "", True
            continue
        yield from _handed_over(name, match, callers[-1:], source)


def _statement(code: str, at: int) -> tuple[int, int]:
    """The statement around a place: from its line's beginning to where its brackets close."""
    start = code.rfind("\n", 0, at) + 1
    depth, lines, end = 0, 0, start
    for end in range(start, min(len(code), start + 2000)):
        sign = code[end]
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "\n":
            lines += 1
            if depth <= 0 or lines >= MOST_LINES:
                break
    return start, end


def _works_on_items(statement: str, language: Language) -> bool:
    """Does it make other numbers of items: `map(bswap, m)`, `m => m ^ 5n`, `m ^ 5 for m in`?"""
    words = _WORD.findall(statement)
    if any(word in _WORKS or alters(word.rpartition(".")[2]) for word in words):
        return True
    variables = {name for pattern in _LOOPED for name in _looped(pattern, statement, language)}
    patterns = [rf"(?<![\w.]){re.escape(name)}(?![\w(])" for name in variables]
    if any(re.search(rf"{one}\s*(?:[-+*^|~]|<<)=", statement) for one in patterns):
        return True
    if language.name in _IMPLIED:
        patterns.append(rf"(?<![\w.]){_IMPLIED[language.name]}(?!\w)")
    if language.name in _BARS:
        statement = _BARS[language.name].sub(lambda found: " " * len(found[0]), statement)
    return any(True for one in patterns for _ in altered(one, statement, language))


def _works_on_all(name: str, statement: str, language: Language) -> bool:
    """Does it make another list of it: `np.array(m) ^ 5`, Haskell's `m // [(3, 5)]`?"""
    signs = [_ARRAY_SIGN.format(name=re.escape(name))]
    if language.name == "Haskell":
        signs.append(rf"(?<!\w){re.escape(name)}\s*//\s*[\[(]")
    if language.rounds:
        signs.append(r"\bas(?:Ui|I)ntN\s*\(\s*(?!64)|\b(?:Number|parseFloat|parseInt)\b")
    return any(re.search(sign, statement) for sign in signs)


def _looped(pattern: str, statement: str, language: Language) -> Iterator[str]:
    """The names of the items in a statement, without those that count them."""
    for match in re.finditer(pattern, statement):
        names = [n for n in re.findall(r"\$?\w+", match[1]) if n not in ("mut", "ref", "const")]
        if len(names) > 1:
            first = language.name in ("JavaScript", "TypeScript", "Ruby", "Crystal", "PHP")
            names = names[:1] if first else names[-1:]
        yield from (name for name in names if not name.isdecimal())


def _callers(before: str, language: Language) -> list[str]:
    """The functions whose brackets are open at the end of a text, the nearest one last."""
    names: list[str] = []
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        depth += (sign in ")]}") - (sign in "([{")
        if depth < 0:
            depth = 0
            call = re.search(r"([\w.:]*\w)!?\s*$", before[:at]) if sign == "(" else None
            head = re.match(r"\(\s*([\w!?*+-]+)\s", before[at:])  # a list of Lisp's
            if head and language.name in _PREFIXED:
                names.insert(0, head[1])
            elif call:
                names.insert(0, re.split(r"[.:]", call[1])[-1])
    return names


def _methods(behind: str) -> list[str]:
    """The methods that are called on a list, one behind the other."""
    names: list[str] = []
    while method := re.match(r"[)\s]*(?:\.|\|>)\s*(?:\w+\.)?(\w+)!?\s*", behind):
        names.append(method[1])
        behind = behind[method.end() :]
        if behind.startswith("("):
            behind = behind[_closing(behind) + 1 :]
    return names


def _closing(text: str) -> int:
    """Where the bracket closes with which a text begins."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return at
    return len(text)


def _handed_over(
    name: str, match: re.Match[str], callers: list[str], source: SourceText
) -> Iterator[tuple[int, str, bool]]:
    """The list is an argument: of a function that changes it, or of one that nobody here knows."""
    if not callers or len(name) < LEAST_NAME:
        return
    caller = callers[0]
    if not _TRANSPARENT.isdisjoint(words_of(caller)) or caller in ("for", "foreach", "catch"):
        return
    place = _place(source.code, match.start())
    found = changed_in(caller, place, source)
    if found is None:
        if caller[:1].islower() and source.code.count("(", match.start()) and not _is_type(caller):
            yield match.start(), f"{caller}() is not in the source", False
    elif found:
        yield match.start(), f"{caller}() changes it: {found}", True


def _is_type(name: str) -> bool:
    return name in ("new", "make", "move", "ref", "box", "span", "slice", "view", "map", "into")


def _place(code: str, at: int) -> int:
    """Which argument of its call stands at a place, from 0."""
    depth = count = 0
    for sign in reversed(code[max(0, at - 400) : at]):
        depth += (sign in ")]}") - (sign in "([{")
        if depth < 0:
            break
        count += sign == "," and depth == 0
    return count
