"""The plain reading of a formula, by Python integers: one occupancy at a time.

This is the slow and obvious interpreter. Every counterexample is confirmed by it
before it is shown, and the other interpreters are tested against it.
"""

from collections.abc import Mapping

from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem


def evaluate(node: Node, values: Mapping[str, int], text: str = "") -> int:
    """The value of a formula's tree, an unsigned word of `node.width` bits.

    `values` gives each name its 64-bit value. Raises InputError where a shift is by
    the word's width or more.
    """
    match node:
        case Literal():
            return node.value
        case Name():
            return values[node.name]
        case Unary():
            operand = evaluate(node.operand, values, text)
            return _wrap(~operand if node.operator == "~" else -operand, node.width)
        case Binary():
            left = evaluate(node.left, values, text)
            right = evaluate(node.right, values, text)
            if node.operator in ("<<", ">>") and right >= node.width:
                raise InputError([shift_problem(node, right, text)])
            return _wrap(_binary(node.operator, left, right), node.width)
        case Call():
            arguments = [evaluate(argument, values, text) for argument in node.arguments]
            return _call(node, arguments)


def shift_problem(node: Binary, amount: int, text: str) -> Problem:
    """The problem of a shift by `amount`, underlined at the amount."""
    return Problem(
        f"shift by {amount}: expected less than the word's width, {node.width}",
        text=text,
        span=node.right.span,
    )


def _wrap(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def _binary(operator: str, left: int, right: int) -> int:
    match operator:
        case "*":
            return left * right
        case "+":
            return left + right
        case "-":
            return left - right
        case "<<":
            return left << right
        case ">>":
            return left >> right
        case "&":
            return left & right
        case "^":
            return left ^ right
        case "|":
            return left | right
    raise AssertionError(operator)


def _call(node: Call, arguments: list[int]) -> int:
    x = arguments[0]
    match node.function:
        case "u32" | "lo32":
            return _wrap(x, 32)
        case "hi32":
            return x >> 32
        case "rol32":
            return _rotate(_wrap(x, 32), arguments[1] % 32, 32)
        case "rol64":
            return _rotate(x, arguments[1] % 64, 64)
        case "bswap64":
            return int.from_bytes(x.to_bytes(8, "little"), "big")
        case "popcount":
            return x.bit_count()
        case "ctz":
            return (x & -x).bit_length() - 1 if x else node.arguments[0].width
    raise AssertionError(node.function)


def _rotate(x: int, r: int, width: int) -> int:
    return _wrap(x << r | x >> (width - r), width)
