"""From the nodes of a grammar's syntax tree to the trees that are worked out (`Tree`)."""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from magicert.languages.brackets import SHORTEST, Tree, flat_list, read_items
from magicert.languages.language import Language, kinds, number_pattern, parse_within

if TYPE_CHECKING:
    from tree_sitter import Node


def for_grammar(text: str, language: Language) -> bytes:
    """The text as a grammar is given it, each character in its place.

    What a C macro pastes to a number, `U64(8a801040, 00800020)`, is no number yet: its first digit
    becomes a letter.
    """
    pasted = _pasted(language).sub("_", text) if language.is_c else text
    return pasted.encode("ascii", "replace")


@cache
def _pasted(language: Language) -> re.Pattern[str]:
    """The first digit of what begins as a number, and is none."""
    return re.compile(rf"(?<![\w.'])(?!{number_pattern(language)}(?![\w']))\d(?=[\w']*+(?![.+-]))")


_LISTS = ("list", "record", "call", "token_tree")
_STOPS = ("declaration", "function", "enum")
_ENDS = re.compile(
    r".*(?:statement|body|block|declaration_list|source_file|program|unit|module|field_declaration"
    r"|_declaration|_definition|_item|_clause|initializer_list_declaration|declarator|class|ERROR)$|ERROR"
)
ARGUMENTS = re.compile(r".*arguments?(?:_list)?$|token_tree|call_suffix")


SHORT, SECONDS = 512, 2.0
"""Letters of an expression that any grammar reads at once, and CPU time of a longer one."""
_AROUND = {
    "Rust": "const x: T =", "Go": "package p; var x =", "Java": "class A { T x =",
    "C#": "class A { T x =", "Zig": "const x =", "C": "T x =", "C++": "T x =",
}  # fmt: skip
"""What stands before an expression to make a text of it that the grammar reads."""


def read_expression(
    text: str,
    language: Language,
    place: int = 0,
    syntax: "Callable[[str, Language], Syntax] | None" = None,
) -> Tree | None:
    """A text that is one expression, which stands at a place; None where it is not."""
    parser = language.parser()
    if parser is None:
        items = read_items(text, 0, len(text), language)
        return _moved(items[0], place) if len(items) == 1 else None
    before = f"{_AROUND.get(language.name, 'x =')} "
    end = "; }" if "{" in before else "" if language.name == "Python" else ";"
    whole = f"{before}{text}{end}"
    prepared = for_grammar(whole, language)
    read = (
        parser.parse(prepared) if len(whole) <= SHORT else parse_within(parser, prepared, SECONDS)
    )
    if read is None:
        return None
    root = read.root_node
    first = len(before) + len(text) - len(text.lstrip())
    node = root.descendant_for_byte_range(first, len(before) + len(text.rstrip()))
    if root.has_error or node is None or node.start_byte != first:
        return None
    whole = whole.encode("ascii", "replace").decode()
    return _moved((syntax or Syntax)(whole, language).tree(node), place - len(before))


def _moved(tree: Tree, by: int) -> Tree:
    """A tree as many characters further on."""
    children = tuple(_moved(child, by) for child in tree.children)
    return Tree(tree.kind, tree.start + by, tree.end + by, tree.word, children)


def _field(node: "Node", *names: str) -> "Node | None":
    """The first of these fields that a node has."""
    return next((child for name in names if (child := node.child_by_field_name(name))), None)


def _parts(node: "Node") -> "list[Node]":
    """What stands in a node, without comments."""
    return [child for child in node.named_children if not child.is_extra]


