"""Who may write to a variable whose initial value was taken: looked for in the source.

The IR is no answer: a compiler leaves out of it what nobody calls, an inline function, a method, a
template, a function of Zig or Rust that is used in another file only. So the compiler says where
the name stands (C and C++: its syntax tree, in which macros are gone), or a grammar does (Zig and
Rust), and each place has to be a plain read:

    return T[s] ^ occupied         a read
    T[1] = 7;   &T[0]   fill(T)    no read: whoever does that may write

In C and C++ what is no read may stand in a function that is compiled, called or not
(-femit-all-decls); then LLVM says whether the variable is written. What is no function yet, a
template or a default argument, must read.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.certificate import TrustedInitialiser
from magicert.functions.compile.clang_tree import LOOKUPS, Tree, Use, Writer, base_name
from magicert.functions.compile.projects import whole_path
from magicert.functions.compile.syntax import (
    leaves_of,
    name_of_function_around,
    node_text,
    parser_of,
)
from magicert.functions.llvm import bindings, constants, symbol_names
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.metadata import is_of_a_library
from magicert.functions.llvm.stores import Stores

if TYPE_CHECKING:
    from tree_sitter import Node


_INCLUDED = re.compile(r"^\.+ (.*)$", re.MULTILINE)


_RENAMED = re.compile(
    rb"^[ \t]*(?:/\*.*?\*/[ \t]*)*(?:#|%:)[ \t]*(?:line\b|\d+)(.*)$", re.MULTILINE
)


_NAMES_FILE = re.compile(rb'[ \t]*\d*[ \t]*"([^"\n]*)"')


def renamed_lines(source: Path, compiler_words: str) -> Iterator[Writer]:
    """Where a source, or what it includes by the compiler's list (-H), says that its lines are
    another file's that would be taken for a library's: nothing is looked for there.
    """
    whole = str(whole_path(source))
    names = _INCLUDED.findall(compiler_words)
    included = (Path(name) for name in names if not is_of_a_library(name, whole))
    for path in (source, *included):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        for directive in _RENAMED.finditer(data.replace(b"\\\n", b"")):
            stated = _NAMES_FILE.match(directive[1])
            name = stated[1].decode("utf-8", "replace") if stated else ""
            if is_of_a_library(name) or (not stated and not directive[1].strip().isdigit()):
                yield Writer("what has the line numbers of a library's file", str(path))


def in_trees(
    trees: Sequence[Tree], variables: Sequence[TrustedInitialiser]
) -> tuple[dict[str, Writer], dict[TrustedInitialiser, list[Use]]]:
    """The variables that something in sources of C or C++ may write, by their symbols; and those of
    which it depends on what compiled functions do, with these.
    """
    certain_writers: dict[str, Writer] = {}
    open_: dict[TrustedInitialiser, list[Use]] = {}
    for variable in variables:
        writers = [writer for tree in trees for writer in tree.writers(variable)]
        uses = [use for tree in trees for use in tree.uses(variable) if not use.mention.reads]
        left = [use for use in uses if not use.mention.in_function[1]]
        if writers or left:
            certain_writers[variable.symbol] = [*writers, *(use.writer for use in left)][0]
        elif uses or not variable.name or any(tree.has_assembly for tree in trees):
            open_[variable] = uses
    return certain_writers, open_


def in_modules(
    texts: Sequence[str],
    names: Sequence[str],
    variables: Mapping[TrustedInitialiser, Sequence[Use]],
) -> dict[str, Writer]:
    """The variables that the functions of modules, in which all of them are, may write."""
    writers: dict[str, Writer] = {}
    text = bindings.linked(texts, names)
    module = Module(text)
    functions = {
        (base_name(name), place.line) for name, place in module.names.defined(
            body.partition("\n")[0] for body in module.bodies.values()
        )
    }  # fmt: skip
    functions |= {
        (module.source_name(name), module.declared_at(name).line) for name in module.globals
    }
    never, stores = constants.never_written(text), Stores(module)
    for variable, uses in variables.items():
        symbols = [
            name for name in module.globals
            if name == variable.symbol
            or (module.source_name(name), module.declared_at(name).line)
            == (variable.name, variable.line)
        ]  # fmt: skip
        left_out = [use.writer for use in uses if use.mention.in_function not in functions]
        if left_out:
            writers[variable.symbol] = left_out[0]
        elif not symbols or not never.issuperset(symbols):
            uses_text = [
                Writer(symbol_names.whole_name(symbol), str(place))
                for name in symbols
                for symbol, place in stores.to_variable(name)
            ]
            writers[variable.symbol] = next(
                iter([*uses_text, *(use.writer for use in uses)]), NOWHERE
            )
    return writers


NOWHERE = Writer("something that is compiled of these sources", "")


def in_files(
    files: Mapping[Path, str], language: str, variables: Sequence[TrustedInitialiser]
) -> dict[str, Writer]:
    """The same in sources of Zig or Rust, all that the compiler has read."""
    writers: dict[str, Writer] = {}
    for variable in variables:
        if not variable.name:
            writers[variable.symbol] = Writer("a place that is not known: it has no name", "")
    for path, text in files.items():
        root = parser_of(language).parse(text.encode()).root_node
        nodes = list(leaves_of(root))
        for variable in variables:
            if variable.symbol in writers:
                continue
            at_home = Path(variable.file).name == path.name
            for node in nodes:
                what = _ZIG_OR_RUST[language](node, variable, at_home)
                if what:
                    place = f"{path}:{node.start_point.row + 1}"
                    writers[variable.symbol] = Writer(
                        f"{what}{name_of_function_around(node)}", place
                    )
                    break
    return writers


def _special_reason(node: "Node", variable: TrustedInitialiser) -> str:
    """What finds a variable by other means than its name."""
    text = node_text(node)
    named = rf"(?<![\w.$])_?{re.escape(variable.symbol)}(?![\w.$])"
    if "string" in node.type and re.search(named, text):
        return "its name in a string"
    if node.type == "identifier" and variable.shared and text in LOOKUPS:
        return f"what {text} finds by its name"
    if node.type in {"identifier", "string_content"} and re.fullmatch(
        r"__(?:start|stop)_\w+|_*(?:data_start|edata|bss_start|executable_start|ehdr_start|dso_handle"
        r"|ImageBase)|_end", text
    ):  # fmt: skip
        return f"{text}, an address that the linker makes,"
    return ""


_PLACES = {
    "index_expression", "field_expression", "parenthesized_expression", "scoped_identifier",
}  # fmt: skip


_ZIGS_VALUES = {
    "catch_expression", "try_expression", "comptime_expression", "if_expression",
    "while_expression", "null_coercion_expression",
}  # fmt: skip
"""What may stand for one of its parts, in its place: (T orelse unreachable)[1] = 7 writes to T."""


_ZIGS_CONDITIONS = {
    "if_statement", "if_expression", "while_statement", "while_expression", "switch_expression",
    "for_statement",
}  # fmt: skip


_ZIGS_READS = {
    "binary_expression", "return_expression", "if_statement", "if_expression", "while_statement",
    "while_expression", "for_statement", "switch_expression", "arguments", "expression_statement",
    "range_expression",
}  # fmt: skip


def _zig_writer(node: "Node", variable: TrustedInitialiser, at_home: bool) -> str:
    if what := _special_reason(node, variable):
        return what
    if "string" in node.type:
        word = rf"(?<![\w$])(?:\w+\.)*{re.escape(variable.name)}(?![\w.$])"
        named = (
            re.search(word, node_text(node))
            if _is_assembly(node)
            else node_text(node) == variable.name
        )
        return "its name in a string" if named else ""
    if node.type == "builtin_identifier" and node_text(node) == "@field":
        return _by_computed_name(node)
    if (
        node.type != "identifier"
        or node_text(node).removeprefix('@"').removesuffix('"') != variable.name
    ):
        return ""
    place, up = node, node.parent
    is_member = (
        up is not None and up.type == "field_expression" and up.children[0].id != node.id
    )  # fmt: skip
    if not at_home and not is_member:
        return ""  # another file's own
    begins = node.prev_sibling
    if _is_declared(node) or (
        begins is not None and begins.type == "." and begins.prev_sibling is None
    ):  # fmt: skip
        return ""  # .{ .table = 5 } names a field
    while up is not None and (up.type in _PLACES or _is_zigs_value(up, place)):
        if up.type == "index_expression" and up.children[0].id != place.id:
            return ""  # a number
        if up.type == "index_expression" and ".." in node_text(up)[len(node_text(place)) :]:
            return "a slice of it"
        place, up = up, up.parent
    if up is None:
        return "what is not understood"
    kind = up.type
    if kind in _ZIGS_CONDITIONS and _captures_a_place(up):
        return "a pointer to what is in it"
    if kind in {"variable_declaration", "assignment_expression"}:
        before = place.prev_sibling
        return "" if before is not None and before.type.endswith("=") else "an assignment"
    if kind in {"call_expression"}:
        is_callee = up.children[0].id == place.id
        return "a call of its method" if is_callee else ""
    if kind == "arguments":
        builtin = node_text(up.prev_sibling)
        return "" if builtin not in {"@field", "@fieldParentPtr"} else f"{builtin}"
    if kind == "unary_expression":
        return "its address" if node_text(up).startswith("&") else ""
    return "" if kind in _ZIGS_READS else f"a use ({kind.replace('_', ' ')})"


def _is_zigs_value(node: "Node", part: "Node") -> bool:
    """Whether an expression may stand for its part."""
    if node.type == "binary_expression":
        return any(child.type == "orelse" for child in node.children)
    condition = node.child_by_field_name("condition")
    return node.type in _ZIGS_VALUES and (condition is None or condition.id != part.id)


def _captures_a_place(node: "Node") -> bool:
    """Whether a condition, a switch or a loop names what it looks at as a pointer: |*x|."""
    cases = [child for child in node.children if child.type == "switch_case"]
    payloads = (c for one in (node, *cases) for c in one.children if c.type == "payload")
    return any("*" in node_text(payload) for payload in payloads)


def _is_assembly(node: "Node") -> bool:
    up = node.parent
    while up is not None and "asm" not in up.type and up.type != "block":
        up = up.parent
    return up is not None and "asm" in up.type


def _is_declared(node: "Node") -> bool:
    """Whether a name stands where a variable, parameter or field is declared."""
    up = node.parent
    if up is None:
        return False
    if up.type == "variable_declaration":
        before = node.prev_sibling
        return before is not None and before.type in {"var", "const"}
    return up.type in {
        "parameter",
        "container_field",
        "payload",
        "static_item",
        "field_initializer",
    } and (up.type in {"payload"} or up.child_by_field_name("name") == node)


def _by_computed_name(node: "Node") -> str:
    """@field of a namespace with a name that is no string: it may be any variable."""
    argument = node.next_sibling
    parts = [child for child in argument.children if child.is_named] if argument is not None else []
    if len(parts) != 2 or parts[1].type == "string":
        return ""
    return "" if _is_a_parameter(parts[0]) else "@field with a name that is made"


def _is_a_parameter(place: "Node") -> bool:
    """Whether it is a parameter of a function, or what that points to, which no variable of a
    namespace is a part of: a namespace, and what may hold one, is known while compiling.
    """
    item = place.children[0] if place.type == "dereference_expression" else place
    up = item.parent
    while up is not None:
        listed = (c for c in up.children if c.type == "parameters")
        for parameter in (c for one in listed for c in one.children if c.type == "parameter"):
            words = [node_text(child) for child in parameter.children]
            if node_text(item) in words[:-1]:
                return not {"comptime", "anytype", "type"} & set(words)
        up = up.parent
    return False


_RUSTS_READS = {
    "binary_expression", "return_expression", "type_cast_expression", "if_expression", "arguments",
    "while_expression", "match_expression", "block", "expression_statement", "array_expression",
}  # fmt: skip


_RUSTS_METHODS = frozenset({
    "load", "len", "is_empty", "count_ones", "count_zeros", "leading_zeros", "trailing_zeros",
    "swap_bytes", "reverse_bits", "rotate_left", "rotate_right", "pow", "wrapping_mul",
    "wrapping_add", "wrapping_sub", "wrapping_shl", "wrapping_shr", "wrapping_neg",
    "overflowing_mul", "checked_add", "checked_sub", "checked_mul", "to_le_bytes", "to_ne_bytes",
})  # fmt: skip


def _rust_writer(node: "Node", variable: TrustedInitialiser, at_home: bool) -> str:  # noqa: ARG001
    if what := _special_reason(node, variable):
        return what
    if node.type != "identifier" or _rusts_name(node) != variable.name or _is_declared(node):
        return ""
    place, up = node, node.parent
    if up is not None and up.type in {"use_declaration", "use_list", "scoped_use_list"}:
        return ""
    while up is not None and up.type in _PLACES:
        if up.type == "index_expression" and up.children[0].id != place.id:
            return ""
        if up.type == "scoped_identifier" and up.parent is not None and up.parent.type in {
            "use_declaration", "use_list", "scoped_use_list",
        }:  # fmt: skip
            return ""
        if (
            up.type == "field_expression"
            and up.parent is not None
            and up.parent.type == "call_expression"
        ):
            break
        if up.type == "index_expression" and ".." in node_text(up)[len(node_text(place)) :]:
            return "a slice of it"
        place, up = up, up.parent
    if up is None:
        return "what is not understood"
    kind = up.type
    if kind == "field_expression":
        method = node_text(up.child_by_field_name("field"))
        return "" if method in _RUSTS_METHODS else f"a call of its {method}"
    if kind in {"assignment_expression", "compound_assignment_expr"}:
        return "" if up.children[0].id != place.id else "an assignment"
    if kind == "let_declaration":
        pattern = up.child_by_field_name("pattern")
        plain = pattern is not None and pattern.type in {"identifier", "_"}
        return "" if plain and up.child_by_field_name("value") == place else "a pattern"
    if kind == "match_expression":
        body = up.child_by_field_name("body")
        arms = body.named_children if body is not None else []
        patterns = "\n".join(node_text(arm.child_by_field_name("pattern")) for arm in arms)
        # A macro in a pattern may be one by reference.
        return "a pattern" if re.search(r"\bref\b|\w\s*!\s*[(\[{]", patterns) else ""
    if kind in {"array_expression", "arguments"} and _is_assigned(up):
        return "an assignment"
    return "" if kind in _RUSTS_READS else f"a use ({kind.replace('_', ' ')})"


def _rusts_name(node: "Node") -> str:
    """A name as the compiler has it: of two ways to write an accented letter one."""
    return unicodedata.normalize("NFC", node_text(node).removeprefix("r#"))


def _is_assigned(node: "Node") -> bool:
    """Whether it is a pattern that a value is put into: [T[1], _] = pair."""
    below, up = node, node.parent
    while up is not None and up.type not in {"block", "expression_statement"}:
        if up.type == "assignment_expression":
            return up.children[0].id == below.id
        below, up = up, up.parent
    return False


_ZIG_OR_RUST: dict[str, Callable[["Node", TrustedInitialiser, bool], str]] = {
    "zig": _zig_writer,
    "rust": _rust_writer,
}


def is_public(text: str, language: str, variable: TrustedInitialiser) -> bool:
    """Whether other files can name a variable of this one."""
    lines = text.split("\n")
    line = lines[variable.line - 1] if 0 < variable.line <= len(lines) else ""
    return bool(
        re.search(r"\bpub\b|\bexport\b|\bextern\b" if language == "zig" else r"\bpub\b", line)
    )
