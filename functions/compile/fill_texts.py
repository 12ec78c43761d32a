"""What a project's text says of its functions, as far as `fills` needs it: what each writes, what
it calls, and how these calls read. Each language's reader makes these of its syntax trees.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Call:
    """A call in a function's body; or, with `object`, one of a method of what is called so."""

    name: str
    text: str
    is_constant: bool
    """Whether it names nothing of the function's own."""
    place: int
    """Where it stands in the file."""
    object: str = ""
    owner: str = ""
    """The namespaces, type or module that the call names."""
    arguments: tuple[str, ...] = ()
    """As far as they are constant, or addresses of variables, as `&T`; "" where they are not."""
    uses: frozenset[str] = frozenset()
    """The names in it, but for what it calls, as far as they may be an object's."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One that a function takes: whether it is a copy, as far as its declaration says so, and
    whether nothing can be written by it.
    """

    name: str
    is_copy: bool = False
    is_constant: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """A variable that a function gives to what it calls, by the place of the argument: whether that
    writes to it, its own text says. Without a place it is the object whose method is called.
    """

    name: str
    called: str
    place: int | None
    sureness: int
    is_part: bool = False
    """Whether it is an item or a member, of which a parameter may be a copy."""


@dataclass(slots=True)
class FunctionText:
    """A function that a file defines. `writes` has the names that it writes, each with how surely:
    0 in its own words, 1 by an address or a method, 2 by what it calls, 3 by a pointer that it has.
    """

    name: str
    file: Path
    wants: int = 0
    is_public: bool = True
    is_constructor: bool = False
    """Whether it makes an object of a class, whose name it has."""
    is_template: bool = False
    """Whether a call has to say of what, unless what it is given tells."""
    switches: frozenset[int] = frozenset()
    """Which of what it wants is no more than yes or no."""
    own_names: set[str] = field(default_factory=set)
    parameters: tuple[Parameter, ...] = ()
    own_writes: set[str] = field(default_factory=set)
    """Its own names that it writes, or writes by."""
    gives: list[Given] = field(default_factory=list)
    writes: dict[str, int] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """What it names, by its last name, each as it is written."""

    @property
    def last(self) -> str:
        """Its name without namespaces."""
        return self.name.rpartition("::")[2]


SURENESSES = 4
"""How surely a function writes to a variable: the first is by its own words."""


@dataclass(frozen=True, slots=True)
class Member:
    """A method that a class or type has, or a variable, by its name with that; one that is no
    static one is an object's.
    """

    name: str
    is_static: bool = False
    is_public: bool = True
    is_method: bool = True
    is_constant: bool = False
    """Whether it is a method that writes nothing in its object."""


class Reader(Protocol):
    """How a language's sources are read, and how a question about one of them calls a function."""

    @property
    def files(self) -> Iterator[Path]:
        """The sources of the project."""

    def read(self, text: bytes, path: Path) -> "tuple[list[FunctionText], list[Member]]":
        """The functions of a file, and the members of its types."""

    @property
    def is_whole(self) -> bool:
        """Whether all that fills tables is in these files, and no program wrote some of them."""

    def made_at_first_use(self, variable: str, *, as_written: bool = False) -> str:
        """The call that makes a variable which is made at its first use; "" of any other. Its name
        is of the project, or as the source writes it.
        """

    def call_of(self, function: FunctionText, call: Call | None) -> str:
        """How the question's source calls a function as that call does, or with nothing; "" where
        it cannot.
        """


Written = Callable[[str, int], None]
"""Notes a variable that is written, and how surely."""