class Syntax:
    """Reads nodes. The text is that of the tree, one byte a character."""

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language = language
        self.kinds = kinds()

    def kind(self, node: "Node") -> str:
        """What a node is. An assignment inside a list is a field; an enumeration's entries are a
        list where they have arguments.
        """
        kind = self.kinds.get(node.type, "")
        if kind == "entries":
            return "list" if any(self.arguments_of(child) for child in node.children) else "enum"
        if node.type == "field_expression" and node.parent and "record" in node.parent.type:
            return "pair"  # OCaml's
        if node.type in ("assignment_expression", "field_declaration", "pair", "field"):
            parent = node.parent
            inside = parent is not None and self.kinds.get(parent.type) == "list"
            return "pair" if inside else "declaration"
        return kind

    def outermost(self, node: "Node") -> "Node | None":
        """The outermost list around a node, inside its statement or declaration."""
        best: Node | None = None
        ancestor: Node | None = node
        while ancestor is not None:
            kind = self.kind(ancestor)
            if kind in _STOPS or (not kind and _ENDS.fullmatch(ancestor.type)):
                break
            joins = (
                kind == "binary"
                and self.joins(ancestor)
                and best in (None, *ancestor.named_children)
            )
            if joins or (kind in _LISTS and ancestor.named_child_count):
                best = ancestor
            if kind == "text" and ancestor.end_byte - ancestor.start_byte > SHORTEST:
                best = ancestor
            ancestor = ancestor.parent
        return best

    def around(self, node: "Node") -> str:
        """The operator, subscript or field that a list stands in, `[...]` for it; "" if in none."""
        whole = node.parent
        if whole is None or not (
            self.kind(whole) in ("unary", "binary", "name") or "subscript" in whole.type
        ):
            return ""
        before = self.text[whole.start_byte : node.start_byte]
        return f"{before}[...]{self.text[node.end_byte : whole.end_byte]}"

    def tree(self, node: "Node") -> Tree:
        start, end = node.start_byte, node.end_byte
        kind = self.kind(node)
        match kind:
            case "number" if self.text[start] in "+-":
                inner = Tree("number", start + 1, end, self.text[start + 1 : end].strip())
                return Tree("unary", start, end, self.text[start], (inner,))
            case "number" | "name":
                return Tree(kind, start, end, self.node_text(node))
            case "text":
                return Tree("text", start, end, self.node_text(node))
            case "list":
                return self.listed(node)
            case "token_tree":
                return Tree("list", start, end, "", self.arguments(start, end))
            case "record":
                return self.record(node)
            case "unary":
                inner = self.tree(node.named_children[-1])
                return Tree("unary", start, end, self.sign(node), (inner,))
            case "binary":
                return self.binary(node)
            case "cast":
                return self.cast(node)
            case "call":
                return self.call(node)
            case "pair":
                return self.pair(node)
            case "entry":
                return self.entry(node)
            case "lambda" if end - start <= SHORTEST:
                return Tree("other", start, end)
            case _:
                return self.wrapped(node)

    def listed(self, node: "Node") -> Tree:
        """A list of its items; or of one, and how often it is repeated: Rust's `[11; 64]`."""
        start, end = node.start_byte, node.end_byte
        if self.text[start] == "." and node.named_children:  # Zig's .{ ... }
            return self.tree(node.named_children[-1])
        length = node.child_by_field_name("length")
        if length is not None:
            inner = Tree("list", start, end, "", (self.tree(node.named_children[0]),))
            return Tree("binary", start, end, ";", (inner, self.tree(length)))
        if flat_list(self.language).fullmatch(self.text, start, end):
            return Tree("flat", start, end)
        return Tree("list", start, end, "", self.children(node))

    def joins(self, node: "Node") -> bool:
        """Is a node a list that is made of lists: joined, or repeated?"""
        return (
            self.kind(node) == "binary"
            and self.sign(node) in self.language.joins
            and any(
                self.kind(child) in ("list", "record") or self.joins(child)
                for child in node.named_children
            )
        )

    def arguments(self, start: int, end: int) -> tuple[Tree, ...]:
        """What stands between a Rust macro's brackets: expressions, or else what it makes of it."""
        text = f"f({self.text[start + 1 : end - 1]})"
        tree = read_expression(text, self.language, start - 1)
        if tree is not None and tree.kind == "flat":
            return (Tree("flat", start, end),)
        if tree is not None and tree.kind == "call":
            return tree.children
        repeated = f"f([{self.text[start + 1 : end - 1]}])"  # vec![11; 64]
        tree = read_expression(repeated, self.language, start - 2)
        if tree is not None and tree.kind == "call":
            return tree.children
        return read_items(self.text, start + 1, end - 1, self.language)

    def node_text(self, node: "Node") -> str:
        return self.text[node.start_byte : node.end_byte]

    def children(self, node: "Node") -> tuple[Tree, ...]:
        named = _parts(node)
        if self.kinds.get(node.type) == "entries":
            named = [child for child in named if self.arguments_of(child)]
        return tuple(self.tree(child) for child in named)

    def arguments_of(self, node: "Node") -> "Node | None":
        """What an entry of an enumeration is made from: `A1(0x5L, 0x6L)`."""
        if self.kinds.get(node.type) != "entry":
            return None
        return next((c for c in node.named_children if ARGUMENTS.fullmatch(c.type)), None)

    def entry(self, node: "Node") -> Tree:
        """An entry of an enumeration, as a named record."""
        arguments, start, end = self.arguments_of(node), node.start_byte, node.end_byte
        if arguments is None:
            return Tree("other", start, end)
        children = self.children(arguments)
        inner = Tree("list", arguments.start_byte, end, "", children)
        value = children[0] if len(children) == 1 else inner
        return Tree("pair", start, end, self.node_text(node.named_children[0]), (value,))

    def wrapped(self, node: "Node") -> Tree:
        """A node that only stands around another; anything else is not known."""
        named = [child for child in _parts(node) if self.node_text(child) != "!"]  # Swift's
        if len(named) == 1 and not node.is_error:
            inner = self.tree(named[0])
            before = self.text[node.start_byte : named[0].start_byte].split()
            unread = inner.kind in ("other", "name", "binary") or (
                inner.kind == "cast" and not inner.word
            )
            if unread and before and before[0] in _OF_ADDRESSES:
                return Tree("other", node.start_byte, node.end_byte, self.node_text(node)[:40])
            if node.type == "parenthesized_expression":
                return Tree("cast", node.start_byte, node.end_byte, "", (inner,))
            return inner
        if len(named) == 2 and ARGUMENTS.fullmatch(node.type):  # name: value
            word = re.search(r"\w+", self.node_text(named[0]))
            value = self.tree(named[1])
            return Tree("pair", node.start_byte, node.end_byte, word[0] if word else "", (value,))
        return Tree("other", node.start_byte, node.end_byte, self.node_text(node)[:40])

    def sign(self, node: "Node") -> str:
        operator = _field(node, "operator", "operation")
        if operator is not None:
            return self.node_text(operator)
        return next((self.node_text(child) for child in node.children if not child.is_named), "")

    def binary(self, node: "Node") -> Tree:
        """Two operands and the sign between them."""
        named = _parts(node)
        first_node = node.child_by_field_name("left") or named[0]
        right = node.child_by_field_name("right") or named[-1]
        operator = self.sign(node) or (self.node_text(named[1]) if len(named) == 3 else "")
        start, end = node.start_byte, node.end_byte
        if len(named) < 2:
            return Tree("other", start, end)
        # (Bitboard)-0x1 may be read as a subtraction, a product or a call.
        first = self.tree(first_node)
        inside = first.children[0] if first.kind == "cast" and not first.word else None
        is_name = inside is not None and inside.kind == "name" and not self.is_variable(inside.word)
        if operator in ("-", "+", "&", "*") and inside is not None and is_name:
            value = self.tree(right)
            if operator in "-+":
                value = Tree("unary", right.start_byte, end, operator, (value,))
            return Tree("cast", start, end, inside.word, (value,))
        return Tree("binary", start, end, operator, (first, self.tree(right)))

    def is_variable(self, name: str) -> bool:
        """Is a name known to be no type?"""
        return False

    def cast(self, node: "Node") -> Tree:
        """A number with the type that it becomes."""
        named = _parts(node)
        value = _field(node, "value", "operand", "argument", "expression")
        if value is None:
            value = named[0] if node.type == "as_expression" else named[-1]
        kind = node.child_by_field_name("type")
        kind = kind or next((child for child in named if child.id != value.id), None)
        word = self.node_text(kind) if kind is not None else ""
        return Tree("cast", node.start_byte, node.end_byte, word, (self.tree(value),))

    def record(self, node: "Node") -> Tree:
        """A constructor: `Magic { ... }`, `[64]u64{ ... }`."""
        lists = (c for c in node.named_children if self.kinds.get(c.type) == "list")
        body = _field(node, "body", "value") or next(lists, None)
        kind = _field(node, "type", "name")
        kind = kind or next((c for c in node.named_children if c != body), None)  # Zig has no field
        word = self.node_text(kind) if kind is not None else ""
        start, end = node.start_byte, node.end_byte
        if body is None:
            return Tree("other", start, end)
        flat = flat_list(self.language).fullmatch(self.text, body.start_byte, body.end_byte)
        if flat and body.named_child_count > 1:
            return Tree("flat", body.start_byte, end, word)
        return Tree("call", start, end, word, self.children(body))

    def call(self, node: "Node") -> Tree:
        """A function, type or macro before its arguments."""
        start, end = node.start_byte, node.end_byte
        named = _parts(node)
        called = _field(node, "function", "type", "name", "macro", "constructor")
        arguments = _field(node, "arguments", "argument")
        if arguments is None or not ARGUMENTS.fullmatch(arguments.type):
            brackets = (c for c in reversed(named) if ARGUMENTS.fullmatch(c.type))
            arguments = next(brackets, arguments)
        called = called or (named[0] if named and named[0] != arguments else None)
        callee = called.named_children[0] if called is not None and called.named_children else None
        length = callee.end_byte - callee.start_byte if callee is not None else 0
        if callee is not None and self.kind(callee) in _LISTS and length > SHORTEST:
            behind = self.text[callee.end_byte : end]  # [0x..., 0x...].map(...)
            return Tree("call", start, end, behind, (self.tree(callee),))
        initial = next((c for c in named if self.kinds.get(c.type) == "list" and c != called), None)
        word = self.node_text(called)[:80] if called is not None else ""
        if arguments is None or (initial is not None and not arguments.named_child_count):
            if initial is not None:  # new ulong[] { ... }
                inner = self.tree(initial)
                call = Tree("call", start, end, word, inner.children)
                return inner if inner.kind == "flat" else call
            operands = tuple(self.tree(child) for child in named if child != called)  # Zig's
            return Tree("call" if operands else "other", start, end, word, operands)
        if arguments.type == "call_suffix":
            arguments = arguments.named_children[0] if arguments.named_child_count else arguments
        if callee is not None and self.kind(callee) == "text":  # "5f".toULong(16)
            operands = (self.tree(callee), *self.children(arguments))
            return Tree("call", start, end, word.rpartition(".")[2], operands)
        if not arguments.named_child_count and called is not None and called.named_child_count:
            inner = self.tree(called.named_children[0])  # 5.toULong()
            if inner.kind == "number":
                return Tree("cast", start, end, word.rpartition(".")[2], (inner,))
        if arguments.type == "token_tree":
            children = self.arguments(arguments.start_byte, arguments.end_byte)
            return Tree("call", start, end, word, children)
        if not ARGUMENTS.fullmatch(arguments.type):  # OCaml: f x
            return Tree("call", start, end, word, (self.tree(arguments),))
        first, last = arguments.start_byte, arguments.end_byte
        flat = flat_list(self.language).fullmatch(self.text, first, last)
        if flat and arguments.named_child_count > 4:
            return Tree("flat", first, end, word)
        return Tree("call", start, end, word, self.children(arguments))

    def pair(self, node: "Node") -> Tree:
        """A named field, or an item with its subscript."""
        named = _parts(node)
        key = _field(node, "designator", "key", "field", "name", "left") or named[0]
        value = _field(node, "value", "right") or named[-1]
        start, end = node.start_byte, node.end_byte
        if key == value:  # Rust's shorthand
            return Tree("other", start, end)
        value_tree = self.tree(value)
        if key.type == "subscript_range_designator":  # [0 ... 63] = 11
            return Tree("pair", start, end, "", (value_tree, *map(self.tree, key.named_children)))
        if key.type == "subscript_designator" or self.kinds.get(key.type) == "number":
            return Tree("pair", start, end, "", (value_tree, self.tree(key)))
        word = re.search(r"[A-Za-z_]\w*", self.node_text(key))
        index = (self.tree(key),) if word is None or key.type == "literal_element" else ()
        if index and index[0].kind in ("number", "cast", "binary"):
            return Tree("pair", start, end, "", (value_tree, *index))
        return Tree("pair", start, end, word[0] if word else "", (value_tree,))


