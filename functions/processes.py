"""The child processes in which a module's own init runs."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from magicert.functions.builds import OUTSIDE, PLAIN, Build, shape_for, symbol_of_init
from magicert.functions.certificate import ProcessEnded
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.llvm import named_checks, specialise
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.markers import Trap
from magicert.functions.llvm.symbol_names import with_source_names
from magicert.functions.native import Process, is_native
from magicert.functions.question import FunctionQuestion
from magicert.outcome import Observer
from magicert.problem import InputError, Problem, listed


class Processes:
    """The compiled module in a process; for a build that looks for what this one's compiler has
    left out, the build's own in a second one.
    """

    def __init__(self, question: FunctionQuestion, observer: Observer) -> None:
        self.question = question
        self.observer = observer
        self.running: dict[str, Process | None] = {}
        self.ended: dict[str, str] = {}
        """Why a build has no process of its own."""

    @property
    def ran(self) -> bool:
        return bool(self.running)

    @property
    def left_out(self) -> list[str]:
        """Files that the code's assembly brings in, and that are not there."""
        first = self.running.get(PLAIN)
        return first.left_out if first else []

    def of(self, build: str) -> Process | None:
        """The process that a build looks at."""
        return self.running.get(build) or self.running.get(PLAIN)

    def begin(
        self, build: str, text: str, symbols: Mapping[FunctionClaim, str] | None = None
    ) -> None:
        """Begin one, with a function for each symbol that is called from outside: of another
        processor's code none, for there only what its init leaves is asked for.
        """
        question, module, outside = self.question, Module(text), dict[str, str]()
        name = question.init
        init = symbol_of_init(module, name, f"--init {name}") if name else ""
        for claim, symbol in (symbols or {}).items() if is_native(module) else ():
            shape = shape_for(module, symbol, claim, question.board)
            outside[OUTSIDE + symbol] = specialise.callable_from_outside(
                module, symbol, shape, OUTSIDE + symbol, question.board.word
            )
        whole = "\n".join([text, *outside.values()])
        file, say = str(question.sources[0]), self.observer.say
        try:
            self.running[build] = Process(whole, list(outside), init, file, say)
        except InputError as error:  # of the symbol, where the user gave a name or a call
            replacements = {f"--init {init}": f"--init {name}"}
            problems = [
                replace(problem, key=replacements.get(problem.key, problem.key))
                for problem in error.problems
            ]
            raise InputError(problems) from None

    def made_guards(self, build: "Build") -> Set[str]:
        """The guards of static variables that are made: LLVM's passes leave out what makes them."""
        process = self.of(build.name)
        if process is None or named_checks.GUARD not in build.text:
            return set()
        guards = {
            name for name, item in Module(build.text).globals.items()
            if name.startswith(named_checks.GUARD) and not item.local  # each thread makes its own
        }  # fmt: skip
        places = {name: process.address(name) for name in guards - build.twins}
        return {n for n, place in places.items() if place and process.read(place, 1) == b"\x01"}

    def begin_own(self, build: "Build") -> None:
        """Begin a build's own. Where that does not come to its end, there is none."""
        try:
            self.begin(build.name, build.full_text)
        except InputError as error:
            self.running[build.name] = None
            self.ended[build.name] = "; ".join(_reason(one, build.traps) for one in error.problems)

    def call(self, symbol: str, number: int | None, boards: Sequence[int], size: int) -> int:
        first = self.running[PLAIN]
        assert first is not None
        return first.call(OUTSIDE + symbol, number, boards, size)

    def can_call(self, symbol: str) -> bool:
        """Whether the compiled function can be called."""
        first = self.running.get(PLAIN)
        return first is not None and OUTSIDE + symbol in first.callable

    def why_once(self) -> list[str]:
        """Why the init may not run again, by a second run after the first; nothing where it may."""
        process = self.running.get(PLAIN)
        changed = process.changed() if process is not None and self.question.init else []
        if changed is None:
            return ["a second run does not come to its end"]
        names = [with_source_names(name) or "memory that it allocates" for name in changed]
        return [f"a second run changes {listed(names)}"] if names else []

    def close(self) -> None:
        for process in self.running.values():
            if process is not None:
                process.close()


def _reason(problem: Problem, traps: Mapping[str, Trap]) -> str:
    """Why an init has ended, by the source's line where undefined behaviour has ended it."""
    lacks = problem.lacks if isinstance(problem, ProcessEnded) else None
    trap = traps.get(lacks.name) if lacks else None
    return f"{trap.message} ({trap.source_line})" if trap else problem.message
