"""What a function computes: LLVM instructions to words, with the conditions of undefined behaviour.

A state is the condition under which control comes to a block, the values that are still used, and
the stack. States that meet in a block are joined. Loops are gone through until no occupancy is
left that would go on. So every path is followed, and each is followed once.

Poison (a sum that wraps where the source said that it cannot, a value that nobody wrote) is
carried along with each value. Where it decides something, it is a violation, and so is a load
outside its object. Source: LLVM's language reference.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from magicert.functions import intrinsics, ir, memory, words
from magicert.functions.flow import Flow, flow_of, returns
from magicert.functions.memory import Lane, Several, UndecidedError, Value, lane, lanes_of
from magicert.functions.metadata import Place
from magicert.functions.words import Word, constant

MOST_STEPS = 200_000
"""Instructions of one square that are gone through."""
UNWRITTEN = "magicert.unwritten."
ALIGNED = "magicert.aligned."
"""Functions called so look at an address: whether it is a multiple of what their name says."""
WORD = 8
"""Bytes that a load may have anywhere: more are taken where their address allows it."""
_ALIGNED = re.compile(r", align (\d+)")
"""Functions called so give what stands in a variable that nobody wrote; in objects called so stands
what nobody knows.
"""
ALLOCATES = "magicert.allocates."
"""Functions that allocate memory are called so, and their own name."""
CHANGED = "magicert.changed"
"""What is called so is told whether the function wrote to what it is given."""
FIRST_USE = ("__cxa_guard_acquire", "_Init_thread_header")
"""What C++ asks before it makes a static variable of a function."""
THROWN = "__cxa_allocate_exception"
"""What C++ asks before it throws something."""
FIRST_ADDRESS = 4096
"""Below it nothing lies: null, and what Rust takes for the address of nothing."""
MOST_ROUNDS = 4096
"""Rounds of one loop."""
ASKED = 28
"""As many rounds counts one whose end a solver is asked about: each is slower than the last."""
MOST_RECURSIONS = 16
"""Calls of functions that have begun and not ended, for one square."""
DEEPEST = 64
"""Calls inside one another."""
MOST_STACK = 1 << 20
"""Bytes of one object on the stack."""
MOST_STARTS = 1024
"""Places in one object at which an address may stand."""
MOST_COPIED = 1 << 13
"""Bytes that are copied or filled one after another."""


ASSERTIONS = frozenset({
    "__assert_fail", "__assert_perror_fail", "__assert", "__assert2", "__assert_func",
    "__assert_rtn", "__assert13", "__assert_c99", "_assert", "_wassert",
})  # fmt: skip
"""What the macro `assert` calls, in the libraries of C: a header's, not this source's own."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Under `condition` the behaviour is undefined, or the program stops: where the source
    `asserts` something, because that does not hold.
    """

    condition: Word
    message: str
    place: str
    asserts: bool = False


@dataclass(frozen=True, slots=True)
class Trap:
    """A call that stands for a check: what it says when it fails, and where it stands."""

    message: str
    place: str
    asserts: bool = False


@dataclass(slots=True)
class PathState:
    """Control at the beginning of a block."""

    path: Word
    values: dict[str, Value]
    stack: memory.Stack


@dataclass(slots=True)
class Run:
    """Functions of a module, carried out on words."""

    module: ir.Module
    store: memory.Memory
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
    addressed: dict[str, memory.Object] = field(default_factory=dict)
    """Objects whose addresses are used as numbers, by the names of these."""
    unknown: dict[memory.Object, list[memory.Cell]] = field(default_factory=dict)
    """What stands in objects of which nobody knows it."""
    calls: list[str] = field(default_factory=list)
    place: Place = field(default_factory=Place)

    def call(
        self, name: str, arguments: Sequence[Value], path: Word, stack: memory.Stack
    ) -> tuple[Value | None, Word, memory.Stack]:
        """What a defined function returns, under which condition it does, and the stack then.

        Raises UndecidedError for whatever is not understood.
        """
        if name in self.calls:
            # A queen may ask for a rook and a bishop; a constant then decides where that ends.
            self.recursions += 1
            if self.recursions > MOST_RECURSIONS:
                message = f"{name} calls itself more than {MOST_RECURSIONS} times: recursion"
                raise UndecidedError(message, self.place)
            if not self.feasible(path):
                return None, words.boolean(False), stack
        if len(self.calls) > DEEPEST:
            raise UndecidedError(f"more than {DEEPEST} calls inside one another", self.place)
        function = self.module.function(name)
        names = [parameter[1] for parameter in function.parameters]
        if any("byval" in parameter[2] for parameter in function.parameters):
            raise UndecidedError(f"{name} is given a copy of a struct in memory", self.place)
        self.calls.append(name)
        try:
            values = dict(zip(names, arguments, strict=True))
            return _Activation(self, function, flow_of(function)).go(PathState(path, values, stack))
        finally:
            self.calls.pop()

    def call_as(
        self, name: str, i: ir.Instruction, arguments: Sequence[Value], path: Word,
        stack: memory.Stack,
    ) -> tuple[Value | None, Word, memory.Stack]:  # fmt: skip
        """The same through a pointer, which the instruction takes for one to such a function."""
        if name not in self.module.bodies:
            if self.store.native is not None and name not in self.store.held:
                raise memory.NeededError(name)
            raise UndecidedError(f"calls {name}, which is not in this build", self.place)
        if ir.convention(self.module.bodies[name]) != ir.convention(i.text):
            raise UndecidedError(f"calls {name} by another convention than its own", self.place)
        result, parameters = self.module.signature(name)
        taken = [operand.type for operand in i.operands[:-1]]
        if (result, [kind for kind, *_ in parameters]) != (i.type, taken):
            raise UndecidedError(f"calls {name} as a function of another type", self.place)
        return self.call(name, arguments, path, stack)

    def name_of(self, item: memory.Object) -> str:
        """What stands for its address, which is no other object's, such as another call's."""
        name = f"&{item.name}"
        while self.addressed.setdefault(name, item) is not item:
            name += "'"
        return name

    def lies_somewhere(self) -> Word:
        """What is known of every address: it is not among the first, no object goes beyond the
        lower half, which a program has, and it is aligned as the object is.
        """
        result = words.boolean(True)
        for name, item in self.addressed.items():
            width = self.module.layout.pointer
            start = words.variable(name, width)
            last = constant((1 << width - 1) - max(1, item.size), width)
            result = words.and_(
                result, words.not_(words.ult(start, constant(FIRST_ADDRESS, width)))
            )
            result = words.and_(result, words.not_(words.ult(last, start)))
            if item.align > 1:
                low = words.extract(start, item.align.bit_length() - 1, 0)
                result = words.and_(result, words.eq(low, constant(0, low.width)))
        return result

    def violate(self, condition: Word, message: str, *, asserts: bool = False) -> None:
        """State that something must not happen."""
        if condition.value != 0:
            self.violations.append(Violation(condition, message, str(self.place), asserts))

    def anything(self, width: int) -> Word:
        """A word that nobody knows."""
        self.fresh += 1
        return words.variable(f"any{self.fresh}", width)


class _Activation:
    """One call of one function."""

    def __init__(self, run: Run, function: ir.IrFunction, flow: Flow) -> None:
        self.run = run
        self.function = function
        self.flow = flow
        self.waiting: dict[str, list[PathState]] = {}
        self.returned: list[tuple[Word, Value | None, memory.Stack]] = []
        self.values: dict[str, Value] = {}
        self.path = words.boolean(True)
        self.stack: memory.Stack = {}

    def go(self, state: PathState) -> tuple[Value | None, Word, memory.Stack]:
        """From the first block to all returns."""
        self.waiting[next(iter(self.function.blocks))] = [state]
        self._order(self.flow.order)
        path = words.any_of(path for path, _, _ in self.returned)
        if not self.returned:
            return None, path, state.stack
        _, value, stack = self.returned[-1]
        for condition, other, other_stack in reversed(self.returned[:-1]):
            if value is not None and other is not None:
                value = memory.chosen(condition, other, value)
            stack = memory.joined(condition, other_stack, stack)
        return value, path, stack

    def _order(self, order: Sequence[object]) -> None:
        """Blocks in their order; a loop, which is a list, until nothing is left in it."""
        for part in order:
            if isinstance(part, str):
                self._block(part)
                continue
            assert isinstance(part, list)
            inside = self.flow.inside[id(part)]
            rounds = 0
            while any(block in self.waiting for block in inside):
                known = all(
                    s.path.value == 1 for block in inside for s in self.waiting.get(block, ())
                )
                rounds += 1 if known else ASKED
                if rounds > MOST_ROUNDS:
                    raise UndecidedError("a loop without a bound: no end is seen", self.run.place)
                if rounds > 1:
                    self._prune(inside)
                self._order(part)

    def _prune(self, inside: frozenset[str]) -> None:
        """Leave out the states of a loop that no occupancy comes to."""
        for block in [block for block in self.waiting if block in inside]:
            states = [s for s in self.waiting[block] if self.run.feasible(s.path)]
            if states:
                self.waiting[block] = states
            else:
                del self.waiting[block]

    def _block(self, name: str) -> None:
        states = self.waiting.pop(name, [])
        if not states:
            return
        self.path = words.any_of(state.path for state in states)
        self.values = dict(states[-1].values)
        self.stack = states[-1].stack
        for state in reversed(states[:-1]):
            for key in self.values:
                self.values[key] = memory.chosen(state.path, state.values[key], self.values[key])
            self.stack = memory.joined(state.path, state.stack, self.stack)
        for instruction in self.function.blocks[name].instructions:
            if self.path.value == 0:
                return
            if instruction.debug is not None:
                self.run.place = self.run.module.names.place(instruction.debug)
            self.run.steps += 1
            if self.run.steps > MOST_STEPS:
                message = f"more than {MOST_STEPS:,} instructions for one square"
                raise UndecidedError(message, self.run.place)
            if instruction.op == "phi":
                continue  # the edge has set it
            try:
                self._step(name, instruction)
            except UndecidedError as error:
                if not error.place:
                    error.place = str(self.run.place)
                raise
            except (AssertionError, KeyError, ValueError) as error:
                # A shape that nobody thought of is not understood.
                why = f": {error}" if isinstance(error, ir.UnreadableError) else ""
                raise UndecidedError(_unknown(instruction) + why, self.run.place) from None

    def _step(self, block: str, instruction: ir.Instruction) -> None:
        match instruction.op:
            case "br" if not instruction.operands:
                self._edge(block, instruction.names[0], self.path)
            case "br":
                (condition,) = lanes_of(self.value(instruction.operands[0]))
                self._decide(condition.poison)
                taken = words.and_(self.path, condition.word)
                other = words.and_(self.path, words.not_(condition.word))
                self._edge(block, instruction.names[0], taken)
                self._edge(block, instruction.names[1], other)
            case "switch":
                (choice,) = lanes_of(self.value(instruction.operands[0]))
                self._decide(choice.poison)
                others = self.path
                targets: dict[str, Word] = {}
                for number, target in zip(instruction.numbers, instruction.names[1:], strict=True):
                    same = words.eq(choice.word, constant(number, choice.word.width))
                    here = words.and_(self.path, same)
                    targets[target] = words.or_(targets.get(target, words.boolean(False)), here)
                    others = words.and_(others, words.not_(same))
                default = instruction.names[0]
                targets[default] = words.or_(targets.get(default, words.boolean(False)), others)
                for target, path in targets.items():
                    self._edge(block, target, path)
            case "ret":
                operands = instruction.operands
                value = self.value(operands[0]) if operands else None
                self.returned.append((self.path, value, self.stack))
            case "unreachable":
                self.run.violate(self.path, "code is reached that cannot be reached")
            case "call" | "invoke":
                pads = instruction.names[2:] if instruction.op == "invoke" else []
                catching = any(returns(self.function, pad) for pad in pads)
                self.run.catching += catching
                result = self._call(block, instruction)
                self.run.catching -= catching
                if instruction.result and result is not None:
                    self.values[instruction.result] = result
                if instruction.op == "invoke":
                    self._edge(block, instruction.names[1], self.path)
            case "store":
                stored, address = map(self.value, instruction.operands)
                self._stored(instruction.operands[0].type, stored, address)
                self._aligned(instruction, instruction.operands[0].type, address, "a store")
            case "fence":
                pass
            case _:
                self.values[instruction.result] = self._result(instruction)

    def _edge(self, block: str, target: str, path: Word) -> None:
        if path.value == 0:
            return
        kept = {name: self.values[name] for name in self.flow.live[target] if name in self.values}
        for phi in self.flow.phis[target]:
            kept[phi.result] = self.value(phi.operands[phi.names.index(block)])
        self.waiting.setdefault(target, []).append(PathState(path, kept, self.stack))

    def _decide(self, poison: Word) -> None:
        """Something depends on a value: it must not be poison."""
        self.run.violate(words.and_(self.path, poison), "a value without meaning decides")
        self._ends(poison)

    def _ends(self, violated: Word) -> None:
        """Nothing behind a violation matters where it is certain."""
        if violated.value == 1:
            self.path = words.boolean(False)

    # Values

    def value(self, operand: ir.Operand) -> Value:
        kind, data = operand.type, operand.data
        match operand.kind:
            case "local":
                return self.values[str(data)]
            case "number" if isinstance(kind, ir.Integer) and isinstance(data, int):
                return (lane(constant(data, kind.width)),)
            case "global":
                return (lane_at(self.run.store.object(str(data))),)
            case "zero" | "poison":
                return self._filled(kind, operand.kind == "poison")
            case "list" if isinstance(data, list):
                items = [self.value(item) for item in data]
                if isinstance(kind, ir.Vector):
                    return tuple(item for value in items for item in lanes_of(value))
                return Several(tuple(items))
            case "expression" if isinstance(data, ir.Instruction):
                return self._result(data)
        raise UndecidedError(f"a value of kind {operand.kind} and type {kind}")

    def _filled(self, kind: ir.Type, poison: bool) -> Value:
        match kind:
            case ir.Integer(width):
                return (Lane(constant(0, width), words.boolean(poison)),)
            case ir.PointerType():
                pointer = self.run.module.layout.pointer
                choice = (words.boolean(True), None, constant(0, pointer))
                return (Lane(memory.Address((choice,)), words.boolean(poison)),)
            case ir.Vector(count, item):
                return lanes_of(self._filled(item, poison)) * count
            case ir.Array(count, item):
                return Several((self._filled(item, poison),) * count)
            case ir.Struct(items):
                return Several(tuple(self._filled(item, poison) for item in items))
        raise UndecidedError(f"a value of type {_named(kind)}")

    def _result(self, i: ir.Instruction) -> Value:
        arguments = [self.value(operand) for operand in i.operands] if i.op != "alloca" else []
        match i.op:
            case "add" | "sub" | "mul" | "shl" | "lshr" | "ashr" | "and" | "or" | "xor":
                return self._arithmetic(i, arguments)
            case "udiv" | "sdiv" | "urem" | "srem":
                return self._division(i, arguments)
            case "icmp":
                return self._comparison(i, arguments)
            case "trunc" | "zext" | "sext":
                return self._resized(i, arguments[0])
            case "bitcast" | "addrspacecast":
                return self._cast(i.operands[0].type, i.type, arguments[0])
            case "ptrtoint" | "ptrtoaddr":
                kind = i.type.item if isinstance(i.type, ir.Vector) else i.type
                assert isinstance(kind, ir.Integer)
                return tuple(
                    Lane(words.resized(self._number(x.address), kind.width), x.poison)
                    for x in lanes_of(arguments[0])
                )
            case "inttoptr":
                return tuple(map(self._pointer, lanes_of(arguments[0])))
            case "select":
                return self._selected(arguments)
            case "freeze":
                return self._frozen(arguments[0])
            case "extractvalue":
                value = arguments[0]
                for number in i.numbers:
                    assert isinstance(value, Several)
                    value = value.items[number]
                return value
            case "insertvalue":
                return _inserted(arguments[0], arguments[1], i.numbers)
            case "extractelement" | "insertelement":
                return self._element(i, arguments)
            case "shufflevector":
                return self._shuffled(i, arguments)
            case "getelementptr":
                return self._address(i, arguments)
            case "alloca":
                return self._alloca(i)
            case "load" if "volatile" in i.flags:
                raise UndecidedError("a volatile load: its value may be anything")
            case "load":
                loaded = self._loaded(i.type, arguments[0])
                self._aligned(i, i.type, arguments[0], "a load")
                return loaded
        raise UndecidedError(_unknown(i))

    def _arithmetic(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        operation = words.OPERATIONS[i.op]
        found = []
        for x, y in zip(*map(lanes_of, arguments), strict=True):
            a, b = x.word, y.word
            width = a.width
            result = operation(a, b)
            bad = words.or_(x.poison, y.poison)
            if i.op in {"shl", "lshr", "ashr"}:
                wide = words.not_(words.ult(b, constant(width, width))) if width > 1 else b
                if width > 1 and words.ones(width) < width:
                    wide = words.boolean(False)
                bad = words.or_(bad, self._poison(wide, f"a shift by {width} or more"))
            if i.op == "shl" and i.flags & {"nuw", "nsw"}:
                for flag, back in (("nuw", words.lshr), ("nsw", words.ashr)):
                    if flag in i.flags:
                        lost = words.ne(back(result, b), a)
                        bad = words.or_(bad, self._poison(lost, "a shift that loses bits"))
            elif i.op in {"add", "sub", "mul"}:
                for flag in ("nuw", "nsw"):
                    if flag in i.flags:
                        lost = intrinsics.overflows(i.op, a, b, flag == "nsw")
                        kind = "signed" if flag == "nsw" else "unsigned"
                        message = f"{kind} overflow ({i.op})"
                        bad = words.or_(bad, self._poison(lost, message))
            elif "exact" in i.flags:
                lost = words.ne(words.shl(result, b), a)
                bad = words.or_(bad, self._poison(lost, "a shift that loses bits"))
            elif "disjoint" in i.flags:
                both = words.ne(words.and_(a, b), constant(0, width))
                bad = words.or_(bad, self._poison(both, "words that share bits"))
            found.append(self._partly(i, x, y, result) or Lane(result, bad))
        return tuple(found)

    def _partly(self, i: ir.Instruction, x: Lane, y: Lane, result: Word) -> Lane | None:
        """The same with open bits one by one, where the second operand is a known number."""
        by = y.word.value
        if not x.open or by is None or y.poison.value != 0:
            return None
        width, moved = x.word.width, i.op in {"shl", "lshr"}
        lost = words.ones(width) ^ words.ones(max(0, width - by)) if moved else 0
        if i.op == "lshr":
            lost = words.ones(by)
        if i.flags and (not moved or by >= width or any(mask & lost for mask, _ in x.open)):
            return None
        match i.op:
            case "and":
                open_ = [(mask & by, c) for mask, c in x.open]
            case "or":
                open_ = [(mask & ~by, c) for mask, c in x.open]
            case "xor":
                open_ = [*x.open]
            case "shl" if by < width:
                open_ = [(mask << by & words.ones(width), c) for mask, c in x.open]
            case "lshr" if by < width:
                open_ = [(mask >> by, c) for mask, c in x.open]
            case _:
                return None
        own = memory.partly(result, open_)
        if i.flags & {"nuw", "exact"}:
            back = words.lshr if i.op == "shl" else words.shl
            gone = words.ne(back(result, y.word), x.word)
            message = self._poison(gone, "a shift that loses bits")
            (own,) = lanes_of(_with_poison((own,), message)) if message.value != 0 else (own,)
        return own if "nsw" not in i.flags else None

    def _poison(self, condition: Word, message: str) -> Word:
        """The condition; where it may hold, it is kept as an origin of poison."""
        if condition.value != 0:
            self.run.origins.append(Violation(condition, message, str(self.run.place)))
        return condition

    def _division(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        found = []
        for x, y in zip(*map(lanes_of, arguments), strict=True):
            a, b = x.word, y.word
            width = a.width
            zero = words.or_(words.eq(b, constant(0, width)), y.poison)
            self.run.violate(words.and_(self.path, zero), "division by zero")
            is_signed = i.op[0] == "s"
            if is_signed:
                least = words.eq(a, constant(1 << (width - 1), width))
                both = words.and_(least, words.eq(b, constant(-1, width)))
                self.run.violate(words.and_(self.path, both), "signed overflow (division)")
            quotient, rest = _divided(a, b, is_signed)
            bad = x.poison
            if "exact" in i.flags:
                lost = words.ne(rest, constant(0, width))
                bad = words.or_(bad, self._poison(lost, "a division with a rest"))
            found.append(Lane(quotient if i.op[1:] == "div" else rest, bad))
        return tuple(found)

    def _comparison(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        found = []
        for x, y in zip(*map(lanes_of, arguments), strict=True):
            if isinstance(x.bits, memory.Address) or isinstance(y.bits, memory.Address):
                word = self._compared_addresses(i.predicate, x.address, y.address)
            else:
                word = _compared(i.predicate, x.word, y.word)
            bad = words.or_(x.poison, y.poison)
            if "samesign" in i.flags:
                signs = [words.extract(item.word, 1, item.word.width - 1) for item in (x, y)]
                apart = words.xor(*signs)
                bad = words.or_(bad, self._poison(apart, "numbers of different signs"))
            found.append(Lane(word, bad))
        return tuple(found)

    def _compared_addresses(self, predicate: str, x: memory.Address, y: memory.Address) -> Word:
        result, equal = words.boolean(False), predicate in {"eq", "ne"}
        for condition, item, place in x.choices:
            for other, same, where in y.choices:
                near = _within(item, place) and _within(item, where) and predicate[0] == "u"
                if item is same and (equal or near):
                    word = _compared(predicate, place, where)
                elif equal and (
                    (_nowhere(item, place) and _within(same, where))
                    or (_nowhere(same, where) and _within(item, place))
                    or (_inside(item, place) and _inside(same, where) and _apart(item, same))
                ):
                    # Objects lie apart, and none of them at 0. One may begin where another ends.
                    word = words.boolean(predicate == "ne")
                elif item is same or item is None or same is None:
                    numbers = (
                        self._number(memory.Address(((words.boolean(True), *end),)))
                        for end in ((item, place), (same, where))
                    )
                    word = _compared(predicate, *numbers)
                else:
                    raise UndecidedError("where two objects lie in memory decides")
                result = words.or_(result, words.and_(words.and_(condition, other), word))
        return result

    def _resized(self, i: ir.Instruction, value: Value) -> Value:
        target = i.type.item if isinstance(i.type, ir.Vector) else i.type
        assert isinstance(target, ir.Integer)
        width = target.width
        found = []
        for item in lanes_of(value):
            word, bad = item.word, item.poison
            if i.op == "trunc":
                result = words.extract(word, width, 0)
                for flag, extend in (("nuw", words.zext), ("nsw", words.sext)):
                    if flag in i.flags:
                        lost = words.ne(extend(result, word.width), word)
                        bad = words.or_(bad, self._poison(lost, "a number that does not fit"))
            else:
                result = words.zext(word, width) if i.op == "zext" else words.sext(word, width)
                if "nneg" in i.flags:
                    sign = words.extract(word, 1, word.width - 1)
                    bad = words.or_(bad, self._poison(sign, "a negative number"))
            if item.open and i.op != "sext" and not i.flags:
                open_ = ((mask & words.ones(width), c) for mask, c in item.open)
                found.append(memory.partly(result, open_))
                continue
            found.append(Lane(result, bad))
        return tuple(found)

    def _cast(self, source: ir.Type, target: ir.Type, value: Value) -> Value:
        if isinstance(target, ir.PointerType) or source == target:
            return value
        lanes = lanes_of(value)
        width = lanes[0].word.width
        wanted = target.item if isinstance(target, ir.Vector) else target
        if not isinstance(wanted, ir.Integer):
            raise UndecidedError(f"a value of type {_named(wanted)}")
        whole = words.concat(*(item.word for item in reversed(lanes)))
        found = []
        for start in range(0, whole.width, wanted.width):
            first, last = start // width, (start + wanted.width - 1) // width
            bad = words.any_of(item.poison for item in lanes[first : last + 1])
            found.append(Lane(words.extract(whole, wanted.width, start), bad))
        return tuple(found)

    def _number(self, pointer: memory.Address) -> Word:
        """An address as a number: where an object lies is not known."""
        result = constant(0, self.run.module.layout.pointer)
        for condition, item, place in pointer.choices:
            start = constant(0, place.width)
            if item is not None:
                start = words.variable(self.run.name_of(item), place.width)
            result = words.ite(condition, words.add(start, place), result)
        return result

    def _pointer(self, number: Lane) -> Lane:
        value = number.word.value
        if value is not None and self.run.store.native is not None:
            found = self.run.store.at(value)
            if found is not None:
                item, place = found
                return Lane(lane_at(item, place).bits, number.poison)
        if value is not None and value < FIRST_ADDRESS:
            nowhere = (words.boolean(True), None, number.word)
            return Lane(memory.Address((nowhere,)), number.poison)
        start, distance = number.word, constant(0, number.word.width)
        if start.op == "add" and start.args[0].op == "variable":
            start, distance = start.args
        target = self.run.addressed.get(start.data) if start.op == "variable" else None
        if target is not None:
            choice = (words.boolean(True), target, distance)
            return Lane(memory.Address((choice,)), number.poison)
        message = "a number is made an address"
        if value is not None and self.run.store.native is not None:
            message += ": nothing is known to lie there (freed, or an unknown allocator's)"
        raise UndecidedError(message)

    def _selected(self, arguments: Sequence[Value]) -> Value:
        conditions, x, y = arguments
        choices = lanes_of(conditions)
        if len(choices) == 1:
            return _with_poison(memory.chosen(choices[0].word, x, y), choices[0].poison)
        lanes = (
            ((c,), (a,), (b,)) for c, a, b in zip(choices, lanes_of(x), lanes_of(y), strict=True)
        )
        return tuple(item for own in lanes for item in lanes_of(self._selected(own)))

    def _frozen(self, value: Value) -> Value:
        if isinstance(value, Several):
            return Several(tuple(map(self._frozen, value.items)))
        found = []
        for item in value:
            if item.poison.value == 0:
                found.append(item)
                continue
            any_word, word = self.run.anything(item.word.width), item.word
            for mask, condition in item.whole:
                bits = constant(mask, word.width)
                mixed = words.or_(words.and_(word, words.not_(bits)), words.and_(any_word, bits))
                word = words.ite(condition, mixed, word)
            found.append(lane(word))
        return tuple(found)

    def _element(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        lanes = lanes_of(arguments[0])
        (index,) = lanes_of(arguments[-1])
        number = index.word.value
        if number is None:
            width = index.word.width
            outside = words.not_(words.ult(index.word, constant(len(lanes), width)))
            bad = words.or_(index.poison, self._poison(outside, "a lane that is not there"))
            here = [words.eq(index.word, constant(n, width)) for n in range(len(lanes))]
            if i.op == "insertelement":
                (new,) = lanes_of(arguments[1])
                made = (
                    memory.chosen_lane(c, new, item) for c, item in zip(here, lanes, strict=True)
                )
                return _with_poison(tuple(made), bad)
            found, *others = lanes
            for condition, item in zip(here[1:], others, strict=True):
                found = memory.chosen_lane(condition, item, found)
            return _with_poison((found,), bad)
        if number >= len(lanes):
            return self._filled(i.type, poison=True)
        if i.op == "extractelement":
            return (lanes[number],)
        return (*lanes[:number], *lanes_of(arguments[1]), *lanes[number + 1 :])

    def _shuffled(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        lanes = (*lanes_of(arguments[0]), *lanes_of(arguments[1]))
        assert isinstance(i.type, ir.Vector)
        nothing = lanes_of(self._filled(i.type.item, poison=True))[0]
        found = []
        for choice in lanes_of(arguments[2]):
            number = choice.word.value
            found.append(nothing if choice.poison.value or number is None else lanes[number])
        return tuple(found)

    # Memory

    def _address(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value:
        if isinstance(i.type, ir.Vector):
            count = i.type.count
            wide = [x if len(x) == count else x * count for x in map(lanes_of, arguments)]
            return tuple(self._one_address(i, lanes) for lanes in zip(*wide, strict=True))
        return (self._one_address(i, [lanes_of(argument)[0] for argument in arguments]),)

    def _one_address(self, i: ir.Instruction, lanes: Sequence[Lane]) -> Lane:
        layout = self.run.module.layout
        base, *indexes = lanes
        kind = i.element
        assert kind is not None
        distance = constant(0, layout.pointer)
        bad = base.poison
        for n, index in enumerate(indexes):
            bad = words.or_(bad, index.poison)
            if n > 0 and isinstance(kind, ir.Struct):
                number = index.word.value
                assert number is not None
                start, kind = layout.part(kind, number)
                distance = words.add(distance, constant(start, layout.pointer))
                continue
            if n > 0:
                _, kind = layout.part(kind, 0)
            word = words.resized(index.word, layout.pointer, words.sext)
            distance = words.add(distance, words.mul(word, constant(layout.size(kind), word.width)))
        pointer = memory.moved(base.address, distance)
        if "inbounds" in i.flags:
            for condition, item, place in pointer.choices:
                if item is not None and not item.function:
                    outside = words.ult(constant(item.size, place.width), place)
                    outside = words.and_(condition, outside)
                    bad = words.or_(bad, self._poison(outside, f"an address outside {item.name}"))
        return Lane(pointer, bad)

    def _alloca(self, i: ir.Instruction) -> Value:
        layout = self.run.module.layout
        assert i.element is not None
        count = 1
        if i.operands:
            (number,) = lanes_of(self.value(i.operands[0]))
            if number.word.value is None:
                raise UndecidedError("an array on the stack whose size depends on the occupancy")
            count = number.word.value
        size = count * layout.size(i.element)
        if size > MOST_STACK:
            raise UndecidedError(f"{size:,} bytes on the stack")
        made = memory.Object(i.result, size, readonly=False)
        stated = _ALIGNED.search(i.text)
        made.align = int(stated[1]) if stated else layout.align(i.element)
        poison = self._poison(words.boolean(True), "a variable is read before it is written")
        self.stack = {**self.stack, made: memory.unwritten(size, poison)}
        return (lane_at(made),)

    def _pointer_in(
        self, value: Value, size: int, doing: str
    ) -> Iterator[tuple[Word, memory.Object, Word]]:
        """The objects that an address may lie in; everything outside is a violation."""
        (pointer,) = lanes_of(value)
        self._decide(pointer.poison)
        for condition, item, place in pointer.address.choices:
            path = words.and_(self.path, condition)
            if path.value == 0:
                continue
            if item is None:
                self.run.violate(path, f"{doing} through a null pointer")
                self._ends(condition)
                continue
            if item.function:
                raise UndecidedError(f"{doing} of {item.name}, which is defined elsewhere")
            if size > item.size:
                outside = words.boolean(True)
            else:
                last = constant(item.size - size, place.width)
                outside = words.ult(last, place)
            self.run.violate(words.and_(path, outside), f"{doing} outside {item.name}")
            self._ends(words.and_(condition, outside))
            if outside.value != 1:
                yield condition, item, place

    def _aligned(self, i: ir.Instruction, kind: ir.Type, address: Value, doing: str) -> None:
        """Look at an address of more than a word, which has to be a multiple of what is stated: the
        processor stops where it is none.
        """
        stated = _ALIGNED.search(i.text)
        if stated and int(stated[1]) > WORD < self.run.module.layout.stored(kind):
            self._at_multiple(int(stated[1]), address, doing)

    def _at_multiple(self, by: int, address: Value, doing: str) -> None:
        """The same of what is known to be more than a word."""
        (pointer,) = lanes_of(address)
        for condition, item, place in pointer.address.choices:
            if item is None or item.function:
                continue
            known = min(by, item.align)
            low = words.extract(place, known.bit_length() - 1, 0) if known > 1 else None
            wrong = (
                words.boolean(False)
                if low is None
                else words.not_(words.eq(low, constant(0, low.width)))
            )
            path = words.and_(self.path, condition)
            self.run.violate(
                words.and_(path, wrong), f"{doing} in {item.name} at no multiple of {by} bytes"
            )
            self._ends(words.and_(condition, wrong))
            if known < by and path.value != 0 and item not in self.run.store.blocks.values():
                message = f"{doing} at a multiple of {by} bytes, but {item.name} lies at one of"
                raise UndecidedError(f"{message} {item.align}: whether it does is not known")

    def _loaded(self, kind: ir.Type, address: Value) -> Value:
        layout = self.run.module.layout
        if isinstance(kind, ir.Struct | ir.Array):
            places = (
                (_moved(address, place, layout.pointer), t) for place, t in layout.parts(kind)
            )
            return Several(tuple(self._loaded(item, place) for place, item in places))
        size = layout.stored(kind)
        result: Value | None = None
        for condition, item, place in self._pointer_in(address, size, "a load"):
            value = self._read(item, place, kind)
            result = value if result is None else memory.chosen(condition, value, result)
        return self._filled(kind, poison=True) if result is None else result

    def _read(self, item: memory.Object, place: Word, kind: ir.Type) -> Value:
        layout = self.run.module.layout
        if isinstance(kind, ir.Vector) and (
            isinstance(kind.item, ir.PointerType) or layout.bits(kind.item) % 8 == 0
        ):
            step = layout.bits(kind.item) // 8
            return tuple(
                x
                for n in range(kind.count)
                for x in lanes_of(
                    self._read(item, words.add(place, constant(n * step, place.width)), kind.item)
                )
            )
        if isinstance(kind, ir.PointerType):
            return (self._read_address(item, place),)
        size = layout.stored(kind)
        parts = [
            self._bytes(item, place, start, min(8, size - start)) for start in range(0, size, 8)
        ]
        word = words.concat(*(part.word for part in reversed(parts)))
        width = layout.bits(kind)
        places = ((64 * n, part) for n, part in enumerate(parts))
        whole = memory.partly(words.extract(word, width, 0), _moved_open(places, width))
        if isinstance(kind, ir.Vector):
            return self._cast(ir.Integer(layout.bits(kind)), kind, (whole,))
        return (whole,)

    def _content(self, item: memory.Object) -> memory.Content | None:
        """What lies on the stack there; None of what does not lie there."""
        if item.name.startswith(UNWRITTEN) and item not in self.run.unknown:
            bytes_ = (words.variable(f"{item.name} {n}", 8) for n in range(item.size))
            self.run.unknown[item] = list(map(lane, bytes_))
        return self.run.unknown.get(item) or self.stack.get(item)

    def _bytes(self, item: memory.Object, place: Word, start: int, size: int) -> Lane:
        """Up to eight bytes as a number, the lowest first."""
        where = words.add(place, constant(start, place.width))
        if size not in {1, 2, 4, 8}:
            half = 1 << (size.bit_length() - 1)
            low = self._bytes(item, place, start, half)
            high = self._bytes(item, place, start + half, size - half)
            places = ((0, low), (8 * half, high))
            return memory.partly(words.concat(high.word, low.word), _moved_open(places, 8 * size))
        content = self._content(item)
        if isinstance(content, memory.Copied):
            return self._bytes(content.item, words.add(content.place, where), 0, size)
        if content is not None:
            return memory.number_at(content, where, size, self._number)
        self._must_be_known(item)
        if item.links:
            return lane(self._with_links(item, where, size))
        return lane(memory.held(item, where, size))

    def _with_links(self, item: memory.Object, where: Word, size: int) -> Word:
        """A number some of whose bytes may be an address's."""
        start, room = where.value, self.run.module.layout.pointer
        if start is None:
            numbers = memory.loaded(item, where, size)
            for place in _starts(item, where, size):
                if any(place - room // 8 < n < place + size for n in item.links):
                    here = constant(place, where.width)
                    own = self._with_links(item, here, size)
                    numbers = words.ite(words.eq(where, here), own, numbers)
            return numbers
        found = []
        for place in range(start, start + size):
            link = next((n for n in item.links if n <= place < n + room // 8), None)
            if link is None:
                found.append(memory.held(item, constant(place, where.width), 1))
            else:
                symbol, distance = item.links[link]
                target = lane_at(self.run.store.object(symbol), distance).address
                found.append(words.extract(self._number(target), 8, 8 * (place - link)))
        return words.concat(*reversed(found))

    def _is_elsewhere(self, name: str) -> bool:
        variable = self.run.module.globals.get(name)
        return variable is not None and variable.external

    def _elsewhere(self, besides: str) -> list[str]:
        """What else this code names that stands in other sources."""
        module = self.run.module
        names = (name for name in (*module.declared, *filter(self._is_elsewhere, module.globals)))
        ours = ("llvm.", "magicert.")
        known = {besides, *self.run.traps}
        return [
            n for n in names
            if n not in known and not n.startswith(ours) and "noreturn" not in module.stated(n)
        ]  # fmt: skip

    def _must_be_known(self, item: memory.Object) -> None:
        if not self.run.store.known(item):
            message = f"{item.name} is a variable, and what it holds is not known: "
            if self.run.module.writes(self.run.calls, item.name):
                message += "the function writes it itself"
            elif item.name.startswith("thread-local "):
                message += "each thread has its own"
            elif item.written:
                message += f"it may be written by {item.written}"
                if self.run.store.native is None:
                    message += "; if that fills it at the start, --init NAME runs it"
            elif self.run.store.native is None and self._is_elsewhere(item.name):
                message += "it is defined elsewhere; if it is the engine's, give that source, too"
            elif self.run.store.native is None:
                message += "if static initialisers fill it, --run lets them run; if a function"
                message += " does, --init NAME runs it"
            else:
                message += "the optimised module has none; -- -O0 keeps it"
            raise UndecidedError(message)

    def _read_address(self, item: memory.Object, place: Word) -> Lane:
        size = self.run.module.layout.pointer // 8
        content = self._content(item)
        if isinstance(content, memory.Copied):
            return self._read_address(content.item, words.add(content.place, place))
        if content is not None:
            if place.value is None:
                raise UndecidedError("an address on the stack, at a place that is not known")
            found = memory.address_at(content, place.value, size)
            return found or self._pointer(self._bytes(item, place, 0, size))
        self._must_be_known(item)
        start = place.value
        if start is not None:
            return self._address_at(item, start)
        starts = _starts(item, place, size)
        if starts.step < size:
            raise UndecidedError(f"an address in {item.name}, at a place that is not known")
        result: Value | None = None
        for start in starts:
            value = (self._address_at(item, start),)
            here = words.eq(place, constant(start, place.width))
            result = value if result is None else memory.chosen(here, value, result)
        assert result is not None
        return lanes_of(result)[0]

    def _address_at(self, item: memory.Object, start: int) -> Lane:
        if start in item.links:
            symbol, distance = item.links[start]
            return lane_at(self.run.store.object(symbol), distance)
        if any(start - 8 < link < start + 8 for link in item.links):
            raise UndecidedError(f"a part of an address in {item.name}")
        size = self.run.module.layout.pointer // 8
        number = memory.held(item, constant(start, 64), size)
        if number.value is None:
            return lanes_of(self._filled(ir.PointerType(), poison=True))[0]
        return self._pointer(lane(number))

    def _stored(self, kind: ir.Type, value: Value, address: Value) -> None:
        layout = self.run.module.layout
        if isinstance(value, Several):
            for item, (start, part) in zip(value.items, layout.parts(kind), strict=True):
                self._stored(part, item, _moved(address, start, layout.pointer))
            return
        size = layout.stored(kind)
        cells = memory.cells_of(value, size)
        for condition, target, place in self._pointer_in(address, size, "a store"):
            if target not in self.stack:
                message = f"writes to {target.name}: expected a function without side effects"
                raise UndecidedError(message)
            before = memory.bytes_in(self.stack[target], target.size)
            after = memory.written(before, place, cells, condition)
            self.stack = {**self.stack, target: after}

    # Calls

    def _call(self, block: str, i: ir.Instruction) -> Value | None:
        name = i.names[0]
        arguments = [self.value(operand) for operand in i.operands]
        if name in self.run.traps:
            trap = self.run.traps[name]
            if name.startswith(UNWRITTEN):
                self.run.origins.append(Violation(words.boolean(True), trap.message, trap.place))
                return self._filled(i.type, poison=True)
            if self.path.value != 0:
                violation = Violation(self.path, trap.message, trap.place, trap.asserts)
                self.run.violations.append(violation)
            self.path = words.boolean(False)
            return None
        if name == ir.REGISTER:
            self._poison(
                words.boolean(True), "a register is read that nobody wrote, as of bsf of 0"
            )
            return self._filled(i.type, poison=True)
        if name.startswith(ALIGNED):
            self._at_multiple(int(name.removeprefix(ALIGNED)), arguments[0], "a load")
            return None
        if name == CHANGED:
            (changed,) = lanes_of(arguments[0])
            if self.run.feasible(words.and_(self.path, words.or_(changed.word, changed.poison))):
                message = "writes to what it is given: expected a function without side effects"
                raise UndecidedError(message)
            return None
        if not name:
            return self._call_through(i, arguments)
        if name.startswith("llvm."):
            return self._intrinsic(i, name, arguments)
        thrown = name == THROWN and name not in self.run.module.bodies
        if thrown or self._never_returns(i, name):
            caught = self.run.catching or (thrown and returns(self.function, block))
            caught = caught and (thrown or "nounwind" not in self.run.module.stated(name))
            if caught and self.run.feasible(self.path):
                raise UndecidedError(f"calls {name}: exceptions that are caught are not followed")
            message = "an exception is thrown" if thrown else f"the program stops in {name}"
            asserts = name in ASSERTIONS and name not in self.run.module.bodies
            self.run.violate(self.path, message, asserts=asserts)
            self.path = words.boolean(False)
            return None
        if name.startswith(ALLOCATES):
            called = name.removeprefix(ALLOCATES)
            raise UndecidedError(f"calls {called}: what a function allocates is not followed")
        self.run.store.object(name)  # another function may stand there
        if name not in self.run.module.bodies:
            message = f"calls {name}, which is defined elsewhere"
            if name in FIRST_USE:
                message += "; what is made at its first use is there if --init NAME calls it once"
            elif others := self._elsewhere(name):
                more = f" and {len(others) - 4} more" if len(others) > 4 else ""
                message += f"; it may need {', '.join(others[:4])}{more}, too"
            raise UndecidedError(message)
        if i.type != self.run.module.signature(name)[0]:
            raise UndecidedError(f"calls {name} for another result than it gives")
        value, path, self.stack = self.run.call(name, arguments, self.path, self.stack)
        self.path = path
        return value

    def _call_through(self, i: ir.Instruction, arguments: Sequence[Value]) -> Value | None:
        """A call of each function that a pointer may point to."""
        *given, target = arguments
        (pointer,) = lanes_of(target)
        self._decide(pointer.poison)
        result: Value | None = None
        returned, stack = words.boolean(False), self.stack
        for condition, item, place in pointer.address.choices:
            path = words.and_(self.path, condition)
            if path.value == 0:
                continue
            if item is None:
                self.run.violate(path, "a call through a null pointer")
                continue
            if not item.function or place.value != 0:
                raise UndecidedError(f"a call of {item.name}, which is no function")
            value, here, after = self.run.call_as(item.name, i, given, path, self.stack)
            if value is not None:
                result = value if result is None else memory.chosen(here, value, result)
            stack = memory.joined(here, after, stack)
            returned = words.or_(returned, here)
        self.path, self.stack = returned, stack
        return result

    def _never_returns(self, i: ir.Instruction, name: str) -> bool:
        module = self.run.module
        groups = [module.attributes.get(flag, flag) for flag in i.flags]
        return "noreturn" in " ".join([*groups, *module.stated(name)]).split()

    def _intrinsic(self, i: ir.Instruction, name: str, arguments: Sequence[Value]) -> Value | None:
        if name.startswith(
            ("llvm.lifetime.", "llvm.dbg.", "llvm.experimental.noalias", "llvm.invariant.")
        ):
            return None
        if name in {"llvm.trap", "llvm.ubsantrap", "llvm.debugtrap"}:
            self.run.violate(self.path, "a check fails")
            self.path = words.boolean(False)
            return None
        if name == "llvm.assume":
            (condition,) = lanes_of(arguments[0])
            broken = words.or_(words.not_(condition.word), condition.poison)
            self.run.violate(words.and_(self.path, broken), "what the code assumes does not hold")
            return None
        if name.startswith("llvm.is.constant."):
            return (lane(words.boolean(False)),)
        if name.startswith("llvm.threadlocal.address"):
            return arguments[0]
        if name.startswith(("llvm.memcpy", "llvm.memmove", "llvm.memset")):
            self._copy(name, arguments)
            return None
        if name.startswith(("llvm.masked.load", "llvm.masked.gather")):
            pointer, *_, mask, others = arguments
            return self._masked(i.type, pointer, lanes_of(mask), others)
        if name.startswith(("llvm.masked.store", "llvm.masked.scatter")):
            new, pointer, *_, mask = arguments
            self._masked(i.operands[0].type, pointer, lanes_of(mask), new, stores=True)
            return None
        if name.startswith("llvm.x86.avx2.maskload."):
            nothing = self._filled(i.type, poison=False)
            return self._masked(i.type, arguments[0], _signs(arguments[1]), nothing)
        if re.match(r"llvm\.x86\.(avx2|avx512\.mask)\.gather", name):
            return self._gathered(i.type, arguments)
        found = intrinsics.meaning_of(name)
        result = found(arguments) if found else None
        if result is None:
            raise UndecidedError(_unknown(i))
        return result

    def _masked(
        self, kind: ir.Type, pointers: Value, mask: Sequence[Lane], others: Value,
        stores: bool = False,
    ) -> Value:  # fmt: skip
        """Load, or store, the lanes that a mask names; of the others a load gives what is given.
        One address for lanes side by side, or one for each.
        """
        assert isinstance(kind, ir.Vector)
        layout = self.run.module.layout
        assert layout.has_whole_bytes(kind)
        step, places = layout.stored(kind.item), lanes_of(pointers)
        if len(places) == 1:
            places = tuple(
                lanes_of(_moved(pointers, n * step, layout.pointer))[0] for n in range(kind.count)
            )
        found = []
        for place, choice, other in zip(places, mask, lanes_of(others), strict=True):
            self._decide(choice.poison)
            whole, before = self.path, self.stack
            self.path = here = words.and_(whole, choice.word)
            if stores:
                self._stored(kind.item, (other,), (place,))
                self.stack = memory.joined(choice.word, self.stack, before)
            else:
                (loaded,) = lanes_of(self._loaded(kind.item, (place,)))
                found.append(memory.chosen_lane(choice.word, loaded, other))
            ended = self.path is not here
            self.path = words.and_(whole, words.not_(choice.word)) if ended else whole
        return tuple(found)

    def _gathered(self, kind: ir.Type, arguments: Sequence[Value]) -> Value:
        """x86's gathers: (others, base, indexes, mask, scale). Lanes without an index are 0."""
        assert isinstance(kind, ir.Vector)
        others, base, indexes, mask, scale = map(lanes_of, arguments)
        width = self.run.module.layout.pointer
        by = words.resized(scale[0].word, width)
        places = []
        for index in indexes[: kind.count]:
            far = words.mul(words.resized(index.word, width, words.sext), by)
            poison = words.or_(base[0].poison, index.poison)
            places.append(Lane(memory.moved(base[0].address, far), poison))
        count = len(places)
        part = ir.Vector(count, kind.item)
        found = self._masked(part, tuple(places), _signs(mask)[:count], others[:count])
        rest = ir.Vector(kind.count - count, kind.item)
        return (*lanes_of(found), *lanes_of(self._filled(rest, poison=False)))

    def _copy(self, name: str, arguments: Sequence[Value]) -> None:
        if lanes_of(arguments[3])[0].word.value != 0:
            raise UndecidedError("a volatile copy")
        size = lanes_of(arguments[2])[0].word.value
        if size is None:
            raise UndecidedError(f"{name}: how many bytes depends on the occupancy")
        if "memset" not in name and self._copied_whole(size, arguments):
            return
        if size > MOST_COPIED:
            raise UndecidedError(f"{name}: {size:,} bytes, one after another")
        byte = ir.Integer(8)
        width = self.run.module.layout.pointer
        found = []
        for n in range(size):
            if "memset" in name:
                found.append(arguments[1])
            else:
                found.append(self._loaded(byte, _moved(arguments[1], n, width)))
        for n, value in enumerate(found):
            self._stored(byte, value, _moved(arguments[0], n, width))

    def _copied_whole(self, size: int, arguments: Sequence[Value]) -> bool:
        """A table that is copied to the stack is read where it is, until somebody changes it."""
        (target,), (source,) = (lanes_of(value) for value in arguments[:2])
        ends = (target.address.choices, source.address.choices)
        poison = words.or_(target.poison, source.poison)
        if any(len(choices) != 1 for choices in ends) or poison.value != 0:
            return False
        ((_, to, start),), ((_, item, place),) = ends
        if to is None or to not in self.stack:
            return False
        assert item is not None
        content, at, first = self._content(item), start.value, place.value
        whole = (at, to.size) == (0, size)
        if whole and content is not None and (first, item.size) == (0, size):
            copied = list(content) if isinstance(content, list) else content
            self.stack = {**self.stack, to: copied}
            return True
        if isinstance(content, list) and at is not None and first is not None:
            if at + size > to.size or first + size > item.size:
                return False
            cells = list(memory.bytes_in(self.stack[to], to.size))
            cells[at : at + size] = content[first : first + size]
            self.stack = {**self.stack, to: cells}
            return True
        if not whole:
            return False
        if item.data is None or content is not None:
            return False
        for _ in self._pointer_in(arguments[1], size, "a load"):
            self.stack = {**self.stack, to: memory.Copied(item, place)}
        return True


def _moved_open(parts: Iterable[tuple[int, Lane]], width: int) -> Iterator[tuple[int, Word]]:
    """The open bits of a number's parts, each with its place, as those of the number."""
    for place, part in parts:
        for mask, condition in part.whole:
            yield mask << place & words.ones(width), condition


def lane_at(item: memory.Object, place: int = 0) -> Lane:
    """The address of a place in an object."""
    choice = (words.boolean(True), item, constant(place, 64))
    return Lane(memory.Address((choice,)), words.boolean(False))


def _moved(address: Value, distance: int, width: int) -> Value:
    (pointer,) = lanes_of(address)
    return (Lane(memory.moved(pointer.address, constant(distance, width)), pointer.poison),)


def _signs(mask: Value) -> tuple[Lane, ...]:
    """The highest bit of each lane."""
    lanes = lanes_of(mask)
    return tuple(Lane(words.extract(x.word, 1, x.word.width - 1), x.poison) for x in lanes)


def _with_poison(value: Value, poison: Word) -> Value:
    if poison.value == 0:
        return value
    if isinstance(value, Several):
        return Several(tuple(_with_poison(item, poison) for item in value.items))
    return tuple(Lane(item.bits, words.or_(item.poison, poison)) for item in value)


def _inserted(value: Value, new: Value, numbers: Sequence[int]) -> Value:
    if not numbers:
        return new
    assert isinstance(value, Several)
    items = list(value.items)
    items[numbers[0]] = _inserted(items[numbers[0]], new, numbers[1:])
    return Several(tuple(items))


def _inside(item: memory.Object | None, place: Word) -> bool:
    """Whether a place is known to lie before the object's end."""
    if item is None or item.function:
        return item is not None and place.value == 0
    return words.ult(place, constant(item.size, place.width)).value == 1


def _starts(item: memory.Object, place: Word, size: int) -> range:
    """Where so many bytes of an object may begin, as the lowest bits of an unknown place say."""
    known = place.op == "add" and place.args[1].op == "constant"
    rest, first = (place.args[0], place.args[1].data) if known else (place, 0)
    step = 1 << min(words.low_zeros(rest), 12)
    starts = range(first % step, item.size - size + 1, step)
    if len(starts) > MOST_STARTS:
        raise UndecidedError(f"one of {len(starts):,} numbers or addresses in {item.name}")
    return starts


def _within(item: memory.Object | None, place: Word) -> bool:
    """Whether a place is known to lie behind the object's begin, and not so far that the address
    would begin anew. Numbers lie as they are.
    """
    return item is None or place.largest <= words.ones(place.width - 2)


def _nowhere(item: memory.Object | None, place: Word) -> bool:
    """Whether nothing lies at an address that is a number."""
    return item is None and place.value is not None and place.value < FIRST_ADDRESS


def _apart(item: memory.Object | None, other: memory.Object | None) -> bool:
    """Whether two objects are surely two: of functions that are alike, linkers make one, and of
    constants whose addresses nobody asks for, even where one is the end of the other.
    """
    if item is None or other is None or not (item.merged or other.merged):
        return item is None or other is None or not (item.function and other.function)
    if item.data is None or other.data is None or not (item.readonly and other.readonly):
        return True
    return not (item.data.endswith(other.data) or other.data.endswith(item.data))


def _compared(predicate: str, x: Word, y: Word) -> Word:
    if predicate in {"eq", "ne"}:
        return words.eq(x, y) if predicate == "eq" else words.ne(x, y)
    less = words.slt if predicate[0] == "s" else words.ult
    result = less(x, y) if predicate[1:] in {"lt", "ge"} else less(y, x)
    return result if predicate[1:] in {"lt", "gt"} else words.not_(result)


def _divided(a: Word, b: Word, is_signed: bool) -> tuple[Word, Word]:
    """The quotient, towards zero, and the remainder, which has the dividend's sign."""
    if not is_signed:
        return words.udiv(a, b), words.urem(a, b)
    signs = [words.extract(word, 1, word.width - 1) for word in (a, b)]
    sizes = [words.ite(sign, words.neg(x), x) for sign, x in zip(signs, (a, b), strict=True)]
    quotient, rest = words.udiv(*sizes), words.urem(*sizes)
    apart = words.xor(*signs)
    return (
        words.ite(apart, words.neg(quotient), quotient),
        words.ite(signs[0], words.neg(rest), rest),
    )


def _named(kind: ir.Type) -> str:
    return kind.name if isinstance(kind, ir.Other) else str(kind)


def _unknown(i: ir.Instruction) -> str:
    text = " ".join(i.text.split())
    advice = "; a builtin, such as __builtin_ctzll, is read" if " asm " in text else ""
    return f"not understood: {text[:160]}{advice}"
