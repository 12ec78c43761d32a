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
    """The namespaces, or the module, that the call names."""
    arguments: tuple[str, ...] = ()
    """As far as they are constant, or addresses of variables, as `&T`; "" where they are not."""


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
    switches: frozenset[int] = frozenset()
    """Which of what it wants is no more than yes or no."""
    own_names: set[str] = field(default_factory=set)
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
class Method:
    """A method that a class or type has, by its name with that; one that is no static one is called
    of an object.
    """

    name: str
    is_static: bool = False
    is_public: bool = True


class Reader(Protocol):
    """How a language's sources are read, and how a question about one of them calls a function."""

    @property
    def files(self) -> Iterator[Path]:
        """The sources of the project."""

    def read(self, text: bytes, path: Path) -> "tuple[list[FunctionText], list[Method]]":
        """The functions of a file, and its methods."""

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
