"""What a function's statements compute: the trees of their expressions, with what is assigned to
local variables in their place.

A call of a function of the same file stands for what that returns, where this is one expression of
its parameters. No other call is followed, no loop and no condition: what is assigned in one of
these is not known behind it, nor inside a loop.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from magicert.languages.brackets import Tree
from magicert.languages.language import Language, kinds
from magicert.languages.syntax import ARGUMENTS, Syntax

if TYPE_CHECKING:
    from tree_sitter import Node

LARGEST_VALUE = 300
"""Nodes of the largest expression that is put in a variable's place."""
DEEPEST = 60
"""Nodes inside each other, of an expression."""
MOST_NESTED = 40
"""Loops and conditions inside each other that are looked into."""
MOST_CALLS = 4
"""Calls inside each other that are followed."""
_SUBSCRIPT = re.compile(r"(?:subscript|index|element_access)_expression|array_access|subscript")
_BRACKETS = re.compile(
    r"subscript_argument_list|bracketed_argument_list|argument|vector_expression|value_arguments?"
)
_BLOCK = re.compile(
    r"(?:compound_statement|block|statement_block|statement_list|statements|function_body)"
)
_MAY_HAPPEN = re.compile(
    r"(?:if|for|foreach|enhanced_for|for_in|for_range|while|do|switch|case|match|try|catch|when|guard|loop|repeat"
    r"|conditional|ternary|closure|lambda|function|labeled|with|elif|else|defer|arrow)(?:_.*)?"
)
"""Statements and expressions whose parts may be done, or more than once."""
_CHOICE = re.compile(r"(?:conditional|ternary)_expression")
_CHOICES = ("condition", "consequence", "alternative")
_PARAMETERS = re.compile(r"(?:formal_|function_value_)?parameters|parameter_list")
_FIELD = ("field", "attribute", "name", "property")
_OBJECT = ("argument", "value", "operand", "object", "expression")
_RIGHT = ("right", "value")
_LEFT = ("left", "declarator", "name", "pattern")


def spine(tree: Tree) -> tuple[list[Tree], list[Tree], list[str]]:
    """What a list's item is taken from, as names from the outermost; the subscripts behind the last
    of them; and the fields behind these: `a.b[i][j].c` gives a, b; i, j; c. Nothing of what is no
    item.
    """
    fields: list[str] = []
    subscripts: list[Tree] = []
    while True:
        if tree.kind == "field" and not subscripts:
            fields.insert(0, tree.word)
            tree = tree.children[0]
        elif tree.kind == "item":
            subscripts[:0] = tree.children[1:]
            tree = tree.children[0]
        elif tree.kind == "cast" and not tree.word:
            tree = tree.children[0]
        else:
            break
    names = [tree]
    while names[0].kind == "field":
        names.insert(0, names[0].children[0])
    if not subscripts or names[0].kind not in ("name", "item"):
        return [], [], []
    return names, subscripts, fields


