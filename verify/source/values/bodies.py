"""Macros and functions of the source that make one number of their arguments, worked out.

    #define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)
    const fn b(h: u64, l: u64) -> u128 { (h as u128) << 64 | l as u128 }

A macro's arguments are put into its text, as a compiler does it. A function's have values.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from magicert.verify.source.languages.altering import altered
from magicert.verify.source.text.lexing import Code
from magicert.verify.source.text.tokens import Token, tokenize
from magicert.verify.source.text.tree import Element, Group, items, nest
from magicert.verify.source.values.calls import narrowed, put_together
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.leaf import NOTHING, Leaf, Objection, Row, Value, doubted

Row_ = Callable[[Group], Row]
Read = Callable[[Definitions, Row_, Sequence[Element]], Value]
"""Reads one item: expression.read_item, which stands above."""

LOW_NAMES = frozenset({"lo", "low", "l", "lower", "lsb", "least", "bottom"})
HIGH_NAMES = frozenset({"hi", "high", "h", "upper", "u", "msb", "most", "top"})
"""What the halves of a word are called."""

_MACRO = r"^[ \t]*#[ \t]*define[ \t]+{name}\(([^()\n]*)\)((?:[^\n]*\\\n)*[^\n]*)"
_RULES = r"\bmacro_rules!\s*{name}\s*[{{(]"
_ARM = re.compile(r"\(([^()]*)\)\s*=>\s*[{(]")
_HEAD = r"(?<![\w.$]){name}\s*(?:<[^<>]*>\s*)?\(([^()]*)\)"
_ARROW = r"(?<![\w.$]){name}\s*=\s*\(([^()]*)\)"
_RESULT = re.compile(r"(?:\s*(?:throw\(\)|->|::|:(?!\s*\n)|[\w.*]+))*\s*")
_TYPED_BEHIND = frozenset({"Go", "V", "Odin"})
"""Languages that write a parameter's type behind its name, without a colon."""
_LONGEST = 400
"""Characters of a body that is worked out, at most."""


@dataclass(frozen=True, slots=True)
class Body:
    """What the source says that a name makes of its arguments.

    `text` is the expression; "" where the body is none. `types` are the words of each
    parameter's type, `result` those of the result's. A `maker` puts its arguments into a record.
    """

    parameters: tuple[str, ...]
    text: str
    line: int
    types: tuple[tuple[str, ...], ...] = ()
    result: tuple[str, ...] = ()
    macro: bool = False
    maker: bool = False


def worked_out(
    known: Definitions, name: str, group: Group, read: Read, *, alone: bool
) -> Value | None:
    """What `name(...)` comes to by the source's own definition; None where it has none that
    says it, so that the name has to do. A number that is not understood is none, with the reason.

    `alone`: nothing stands beside the call.
    """
    arguments = [*items(group)]
    found = [body for body in _bodies(known, name) if len(body.parameters) == len(arguments)]
    if not found or (len(arguments) < 2 and not all(b.text and not b.maker for b in found)):
        return None
    values = [_worked(known, body, arguments, read, alone) for body in found]
    if len({_plain(value) for value in values}) > 1:
        lines = " and ".join(str(body.line) for body in found)
        return _refused(group.place, f"{name} is defined in lines {lines}, each time another way")
    value, body = _with_line(values[0], f"{name}, line {found[0].line}"), found[0]
    if value == NOTHING or (isinstance(value, Leaf) and value.base):
        text = f": {body.text[:60]}" if body.text else ""
        return _refused(group.place, f"{name}, line {body.line}, is not understood{text}")
    return _placed(value, group.place)


def _with_line(value: Value, where: str) -> Value:
    """The value, its objections with the place of the body that they are about."""
    if isinstance(value, Row):
        children = tuple(_with_line(child, where) for child in value.children)
        return replace(value, children=children)
    objection = value.objection
    if objection is None:
        return value
    return replace(value, objection=replace(objection, text=f"{where}: {objection.text}"))


def _refused(place: int, text: str) -> Leaf:
    return Leaf(None, objection=Objection(place, text))


def _plain(value: Value) -> object:
    """What has to be alike in two definitions of a name."""
    if isinstance(value, Leaf):
        return value.value
    return tuple(map(_plain, value.children))


