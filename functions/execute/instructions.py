"""What each instruction gives: one match over LLVM's operations, to the module that computes it."""

from magicert.functions.execute import access, arithmetic, pointers, vectors, words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.state import State, not_understood
from magicert.functions.execute.values import Aggregate, Lane, Value, inserted, lane, lanes_of
from magicert.functions.execute.words import constant
from magicert.functions.llvm import ir_types, reader


def value_of(state: State, operand: reader.Operand) -> Value:
    """The value of an operand."""
    kind, data = operand.type, operand.data
    match operand.kind:
        case "local":
            return state.values[str(data)]
        case "number" if isinstance(kind, ir_types.Integer) and isinstance(data, int):
            return (lane(constant(data, kind.width)),)
        case "global":
            return (pointers.lane_at(state.run, state.run.store.object(str(data))),)
        case "zero" | "poison":
            return vectors.filled(state.run.module.layout, kind, poison=operand.kind == "poison")
        case "list" if isinstance(data, list):
            items = [value_of(state, item) for item in data]
            if isinstance(kind, ir_types.Vector):
                return tuple(item for value in items for item in lanes_of(value))
            return Aggregate(tuple(items))
        case "expression" if isinstance(data, reader.Instruction):
            return result_of(state, data)
    raise UndecidedError(f"a value of kind {operand.kind} and type {kind}")


def result_of(state: State, i: reader.Instruction) -> Value:
    """The value that an instruction gives: of all but calls and what ends a block."""
    arguments = [value_of(state, operand) for operand in i.operands]
    match i.op:
        case "add" | "sub" | "mul" | "shl" | "lshr" | "ashr" | "and" | "or" | "xor":
            return arithmetic.combined(state.run, i, arguments)
        case "udiv" | "sdiv" | "urem" | "srem":
            return arithmetic.divided(state, i, arguments)
        case "icmp":
            return arithmetic.compared(state.run, i, arguments)
        case "trunc" | "zext" | "sext":
            return arithmetic.resized(state.run, i, arguments[0])
        case "bitcast" | "addrspacecast":
            return vectors.cast(i.operands[0].type, i.type, arguments[0])
        case "ptrtoint" | "ptrtoaddr":
            kind = i.type.item if isinstance(i.type, ir_types.Vector) else i.type
            assert isinstance(kind, ir_types.Integer)
            return tuple(
                Lane(words.resized(pointers.number_of(state.run, x.address), kind.width), x.poison)
                for x in lanes_of(arguments[0])
            )
        case "inttoptr":
            return tuple(pointers.pointer_to(state.run, x) for x in lanes_of(arguments[0]))
        case "select":
            return vectors.selected(arguments)
        case "freeze":
            return vectors.frozen(state.run, arguments[0])
        case "extractvalue":
            value = arguments[0]
            for number in i.numbers:
                assert isinstance(value, Aggregate)
                value = value.items[number]
            return value
        case "insertvalue":
            return inserted(arguments[0], arguments[1], i.numbers)
        case "extractelement" | "insertelement":
            return vectors.element(state.run, i, arguments)
        case "shufflevector":
            return vectors.shuffled(state.run.module.layout, i, arguments)
        case "getelementptr":
            return pointers.address_of(state.run, i, arguments)
        case "alloca":
            return access.allocated(state, i, arguments)
        case "load" if "volatile" in i.flags:
            raise UndecidedError("a volatile load: its value may be anything")
        case "load":
            loaded = access.loaded(state, i.type, arguments[0])
            access.check_alignment(state, i, i.type, arguments[0], "a load")
            return loaded
    raise UndecidedError(not_understood(i))