class Function(Syntax):
    """Computes the values of one function's expressions. `functions` are those whose calls are
    followed, by their names.
    """

    def __init__(
        self,
        text: str,
        language: Language,
        functions: "Mapping[str, Node] | None" = None,
        calls: int = 0,
        variables: Iterable[str] = (),
    ) -> None:
        super().__init__(text, language)
        self.functions = functions or {}
        self.calls = calls
        self.variables = {*variables}
        self.known: dict[str, tuple[Tree, int]] = {}
        self.unread: dict[str, bool] = {}
        self.conditions: list[Tree] = []
        """Those under which a statement is done, while its values are given."""
        self.count = 0
        self.depth = 0
        self.nested = 0

    # Trees, with items, fields and what variables are.

    def tree(self, node: "Node") -> Tree:
        self.count += 1
        self.depth += 1
        try:
            if self.depth > DEEPEST or node.is_error or node.is_missing:
                return Tree("other", node.start_byte, node.end_byte)
            return self._tree(node)
        finally:
            self.depth -= 1

    def _tree(self, node: "Node") -> Tree:
        start, end = node.start_byte, node.end_byte
        if _SUBSCRIPT.fullmatch(node.type) and len(named := self._named(node)) >= 2:
            subscripts: list[Tree] = []
            for child in named[1:]:
                given = [child]
                while len(given) == 1 and _BRACKETS.fullmatch(given[0].type):
                    given = self._named(given[0])
                subscripts += [self._operand(inner) for inner in given]
            return Tree("item", start, end, "", (self._list(named[0]), *subscripts))
        if _MAY_HAPPEN.fullmatch(node.type):
            parts = [part for name in _CHOICES if (part := node.child_by_field_name(name))]
            is_choice = _CHOICE.fullmatch(node.type) is not None and len(parts) == len(_CHOICES)
            children = tuple(map(self.tree, parts if is_choice else self._named(node)))
            return Tree("choice" if is_choice else "other", start, end, "", children)
        kind = self.kind(node)
        if kind == "name":
            return self._name(node)
        if kind == "list" and node.type in ("tuple_expression", "expression_list"):
            named = self._named(node)
            if len(named) == 1:  # Swift's brackets, Go's operands
                return Tree("cast", start, end, "", (self.tree(named[0]),))
        if node.type == "tuple_struct_pattern" or kind in ("list", "record", "token_tree", "pair"):
            return Tree("other", start, end)
        sides = self._sides(node)
        if sides is not None:
            sign = self._before_equals(*sides)
            return Tree("assignment", start, end, sign, tuple(map(self.tree, sides)))
        tree = super().tree(node) if kind != "declaration" else self.wrapped(node)
        return self._product(tree) if kind == "cast" else tree

    def is_variable(self, name: str) -> bool:
        return name in self.variables or name in self.known

    def _product(self, tree: Tree) -> Tree:
        """What a grammar takes for a cast, `(o) * x`, though a variable stands in the brackets."""
        word, inner = tree.word.strip(), tree.children[-1] if tree.children else tree
        sign = inner.children[0] if inner.kind == "item" else inner
        if (
            not self.is_variable(word)
            or sign.kind != "unary"
            or sign.word not in ("*", "&", "-", "+")
        ):
            return tree
        left = self.known[word][0] if word in self.known else Tree("name", tree.start, 0, word)
        right = sign.children[0]
        if inner is not sign:
            children = (right, *inner.children[1:])
            right = Tree("item", right.start, inner.end, "", children)
        return Tree("binary", tree.start, tree.end, sign.word, (left, right))

    def _list(self, node: "Node") -> Tree:
        """What an item is taken from: a list, or a function without operands that returns one."""
        tree = self.tree(node)
        called = self._part(node, ("function", "name")) if tree.kind == "call" else None
        if called is None or tree.children or not tree.word:
            return tree
        return Tree("name", called.start_byte, called.end_byte, tree.word)

    def _name(self, node: "Node") -> Tree:
        start, end = node.start_byte, node.end_byte
        named = self._named(node)
        field, inner = self._part(node, _FIELD), self._part(node, _OBJECT)
        if len(named) == 2 and not _is_path(node):
            inner, field = inner or named[0], field or named[1]
        if field is None or inner is None or inner == field:
            word = self.node_text(node)
            if word in self.known:
                tree, size = self.known[word]
                self.unread.pop(word, None)
                self.count += size
                return tree if self.count <= LARGEST_VALUE else Tree("other", start, end)
            name = re.split(r"::|\.", word)[-1]
            return Tree("name", start, end, name)
        word = self.node_text(field)
        return Tree("field", start, end, word, (self.tree(inner),))

    def binary(self, node: "Node") -> Tree:
        named = self._named(node)
        if len(named) == 3 and not node.child_by_field_name("operator"):
            sign = self.node_text(named[1])  # Julia's and Kotlin's
            operands = (self.tree(named[0]), self.tree(named[2]))
            return Tree("binary", node.start_byte, node.end_byte, sign, operands)
        return super().binary(node)

    def call(self, node: "Node") -> Tree:
        """A call's operands; of a method, what it is called for comes first."""
        start, end = node.start_byte, node.end_byte
        called = self._part(node, ("function", "name", "method", "macro"))
        receiver = node.child_by_field_name("object")
        arguments = node.child_by_field_name("arguments")
        named = self._named(node)
        if called is None and named:
            called = named[0]
        given: list[Node] | None = None
        if arguments is None and len(named) > 1:
            arguments = named[-1]
            if not ARGUMENTS.fullmatch(arguments.type):  # Zig's stand in nothing of their own
                given = named[1:]
        if called is None or arguments is None or arguments.type == "token_tree":
            return Tree("other", start, end)
        if arguments.type == "call_suffix" and len(self._named(arguments)) == 1:
            if self.text[arguments.start_byte] == "[":  # Swift's items
                inside = self._named(self._named(arguments)[0])
                items = tuple(self._operand(child) for child in inside)
                return _item_of(self.tree(called), items, end)
            arguments = self._named(arguments)[0]
        given = self._named(arguments) if given is None else given
        operands = [self._operand(child) for child in given]
        is_method = self.kind(called) == "name" and len(self._named(called)) == 2
        if is_method and receiver is None and not re.match("scoped|qualified", called.type):
            receiver, called = self._named(called)
        if receiver is not None:
            operands.insert(0, self.tree(receiver))
        word = re.split(r"::|\.", self.node_text(called)[:80])[-1]
        generic = re.match(r"\w+_cast\s*<([^<>]*)>$", word)
        if generic is not None and len(operands) == 1:
            return Tree("cast", start, end, generic[1].strip(), tuple(operands))
        if word == "asUintN" and operands[1:-1] and operands[-2].word == "64":
            return Tree("cast", start, end, "", (operands[-1],))  # of an integer without bounds
        returned = self._returned(word, operands)
        return returned or Tree("call", start, end, word, tuple(operands))

    def _returned(self, called: str, operands: list[Tree]) -> Tree | None:
        """What a call comes to; None where that is not one expression of the operands."""
        function = self.functions.get(called)
        if function is None or self.calls >= MOST_CALLS:
            return None
        inner = Function(self.text, self.language, self.functions, self.calls + 1)
        names = inner.parameter_names(function)
        operands = operands[-len(names) :] if len(operands) == len(names) + 1 else operands
        if not names or len(operands) != len(names):
            return None
        inner.known = {
            name: (tree, _size(tree)) for name, tree in zip(names, operands, strict=True)
        }
        returned = inner.returned(function)
        self.count += inner.count
        return returned

    def returned(self, function: "Node") -> Tree | None:
        """The one value that a function always returns; None where it may return several."""
        if _may_happen(body_of(function)):
            return None
        values = [tree for tree, is_returned in self.values(function) if is_returned]
        return values[0] if len(values) == 1 else None

    def _operand(self, node: "Node") -> Tree:
        while re.fullmatch(r"(?:value_)?argument", node.type) and len(self._named(node)) == 1:
            node = self._named(node)[0]
        return self.tree(node)

    def wrapped(self, node: "Node") -> Tree:
        """A node around others."""
        named, start, end = self._named(node), node.start_byte, node.end_byte
        if len(named) == 1:
            inner = self.tree(named[0])
            before = self.text[start : named[0].start_byte].strip()
            if before[:1] == "*":
                return Tree("unary", start, end, "*", (inner,))
            return inner
        return Tree("other", start, end, "", tuple(self.tree(child) for child in named))

    def _named(self, node: "Node") -> "list[Node]":
        return [child for child in node.named_children if not child.is_extra]

    @staticmethod
    def _part(node: "Node", names: tuple[str, ...]) -> "Node | None":
        return next((c for name in names if (c := node.child_by_field_name(name))), None)

    def parameter_names(self, function: "Node") -> tuple[str, ...]:
        """What a function's parameters, or a macro's, are called."""
        names: list[str] = []
        for node in _parameters(function):
            named = [c for c in node.children_by_field_name("name") if "identifier" in c.type] or [
                child for part in _LEFT[1:] if (child := node.child_by_field_name(part))
            ]
            names += [self._innermost(child) for child in named or [node]]
        return tuple(names)

    def _innermost(self, node: "Node") -> str:
        """The name that a declarator or a parameter consists of, without what is around it."""
        while named := self._named(node):
            inner = self._part(node, _LEFT[1:])
            node = inner or next((c for c in named if "identifier" in c.type), named[0])
        return self.node_text(node)

    # Statements.

    def values(self, function: "Node") -> Iterator[tuple[Tree, bool]]:
        """The values of all expressions in a function, each with whether it is returned. One that
        is assigned to a variable is only there where nothing reads it from there.
        """
        body = body_of(function)
        self.variables.update(self.parameter_names(function))
        if not _BLOCK.fullmatch(body.type) and self.kind(body) != "function":
            yield self.tree(body), True
            return
        yield from self._block(body, outermost=True)
        yield from [(self.known[name][0], False) for name in self.unread]

    def _block(self, node: "Node", *, outermost: bool) -> Iterator[tuple[Tree, bool]]:
        children = self._named(node)
        for child in children:
            last = outermost and child == children[-1]
            if _BLOCK.fullmatch(child.type):
                yield from self._block(child, outermost=last)
                if not last:
                    yield from self._forget(self._changed(child))
            else:
                yield from self._statement(child, last=last)

    def _statement(self, node: "Node", *, last: bool) -> Iterator[tuple[Tree, bool]]:
        changed = self._changed(node)
        if node.type == "expression_statement" and len(self._named(node)) == 1:
            last = last and self.text[node.end_byte - 1] != ";"
            node = self._named(node)[0]
        while re.fullmatch("(?:cast|parenthesized)_expression", node.type) and not last:
            node = self._named(node)[-1]
        if _MAY_HAPPEN.fullmatch(node.type):
            yield from self._perhaps(node)
            return
        assignments = [*self._assignments(node)]
        if assignments and len(changed) == len(assignments):
            for name, right, sign in assignments:
                yield from self._assign(name, right, sign)
            return
        self.count = 0
        returned = "return" in node.type or node.type == "control_transfer_statement" or last
        yield self.tree(node), returned
        yield from self._forget(changed)

    def _perhaps(self, node: "Node") -> Iterator[tuple[Tree, bool]]:
        """A statement that may not be done, or more than once."""
        changed = self._changed(node)
        yield from self._forget(changed)
        self.nested += 1
        condition, then = self._part(node, ("condition",)), self._part(node, ("consequence",))
        outside = len(self.conditions)
        for child in self._named(node) if self.nested < MOST_NESTED else ():
            if condition is not None and child == then:
                self.count = 0
                self.conditions.append(self.tree(condition))
            if _BLOCK.fullmatch(child.type):
                yield from self._block(child, outermost=False)
                yield from self._forget(self._changed(child))
            else:
                yield from self._statement(child, last=False)
            del self.conditions[outside:]
        self.nested -= 1
        yield from self._forget(changed)

    def _assign(self, name: str, right: "Node", sign: str) -> Iterator[tuple[Tree, bool]]:
        self.count = 0
        value = self.tree(right)
        if sign:
            before, size = self.known.get(name, (Tree("name", 0, 0, name), 1))
            self.unread.pop(name, None)
            self.count += size
            value = Tree("binary", right.start_byte, right.end_byte, sign, (before, value))
        if self.count > LARGEST_VALUE:
            value = Tree("other", right.start_byte, right.end_byte)
        yield from self._forget([name])
        self.known[name] = value, self.count
        self.unread[name] = True

    def _forget(self, names: Iterable[str]) -> Iterator[tuple[Tree, bool]]:
        for name in names:
            if self.unread.pop(name, False):
                yield self.known[name][0], False
            self.known[name] = Tree("other", 0, 0, name), 1

    def _assignments(self, node: "Node") -> "Iterator[tuple[str, Node, str]]":
        """The assignments that a statement consists of: variable, value and the operator before
        `=`.
        """
        parts = self._sides(node)
        if parts is None:
            if _DECLARATIONS.fullmatch(node.type):
                for child in self._named(node):
                    yield from self._assignments(child)
            return
        left, right = parts
        name = self._variable(left)
        if name:
            yield name, right, self._before_equals(left, right)

    def _before_equals(self, left: "Node", right: "Node") -> str:
        """The operator of an assignment with one: `*` of `*=`."""
        between = re.match(r"\s*+([^\w\s=:]*)=", self.text[left.end_byte : right.start_byte])
        return between[1] if between else ""

    def _sides(self, node: "Node") -> "tuple[Node, Node] | None":
        """What stands left and right in an assignment; None where a node is none."""
        named = self._named(node)
        if not _ASSIGNMENT.fullmatch(node.type) or len(named) < 2:
            return None
        if any(child.type == "variable_declarator" for child in named):
            return None
        left, right = self._part(node, _LEFT) or named[0], self._part(node, _RIGHT)
        right = right if right is not None and right != left else named[-1]
        return (left, right) if left != right else None

    def _variable(self, node: "Node") -> str:
        """The variable that is assigned to; "" where it is none, or several."""
        while len(self._named(node)) == 1 and _DECLARATORS.fullmatch(node.type):
            node = self._named(node)[0]
        return "" if self._named(node) else self.node_text(node)

    def _changed(self, node: "Node") -> list[str]:
        """All variables that something in a node may write to."""
        names: list[str] = []
        stack = [node]
        while stack:
            inner = stack.pop()
            text = self.text[inner.start_byte : min(inner.end_byte, inner.start_byte + 80)]
            parts = self._sides(inner)
            if parts is not None:
                name = self._variable(parts[0])
                several = re.fullmatch(r"[\w\s,()]+", self.node_text(parts[0]))
                names += [name] if name else re.findall(r"\w+", several[0]) if several else []
            elif inner.type == "reference_declarator":
                continue
            elif (written := re.fullmatch(r"(?:\+\+|--)\s*(\w+)|(\w+)\s*(?:\+\+|--);?", text)) or (
                written := re.fullmatch(r"&\s*(?:mut\s+)?(\w+)()", text)
            ):
                names.append(written[1] or written[2])
            elif _DONE_ALONE.fullmatch(inner.type):
                names += self._given_alone(inner)
            if self.kinds.get(inner.type) != "list":
                stack += self._named(inner)
        return names

    def _given_alone(self, node: "Node") -> Iterator[str]:
        """The variables that are given to a call which stands alone, as it is made for what it
        changes: a macro of C or C++, and a function that takes references, may write to them.
        """
        if not self.language.lends and self.language.name not in ("C", "C++"):
            return
        for call in self._named(node):
            given = call.child_by_field_name("arguments") if self.kind(call) == "call" else None
            operands = self._named(given) if given is not None else ()
            yield from (self.node_text(one) for one in operands if one.type == "identifier")