def _placed(value: Value, place: int) -> Value:
    """The value with the place of the call: those inside are places in the body."""
    if isinstance(value, Row):
        return replace(value, children=tuple(_placed(child, place) for child in value.children))
    objection = value.objection and replace(value.objection, place=place)
    return replace(value, place=place, objection=objection)


def _worked(
    known: Definitions, body: Body, arguments: list[list[Element]], read: Read, alone: bool
) -> Value:
    if body.macro:
        return _expanded(known, body, arguments, read, alone)
    row = _row_of(known, read)
    values = [read(known, row, argument) for argument in arguments]
    values = [
        narrowed(value, known.narrow(types), 0)
        for value, types in zip(values, body.types, strict=True)
    ]
    if body.maker:
        return _made(known, body, values)
    if not body.text:
        return NOTHING
    inside = replace(known, bound=dict(zip(body.parameters, values, strict=True)))
    value = read(inside, _row_of(inside, read), _elements(body.text, known))
    return narrowed(value, known.narrow(body.result), 0)


def _row_of(known: Definitions, read: Read) -> Row_:
    """Reads the items of a group, without their keys."""

    def row(group: Group) -> Row:
        children = tuple(read(known, row, item) for item in items(group))
        return Row(children, (None,) * len(children), group.place)

    return row


def _expanded(
    known: Definitions, body: Body, arguments: list[list[Element]], read: Read, alone: bool
) -> Value:
    """A macro's text with its arguments in it, read."""
    texts = {
        parameter: _text(argument)
        for parameter, argument in zip(body.parameters, arguments, strict=True)
    }
    names = "|".join(map(re.escape, sorted(texts, key=len, reverse=True))) or r"\Z(?!\Z)"
    joined = re.sub(r"\s*##\s*", "\0", body.text)
    text = re.sub(rf"(?<![\w$])(?:{names})(?!\w)", lambda m: texts[m[0]], joined).replace("\0", "")
    elements = _elements(text, known)
    value = read(known, _row_of(known, read), elements)
    if not alone and len(elements) > 1 and isinstance(value, Leaf):
        return value.doubted(0, "a macro without brackets around it stands in an expression")
    return value


def _made(known: Definitions, body: Body, values: Sequence[Value]) -> Value:
    """What a constructor makes of a low and a high half, by the names of its parameters."""
    places = [_half_named(name) for name in body.parameters]
    if sorted(place for place in places if place is not None) != [0, 1]:
        return Row(tuple(values), (None,) * len(values))
    found = put_together([values[places.index(half)] for half in (0, 1)], 0)
    own = "|".join(map(re.escape, body.parameters))
    for stored, taken in re.findall(rf"(\w+)\s*[({{=]\s*({own})\b", body.text):
        if _half_named(stored) not in (None, _half_named(taken)):
            return doubted(found, 0, f"{taken} is stored as {stored}")
    changed = any(altered(rf"(?<![\w.])(?:{own})(?![\w(])", body.text, known.language))
    return doubted(found, 0, "a half is changed before it is stored") if changed else found


