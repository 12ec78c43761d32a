"""What a function takes, and what the sources have that a call could give it: objects, constants.
Each language's reader makes these of its syntax trees; nothing here says what a function computes.

    U64 Attacks::rook(int sq, U64 occ) const;    Attacks attacks;        of an object: attacks
    U64 attacks(Piece p, int sq, U64 occ);       enum Piece { ROOK };    with a constant: ROOK
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol


class Kind(Enum):
    """What a parameter is, as far as its type tells."""

    NUMBER = "a number that is shorter than a bitboard"
    WORD = "a number that is as long as a bitboard"
    YES_OR_NO = "a bool"
    CONSTANTS = "one of some names"
    RECORD = "a struct or class"
    UNKNOWN = "of a type that a macro defines, or another crate"
    OTHER = "anything else"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One of what a function takes: its name and type, as the source writes them, and `meant`, the
    type without other names for it, where that is another one.
    """

    name: str
    type: str
    meant: str = ""
    has_default: bool = False

    def __str__(self) -> str:
        return f"{self.type} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Head:
    """A function: its name as a call writes it, what it takes, and the type of whose object it is
    called, as its reader knows it. `of_compiler` is what its instances differ by, as `<ROOK>`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    owner: str = ""
    returns: str = ""
    of_compiler: tuple[Parameter, ...] = ()
    body: str = field(default="", compare=False, repr=False)
    """What it does: as the source writes it, and of C and C++ clang's tree of it."""
    is_macro: bool = False
    """Whether it is a macro of C, which has no types and goes by a call."""

    @property
    def last(self) -> str:
        """Its name without namespaces."""
        return last_name(self.name)

    def __str__(self) -> str:
        before = "#define" if self.is_macro else self.returns
        return f"{before} {self.name}({', '.join(map(str, self.parameters))})".strip()


@dataclass(frozen=True, slots=True)
class Array:
    """A variable or constant that is a table: its name as a call writes it, the type, as the source
    writes it, and how many entries it has, from the first index on: numbers, or the source's words.
    """

    name: str
    type: str
    counts: tuple[str, ...]

    @property
    def last(self) -> str:
        """Its name without namespaces."""
        return last_name(self.name)

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


@dataclass(frozen=True, slots=True)
class Holding:
    """An object as a call gives it, with the occupied squares in one `member`, by its name; of an
    array by that of its index.
    """

    text: str
    member: str


class Reader(Protocol):
    """How a language's sources are read."""

    def functions(self) -> list[Head]:
        """All functions: of Rust and Zig those of the source itself."""

    def arrays(self) -> list[Array]:
        """All tables: of Rust and Zig those of the source itself."""

    def heads(self, name: str) -> list[Head]:
        """The functions with that last name."""

    def kind(self, parameter: Parameter) -> Kind:
        """What a parameter is."""

    def objects(self, owner: str, *, any_will_do: bool) -> list[str]:
        """What a method of that type may be called of, the likeliest first, each with what stands
        before the method: `attacks.`, `table->`. Where the method does not look at it,
        `any_will_do`. One of an array is `table[0]`.
        """

    def makers(self, owner: str) -> list[Head]:
        """What makes an object of that type of one thing."""

    def values(self, parameter: Parameter) -> list[str]:
        """What may be given for a parameter: the objects of its type, or its constants."""

    def constants(self) -> list[str]:
        """The names of all numbers that the sources give one."""

    def numbers(self) -> Mapping[str, int]:
        """The constants of enums with their numbers; of C and C++ alone."""

    def given(self, parameter: Parameter, word: str) -> list[str]:
        """How a square's number, or a bitboard, is given for a parameter: each a way to try."""

    def given_as_set(self, parameter: Parameter, word: str) -> list[str]:
        """How a bitboard is given, or a square as the set of it alone."""

    def holding(self, head: Head, name: str, kind: str) -> list[Holding]:
        """Objects that hold the occupied squares where a function looks for a bitboard in its
        parameter `name` of that type, or in its own object if that is "", and for nothing else.
        """

    def instance(self, name: str, arguments: Sequence[str]) -> str:
        """How a function is named with what its instances differ by."""


def last_name(name: str) -> str:
    """A name without namespaces, whichever language's."""
    return name.replace("::", ".").rpartition(".")[2]
