"""What a certificate takes for granted that no look at these modules can tell. Each is looked for
in them: where there is nothing of the kind, nothing is assumed.

    set, which may write to T, does not run after init()
    init() runs once: a second run changes T
    fill, which may write to T, does not run after set, which may write to V, which it reads
    getenv, which init() calls, gives there what it gave here
    the static initialisers of a.cpp run before those of b.cpp: both use E
    no other file defines rook, which is a weak symbol
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.metadata import SourceLine
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.functions.llvm.stores import Stores
from magicert.functions.llvm.symbol_names import whole_name

WORLD = tomllib.loads(Path(__file__).with_name("world.toml").read_text("utf-8"))
NAMES, NAMESPACES = frozenset(WORLD["names"]), tuple(WORLD["namespaces"])
"""Functions and variables that say what is another thing elsewhere, or at another time."""
INSTRUCTIONS = frozenset(WORLD["instructions"])
"""The same in assembly."""


@dataclass(frozen=True)
class Beginning:
    """A module, and what runs in it before a function is called: inits, by their symbols, and the
    static initialisers; and what all of these are called.
    """

    module: Module
    inits: frozenset[str]
    name: str

    @cached_property
    def roots(self) -> set[str]:
        return {*self.module.initialisers, *self.inits}

    @cached_property
    def reached(self) -> set[str]:
        """All that runs then, or may: also what a table of functions names."""
        reached = set[str]().union(*map(self.module.reached, self.roots))
        waiting = [*reached & self.module.globals.keys()]
        while waiting:
            initial = self.module.globals[waiting.pop()].initial
            named = {unquoted(name) for name in re.findall(rf"@({NAME})", initial)}
            new = set[str]().union(*map(self.module.reached, named)) - reached
            reached |= new
            waiting += new & self.module.globals.keys()
        return reached

    def assumptions(self, tables: Set[str]) -> Iterator[str]:
        """What is assumed of these tables, by the names of variables."""
        yield from self._later_writers(tables)
        for asked in self._of_the_world():
            yield f"{asked}, which {self.name} asks, says in the program what it said here"

    def _later_writers(self, tables: Set[str]) -> Iterator[str]:
        """Functions that write to a table, and that the init does not call; or that call what the
        init calls, too, with arguments. One that the init only gives away may be called later. What
        the init calls writes something new, too, once what it reads is changed.
        """
        module, stores = self.module, Stores(self.module, self.roots)
        called = set[str]().union(*(module.reached(root, calls=True) for root in self.roots))
        for symbol, variable in module.globals.items():
            name = module.source_name(symbol)
            if variable.constant or variable.external or not {name, symbol} & tables:
                continue
            for writer, place in stores.to_variable(symbol):
                which = f"{_shown(writer, place)}, which may write to {name},"
                if writer not in called:
                    yield f"{which} does not run after {self.name}"
                    continue
                callers = sorted(
                    other for other in module.bodies.keys() - called
                    if writer in module.named_in(other)
                )  # fmt: skip
                if writer not in self.roots and module.signature(writer)[1]:
                    for caller in callers:
                        again = f"{_shown(caller)}, which calls {which}"
                        yield f"{again} does not run after {self.name}"
                elif callers or writer in self.inits:
                    for changer in self._changers(stores, writer, called, tables):
                        yield f"{which} does not run after {changer}, which it reads"

    def _changers(
        self, stores: Stores, writer: str, called: Set[str], tables: Set[str]
    ) -> Iterator[str]:
        """Functions that the init does not call, and that write to another variable, which this
        function reads.
        """
        module = self.module
        for symbol in sorted(module.reached(writer) & module.globals.keys()):
            variable, name = module.globals[symbol], module.source_name(symbol)
            if variable.constant or variable.external or {name, symbol} & tables:
                continue
            for changer, place in stores.to_variable(symbol):
                if changer not in called:
                    yield f"{_shown(changer, place)}, which may write to {name}"

    def _of_the_world(self) -> list[str]:
        """What the init asks of that which is another thing elsewhere."""
        module, known = self.module, set[str]()
        for symbol in self.reached:
            known |= set(words_of_assembly(module.bodies.get(symbol, ""))) & INSTRUCTIONS
            name = whole_name(symbol).replace("std::__1::", "std::")
            if symbol not in module.bodies and (name in NAMES or name.startswith(NAMESPACES)):
                known.add(name)
        return sorted(known)


def order_of_sources(linked: Module, sources: Iterable[tuple[str, int]]) -> Iterator[str]:
    """What is assumed of the order of `sources`, each with the number of its static initialisers,
    as they stand in the linked module: where those of two use a variable, it may matter.
    """
    sources, waiting = [*sources], linked.initialisers
    if sum(count for _, count in sources) != len(waiting):
        return
    used = list[tuple[str, set[str]]]()
    for source, count in sources:
        own, waiting = waiting[:count], waiting[count:]
        reached = set[str]().union(*map(linked.reached, own))
        variables = {name for name in reached if _is_of_one_file(linked, name)}
        for first, others in used:
            if both := variables & others:
                yield (
                    f"the static initialisers of {first} run before those of {source}, as these "
                    f"files are given: both use {linked.source_name(min(both))}"
                )
        used.append((source, variables))


def _is_of_one_file(module: Module, name: str) -> bool:
    """Whether it is a variable of one file: of an inline one each file makes the same."""
    variable = module.globals.get(name)
    return variable is not None and not (variable.constant or variable.external or variable.several)


def words_of_assembly(body: str) -> list[str]:
    """The small letters' words of a function's assembly."""
    return re.findall(r"[a-z]+", " ".join(re.findall(r'\basm (?:[a-z]+ )*"([^"]*)"', body)))


def _shown(symbol: str, place: SourceLine | None = None) -> str:
    return f"{whole_name(symbol)} ({place})" if place and place.line else whole_name(symbol)
