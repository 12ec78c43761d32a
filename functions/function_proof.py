"""One function, square by square, in all its builds: what was guessed of it, and its report."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from magicert.functions.builds import (
    PLAIN,
    Build,
    CompiledQuestion,
    digest,
    shape_for,
    symbol_of,
    text_modules,
)
from magicert.functions.certificate import (
    NOT_YET,
    FunctionReport,
    Lacking,
    SquareReport,
    TrustedInitialiser,
)
from magicert.functions.compare.cache import Cache
from magicert.functions.compare.claim import KINDS, FunctionClaim
from magicert.functions.compile.compilers import language_of
from magicert.functions.execute import words
from magicert.functions.execute.memory import (
    ONE_WORD,
    Memory,
    MissingError,
    Object,
    UnresolvedLoadError,
)
from magicert.functions.llvm import call_shapes, specialise, symbol_names
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.metadata import DebugNames, is_method
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.functions.other_orders import set_of_square
from magicert.functions.processes import Processes
from magicert.functions.question import as_call
from magicert.functions.square_proof import SquareProver
from magicert.outcome import Observer
from magicert.problem import InputError, Problem, listed

DRUP = "DRUP proofs that the verified checker drup accepts"
CLAUSES = "that the clauses say what the words say"
ORDER = "(square, occupied)"
SWAPPED = "(occupied, square)"
NAMES_A_MAKER = "name the call that makes it"
"""What a message says of a square that may be made otherwise than of its number's bits."""
INSTRUCTIONS = {
    "pext": r"@llvm\.x86\.bmi\.pext", "pdep": r"@llvm\.x86\.bmi\.pdep", "mul": r" = mul ",
    "division": r" = [us](?:div|rem) ", "bit reversal": r"@llvm\.bitreverse",
    "byte swap": r"@llvm\.bswap", "popcount": r"@llvm\.ctpop", "clz": r"@llvm\.ctlz",
    "ctz": r"@llvm\.cttz", "vectors": r"<\d+ x i\d+>", "assembly": r"\basm ",
}  # fmt: skip
"""How the IR writes what processors do at different prices, or do not have."""


class OtherOrderError(Exception):
    """A function takes the square behind the occupied squares, and both are words."""


