"""From a formula's text to its tree: the lexer, and a parser by precedence climbing.

Operators bind as in C and Python: unary ~ and -, then *, then + and -, then << and
>>, then &, then ^, then |; operators of one level group from the left.

In a formula of words beyond 64 bits a tree of parameters and literals only has no width at first
(`OPEN`). It gets one as a whole, from what it stands beside: `fitted`.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from magicert.formula.tree import (
    FUNCTIONS,
    OPERATORS,
    SHIFTS,
    SIGNS,
    WHOLE_BOARD,
    Binary,
    Call,
    Literal,
    Name,
    Node,
    Unary,
    names,
)
from magicert.problem import InputError, Problem, Span, listed

# The lexer of the formula language. What the language lacks is named, not just refused.

MAX_LENGTH = 65_536
"""Longest formula, in characters."""

LONGEST_NUMBER = {64: 100, 128: 300, 256: 600}
"""Longest number, in characters, for each width of words."""

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>[0-9][0-9A-Za-z_.]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<refused>\*\*|//|>>>|<=|>=|==|!=|&&|\|\||:=|<(?!<)|>(?!>)|[=!/%.?:;@\[\]{}\"'`$\\])"
    r"|(?P<operator><<|>>|[-+*&|^~(),])"
    r"|(?P<unknown>.)",
    re.DOTALL,
)

_WHY = {
    "**": "no power operator",
    "/": "no division",
    "//": "no division",
    "%": "no remainder; use '& (2^k - 1)', written out",
    ".": "no attribute access",
    "[": "no subscripts: a parameter stands for its value on the square in question",
    "]": "no subscripts: a parameter stands for its value on the square in question",
    ">>>": "'>>' is already unsigned",
    "=": "no assignment",
    ":=": "no assignment",
    "&&": "no logical operators; use '&'",
    "||": "no logical operators; use '|'",
    "!": "no logical operators; use '~'",
    **dict.fromkeys(("<", ">", "<=", ">=", "==", "!="), "no comparisons"),
    **dict.fromkeys(('"', "'", "`"), "no strings"),
}

_NUMBER = re.compile(
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0|[1-9](?:_?[0-9])*"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token: `kind` is "number", "name", "operator" or "end"."""

    kind: str
    text: str
    span: Span
    value: int = 0


def tokenize(text: str, problems: list[Problem], word: int = 64) -> list[Token]:
    """The tokens of a formula, ending with an "end" token; what is refused goes to `problems`.

    Numbers have at most `word` bits.
    """
    if len(text) > MAX_LENGTH:
        problems.append(
            Problem(f"formula of {len(text):,} characters: expected at most {MAX_LENGTH:,}")
        )
        text = ""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, symbol = str(match.lastgroup), match.group()
        span = Span(*match.span())
        if kind == "space":
            continue
        if kind == "number":
            tokens.append(_number(text, symbol, span, problems, word))
            continue
        if kind in ("refused", "unknown"):
            why = _WHY.get(symbol, "not part of the formula language")
            problems.append(Problem(f"{symbol!r}: {why}", text=text, span=span))
            continue
        tokens.append(Token(kind, symbol, span))
    tokens.append(Token("end", "", Span(len(text), len(text) + 1)))
    return tokens


def _number(text: str, digits: str, span: Span, problems: list[Problem], word: int) -> Token:
    value = 0
    if not _NUMBER.fullmatch(digits):
        expected = "expected decimal, 0x, 0o or 0b digits, no suffix, no leading 0"
        problems.append(Problem(f"number {digits[:40]!r}: {expected}", text=text, span=span))
    elif len(digits) > LONGEST_NUMBER[word] or (value := int(digits, 0)) >> word:
        problems.append(
            Problem(f"number {digits[:40]}: expected less than 2^{word}", text=text, span=span)
        )
        value = 0
    return Token("number", digits, span, value)


MAX_DEPTH = 40
"""Deepest nesting of a formula, so that no interpreter's recursion can run away."""

OPEN = 0
"""The width of a tree that has none of its own yet."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula: its text, its tree and the names that it uses.

    `word` is the width of an occupancy, in bits.
    """

    text: str
    tree: Node
    names: frozenset[str]
    word: int = 64

    def __str__(self) -> str:
        return self.text


def parse(text: str, defined: Collection[str] | None = None, word: int = 64) -> Formula:
    """Parse a formula of words of 64, 128 or 256 bits; `defined` are the names that it may use
    (None: any).

    Raises InputError with every problem, the offending text underlined.
    """
    problems: list[Problem] = []
    parser = _Parser(text, tokenize(text, problems, word), defined, problems, word)
    tree: Node | None = None
    try:
        # After a refused character the structure is guesswork: report names, not structure.
        tree = parser.whole()
    except _SyntaxFoundError as failure:
        if not problems:
            problems.append(failure.problem)
    parser.check_names()
    if problems or tree is None:
        raise InputError(sorted(problems, key=lambda p: p.span.start if p.span else -1))
    return Formula(text, tree, names(tree), word)


