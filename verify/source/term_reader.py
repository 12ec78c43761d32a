"""From trees of expressions to terms: what is a number, a cast, an operator, and what is a leaf.

`Subscript` is what stands in an item's brackets: as a term of its one variable it says which row
of the list a square is in.
"""

from dataclasses import dataclass

from magicert.languages.brackets import Tree
from magicert.languages.language import Int, literal
from magicert.languages.statements import spine
from magicert.languages.terms import (
    COMPARISONS,
    OPERATORS,
    SHIFTS,
    Term,
    UndefinedError,
    function_in,
    leaf,
    number,
)
from magicert.verify.source.columns import says
from magicert.verify.source.looked_up import cast_type, complement, name_of, operation_of
from magicert.verify.source.source_text import Source
from magicert.verify.source.variant import split_words

_MIRROR_WORDS = (
    "flip", "flipped", "mirror", "mirrored", "invert", "inverted", "reverse", "opposite",
)  # fmt: skip
_LOGICAL = (">>>", "ushr")
_MIRRORED = "mirrored"
SEVERAL = "several"


class TermReader:
    """Makes terms of trees. What is a leaf, and which joined ones are one, others say."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def term(self, tree: Tree, *, is_amount: bool = False) -> Term:
        language = self.source.language
        known = self.known(tree, is_amount=is_amount)
        if known is not None:
            return known
        kind = cast_type(tree, self.source)
        if kind is not None:
            inner = self.term(tree.children[0], is_amount=is_amount)
            is_narrow = 0 < kind[0] <= self.source.definitions.word  # else it has to wrap somewhere
            return Term("cast", (inner,), number=Int(0, *kind)) if is_narrow else inner
        turned = complement(tree, self.source)
        if turned is not None:
            return Term("~", (self.term(turned, is_amount=is_amount),))
        if tree.kind == "unary" and tree.word in ("-", "+"):
            return Term(tree.word, (self.term(tree.children[0], is_amount=is_amount),))
        operation = operation_of(tree, tree.children[0]) if len(tree.children) == 2 else None
        if operation and operation[0] in OPERATORS and tree.word not in language.unlike:
            sign = operation[0]
            amount = is_amount or sign in (*SHIFTS, "/", "%", "**")
            parts = [
                self.term(child, is_amount=wanted)
                for child, wanted in zip(tree.children, (is_amount, amount), strict=True)
            ]
            return self.joined(tree, ">>>" if tree.word in _LOGICAL else sign, *parts)
        if tree.kind == "binary" and tree.word in COMPARISONS:
            return Term(tree.word, tuple(self.term(child) for child in tree.children))
        function, operands = function_in(tree)
        if function:
            parts = [self.term(operand, is_amount=bool(n)) for n, operand in enumerate(operands)]
            return Term(function, tuple(parts))
        return self.leaf(tree, is_amount=is_amount)

    def known(self, tree: Tree, *, is_amount: bool) -> Term | None:
        """What is a term at once: a number, by itself or by its name."""
        value = None
        if tree.kind == "number":
            read = literal(tree.word, self.source.language)
            value = read if read is None or read.bits != 53 else Int(read.value)
        elif tree.kind == "name" and (is_amount or tree.word.isupper()):
            constant = self.source.definitions.constant(tree.word)
            value = None if constant is None else Int(constant)
        return number(value) if value is not None else None

    def joined(self, tree: Tree, sign: str, *parts: Term) -> Term:
        return Term(sign, parts)

    def leaf(self, tree: Tree, *, is_amount: bool) -> Term:
        return leaf(written(tree, self.source))


class _Subscripts(TermReader):
    """Terms of subscripts: what a function or a list mirrors is taken for the square across."""

    def leaf(self, tree: Tree, *, is_amount: bool) -> Term:
        inner = tree.children if tree.kind == "call" else spine(tree)[1]
        if len(inner) == 1 and says(split_words(name_of(tree)), _MIRROR_WORDS):
            return Term("^", (self.term(inner[0]), number(Int(56))), _MIRRORED)
        return super().leaf(tree, is_amount=is_amount)


@dataclass(frozen=True, slots=True)
class Subscript:
    """What a subscript is made of: its one variable, if it has one, and as a term."""

    text: str
    term: Term
    variable: str
    """"" where there is none; "several"."""
    is_mirrored: bool

    def number(self, square: int) -> int:
        """What it comes to where its variable is the number of a square."""
        if self.text == self.variable:
            return square
        try:
            return self.term.value({self.variable: Int(square), _MIRRORED: Int(0)}).value
        except UndefinedError:
            return square


def subscript_of(tree: Tree, source: Source) -> Subscript:
    """A subscript of a list, read."""
    term = _Subscripts(source).term(tree)
    keys = {*term.leaves()}
    variables = keys - {_MIRRORED}
    variable = " and ".join(sorted(variables)) if len(variables) < 2 else SEVERAL
    return Subscript(written(tree, source), term, variable, _MIRRORED in keys)


def are_apart(a: Subscript, b: Subscript, squares: int) -> bool:
    """Are these two squares of the board, of which one is made of the other?"""
    if a.text == b.text or a.variable != b.variable or a.variable in ("", SEVERAL):
        return False
    if (a.is_mirrored or b.is_mirrored) and a.variable not in (a.text, b.text):
        return False  # which way is not known
    numbers = [(a.number(square), b.number(square)) for square in range(squares)]
    further = range(-squares // 4, squares + squares // 4)
    is_of_board = all(n in further for pair in numbers for n in pair)
    return is_of_board and any(one % squares != other % squares for one, other in numbers)


def written(tree: Tree, source: Source) -> str:
    """An expression as C would write it, on one line, with what variables are in their place."""
    parts = [written(child, source) for child in tree.children]

    def bracketed(place: int) -> str:
        is_one = tree.children[place].kind in ("name", "number", "field", "item", "call")
        is_one |= parts[place].isidentifier()
        return parts[place] if is_one else f"({parts[place]})"

    match tree.kind:
        case "name" | "number":
            return tree.word
        case "field":
            return f"{bracketed(0)}.{tree.word}"
        case "item":
            return f"{bracketed(0)}[{', '.join(parts[1:])}]"
        case "unary":
            return f"{tree.word}{bracketed(0)}"
        case "binary":
            return f"{bracketed(0)} {tree.word} {bracketed(1)}"
        case "cast":
            return f"({tree.word}) {bracketed(0)}" if tree.word else parts[0]
        case "call":
            return f"{tree.word}({', '.join(parts)})"
        case "choice":
            return f"{bracketed(0)} ? {bracketed(1)} : {bracketed(2)}"
        case _:
            text = source.text[tree.start : tree.end] or tree.word or "?"
            return " ".join(text.split())
