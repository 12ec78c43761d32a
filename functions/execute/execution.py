"""Symbolic execution: from the first block of a function to all of its returns, on every path.

States that meet in a block are joined there. Loops are gone through until no occupancy is left that
would go on. So every path is followed, and each is followed once: `flow` says in which order.
"""

from collections.abc import Sequence
from functools import partial

from magicert.functions.execute import access, words
from magicert.functions.execute.calls import called
from magicert.functions.execute.flow import Flow, flow_of, returns
from magicert.functions.execute.instructions import result_of, value_of
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.stack import Stack, joined
from magicert.functions.execute.state import Run, State, not_understood
from magicert.functions.execute.values import Value, chosen, lanes_of
from magicert.functions.execute.words import Word, constant
from magicert.functions.llvm import reader

MOST_STEPS = 200_000
"""Instructions of one square that are gone through."""
MOST_ROUNDS = 4096
"""Rounds of one loop."""
ROUNDS_OF_A_QUESTION = 28
"""As many rounds counts one whose end a solver is asked about: each is slower than the last."""
MOST_RECURSIONS = 16
"""Calls of functions that have begun and not ended, for one square."""
DEEPEST = 64
"""Calls inside one another."""


def call(
    run: Run, name: str, arguments: Sequence[Value], path: Word, stack: Stack
) -> tuple[Value | None, Word, Stack]:
    """What a defined function returns, under which condition it does, and the stack then.

    Raises UndecidedError for whatever is not understood.
    """
    if name in run.calls:
        # A queen may ask for a rook and a bishop; a constant then decides where that ends.
        run.recursions += 1
        if run.recursions > MOST_RECURSIONS:
            message = f"{name} calls itself more than {MOST_RECURSIONS} times: recursion"
            raise UndecidedError(message, run.place)
        if not run.feasible(path):
            return None, words.boolean(False), stack
    if len(run.calls) > DEEPEST:
        raise UndecidedError(f"more than {DEEPEST} calls inside one another", run.place)
    function = run.module.function(name)
    names = [parameter[1] for parameter in function.parameters]
    if any("byval" in parameter[2] for parameter in function.parameters):
        raise UndecidedError(f"{name} is given a copy of a struct in memory", run.place)
    run.calls.append(name)
    try:
        values = dict(zip(names, arguments, strict=True))
        return _Activation(function, flow_of(function)).go(State(run, path, values, stack))
    finally:
        run.calls.pop()