class _SyntaxFoundError(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


class _Parser:
    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        defined: Collection[str] | None,
        problems: list[Problem],
        word: int,
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.defined = defined
        self.problems = problems
        self.word = word
        # In 64-bit words every name and literal is one, wherever it stands.
        self.unfitted = 64 if word == 64 else OPEN
        self.place = 0
        self.nesting = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def whole(self) -> Node:
        tree = self.binary(1)
        if self.token.kind != "end":
            self.fail(f"{self.token.text!r}: expected an operator or the end of the formula")
        return self.fitted(tree, self.word)

    def binary(self, level: int) -> Node:
        left = self.unary()
        while self.level_here() >= level:
            operator = self.take().text
            right = self.binary(OPERATORS[operator].level + 1)
            left = self.joined(left, operator, right)
        return left

    def joined(self, left: Node, operator: str, right: Node) -> Node:
        """An operator between its operands, and the widths that they take from each other."""
        if operator in SHIFTS:
            width, right = left.width, self.fitted(right, 64)
        else:
            width = max(left.width, right.width)
            if width != OPEN:
                common_width = max(width, 64)
                left, right = self.fitted(left, common_width), self.fitted(right, common_width)
                width = max(left.width, right.width)
        span = Span(left.span.start, right.span.end)
        return Binary(operator, left, right, span, width, self.depth(left, right))

    def fitted(self, node: Node, width: int) -> Node:
        """The node; if it is of parameters and literals only, they get this width."""
        if node.width != OPEN:
            return node
        match node:
            case Literal():
                if node.value >> width:
                    self.problem(f"number {node.value}: expected less than 2^{width}", node.span)
                return replace(node, width=width)
            case Unary():
                return replace(node, operand=self.fitted(node.operand, width), width=width)
            case Binary():
                left, right = self.fitted(node.left, width), self.fitted(node.right, width)
                return replace(node, left=left, right=right, width=width)
            case _:
                return replace(node, width=width)

    def level_here(self) -> int:
        """How tightly the binary operator that comes next binds; 0 where none comes."""
        operator = OPERATORS.get(self.token.text)
        return operator.level if operator else 0

    def unary(self) -> Node:
        token = self.token
        if token.text in SIGNS:
            self.take()
            self.enter(token)
            operand = self.unary()
            self.nesting -= 1
            span = Span(token.span.start, operand.span.end)
            return Unary(token.text, operand, span, operand.width, self.depth(operand))
        return self.primary()

    def primary(self) -> Node:
        token = self.token
        if token.kind == "number":
            self.take()
            return Literal(token.value, token.span, self.unfitted)
        if token.kind == "name":
            self.take()
            if self.token.text == "(":
                return self.call(token)
            whole = token.text in WHOLE_BOARD
            return Name(token.text, token.span, self.word if whole else self.unfitted)
        if token.text != "(":
            actual = repr(token.text) if token.kind != "end" else "the end of the formula"
            self.fail(f"{actual}: expected a number, a name, a function or '('")
        self.take()
        self.enter(token)
        inner = self.binary(1)
        self.nesting -= 1
        self.expect(")", "an operator or ')'")
        return inner

    def call(self, name: Token) -> Node:
        self.enter(self.take())
        arguments: list[Node] = []
        if self.token.text != ")":
            arguments.append(self.binary(1))
            while self.token.text == ",":
                self.take()
                arguments.append(self.binary(1))
        self.nesting -= 1
        end = self.token.span.end
        self.expect(")", "',' or ')'")
        span = Span(name.span.start, end)
        function = FUNCTIONS.get(name.text)
        if function is None:
            # check_names reports it; the tree is thrown away.
            return Literal(0, span, self.word)
        if len(arguments) != function.arity:
            self.problem(
                f"{name.text} with {len(arguments)} arguments: expected {function.arity}", span
            )
        # The first argument is the word; the second one an amount.
        widths = (self.word, *[64] * len(arguments))
        fitted = tuple(map(self.fitted, arguments, widths))
        called = function.same_as or name.text
        return Call(called, fitted, span, function.width, self.depth(*arguments))

    def check_names(self) -> None:
        """Report every unknown name and function, wherever the structure broke."""
        for token, following in zip(self.tokens, self.tokens[1:], strict=False):
            if token.kind != "name":
                continue
            if following.text == "(":
                if token.text not in FUNCTIONS:
                    known = listed(FUNCTIONS)
                    self.problem(
                        f"unknown function {token.text!r}: expected one of {known}", token.span
                    )
            elif token.text in FUNCTIONS:
                self.problem(f"function {token.text!r} without its arguments", token.span)
            elif self.defined is not None and token.text not in self.defined:
                known = listed(sorted(self.defined))
                self.problem(f"unknown name {token.text!r}: expected one of {known}", token.span)

    def take(self) -> Token:
        token = self.token
        self.place += 1
        return token

    def expect(self, text: str, expected: str) -> None:
        if self.token.text != text:
            actual = repr(self.token.text) if self.token.kind != "end" else "the end of the formula"
            self.fail(f"{actual}: expected {expected}")
        self.take()

    def enter(self, token: Token) -> None:
        self.nesting += 1
        if self.nesting > MAX_DEPTH:
            self.fail(f"nested deeper than {MAX_DEPTH}", token.span)

    def depth(self, *operands: Node) -> int:
        depth = 1 + max((operand.depth for operand in operands), default=0)
        if depth > MAX_DEPTH:
            self.fail(f"more than {MAX_DEPTH} operations deep", operands[-1].span)
        return depth

    def problem(self, message: str, span: Span) -> None:
        self.problems.append(Problem(message, text=self.text, span=span))

    def fail(self, message: str, span: Span | None = None) -> NoReturn:
        raise _SyntaxFoundError(Problem(message, text=self.text, span=span or self.token.span))
