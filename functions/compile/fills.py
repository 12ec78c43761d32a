"""Which calls fill the tables of a project, as far as its text tells: a guess, for advice alone, by
a grammar and without a compiler.

    extern U64 rook_masks[64];     rook_masks is written in init_masks(int), which init_all() calls

The call that is nearest to the table is named: of a function that takes nothing (init_all()), of
one that is called with constants alone (init_masks(0)), of a method of a global object, or of one
that is given the table's address.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from magicert.functions.compile.compilers import C_LANGUAGES, CompileOptions, language_of
from magicert.functions.compile.fill_texts import (
    SURENESSES,
    Call,
    FunctionText,
    Given,
    Member,
    Reader,
)
from magicert.functions.compile.fills_c import ReaderOfC
from magicert.functions.compile.fills_rust import ReaderOfRust
from magicert.functions.compile.fills_zig import ReaderOfZig
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
_INITS = re.compile(r"(?:init|setup|build|fill|generate|prepare)(?:[A-Z_]\w*|iali[sz]e\w*)?")
"""What a method is called that does nothing else."""
_LOOPS = re.compile(r"main|loop|bench|perft|test|search|uci|think|play|input", re.I)
"""What one is called that does far more than that."""
_HERE = {"Self", "self", "super", "crate"}
"""What a call names that stands in the same type, or in a module of the same crate."""


def _reader_of(source: Path, how: CompileOptions | None, *, alone: bool) -> Reader:
    match language_of(source):
        case "rust":
            return ReaderOfRust(source, alone)
        case "zig":
            return ReaderOfZig(source)
    return ReaderOfC(source, how)


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
        return _FILLS.search(self.called) is not None

    @property
    def called(self) -> str:
        """The last name of what it calls."""
        return _called_name(self.call)

    def may_call(self, function: FunctionText) -> bool:
        """Whether it may call that function."""
        owner = self.call.partition("(")[0].rpartition("::")[0]
        call = Call(self.called, self.call, is_constant=True, place=0, owner=owner)
        return function.file == self.file and _may_call(call, function)


class Project:
    """The sources of a project, of which those that name something are read; where a source is
    compiled `alone`, no other module is there; `how` C and C++ are compiled says which of several
    texts a file has. What reads them raises BudgetOverError at the deadline.
    """

    def __init__(
        self, source: Path, deadline: Deadline = FOREVER, how: CompileOptions | None = None,
        *, alone: bool = False,
    ) -> None:  # fmt: skip
        self._deadline = deadline
        self._source = source.absolute()
        self._is_of_c = language_of(source) in C_LANGUAGES
        self._reader = _reader_of(source, how, alone=alone)
        self._texts: dict[Path, bytes] = {}
        for path in islice(self._reader.files, MOST_FILES):
            with suppress(OSError):
                self._texts[path] = path.read_bytes()
        self._read: set[Path] = set()
        self._functions: list[FunctionText] = []
        self._by_name: dict[str, list[FunctionText]] = {}
        self._members: dict[str, Member] = {}

    def _functions_naming(self, name: str) -> list[FunctionText]:
        """The functions of all files in which a name stands, and of those read before."""
        word = name.encode()
        for path, text in self._texts.items():
            if path not in self._read and word in text:
                self._deadline.check()
                self._read.add(path)
                functions, members = self._reader.read(text, path)
                self._functions += functions
                for one in functions:
                    self._by_name.setdefault(one.last, []).append(one)
                self._members |= {member.name: member for member in members}
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
            writers = [one for one in functions if self._sureness(one, last) == sureness]
            inside = [one for one in writers if scope and f"::{one.name}".find(f"{scope}::") >= 0]
            ways = [way for one in inside or writers if (way := self._way_to(one))]
            best = min(ways, key=_cost, default=[])
            if best and all(one.is_named_so for one in best):
                return best
            less_likely = less_likely or best
        return less_likely or min(self._given_its_address(last), key=_cost, default=[])

    def filled_by_method(self, fill: Fill) -> list[Fill]:
        """The call of a method that fills the object which a static method gives, as
        `Table::instance().init()`; none where its constructor calls that.
        """
        owner = fill.call.partition("(")[0].rpartition("::")[0]
        if not owner:
            return []
        own = [
            one for one in self._functions_naming(owner.rpartition("::")[2])
            if f"::{one.name}".rpartition("::")[0].endswith(f"::{owner}")
        ]  # fmt: skip
        called = {call.name for one in own if one.is_constructor for call in one.calls}
        return [
            Fill(f"{fill.call}.{one.last}()", one.file)
            for one in own
            if not one.wants and not one.is_constructor and one.last not in called
            and _INITS.fullmatch(one.last) and self._wants_object(one) and not self._is_private(one)
        ][:1]  # fmt: skip

    def makes(self, fill: Fill, variable: str) -> bool:
        """Whether a call, or what it calls, writes to a variable, as far as the text tells."""
        last = variable.rpartition("::")[2]
        self._functions_naming(fill.called)
        self._functions_naming(last)
        return any(self._sureness(one, last) < SURENESSES for one in self._reached(fill))

    def fills_for(self, function: str) -> list[Fill]:
        """The calls that fill what a function of the source names, or those that a call calls, and
        what these call there: where nothing can be compiled.
        """
        lasts = re.findall(r"(\w+)(?:::<[^()]*>)?\(", function) or re.split(r"::|\.", function)[-1:]
        for last in lasts:
            self._functions_naming(last)
        here = [one for one in self._functions if one.file == self._source]
        named = [one for one in here if one.last in lasts]
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
        sure = [fill for fill in found if fill.is_named_so]
        return [
            fill for fill in self.in_order(found)
            if fill in sure or any(self._makes(fill, one) for one in sure)
        ]  # fmt: skip

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
        """Calls in the order in which a function of the project has the most of them; of others
        those first that fill what the next ones read. What one of them calls itself is none.
        """
        left = [*fills]
        reached = {fill: self._reached(fill) for fill in fills} if len(left) > 1 else {}
        for fill in reached:
            if any(self._makes(other, fill) for other in left if other != fill):
                left.remove(fill)
        best = dict[Fill, int]()
        for one in self._functions if len(left) > 1 else ():
            places = self._made_in(one, left)
            best = places if len(places) > len(best) else best
        left.sort(key=lambda fill: best.get(fill, -1))
        in_doubt = 1 < len(left) > len(best)
        return [*self._by_what_they_read(left, best, reached)] if in_doubt else left

    def _by_what_they_read(
        self,
        fills: Collection[Fill],
        known: Collection[Fill],
        reached: Mapping[Fill, Collection[FunctionText]],
    ) -> Iterable[Fill]:
        """Calls, each behind those that fill what it reads, but for those whose order is known."""
        about = {fill: self._written_and_read(reached[fill]) for fill in fills}

        def is_before(first: Fill, second: Fill) -> bool:
            (writes, _), (own, reads) = about[first], about[second]
            return not {first, second} <= {*known} and bool(writes & reads - own)

        left = [*fills]
        while left:
            begins = (
                one for one in left
                if not any(is_before(other, one) for other in left if other != one)
            )  # fmt: skip
            left.remove(first := next(begins, left[0]))
            yield first

    def _written_and_read(self, functions: Iterable[FunctionText]) -> tuple[set[str], set[str]]:
        """The names that functions write, and all that they name, but for their own."""
        writes, names = set[str](), set[str]()
        for one in functions:
            given = {more.name for more in one.gives if self._may_write(more)}
            writes |= {*one.writes, *given} - one.own_names
            names |= one.names.keys() - one.own_names
        return writes, names

    def _makes(self, fill: Fill, other: Fill) -> bool:
        """Whether a call makes another one itself, given the same."""
        inside = self._reached(fill)
        return any(self._made_in(one, [other], alike=True) for one in inside)

    def _made_in(
        self, function: FunctionText, fills: Iterable[Fill], *, alike: bool = False
    ) -> dict[Fill, int]:
        """Those of the calls whose functions are called in one, each with the place of the first
        such call; or, where that is to be `alike`, those that are made there.
        """
        return {
            fill: call.place
            for fill in fills for call in reversed(function.calls)
            if call.name == fill.called and any(map(fill.may_call, self._called(function, call)))
            and (not alike or call.text.partition("(")[2] == fill.call.partition("(")[2])
        }  # fmt: skip

    def _reached(self, fill: Fill) -> list[FunctionText]:
        """The functions that a call calls, and what these call, as far as they are read."""
        named = self._by_name.get(fill.called, ())
        reached = inside = [one for one in named if fill.may_call(one)]
        for _ in range(FARTHEST):
            calls = ((who, call) for who in inside for call in who.calls)
            called = {one.name: one for who, call in calls for one in self._called(who, call)}
            inside = [one for one in called.values() if one not in reached]
            reached = [*reached, *inside]
        return reached

    def _called(self, function: FunctionText, call: Call) -> list[FunctionText]:
        """The functions that a call in a function may be of: where it names no type or object, that
        of the innermost scope.
        """
        named = [one for one in self._by_name.get(call.name, ()) if _may_call(call, one)]
        if call.object:
            methods = [one for one in named if self._wants_object(one)]
            return methods or named
        if call.owner not in {"", *_HERE}:
            return [one for one in named if "::" in one.name] or named
        scope = f"::{function.name}"
        while scope:
            scope = scope.rpartition("::")[0]
            if inside := [one for one in named if f"::{one.name}" == f"{scope}::{call.name}"]:
                return inside
        return named

    def _sureness(self, function: FunctionText, variable: str) -> int:
        """How surely a function writes to a variable; SURENESSES where it does not."""
        given = [
            one.sureness for one in function.gives
            if one.name == variable and variable not in function.own_names and self._may_write(one)
        ]  # fmt: skip
        own = function.writes.get(variable, SURENESSES)
        return min([own, *given])

    def _may_write(self, given: Given, farthest: int = FARTHEST) -> bool:
        """Whether what is called may write to what it is given, as far as its own text tells."""
        if given.place is None:
            last = f"::{given.called}"
            named = [one for one in self._members.values() if f"::{one.name}".endswith(last)]
            return not named or not all(one.is_constant for one in named)
        if not farthest:
            return True
        called = [one for one in self._functions_naming(given.called) if one.last == given.called]
        takes = [one for one in called if len(one.parameters) > given.place]
        for one in takes:
            parameter = one.parameters[given.place]
            if parameter.is_copy and given.is_part:
                continue
            if parameter.name in one.own_writes:  # of what is constant pointers may be written by
                return True
            passed_on = (more for more in one.gives if more.name == parameter.name)
            if not parameter.is_constant and any(
                self._may_write(more, farthest - 1) for more in passed_on
            ):
                return True
        return not takes

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
                is_private = self._is_private(one)
                alone = "" if self._wants_object(one) else self._reader.call_of(one, None)
                if not one.wants and one.last != "main" and alone:
                    call = Fill(alone, one.file)
                    if is_private:
                        private = private or [call]  # which a flag may allow to call, or its name
                    elif not _LOOPS.search(one.last) or not (constant or private):
                        return [call]
                    else:
                        continue
                calls = [(who, c) for who in of_name for c in who.calls if _may_call(c, one)]
                if not constant and not (is_private and private):
                    of_none = (call for who, call in calls if not self._names_members(who, call))
                    constant += self._constant_calls(one, of_none)
                if constant and not distance and _FILLS.search(one.last):
                    return constant
                callers += [who for who, _ in calls if who.name not in seen]
                seen |= {who.name for who in callers}
            waiting = sorted(callers, key=lambda who: not _FILLS.search(who.last))
        return constant or private

    def _is_private(self, function: FunctionText) -> bool:
        """Whether a method is private, or a function is another file's own."""
        if function.name in self._members:
            return not self._members[function.name].is_public
        return self._is_of_c and not function.is_public and function.file != self._source

    def _names_members(self, function: FunctionText, call: Call) -> bool:
        """Whether a call in a method names what is its object's."""
        scope = function.name.rpartition("::")[0]
        if not scope or not call.uses or not call.is_constant:
            return False
        self._functions_naming(scope.rpartition("::")[2])  # and what its class has
        own = tuple(f"::{scope}::{name}" for name in call.uses)
        return any(
            f"::{member.name}".endswith(own) and not (member.is_static or member.is_method)
            for member in self._members.values()
        )

    def _constant_calls(self, function: FunctionText, calls: Iterable[Call]) -> list[Fill]:
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
        method = self._members.get(function.name)
        return method is not None and not method.is_static


def _may_call(call: Call, function: FunctionText) -> bool:
    """Whether a call may be of that function: by its last name, and by its type or module where the
    call names one. One that stands in none may have its namespace by a macro.
    """
    if call.name != function.last:
        return False
    owner, scopes = call.owner.rpartition("::")[2], function.name.split("::")[:-1]
    return not scopes or owner in {"", *_HERE, *scopes}


def _called_name(call: str) -> str:
    """The last name of what a call calls."""
    return re.split(r"::|\.", re.split(r"[(<]", call)[0])[-1]


def _cost(way: list[Fill]) -> tuple[bool, int]:
    """Which of several ways is named: what is called as one that fills, then the shortest."""
    return not all(one.is_named_so for one in way), len(way)