class _Activation:
    """One call of one function: the states that wait before its blocks, and those that returned."""

    def __init__(self, function: reader.IrFunction, flow: Flow) -> None:
        self.function = function
        self.flow = flow
        self.waiting: dict[str, list[State]] = {}
        self.returned: list[tuple[Word, Value | None, Stack]] = []

    def go(self, state: State) -> tuple[Value | None, Word, Stack]:
        """From the first block to all returns."""
        self.waiting[next(iter(self.function.blocks))] = [state]
        self._in_order(state.run, self.flow.order)
        path = words.any_of(path for path, _, _ in self.returned)
        if not self.returned:
            return None, path, state.stack
        _, value, after = self.returned[-1]
        for condition, other, other_stack in reversed(self.returned[:-1]):
            if value is not None and other is not None:
                value = chosen(condition, other, value)
            after = joined(condition, other_stack, after)
        return value, path, after

    def _in_order(self, run: Run, order: Sequence[object]) -> None:
        """Blocks in their order; a loop, which is a list, until nothing is left in it."""
        for part in order:
            if isinstance(part, str):
                if states := self.waiting.pop(part, []):
                    self._block(part, _joined(states))
                continue
            assert isinstance(part, list)
            inside = self.flow.inside[id(part)]
            rounds = 0
            while any(block in self.waiting for block in inside):
                known = all(
                    s.path.value == 1 for block in inside for s in self.waiting.get(block, ())
                )
                rounds += 1 if known else ROUNDS_OF_A_QUESTION
                if rounds > MOST_ROUNDS:
                    raise UndecidedError("a loop without a known bound", run.place)
                if rounds > 1:
                    self._leave_out_unreachable(run, inside)
                self._in_order(run, part)

    def _leave_out_unreachable(self, run: Run, inside: frozenset[str]) -> None:
        """Leave out the states of a loop that no occupancy comes to."""
        for block in [block for block in self.waiting if block in inside]:
            states = [s for s in self.waiting[block] if run.feasible(s.path)]
            if states:
                self.waiting[block] = states
            else:
                del self.waiting[block]

    def _block(self, name: str, state: State) -> None:
        run = state.run
        for instruction in self.function.blocks[name].instructions:
            if state.path.value == 0:
                return
            if instruction.debug is not None:
                run.place = run.module.names.source_line(instruction.debug)
            run.steps += 1
            if run.steps > MOST_STEPS:
                message = f"more than {MOST_STEPS:,} instructions for one square"
                raise UndecidedError(message, run.place)
            if instruction.op == "phi":
                continue  # the edge has set it
            try:
                self._step(name, state, instruction)
            except UndecidedError as error:
                if not error.place:
                    error.place = str(run.place)
                raise
            except (AssertionError, KeyError, ValueError) as error:
                # A shape that nobody thought of is not understood.
                why = f": {error}" if isinstance(error, reader.UnreadableError) else ""
                raise UndecidedError(not_understood(instruction) + why, run.place) from None

    def _step(self, block: str, state: State, instruction: reader.Instruction) -> None:
        operands, names = instruction.operands, instruction.names
        match instruction.op:
            case "br" if not operands:
                self._edge(block, names[0], state, state.path)
            case "br":
                (condition,) = lanes_of(value_of(state, operands[0]))
                state.decide(condition.poison)
                taken = words.and_(state.path, condition.word)
                other = words.and_(state.path, words.not_(condition.word))
                self._edge(block, names[0], state, taken)
                self._edge(block, names[1], state, other)
            case "switch":
                (choice,) = lanes_of(value_of(state, operands[0]))
                state.decide(choice.poison)
                others = state.path
                targets: dict[str, Word] = {}
                for number, target in zip(instruction.numbers, names[1:], strict=True):
                    same = words.eq(choice.word, constant(number, choice.word.width))
                    here = words.and_(state.path, same)
                    targets[target] = words.or_(targets.get(target, words.boolean(False)), here)
                    others = words.and_(others, words.not_(same))
                default = names[0]
                targets[default] = words.or_(targets.get(default, words.boolean(False)), others)
                for target, path in targets.items():
                    self._edge(block, target, state, path)
            case "ret":
                value = value_of(state, operands[0]) if operands else None
                self.returned.append((state.path, value, state.stack))
            case "unreachable":
                state.run.violate(state.path, "code that was declared unreachable is reached")
            case "call" | "invoke":
                self._call(block, state, instruction)
                if instruction.op == "invoke":
                    self._edge(block, names[1], state, state.path)
            case "store":
                value, address = (value_of(state, operand) for operand in operands)
                access.store(state, operands[0].type, value, address)
                access.check_alignment(state, instruction, operands[0].type, address, "a store")
            case "fence":
                pass
            case _:
                state.values[instruction.result] = result_of(state, instruction)

    def _call(self, block: str, state: State, instruction: reader.Instruction) -> None:
        run = state.run
        pads = instruction.names[2:] if instruction.op == "invoke" else []
        catching = any(returns(self.function, pad) for pad in pads)
        arguments = [value_of(state, operand) for operand in instruction.operands]
        run.catching += catching
        result = called(
            state, instruction, arguments, partial(call, run),
            lambda: returns(self.function, block),
        )  # fmt: skip
        run.catching -= catching
        if instruction.result and result is not None:
            state.values[instruction.result] = result

    def _edge(self, block: str, target: str, state: State, path: Word) -> None:
        """Control goes on to another block under a condition, with the values it still uses."""
        if path.value == 0:
            return
        used = {n: state.values[n] for n in self.flow.live[target] if n in state.values}
        for phi in self.flow.phis[target]:
            used[phi.result] = value_of(state, phi.operands[phi.names.index(block)])
        self.waiting.setdefault(target, []).append(State(state.run, path, used, state.stack))


def _joined(states: Sequence[State]) -> State:
    """The state of a block that control comes to from several sides."""
    path = words.any_of(state.path for state in states)
    values, after = dict(states[-1].values), states[-1].stack
    for state in reversed(states[:-1]):
        for key, value in values.items():
            values[key] = chosen(state.path, state.values[key], value)
        after = joined(state.path, state.stack, after)
    return State(states[-1].run, path, values, after)