_DONE_ALONE = re.compile("(?:expression|for)_statement|comma_expression")
_ASSIGNMENT = re.compile(
    r"(?:augmented_|compound_)?assignment(?:_expression|_expr|_statement)?|compound_assignment_expr"
    r"|init_declarator|variable_declarator|let_declaration|short_var_declaration|var_spec|const_spec"
    r"|val_definition|var_definition|property_declaration|operator_assignment|variable_declaration"
)
_DECLARATIONS = re.compile(
    r"declaration|\w+_declaration|local_declaration_statement|variable_declaration|declaration_statement"
)
_DECLARATORS = re.compile(
    r"expression_list|pattern|variable_declaration|(?:pointer|reference)_declarator"
)


def _item_of(tree: Tree, subscripts: tuple[Tree, ...], end: int) -> Tree:
    """An item of a list: Swift's grammar takes `64 - bits[s]` for one of `64 - bits`."""
    if tree.kind in ("binary", "unary"):
        *others, last = tree.children
        last = _item_of(last, subscripts, end)
        return Tree(tree.kind, tree.start, end, tree.word, (*others, last))
    return Tree("item", tree.start, end, "", (tree, *subscripts))


def _is_path(node: "Node") -> bool:
    """Is it a name with what it is declared in, `a::b`?"""
    return "scope" in node.type or "qualified" in node.type