_OF_ADDRESSES = ("&", "*", "ref", "unsafe")
"""What stands before an item whose address is meant, or before an address."""
_BEHIND_A_TYPE = re.compile(r"(?:[A-Za-z_][\w:]*[\s*&]+)+(?=[A-Za-z_][\w:]*\s*\[)")
_ITEM = re.compile(r"(?:subscript|index|access|element)\w{0,40}$")
"""Nodes of an item of a list."""
_SUBSCRIPTS = ("index", "subscript", "indices", "argument")


class Declaration:
    """The declaration that a list stands in: its name, type, and the names around it."""

    def __init__(self, syntax: Syntax, node: "Node") -> None:
        self.name = self.type = ""
        self.subscript: Node | None = None
        self.declaration: Node | None = None
        around: list[str] = []
        if syntax.kinds.get(node.type) == "entries" and node.parent is not None:
            called = node.parent.child_by_field_name("name") or node.parent.named_children[0]
            self.name = syntax.node_text(called)[:80]
        ancestor = node.parent
        while ancestor is not None:
            kind = syntax.kind(ancestor)
            if self.declaration is None and kind in ("declaration", "function"):
                self.declaration = ancestor
                self._declared(syntax, ancestor, node)
            elif (label := _field(ancestor, "name", "type")) is not None:
                if label.end_byte <= node.start_byte and self.declaration is not None:
                    around.append(syntax.node_text(label)[:80])
            elif (
                kind == "function"
                and (label := ancestor.child_by_field_name("declarator")) is not None
            ):
                around.append(syntax.node_text(label)[:80])
            if self.declaration is None and "if_statement" in ancestor.type:
                around.append(syntax.node_text(ancestor)[:80].split("{")[0])
            ancestor = ancestor.parent
        self.around = tuple(around)

    def _declared(self, syntax: Syntax, node: "Node", inner: "Node") -> None:
        declarator = _field(node, "declarator", "name", "pattern", "left", "key", "property")
        if declarator is None:
            before = [c for c in node.named_children if c.end_byte <= inner.start_byte]
            named = [c for c in before if re.search("identifier|^variable_declaration$", c.type)]
            items = [c for c in before if re.search("index|subscript", c.type)]
            declarator = next(iter(named + items), None)
        if declarator is not None:
            target: Node = declarator
            while (
                target.type in ("expression_list", "directly_assignable_expression")
                and target.named_children
            ):
                target = target.named_children[0]
            last = ""
            if syntax.kinds.get(target.type) == "name" and target.named_child_count == 2:
                record, member = target.named_children
                if _ITEM.search(record.type):  # rook[5].magic
                    target, last = record, f".{syntax.node_text(member)[:80]}"
            text = syntax.node_text(target)[:200]
            if _ITEM.search(target.type) and text.rstrip()[-1:] in "])":
                fields = (target.child_by_field_name(name) for name in _SUBSCRIPTS)
                declarators = [f for f in fields if f is not None] or list(
                    target.named_children[-1:]
                )
                self.subscript = next(
                    (f for f in declarators if f.start_byte > target.start_byte), None
                )
            # A macro before its type makes the grammar take the type for the name.
            behind = _BEHIND_A_TYPE.match(text) if syntax.language.is_c else None
            text = text[behind.end() :] if behind else text
            match = re.search(r"[A-Za-z_$][\w$]*(?:(?:::|\.|->)[A-Za-z_]\w*)*", text)
            row = re.fullmatch(r"\w+(\[\w+\])\[[^\[\]]*\]", text)
            last = row[1] + last if row and self.subscript is not None else last
            self.name = self.name or (f"{match[0]}{last}" if match else "")
        for holder in (node, node.parent):
            kind = holder.child_by_field_name("type") if holder is not None else None
            if kind is not None and kind.end_byte <= inner.start_byte:
                self.type = syntax.node_text(kind)[:200]
                break
