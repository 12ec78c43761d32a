"""Loads and stores: what lies at an address, and what lies there afterwards.

An address that may lie in several objects is read in each of them. A load or store outside of its
object is a violation. What was read of the stack is what was stored there; of a constant, what its
initialiser says; of a variable, what a process has there, if one runs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from magicert.functions.certificate import Lacking
from magicert.functions.execute import memory, pointers, vectors, words
from magicert.functions.execute.memory import Object, UndecidedError, UnfilledError
from magicert.functions.execute.stack import (
    Content,
    Copied,
    address_at,
    bytes_in,
    cells_of,
    number_at,
    unwritten,
    written,
)
from magicert.functions.execute.state import Run, State
from magicert.functions.execute.values import Aggregate, Lane, Value, chosen, lane, lanes_of, partly
from magicert.functions.execute.words import Word, constant
from magicert.functions.llvm import ir_types, reader
from magicert.functions.llvm.markers import UNWRITTEN
from magicert.functions.llvm.stores import Stores

MOST_STACK = 1 << 20
"""Bytes of one object on the stack."""
MOST_STARTS = 1024
"""Places in one object at which an address may stand."""
_STATED_ALIGNMENT = re.compile(r", align (\d+)")


def allocated(state: State, i: reader.Instruction, sizes: Sequence[Value]) -> Value:
    """What `alloca` gives: a new object on the stack, of one item or of as many as `sizes` says."""
    layout = state.run.module.layout
    assert i.element is not None
    count = 1
    if sizes:
        (number,) = lanes_of(sizes[0])
        if number.word.value is None:
            raise UndecidedError("an array on the stack whose size depends on the occupancy")
        count = number.word.value
    size = count * layout.size(i.element)
    if size > MOST_STACK:
        raise UndecidedError(f"{size:,} bytes on the stack")
    item = Object(i.result, size, readonly=False)
    stated = _STATED_ALIGNMENT.search(i.text)
    item.align = int(stated[1]) if stated else layout.align(i.element)
    poison = state.run.poison(words.boolean(True), "a variable is read before it is written")
    state.stack = {**state.stack, item: unwritten(size, poison)}
    return (pointers.lane_at(state.run, item),)


def objects_at(
    state: State, value: Value, size: int, doing: str
) -> Iterator[tuple[Word, Object, Word]]:
    """The objects that an address may lie in; everything outside is a violation."""
    (pointer,) = lanes_of(value)
    state.decide(pointer.poison)
    for condition, item, place in pointer.address.choices:
        path = words.and_(state.path, condition)
        if path.value == 0:
            continue
        if item is None:
            state.run.violate(path, f"{doing} through a null pointer")
            state.end(condition)
            continue
        if item.function:
            raise UndecidedError(f"{doing} of {item.name}, which is defined elsewhere")
        if size > item.size:
            outside = words.boolean(True)
        else:
            last = constant(item.size - size, place.width)
            outside = words.ult(last, place)
        state.run.violate(words.and_(path, outside), f"{doing} outside {item.name}", outside=True)
        state.end(words.and_(condition, outside))
        if outside.value != 1:
            yield condition, item, place


def check_alignment(
    state: State, i: reader.Instruction, kind: ir_types.Type, address: Value, doing: str
) -> None:
    """Look at an address of more than a word, which has to be a multiple of what is stated: the
    processor stops where it is none.
    """
    stated = _STATED_ALIGNMENT.search(i.text)
    module = state.run.module
    if stated and int(stated[1]) > module.unaligned < module.layout.stored(kind):
        check_multiple(state, int(stated[1]), address, doing)


def check_multiple(state: State, by: int, address: Value, doing: str) -> None:
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
        path = words.and_(state.path, condition)
        state.run.violate(
            words.and_(path, wrong), f"{doing} in {item.name} at no multiple of {by} bytes"
        )
        state.end(words.and_(condition, wrong))
        if known < by and path.value != 0 and item not in state.run.store.blocks.values():
            message = f"{doing} at a multiple of {by} bytes, but {item.name} lies at one of"
            raise UndecidedError(f"{message} {item.align}: whether it does is not known")


def loaded(state: State, kind: ir_types.Type, address: Value) -> Value:
    """What lies at an address, as a value of that type."""
    layout = state.run.module.layout
    if isinstance(kind, ir_types.Struct | ir_types.Array):
        places = (
            (pointers.advanced(address, place, layout.pointer), t)
            for place, t in layout.parts(kind)
        )
        return Aggregate(tuple(loaded(state, item, place) for place, item in places))
    size = layout.stored(kind)
    result: Value | None = None
    for condition, item, place in objects_at(state, address, size, "a load"):
        value = _read(state, item, place, kind)
        result = value if result is None else chosen(condition, value, result)
    return vectors.filled(layout, kind, poison=True) if result is None else result


def _read(state: State, item: Object, place: Word, kind: ir_types.Type) -> Value:
    layout = state.run.module.layout
    if isinstance(kind, ir_types.Vector) and (
        isinstance(kind.item, ir_types.PointerType) or layout.bits(kind.item) % 8 == 0
    ):
        step = layout.bits(kind.item) // 8
        return tuple(
            x
            for n in range(kind.count)
            for x in lanes_of(
                _read(state, item, words.add(place, constant(n * step, place.width)), kind.item)
            )
        )
    if isinstance(kind, ir_types.PointerType):
        return (_read_address(state, item, place),)
    size = layout.stored(kind)
    parts = [_bytes(state, item, place, start, min(8, size - start)) for start in range(0, size, 8)]
    word = words.concat(*(part.word for part in reversed(parts)))
    width = layout.bits(kind)
    places = ((64 * n, part) for n, part in enumerate(parts))
    whole = partly(words.extract(word, width, 0), _moved_open(places, width))
    if isinstance(kind, ir_types.Vector):
        return vectors.cast(ir_types.Integer(layout.bits(kind)), kind, (whole,))
    return (whole,)


def content_of(state: State, item: Object) -> Content | None:
    """What lies on the stack there; None of what does not lie there."""
    if item.name.startswith(UNWRITTEN) and item not in state.run.unknown:
        bytes_ = (words.variable(f"{item.name} {n}", 8) for n in range(item.size))
        state.run.unknown[item] = list(map(lane, bytes_))
    return state.run.unknown.get(item) or state.stack.get(item)


def _bytes(state: State, item: Object, place: Word, start: int, size: int) -> Lane:
    """Up to eight bytes as a number, the lowest first."""
    where = words.add(place, constant(start, place.width))
    if size not in {1, 2, 4, 8}:
        half = 1 << (size.bit_length() - 1)
        low = _bytes(state, item, place, start, half)
        high = _bytes(state, item, place, start + half, size - half)
        places = ((0, low), (8 * half, high))
        return partly(words.concat(high.word, low.word), _moved_open(places, 8 * size))
    content = content_of(state, item)
    if isinstance(content, Copied):
        return _bytes(state, content.item, words.add(content.offset, where), 0, size)
    if content is not None:
        return number_at(content, where, size, partial(pointers.number_of, state.run))
    _check_known(state.run, item)
    if item.links:
        return lane(_with_links(state.run, item, where, size))
    return lane(memory.held(item, where, size))


def _with_links(run: Run, item: Object, where: Word, size: int) -> Word:
    """A number some of whose bytes may be an address's."""
    start, room = where.value, run.module.layout.pointer
    if start is None:
        numbers = memory.loaded(item, where, size)
        for place in _starts(item, where, size):
            if any(place - room // 8 < n < place + size for n in item.links):
                here = constant(place, where.width)
                with_link = _with_links(run, item, here, size)
                numbers = words.ite(words.eq(where, here), with_link, numbers)
        return numbers
    lanes = []
    for place in range(start, start + size):
        link = next((n for n in item.links if n <= place < n + room // 8), None)
        if link is None:
            lanes.append(memory.held(item, constant(place, where.width), 1))
        else:
            symbol, distance = item.links[link]
            target = pointers.lane_at(run, run.store.object(symbol), distance).address
            lanes.append(words.extract(pointers.number_of(run, target), 8, 8 * (place - link)))
    return words.concat(*reversed(lanes))


def _check_known(run: Run, item: Object) -> None:
    """Raises UndecidedError where nobody knows what an object holds."""
    if not run.store.known(item):
        message = f"{item.name} is a variable whose contents are not known: "
        if item.name.startswith("thread-local "):
            message += "each thread has its own"
        elif _writes(run, item):
            message += "the function writes it itself"
            if run.store.native is None:
                message += (
                    "; if it does so at its first call alone, --init with such a call runs it"
                )
                raise UnfilledError(message, item.symbol)
        elif item.written:
            message += f"it may be written by {item.written}"
            if run.store.native is None:
                message += "; if that fills it at the start, --init NAME runs it"
                raise UnfilledError(message, item.symbol)
        elif run.store.native is None and run.is_external(item.name):
            message += "it is defined elsewhere"
            advice = "; if it is the engine's, give that source, too"
            lacks = Lacking(item.name, variable=True, said=message, advice=advice)
            raise UndecidedError(lacks.message(), lacks=lacks)
        elif run.store.native is None:
            message += "if static initialisers fill it, --run lets them run; if a function"
            message += " does, --init NAME runs it"
            raise UnfilledError(message, item.symbol)
        elif run.store.ended:
            message += "in the build with undefined behaviour as traps the init does not come to "
            message += f"its end: {run.store.ended}"
            raise UnfilledError(message, item.symbol)
        else:
            message += (
                "the optimiser has removed it; -- -O0 keeps it; or name what fills it by --init"
            )
            raise UnfilledError(message, item.symbol)
        raise UndecidedError(message)


def _writes(run: Run, item: Object) -> bool:
    """Whether what was called so far writes to a variable by its name."""
    return any(symbol in run.calls for symbol, _ in Stores(run.module).to_variable(item.symbol))


def _read_address(state: State, item: Object, place: Word) -> Lane:
    size = state.run.module.layout.pointer // 8
    content = content_of(state, item)
    if isinstance(content, Copied):
        return _read_address(state, content.item, words.add(content.offset, place))
    if content is not None:
        if place.value is None:
            raise UndecidedError("an address on the stack, at an unknown place")
        address = address_at(content, place.value, size)
        return address or pointers.pointer_to(state.run, _bytes(state, item, place, 0, size))
    _check_known(state.run, item)
    start = place.value
    if start is not None:
        return _address_at(state.run, item, start)
    starts = _starts(item, place, size)
    if starts.step < size:
        raise UndecidedError(f"an address in {item.name}, at an unknown place")
    result: Value | None = None
    for start in starts:
        value = (_address_at(state.run, item, start),)
        here = words.eq(place, constant(start, place.width))
        result = value if result is None else chosen(here, value, result)
    assert result is not None
    return lanes_of(result)[0]


def _address_at(run: Run, item: Object, start: int) -> Lane:
    if start in item.links:
        symbol, distance = item.links[start]
        return pointers.lane_at(run, run.store.object(symbol), distance)
    size = run.module.layout.pointer // 8
    if any(start - size < link < start + size for link in item.links):
        raise UndecidedError(f"a part of an address in {item.name}")
    number = memory.held(item, constant(start, 8 * size), size)
    if number.value is None:
        return lanes_of(vectors.filled(run.module.layout, ir_types.PointerType(), poison=True))[0]
    return pointers.pointer_to(run, lane(number))


def store(state: State, kind: ir_types.Type, value: Value, address: Value) -> None:
    """Write a value to the stack. Whatever writes elsewhere has side effects."""
    layout = state.run.module.layout
    if isinstance(value, Aggregate):
        for item, (start, part) in zip(value.items, layout.parts(kind), strict=True):
            store(state, part, item, pointers.advanced(address, start, layout.pointer))
        return
    size = layout.stored(kind)
    cells = cells_of(value, size)
    for condition, target, place in objects_at(state, address, size, "a store"):
        if target not in state.stack:
            message = f"writes to {target.name}: expected a function without side effects"
            raise UndecidedError(message)
        before = bytes_in(state.stack[target], target.size)
        after = written(before, place, cells, condition)
        state.stack = {**state.stack, target: after}


def _moved_open(parts: Iterable[tuple[int, Lane]], width: int) -> Iterator[tuple[int, Word]]:
    """The open bits of a number's parts, each with its place, as those of the number."""
    for place, part in parts:
        for mask, condition in part.whole:
            yield mask << place & words.ones(width), condition


def _starts(item: Object, place: Word, size: int) -> range:
    """Where so many bytes of an object may begin, as the lowest bits of an unknown place say."""
    known = place.op == "add" and place.args[1].op == "constant"
    rest, first = (place.args[0], place.args[1].data) if known else (place, 0)
    step = 1 << min(words.low_zeros(rest), 12)
    starts = range(first % step, item.size - size + 1, step)
    if len(starts) > MOST_STARTS:
        raise UndecidedError(f"one of {len(starts):,} numbers or addresses in {item.name}")
    return starts
