"""How a function is called: which parameters take the square and the occupied squares."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import (
    Array,
    Integer,
    Other,
    PointerType,
    Struct,
    Type,
    Vector,
)
from magicert.functions.llvm.mangled_names import plain_name
from magicert.problem import InputError, Problem

BY_VALUE = "magicert.value."
"""Functions called so take values, and call another one that takes or gives them in memory."""


@dataclass(frozen=True, slots=True)
class OtherShape(Problem):
    """A function takes or gives something else than it must: a call may say what."""


@dataclass(frozen=True, slots=True)
class CallShape:
    """How a function takes its arguments and gives its result.

    `words` are those of its parameters that hold bitboards, by their places; `square` is the place
    of the square's number, None where there is none. `pairs`: a bitboard of 128 bits comes as two
    parameters. `result` is where the attack set is: returned, or written through the first pointer.
    """

    square: int | None
    boards: tuple[tuple[int, ...], ...]
    result: Type
    through: bool
    could_swap: bool = False
    """The first argument's type could be the second one's: they were taken in this order."""
    is_word: bool = False
    """Whether the square's number is as long as a bitboard: it may be a set of one square."""
    target: int | None = None
    """Where the second one of two squares is, of which `target_bits` say the number."""
    target_bits: int = 0

    @property
    def open_arguments(self) -> int:
        """How many arguments stay open when the square is put in."""
        return 1 if self.target is not None else len(self.boards)

    def order(self, names: Sequence[str]) -> tuple[str, ...]:
        """What it takes, in its own order: `names` are those of bitboards, or of a second square.
        () where a bitboard comes as two parameters.
        """
        places = {} if self.square is None else {self.square: "square"}
        if self.target is not None:
            return tuple(name for _, name in sorted({**places, self.target: names[0]}.items()))
        if any(len(words) > 1 for words in self.boards):
            return ()
        places |= {words[0]: name for words, name in zip(self.boards, names, strict=False)}
        return tuple(name for _, name in sorted(places.items()))

    def swapped(self) -> "CallShape":
        """The same where the first two arguments are in each other's place."""
        first, *others = self.boards
        if self.square is None:
            return replace(self, boards=(*others, first))
        return replace(self, square=first[0], boards=((self.square,), *others))


def shape_of(
    module: Module, symbol: str, boards: int, word: int, with_square: bool, *, result: int,
    may_lack: bool = False, target_bits: int = 0,
) -> CallShape:  # fmt: skip
    """How a function of (square, bitboards...) of so many bits is called. `result` is how many bits
    it gives, 0 for any number. It `may_lack` the occupancy where that does not matter. With
    `target_bits` it is one of two squares.

    Raises InputError, with its signature, where it is no such function.
    """
    returns, parameters = module.signature(symbol)
    places = list(range(len(parameters)))
    through = bool(parameters) and "sret(" in parameters[0][2]
    returned_type = returns
    if through:
        places = places[1:]
        returned_type = module.tokens(parameters[0][2].partition("sret(")[2]).type()
    kinds = {place: held_type(module, parameters[place]) for place in places}
    expected = f"({'square, ' if with_square else ''}{', '.join(['bitboard'] * boards)})"
    example, most = "attacks(ROOK, square, occupied)", boards + with_square
    if target_bits:
        expected, example, most = "(square, square)", "between(square, target)", 2
    signature = f"({', '.join(map(type_text, kinds.values()))}) -> {type_text(returned_type)}"
    message = f"found {signature}: expected {expected} -> {'bitboard' if result else 'index'}"
    message += f", with words of {word} bits; name the call, as in {example}"
    if len(parameters) > most:
        message += ", with its object or what else it takes"
    problem = InputError([OtherShape(message, key=plain_name(symbol))])
    if not bits(returned_type) or (result and bits(returned_type) != result):
        raise problem
    if target_bits:
        if len(places) != 2 or any(not target_bits <= width_of(kinds[n]) <= 64 for n in places):
            raise problem
        return CallShape(
            places[0], (), returned_type, through, target=places[1], target_bits=target_bits
        )
    square, small = None, []
    if with_square:
        numbers = [n for n, kind in kinds.items() if isinstance(kind, Integer) and kind.width <= 64]
        small = [n for n in numbers if bits(kinds[n]) < 64]
        if not numbers or len(small) > 1:
            raise problem
        # (occupancy, square) is as good where the types tell them apart.
        square = small[0] if small else numbers[0]
        places.remove(square)
    board_places: list[tuple[int, ...]] = []
    while places:
        first, *rest = places
        if bits(kinds[first]) == word:
            board_places.append((first,))
            places = rest
        elif word == 128 and rest and bits(kinds[first]) == bits(kinds[rest[0]]) == 64:
            board_places.append((first, rest[0]))
            places = rest[1:]
        else:
            raise problem
    if len(board_places) not in {boards, 1 - with_square if may_lack else boards}:
        raise problem
    alike = (
        not small and len(board_places) == boards and isinstance(kinds[board_places[0][0]], Integer)
    )
    is_word = square is not None and bits(kinds[square]) == word
    return CallShape(square, tuple(board_places), returned_type, through, alike, is_word)


def width_of(kind: Type) -> int:
    """The bits of a plain number; 0 for everything else."""
    return kind.width if isinstance(kind, Integer) else 0


def held_type(module: Module, parameter: tuple[Type, str, str]) -> Type:
    """The type of a parameter, of what a reference refers to, or of a copy that is made of it; of
    an array of one number, as ARM has small structs, that number's.
    """
    kind, _, text = parameter
    if isinstance(kind, Array) and kind.count == 1:
        return kind.item
    if copied := _copied(text):
        return Integer(8 * module.layout.size(module.tokens(copied).type()))
    size = re.search(r"\bdereferenceable\((\d+)\)", text)
    return Integer(8 * int(size[1])) if isinstance(kind, PointerType) and size else kind


def _copied(text: str) -> str:
    """The type of a parameter of which the caller makes a copy, as of structs on i386, or ""."""
    match = re.search(r"\bbyval\(([^()]*)\)", text)
    return match[1] if match else ""


def given_in(room: str, size: int, text: str) -> str:
    """So many bytes that lie in a variable, given as the parameter with that text takes them."""
    stated = re.search(r"\balign (\d+)", text)
    # The type's name may be another one where the module is read again.
    copied = f"byval([{size} x i8]) align {stated[1] if stated else 1} "
    return f"ptr {copied if _copied(text) else ''}{room}"


def bits(kind: Type) -> int:
    """The bits of a number, a vector or a struct of them; 0 for everything else."""
    match kind:
        case Integer(width):
            return width
        case Struct(items) if items and all(bits(item) for item in items):
            return sum(map(bits, items))
        case Vector(count, item) | Array(count, item):
            return count * bits(item)
    return 0


def type_text(kind: Type) -> str:
    """A type as LLVM writes it."""
    match kind:
        case Integer(width):
            return f"i{width}" if width <= 512 else f"a reference to {width // 8:,} bytes"
        case PointerType():
            return "ptr"
        case Vector(count, item):
            return f"<{count} x {type_text(item)}>"
        case Array(count, item):
            return f"[{count} x {type_text(item)}]"
        case Struct(items):
            return "{" + ", ".join(map(type_text, items)) + "}"
        case Other(name):
            return name
