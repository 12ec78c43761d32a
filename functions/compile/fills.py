"""Which calls fill the tables of a project, as far as its text tells: a guess, for advice alone, by
a grammar and without a compiler.

    extern U64 rook_masks[64];     rook_masks is written in init_masks(int), which init_all() calls

The call that is nearest to the table is named: of a function that takes nothing (init_all()), of
one that is called with constants alone (init_masks(0)), of a method of a global object, or of one
that is given the table's address.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from magicert.functions.compile.fill_texts import SURENESSES, Call, FunctionText, Method, Reader
from magicert.functions.compile.fills_c import ReaderOfC
from magicert.functions.compile.fills_rust import ReaderOfRust
from magicert.functions.compile.fills_zig import ReaderOfZig
from magicert.functions.compile.front import language_of
from magicert.system.deadline import FOREVER, Deadline

MOST_FILES = 600
"""Files of a project that are looked through."""
FARTHEST = 4
"""Calls between the function that is named and the one that writes."""
MOST_CALLS = 4
"""Calls of one function with constants that are named one after another."""
_FILLS = re.compile(
    r"init|fill|gen|make|build|create|compute|calc|setup|set_up|start|load|prep", re.I
)
"""What a function is called that fills tables."""
_LOOPS = re.compile(r"main|loop|bench|perft|test|search|uci|think|play|input", re.I)
"""What one is called that does far more than that."""


def _reader_of(source: Path, *, alone: bool) -> Reader:
    match language_of(source):
        case "rust":
            return ReaderOfRust(source, alone)
        case "zig":
            return ReaderOfZig(source)
    return ReaderOfC(source)


@dataclass(frozen=True, slots=True)
class Fill:
    """A call that fills tables, and the file that defines what it calls."""

    call: str
    file: Path
    makes_object: bool = False
    """Whether it calls a constructor, which is no function that has a name."""
    is_there: bool = False
    """Whether the sources are known to define what it calls."""

    @property
    def is_named_so(self) -> bool:
        """Whether its name says that it fills something."""
        return _FILLS.search(_called_name(self.call)) is not None


class Project:
    """The sources of a project, of which those that name something are read; where a source is
    compiled `alone`, no other module is there. What reads them raises BudgetOverError at the
    deadline.
    """

    def __init__(self, source: Path, deadline: Deadline = FOREVER, *, alone: bool = False) -> None:
        self._deadline = deadline
        self._source = source.absolute()
        self._reader = _reader_of(source, alone=alone)
        self._texts: dict[Path, bytes] = {}
        for path in islice(self._reader.files, MOST_FILES):
            with suppress(OSError):
                self._texts[path] = path.read_bytes()
        self._read: set[Path] = set()
        self._functions: list[FunctionText] = []
        self._methods: dict[str, Method] = {}

    def _functions_naming(self, name: str) -> list[FunctionText]:
        """The functions of all files in which a name stands, and of those read before."""
        word = name.encode()
        for path, text in self._texts.items():
            if path not in self._read and word in text:
                self._deadline.check()
                self._read.add(path)
                functions, methods = self._reader.read(text, path)
                self._functions += functions
                self._methods |= {method.name: method for method in methods}
        return self._functions

    def fills_of(self, variable: str) -> list[Fill]:
        """The calls that fill a variable, one after another; none where nothing tells."""
        last = variable.rpartition("::")[2]
        if lazily := self._reader.made_at_first_use(variable):
            return [Fill(lazily, Path())]
        functions = self._functions_naming(last)
        methods = [
            Fill(call.text, one.file)
            for one in functions
            for call in one.calls
            if call.object == last and call.is_constant and _FILLS.search(call.name)
        ]
        if methods:
            return methods[:1]
        scope, less_likely = variable.rpartition("::")[0], list[Fill]()
        for sureness in range(SURENESSES):
            writers = [one for one in functions if one.writes.get(last) == sureness]
            inside = [one for one in writers if scope and f"::{one.name}".find(f"{scope}::") >= 0]
            ways = [way for one in inside or writers if (way := self._way_to(one))]
            best = min(ways, key=_cost, default=[])
            if best and all(one.is_named_so for one in best):
                return best
            less_likely = less_likely or best
        return less_likely or min(self._given_its_address(last), key=_cost, default=[])

    def fills_for(self, function: str) -> list[Fill]:
        """The calls that fill what a function of the source names, and what it calls there: where
        nothing can be compiled.
        """
        last = re.split(r"::|\.", function)[-1]
        here = [one for one in self._functions_naming(last) if one.file == self._source]
        named = [one for one in here if one.last == last]
        called = {call.name for one in named for call in one.calls}
        named += [one for one in here if one.last in called and one not in named]
        written = {
            last: text for one in named for last, text in one.names.items()
            if last not in one.own_names
        }  # fmt: skip
        calls = (self._reader.made_at_first_use(text, as_written=True) for text in written.values())
        lazily = [Fill(call, Path()) for call in calls if call]
        if lazily or not self._reader.is_whole:
            return lazily
        found = dict.fromkeys(fill for name in written for fill in self.fills_of(name))
        return self.in_order([fill for fill in found if fill.is_named_so])

    def _given_its_address(self, variable: str) -> list[list[Fill]]:
        """Calls that are given the address of a variable, and else constants: each a way to fill it
        by its own. What is no more than yes or no is no.
        """
        ways = list[list[Fill]]()
        calls = [
            call for one in self._functions for call in one.calls
            if {f"&{variable}", f"&mut {variable}"} & {*call.arguments} and _FILLS.search(call.name)
        ]  # fmt: skip
        for call in calls:
            for one in self._functions_naming(call.name):
                if one.last != call.name or one.wants != len(call.arguments):
                    continue
                given = [
                    text or "false" * (place in one.switches)
                    for place, text in enumerate(call.arguments)
                ]
                text = f"{call.name}({', '.join(given)})"
                constant = replace(call, text=text, arguments=tuple(given))
                whole = self._reader.call_of(one, constant) if all(given) else ""
                ways += [[Fill(whole, one.file)]] if whole else []
        return ways

    def in_order(self, fills: Collection[Fill]) -> list[Fill]:
        """Calls in the order in which a function of the project has the most of them."""
        names = {fill: _called_name(fill.call) for fill in fills}
        best = dict[str, int]()
        for one in self._functions if len(names) > 1 else ():
            places = {call.name: call.place for call in reversed(one.calls)}
            of_these = {name: places[name] for name in names.values() if name in places}
            best = of_these if len(of_these) > len(best) else best
        return sorted(fills, key=lambda fill: best.get(names[fill], -1))

    def _way_to(self, function: FunctionText) -> list[Fill]:
        """The calls that lead to a function, the nearest ones."""
        waiting, seen = [function], {function.name}
        constant, private = list[Fill](), list[Fill]()
        for distance in range(FARTHEST):
            callers = list[FunctionText]()
            for one in waiting:
                if one.is_constructor:
                    if not one.wants:
                        made = one.name.rpartition("::")[0]
                        return [Fill(f"{made}()", one.file, makes_object=True)]
                    continue
                of_name = self._functions_naming(one.last)  # and what its class says of it
                is_private = one.name in self._methods and not self._methods[one.name].is_public
                alone = "" if self._wants_object(one) else self._reader.call_of(one, None)
                if not one.wants and one.last != "main" and alone:
                    call = Fill(alone, one.file)
                    if is_private:
                        private = private or [call]  # which a flag would allow to call
                    elif not _LOOPS.search(one.last) or not constant:
                        return [call]
                    else:
                        continue
                calls = [(who, c) for who in of_name for c in who.calls if _may_call(c, one)]
                if not constant and not (is_private and private):
                    constant += self._constant_calls(one, [call for _, call in calls])
                if constant and not distance and _FILLS.search(one.last):
                    return constant
                callers += [who for who, _ in calls if who.name not in seen]
                seen |= {who.name for who in callers}
            waiting = sorted(callers, key=lambda who: not _FILLS.search(who.last))
        return constant or private

    def _constant_calls(self, function: FunctionText, calls: Collection[Call]) -> list[Fill]:
        """Calls of a function with constants alone, each text once."""
        fixed, constant = dict[str, Call](), list[Fill]()
        for call in calls:
            if call.is_constant:
                fixed.setdefault(call.text, call)
        for text, call in islice(fixed.items(), MOST_CALLS):
            whole = self._reader.call_of(function, call)
            of_object = "." in text.partition("(")[0]
            if whole and (of_object or not self._wants_object(function)):
                constant.append(Fill(whole, function.file))
        return constant

    def _wants_object(self, function: FunctionText) -> bool:
        """Whether it is a method that is no static one."""
        method = self._methods.get(function.name)
        return method is not None and not method.is_static


def _may_call(call: Call, function: FunctionText) -> bool:
    """Whether a call may be of that function: by its last name, and by its type or module where the
    call names one.
    """
    if call.name != function.last:
        return False
    owner = call.owner.rpartition("::")[2]
    return owner in {"", "Self", "self", "super", "crate", *function.name.split("::")[:-1]}


def _called_name(call: str) -> str:
    """The last name of what a call calls."""
    return re.split(r"::|\.", call.partition("(")[0])[-1]


def _cost(way: list[Fill]) -> tuple[bool, int]:
    """Which of several ways is named: what is called as one that fills, then the shortest."""
    return not all(one.is_named_so for one in way), len(way)