class FunctionProof:
    """One function."""

    def __init__(
        self, work: CompiledQuestion, claim: FunctionClaim, symbol: str,
        processes: Processes, observer: Observer, tables: dict[str, str], taken: dict[str, None],
        initial: dict[str, TrustedInitialiser], cache: Cache | None = None,
    ) -> None:  # fmt: skip
        self.work = work
        self.question = question = work.question
        self.claim = claim
        self.symbol = symbol
        self.processes = processes
        self.observer = observer
        self.tables = tables
        self.taken = taken
        self.initial = initial
        self.squares = SquareProver(question, claim, symbol, processes, cache)
        self.takes: tuple[str, ...] = ()
        self.takes_object = False
        """Whether the object that a method is called of is taken for the occupied squares."""
        self.is_swapped = False
        """Whether both are words, and the first square is right with the square behind."""
        self.is_order_known = False
        """Whether a square is right in the order in which it is called, or wrong in the other one,
        too.
        """
        self.takes_words = False
        """Whether the square is a word as well: a number, or a set of one square."""
        self.instructions = set[str]()
        self.sizes = dict[str, int]()
        self.specialised: dict[object, specialise.SpecialisedModule] = {}
        chosen = question.squares or question.board.playable
        self.numbers: list[int | None] = [None]
        if claim.kind != "setwise":
            layout = self.squares.layout
            self.numbers = [n for n in layout.bits if layout.squares[n] in chosen]

    def report(
        self, builds: Sequence[Build], so_far: Callable[[FunctionReport], None]
    ) -> FunctionReport:
        """All squares in all builds by turns: of each the gravest. `so_far` hears of each square
        that is refuted, and of each that all builds have been asked about.
        """
        began = time.process_time()
        self.squares.variables = Module(builds[0].text).globals.keys()
        reports: dict[int | None, SquareReport] = {}
        builds_done = Counter[int | None]()
        self.observer.progress(0, len(self.numbers), self.claim.key)
        if (entries := self.squares.entries) is not None:
            for _ in self._squares(builds[0], self.squares.add_entries):
                pass  # all that one build has, for what they follow
            entries.conclude([number for number in self.numbers if number is not None])
        for number, report in chain.from_iterable(zip(*map(self._squares, builds), strict=True)):
            known = reports.get(number)
            unfilled = number in self.squares.unfilled and report.outcome == "not decided"
            if known is None or unfilled or _is_graver(report, known):
                reports[number] = report
            elif report.earlier:
                reports[number] = replace(known, earlier=True)
            builds_done[number] += 1
            if builds_done[number] == len(builds) or reports[number].outcome == "refuted":
                # Where only some builds were asked, another one may still refute it.
                so_far(self.waiting({
                    n: report for n, report in reports.items()
                    if builds_done[n] == len(builds) or report.outcome == "refuted"
                }))  # fmt: skip
            self.observer.progress(len(reports), len(self.numbers), self.claim.key)
        return self._report(reports, time.process_time() - began, self.squares.slots)

    def waiting(self, reports: Mapping[int | None, SquareReport] | None = None) -> FunctionReport:
        """What is found; the other squares are not decided yet."""
        others = {
            n: SquareReport("not decided", NOT_YET, square=self.squares.name_of(n), build=PLAIN)
            for n in self.numbers
        }
        return self._report({**others, **(reports or {})}, 0)

    def _report(
        self, reports: Mapping[int | None, SquareReport], seconds: float, slots: int | None = None
    ) -> FunctionReport:
        name = self.claim.name
        is_refuted = any(report.outcome == "refuted" for report in reports.values())
        if is_refuted and (guess := next(self._guesses(len(reports)), "")):
            reports = {
                number: report.undecided_if_refuted(f"{report.message}, {guess}")
                for number, report in reports.items()
            }
        whole = symbol_names.whole_name(self.symbol)
        return FunctionReport(
            whole if whole.endswith(f"::{name}") else name,
            self.symbol, self.claim.kind, self.claim.piece, self.squares.statement(),
            tuple(reports[number] for number in self.numbers), round(seconds, 2),
            slots if self.claim.kind == "index" else None,
            entries.conventions.stated if (entries := self.squares.entries) else {}, self.takes,
            tuple(name for name in INSTRUCTIONS if name in self.instructions),
            sum(self.sizes.values()),
        )  # fmt: skip

    def _guesses(self, square_count: int) -> Iterator[str]:
        """What was guessed of the function, and how the user says what is meant; what is told first
        is likeliest wrong. Whoever has looked at what nobody meant has refuted nothing.
        """
        name = self.claim.name
        if self.claim.guessed:
            yield (
                "if it is meant for this, which only its name says: "
                f"--function '{self.claim.key}={name}' says that it is"
            )
        if self.takes_object:  # which may be something else than a set of squares
            owner, _, own = symbol_names.whole_name(self.symbol).rpartition("::")
            word, kind = self.takes[0], owner.rpartition("::")[2]
            yield (
                f"if its object is the {word} squares: only a call says so, "
                f"as in {kind}({word}).{own}(square)"
            )
        if self.takes_words and not self.squares.right:
            one = set_of_square(language_of(self.question.sources[0]))
            as_number = f"{name}({', '.join(self.takes)})"
            as_set = ", ".join(one if word == "square" else word for word in self.takes)
            alone = "called with the square's number, " if len(self.takes) == 1 else ""
            yield (
                f"{alone}which is guessed, and right on no square of an empty board: name the "
                f"call, as in {as_number}, or {name}({as_set}) if it takes a set of one square"
            )
        is_mostly_wrong = (
            self.claim.kind == "attacks" and 2 * len(self.squares.right) <= square_count
        )
        if is_mostly_wrong and self._takes_small_struct:
            yield (
                "if its square is a struct that holds the number, which is guessed, and wrong on "
                f"most squares of an empty board: {NAMES_A_MAKER}, as in "
                f"{name}(Square::new(square), occupied)"
            )

    def _squares(
        self, build: Build, look: "Look | None" = None
    ) -> Iterator[tuple[int | None, SquareReport]]:
        left = dict.fromkeys(self.numbers)
        while left:
            if build.name != PLAIN and self.processes.running.get(build.name):
                build = replace(build, twins=frozenset())  # its own has one name for one thing
            try:
                for number, report in self._squares_of(
                    build, list(left), look or self.squares.report
                ):
                    del left[number]
                    yield number, report
            except UnresolvedLoadError as error:
                build = build.holding({error.name})
            except MissingError:
                self.processes.begin_own(build)
            except OtherOrderError:
                self.is_swapped = self.is_order_known = True
                self.taken.pop(self._as_taken(ORDER), None)

    def _as_taken(self, order: str) -> str:
        return f"{self.claim.name}{order}, in this order, as both are words"

    def _squares_of(
        self, build: Build, left_numbers: Sequence[int | None], look: "Look"
    ) -> Iterator[tuple[int | None, SquareReport]]:
        module, running = Module(build.text), self.processes.running
        elsewhere = bool(running) and build.name not in running
        # In another build the symbol of that name may be another.
        symbol = self.symbol if build.name == PLAIN else symbol_of(module, self.claim.name, "")
        if call_shapes.BY_VALUE + symbol in module.bodies:
            symbol = call_shapes.BY_VALUE + symbol
        shape = shape_for(module, symbol, self.claim, self.question.board)
        order = ORDER
        if self.is_swapped:
            shape, order = shape.swapped(), SWAPPED
        if build.name == PLAIN:
            self.takes = shape.order(KINDS[self.claim.kind])
            self.takes_object = self.takes == ("occupied", "square") and any(
                is_method(text, self.symbol)
                for text in self.work.plain.modules if isinstance(text, str)
            )  # fmt: skip
        guessed = shape.could_swap and shape.square is not None
        self.takes_words |= shape.is_word and self.claim.kind == "attacks"
        if guessed:
            self.taken[self._as_taken(order)] = None
        size = specialise.reached(module, symbol)
        held = build.kept_by_pointers & module.bodies.keys()

        def specialise_for(
            numbers: Sequence[int | None], shape: call_shapes.CallShape
        ) -> tuple[specialise.SpecialisedModule, Memory]:
            key = (build.text, symbol, shape, tuple(numbers), frozenset(held))
            special = self.specialised.get(key) or specialise.specialised(
                build.text, symbol, shape, numbers, self.question.board.word, held
            )
            if self.claim.of_two_squares:  # looked at once for its conventions, and once more
                self.specialised[key] = special
            return special, Memory(
                special.module, self.processes.of(build.name), build.unwritten, module,
                build.kept_by_pointers, build.twins, elsewhere, self.work.writers_by_symbol,
                self.processes.ended.get(build.name, ""),
            )  # fmt: skip

        for numbers in specialise.batches(left_numbers, size):
            special, memory = specialise_for(numbers, shape)
            noted = set[str]()
            for number in numbers:
                words.forget()
                memory.forget_what_was_read()
                began = time.process_time()
                found = look(build, special, memory, number, shape)
                found = self._unless_empty(found, memory, number)
                # A board of 128 squares has two words, the lower one first.
                if (
                    self.question.board.word == 64
                    and found.outcome == "refuted"
                    and self._has_parts
                ):
                    message = "found a struct of several items: what each means is not known; "
                    message += "name the call: attacks({square & 7, square >> 3}, occupied)"
                    raise InputError([Problem(message, key=self.claim.option)])
                if not shape.could_swap or self.is_swapped or found.outcome == "proved":
                    self.is_order_known |= found.outcome == "proved"
                elif self._asks_for_order(build, number, found, guessed=guessed):
                    self._check_order(
                        build, *specialise_for([number], shape.swapped()), number, shape
                    )
                if guessed:
                    found = self._as_called(found, order)
                seconds = round(time.process_time() - began, 3)
                if build.name == PLAIN:
                    self._note_instructions(special, number, memory)
                name = self.squares.name_of(number)
                message = symbol_names.with_source_names(found.message)
                report = replace(
                    found, square=name, build=build.name, message=message, seconds=seconds,
                    lacks=found.lacks and _in_the_source(found.lacks),
                )  # fmt: skip
                for name in memory.used.keys() - noted:
                    self._note(name, memory.used[name], memory.whole)
                    noted.add(name)
                yield number, report

    def _unless_empty(
        self, report: SquareReport, memory: Memory, number: int | None
    ) -> SquareReport:
        """What is refuted, but where something was read that nobody has filled: there may be
        another init than the one that was named. That is an array which has nothing but zeros, or a
        null pointer where something is wrong besides a set.
        """
        empty = [
            item for item in memory.used.values()
            if item.read_empty or (item.read_null and not report.found)
        ]  # fmt: skip
        if report.outcome != "refuted" or not empty:
            return report
        if not {item.symbol for item in empty} & self.squares.variables:
            self.squares.unfilled.add(number)
        ran = f"after {as_call(self.question.init)}" if self.question.init else "without an init"
        is_whole = not any(any(item.data or b"") for item in empty)
        zero = "all zero" if is_whole else "zero where it is read"
        zero = "not written" if all(item.holes for item in empty) else zero
        names = listed([item.name for item in empty])
        message = f"{names}: {zero} {ran}: name each init that fills tables, in C and "
        message += "C++ as in --init 'init_masks(), init_magics()'"
        return report.undecided_if_refuted(message, unfilled=True)

    def _is_first(self, build: Build, number: int | None) -> bool:
        return number == self.numbers[0] and build.name == PLAIN

    def _asks_for_order(
        self, build: Build, number: int | None, found: SquareReport, *, guessed: bool
    ) -> bool:
        """Whether a square that is not proved is looked at in the other order, too. Of a square
        that is any number, as in the wrong one, nothing may be decided.
        """
        if self._is_first(build, number):
            return guessed or found.outcome == "refuted"
        return guessed and found.outcome == "refuted" and not self.is_order_known

    def _as_called(self, report: SquareReport, order: str) -> SquareReport:
        """What is refuted, as it is called: an order that is guessed refutes nothing."""
        if report.outcome != "refuted":
            return report
        message = f"{report.message}, called as {order}"
        if self.is_order_known:
            return replace(report, message=message)
        message += f", which is guessed: name the call, as in {self.claim.name}{SWAPPED}"
        return report.undecided_if_refuted(message)

    def _check_order(
        self, build: Build, special: specialise.SpecialisedModule, memory: Memory,
        number: int | None, shape: call_shapes.CallShape,
    ) -> None:  # fmt: skip
        """Look at a square that is not proved once more, with the first two words swapped: where
        that is wrong, too, what is refuted stands. Raises OtherOrderError where it is right on the
        first square; of a set of sliders, whose order its name may say, InputError.
        """
        asked = replace(self.question, proof=None)
        again = SquareProver(asked, self.claim, self.symbol, self.processes)
        outcome = again.report(build, special, memory, number, shape).outcome
        self.is_order_known |= outcome == "refuted"
        if outcome == "proved" and self._is_first(build, number):
            if shape.square is not None:
                raise OtherOrderError
            message = "found (occupied, sliders): expected (sliders, occupied), as both are words"
            raise InputError([Problem(message, key=self.claim.option)])

    @cached_property
    def _has_parts(self) -> bool:
        """Whether the function takes or gives what the source makes of several items."""
        return self._says(DebugNames.has_parts)

    @cached_property
    def _takes_small_struct(self) -> bool:
        """Whether it takes a struct of fewer bits than a bitboard has."""
        return self._says(DebugNames.takes_small_struct)

    def _says(self, of_head: Callable[[DebugNames, str], bool]) -> bool:
        """What the debug metadata of a module that has the function say of it."""
        return any(
            of_head(module.names, module.bodies[self.symbol].partition("\n")[0])
            for module in text_modules(self.work.plain)
            if self.symbol in module.bodies
        )

    def _note_instructions(
        self, special: specialise.SpecialisedModule, number: int | None, memory: Memory
    ) -> None:
        """What a function computes with on one square, and what it reads."""
        waiting, seen = [special.names[number]], set[str]()
        while waiting:
            if (symbol := waiting.pop()) not in seen and symbol in special.module.bodies:
                seen.add(symbol)
                body = special.module.bodies[symbol]
                waiting += map(unquoted, re.findall(rf"@({NAME})", body))
                self.instructions |= {
                    n for n, form in INSTRUCTIONS.items() if re.search(form, body)
                }
        for symbol, item in memory.objects.items():
            if item.data is not None and item.size > ONE_WORD:
                self.sizes[symbol] = item.size

    def _note(self, name: str, item: Object, module: Module) -> None:
        """A variable that the function read."""
        if item.native:
            assert item.data is not None
            self.tables[name] = digest(item.data)
        elif not item.readonly:
            place = module.declared_at(item.symbol)
            source_name = module.source_name(item.symbol) if place.line else ""
            shared = module.globals[item.symbol].shared
            self.initial[item.symbol] = TrustedInitialiser(
                item.symbol, source_name, place.file, place.line, shared
            )
            self.taken[f"{name} as its initialiser says: nothing here writes to it"] = None


Look = Callable[
    [Build, specialise.SpecialisedModule, Memory, int | None, call_shapes.CallShape], SquareReport
]
"""How one square is looked at, in one build."""
_GRAVITY = ("refuted", "not decided", "proved")


def _is_graver(report: SquareReport, known: SquareReport) -> bool:
    """Whether to show another build's report instead: undefined behaviour of which only the build
    with traps knows the line.
    """
    if report.outcome == known.outcome == "refuted":
        if known.off_itself != report.off_itself:
            return known.off_itself
        return not known.found and bool(report.place)
    return _GRAVITY.index(report.outcome) < _GRAVITY.index(known.outcome)


def _in_the_source(lacks: Lacking) -> Lacking:
    """The same with the source's names."""
    text, rest = map(symbol_names.with_source_names, (lacks.said, lacks.rest))
    return replace(lacks, name=symbol_names.whole_name(lacks.name), said=text, rest=rest)