def _half_named(name: str) -> int | None:
    """0 for a low half, 1 for a high one, by its name."""
    words = {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    low, high = not words.isdisjoint(LOW_NAMES), not words.isdisjoint(HIGH_NAMES)
    return None if low == high else int(high)


def _elements(text: str, known: Definitions) -> list[Element]:
    return nest(tokenize(Code(text, (), ()), known.language)).elements


def _text(elements: Sequence[Element]) -> str:
    """Elements as text again."""
    closing = {"(": ")", "[": "]", "{": "}", "[|": "|]"}
    return " ".join(
        element.text
        if isinstance(element, Token)
        else f"{element.bracket}{_text(element.elements)}{closing[element.bracket]}"
        for element in elements
    )


def _bodies(known: Definitions, name: str) -> list[Body]:
    """The source's definitions of a name that is called with arguments."""
    if name not in known.bodies:
        text = known.code() if known.text.count(name) > 1 else ""
        known.bodies[name] = [*_found(name, text, known.language.name)]
    return known.bodies[name]


def _found(name: str, code: str, language: str) -> Iterator[Body]:
    own = re.escape(name)
    for match in re.finditer(_MACRO.format(name=own), code, re.MULTILINE):
        text = match[2].replace("\\\n", " ").strip()
        parameters = tuple(part.strip() for part in match[1].split(",") if part.strip())
        yield Body(parameters, text[:_LONGEST], _line(code, match.start()), macro=True)
    for match in re.finditer(_RULES.format(name=own), code):
        rules = code[match.end() : _closed(code, match.end() - 1)]
        for arm in _ARM.finditer(rules):
            parameters = tuple(re.findall(r"\$\w+", arm[1]))
            text = rules[arm.end() : _closed(rules, arm.end() - 1)].strip()
            yield Body(parameters, text[:_LONGEST], _line(code, match.start()), macro=True)
    is_type = re.search(rf"\b(?:class|struct|record|union|object)\s+{own}\b", code) is not None
    for head in (_HEAD, _ARROW):
        for match in re.finditer(head.format(name=own), code):
            body = _function(match, code, language, is_type)
            if body is not None:
                yield body


def _function(match: re.Match[str], code: str, language: str, is_type: bool) -> Body | None:
    """The function or constructor whose head matches; None where it is a call."""
    parts = [part for part in match[1].split(",") if part.strip() not in ("", "self", "this")]
    if not parts or any(re.match(r"\s*[\d\"'$&({-]", part) for part in parts):
        return None
    named = [_parameter(part, language) for part in parts]
    line = _line(code, match.start())
    parameters, types = tuple(name for name, _ in named), tuple(words for _, words in named)
    if is_type and language not in ("Rust", "Zig", "Go"):
        behind = re.match(r"[^;{}]*[{;=]", code[match.end() : match.end() + _LONGEST])
        typed = all(types) or language in ("JavaScript", "Python")
        if not behind or not typed:
            return None
        own = code[match.end() : match.end() + _LONGEST]
        text = re.split(r"\}\s*\n|;\s*\n\s*(?:[\w<>]+\s+)*\w+\s*\(|\n\s*\n|\n\};", own)[0]
        return Body(parameters, text, line, types, maker=True)
    head = _RESULT.match(code, match.end())
    assert head is not None
    text = _expression(code, head.end())
    if text is None:
        return None
    result = tuple(re.findall(r"\w+", head[0]))
    before = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
    if language in ("C", "C++", "C#", "Java", "D"):
        result = tuple(re.findall(r"\w+", before))
        if not result or "return" in result:
            return None
    return Body(parameters, text, line, types, result)


def _parameter(text: str, language: str) -> tuple[str, tuple[str, ...]]:
    """The name of a parameter, and the words of its type."""
    before, colon, behind = text.partition("=")[0].partition(":")
    if colon and not behind.startswith(":"):
        return re.findall(r"\w+", before)[-1], tuple(re.findall(r"\w+", behind))
    words = re.findall(r"\w+", text)
    if not words:
        return "", ()
    if language in _TYPED_BEHIND:
        return words[0], tuple(words[1:])
    return words[-1], tuple(words[:-1])


def _expression(code: str, start: int) -> str | None:
    """The one expression that a function's body is; "" for a body of another kind; None where
    no body begins at `start`.
    """
    sign = re.compile(r"\{|=>|=(?!=)|:[ \t]*\n?").match(code, start)
    if sign is None:
        return None
    if sign[0] == "{":
        text = code[sign.end() : _closed(code, start)].strip()
    else:
        end = re.compile(r"[;\n]").search(code, sign.end() + (code[sign.end() :][:1] == "\n"))
        text = code[sign.end() : end.start() if end else len(code)].strip()
        text = re.sub(r"^\{\s*(.*?)\s*\}$", r"\1", text)
    plain = re.sub(r"^return\b\s*", "", text).rstrip("; \n")
    single = ";" not in plain and "return" not in plain and len(plain) <= _LONGEST
    return plain if single else ""


def _closed(code: str, start: int) -> int:
    """Where the bracket that opens at `start` is closed."""
    depth = 0
    for at in range(start, min(len(code), start + 10 * _LONGEST)):
        depth += (code[at] in "({[") - (code[at] in ")}]")
        if depth == 0:
            return at
    return len(code)


def _line(code: str, place: int) -> int:
    return code.count("\n", 0, place) + 1
