"""Where an execution stands, and what it has met on its way.

A `State` is one point of one call: the condition under which control comes there, the values that
are still used, and the stack. A `Run` is all of one square: the module, its memory, and what must
not happen, which is collected as violations.

Poison (a sum that wraps where the source said that it cannot, a value that nobody wrote) is carried
along with each value. Where it decides something, it is a violation. Source: LLVM's language
reference.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from magicert.functions.execute import words
from magicert.functions.execute.memory import Memory, Object
from magicert.functions.execute.stack import Stack, StackByte
from magicert.functions.execute.values import Value
from magicert.functions.execute.words import Word, constant
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import NARROW
from magicert.functions.llvm.markers import Trap
from magicert.functions.llvm.metadata import SourceLine
from magicert.functions.llvm.reader import Instruction

FIRST_ADDRESS = 4096
"""Below it nothing lies where a system keeps that free: null, and what Rust takes for the address
of nothing.
"""


@dataclass(frozen=True, slots=True)
class Violation:
    """Under `condition` the behaviour is undefined, or the program stops: where the source
    `asserts` something, because that does not hold. Something may lie `outside` of an object.
    """

    condition: Word
    message: str
    source_line: str
    asserts: bool = False
    outside: bool = False


@dataclass(slots=True)
class Run:
    """Functions of a module, carried out on words for one square."""

    module: Module
    store: Memory
    feasible: Callable[[Word], bool]
    """Whether a condition can hold; True where that is not known."""
    traps: Mapping[str, Trap] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    origins: list[Violation] = field(default_factory=list)
    """Where poison came from."""
    steps: int = 0
    recursions: int = 0
    catching: int = 0
    """Calls that have begun, and after which the function goes on if they throw something."""
    fresh: int = 0
    addressed: dict[str, Object] = field(default_factory=dict)
    """Objects whose addresses are used as numbers, by the names of these."""
    unknown: dict[Object, list[StackByte]] = field(default_factory=dict)
    """What stands in objects of which nobody knows it."""
    calls: list[str] = field(default_factory=list)
    """Functions that have begun and not ended, the outermost first."""
    place: SourceLine = field(default_factory=SourceLine)

    def violate(
        self, condition: Word, message: str, *, asserts: bool = False, outside: bool = False
    ) -> None:
        """State that something must not happen."""
        if condition.value != 0:
            place = str(self.place)
            self.violations.append(Violation(condition, message, place, asserts, outside))

    def poison(self, condition: Word, message: str, *, outside: bool = False) -> Word:
        """The condition; where it may hold, it is remembered as an origin of poison."""
        if condition.value != 0:
            place = str(self.place)
            self.origins.append(Violation(condition, message, place, outside=outside))
        return condition

    def anything(self, width: int) -> Word:
        """A word that nobody knows."""
        self.fresh += 1
        return words.variable(f"any{self.fresh}", width)

    def name_of(self, item: Object) -> str:
        """What stands for its address, which is no other object's, such as another call's."""
        name = f"&{item.name}"
        while self.addressed.setdefault(name, item) is not item:
            name += "'"
        return name

    @property
    def first_address(self) -> int:
        """The first at which something may lie: of 32 bits a linker without a system gives any."""
        return FIRST_ADDRESS if self.module.has_system else 1

    def lies_somewhere(self) -> Word:
        """What is known of every address: it is not among the first, no object goes beyond the
        lower half, which a program has (of 32 bits it has all of them), and it is aligned as the
        object is.
        """
        result = words.boolean(True)
        width = self.module.layout.pointer
        end = 1 << width - 1 if width > NARROW else words.ones(width)
        for name, item in self.addressed.items():
            start = words.variable(name, width)
            last = constant(end - max(1, item.size), width)
            result = words.and_(
                result, words.not_(words.ult(start, constant(self.first_address, width)))
            )
            result = words.and_(result, words.not_(words.ult(last, start)))
            if item.align > 1:
                low = words.extract(start, item.align.bit_length() - 1, 0)
                result = words.and_(result, words.eq(low, constant(0, low.width)))
        return result

    def is_external(self, name: str) -> bool:
        """Whether a variable is defined in another source."""
        variable = self.module.globals.get(name)
        return variable is not None and variable.external


@dataclass(slots=True)
class State:
    """Control at one point of a function."""

    run: Run
    path: Word
    """The condition under which control comes here."""
    values: dict[str, Value]
    stack: Stack

    def decide(self, poison: Word) -> None:
        """Something depends on a value: it must not be poison."""
        self.run.violate(words.and_(self.path, poison), "a branch depends on an undefined value")
        self.end(poison)

    def end(self, violated: Word) -> None:
        """Nothing behind a violation matters where it is certain."""
        if violated.value == 1:
            self.path = words.boolean(False)


def not_understood(i: Instruction) -> str:
    """What is said of an instruction that has no meaning here."""
    text = " ".join(i.text.split())
    advice = "; a builtin, such as __builtin_ctzll, is read" if " asm " in text else ""
    return f"not understood: {text[:160]}{advice}"