def fields_in(root: "Node", text: str) -> "Iterator[tuple[str, int]]":
    """The fields of records that are taken somewhere, with the ends of their names."""
    named, stack = kinds(), [root]
    while stack:
        node = stack.pop()
        parts = [child for child in node.named_children if not child.is_extra]
        if named.get(node.type) == "name" and len(parts) == 2 and not _is_path(node):
            yield text[parts[1].start_byte : parts[1].end_byte], parts[1].end_byte
        if named.get(node.type) != "list":
            stack += parts


def members_in(root: "Node", text: str) -> Iterator[str]:
    """What records of C++, Java and C# are declared with: their functions call it by its bare
    name.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "field_declaration":
            inner = [c for c in node.named_children if not c.is_extra]
            while inner and (named := inner[-1].named_children):
                inner = [inner[-1].child_by_field_name("name") or named[0]]
            if inner:
                yield text[inner[-1].start_byte : inner[-1].end_byte]
        elif kinds().get(node.type) != "list":
            stack += node.named_children


def _size(tree: Tree) -> int:
    return 1 + sum(map(_size, tree.children))


def _may_happen(node: "Node") -> bool:
    """Has a node a part that may be done, or more than once?"""
    stack = [*node.named_children]
    while stack:
        inner = stack.pop()
        if _MAY_HAPPEN.fullmatch(inner.type):
            return True
        stack += inner.named_children
    return False


def _parameters(function: "Node") -> "list[Node]":
    """The nodes of a function's parameters."""
    holder: Node | None = function
    while holder is not None and holder.child_by_field_name("parameters") is None:
        holder = holder.child_by_field_name("declarator")
    holder = holder.child_by_field_name("parameters") if holder is not None else None
    if holder is None:
        holders = (c for c in function.named_children if _PARAMETERS.fullmatch(c.type))
        holder = next(holders, function)
    children = [child for child in holder.named_children if not child.is_extra]
    if holder == function or holder.type != "preproc_params":
        plain = ("identifier", "simple_identifier") if holder != function else ()
        children = [c for c in children if "parameter" in c.type or c.type in plain]
    return children


def function_around(node: "Node | None") -> "Node | None":
    """The innermost function around a node; None where there is none."""
    named = kinds()
    while node is not None and named.get(node.type) != "function":
        node = node.parent
    return node


def macro_around(node: "Node | None") -> "Node | None":
    """The macro that a node is in; None where it is in none."""
    while node is not None and not re.fullmatch("preproc_(?:function_)?def", node.type):
        node = node.parent
    return node


def body_of(function: "Node") -> "Node":
    """What a function consists of."""
    body = function.child_by_field_name("body")
    if body is None:
        blocks = (child for child in function.named_children if _BLOCK.fullmatch(child.type))
        body = next(blocks, None)
    return body if body is not None else function
