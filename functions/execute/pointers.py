"""Pointers: an object, or one of several, and a place in it.

Where an object lies is not known, so its address as a number is a variable (`Run.name_of`), and two
objects are compared only where every order of them says the same.
"""

from collections.abc import Sequence

from magicert.functions.execute import words
from magicert.functions.execute.memory import Object, UndecidedError
from magicert.functions.execute.state import FIRST_ADDRESS, Run
from magicert.functions.execute.values import Address, Lane, Value, lanes_of, moved
from magicert.functions.execute.words import Word, constant
from magicert.functions.llvm import ir_types, reader


def compared(run: Run, predicate: str, x: Address, y: Address) -> Word:
    """What `icmp` says of two addresses."""
    result, equal = words.boolean(False), predicate in {"eq", "ne"}
    for condition, item, place in x.choices:
        for other, same, where in y.choices:
            near = (
                _points_past_begin(run, item, place)
                and _points_past_begin(run, item, where)
                and predicate[0] == "u"
            )
            if item is same and (equal or near):
                word = words.compared(predicate, place, where)
            elif equal and (
                (_points_nowhere(run, item, place) and _points_past_begin(run, same, where))
                or (_points_nowhere(run, same, where) and _points_past_begin(run, item, place))
                or (
                    _points_into(item, place)
                    and _points_into(same, where)
                    and _are_distinct(item, same)
                )
            ):
                # Objects lie apart, and none of them at 0. One may begin where another ends.
                word = words.boolean(predicate == "ne")
            elif item is same or item is None or same is None:
                numbers = (
                    number_of(run, Address(((words.boolean(True), *end),)))
                    for end in ((item, place), (same, where))
                )
                word = words.compared(predicate, *numbers)
            else:
                raise UndecidedError("the result depends on where two objects lie in memory")
            result = words.or_(result, words.and_(words.and_(condition, other), word))
    return result


def number_of(run: Run, pointer: Address) -> Word:
    """An address as a number: where an object lies is not known."""
    result = constant(0, run.module.layout.pointer)
    for condition, item, place in pointer.choices:
        start = constant(0, place.width)
        if item is not None:
            start = words.variable(run.name_of(item), place.width)
        result = words.ite(condition, words.add(start, place), result)
    return result


def pointer_to(run: Run, number: Lane) -> Lane:
    """The address that a number is: of the process, below all objects, or made of an address."""
    if number.word.width != run.module.layout.pointer:
        number = Lane(_as_long(number.word, run.module.layout.pointer), number.poison)
    value = number.word.value
    if value is not None and run.store.native is not None:
        known_address = run.store.at(value)
        if known_address is not None:
            item, place = known_address
            return Lane(lane_at(run, item, place).bits, number.poison)
    if value is not None and value < FIRST_ADDRESS:
        nowhere = (words.boolean(True), None, number.word)
        return Lane(Address((nowhere,)), number.poison)
    start, distance = number.word, constant(0, number.word.width)
    if start.op == "add" and start.args[0].op == "variable":
        start, distance = start.args
    target = run.addressed.get(start.data) if start.op == "variable" else None
    if target is not None:
        choice = (words.boolean(True), target, distance)
        return Lane(Address((choice,)), number.poison)
    message = "a number is turned into an address"
    if value is not None and run.store.native is not None:
        message += ": nothing is known to lie there (freed, or an unknown allocator's)"
    raise UndecidedError(message)


def _as_long(number: Word, width: int) -> Word:
    """A number as wide as an address: a sum that is cut off is the sum of what is left."""
    if number.width > width and number.op == "add":
        return words.add(*(_as_long(part, width) for part in number.args))
    return words.resized(number, width)


def address_of(run: Run, i: reader.Instruction, arguments: Sequence[Value]) -> Value:
    """What `getelementptr` gives."""
    if isinstance(i.type, ir_types.Vector):
        count = i.type.count
        wide = [x if len(x) == count else x * count for x in map(lanes_of, arguments)]
        return tuple(_one_address(run, i, lanes) for lanes in zip(*wide, strict=True))
    return (_one_address(run, i, [lanes_of(argument)[0] for argument in arguments]),)


def _one_address(run: Run, i: reader.Instruction, lanes: Sequence[Lane]) -> Lane:
    layout = run.module.layout
    base, *indexes = lanes
    kind = i.element
    assert kind is not None
    distance = constant(0, layout.pointer)
    bad = base.poison
    for n, index in enumerate(indexes):
        bad = words.or_(bad, index.poison)
        if n > 0 and isinstance(kind, ir_types.Struct):
            number = index.word.value
            assert number is not None
            start, kind = layout.part(kind, number)
            distance = words.add(distance, constant(start, layout.pointer))
            continue
        if n > 0:
            _, kind = layout.part(kind, 0)
        word = words.resized(index.word, layout.pointer, words.sext)
        distance = words.add(distance, words.mul(word, constant(layout.size(kind), word.width)))
    pointer = moved(base.address, distance)
    if "inbounds" in i.flags:
        lost = _wraps(layout, i, lanes[1:], distance)
        bad = words.or_(bad, run.poison(lost, layout.too_far))
        for condition, item, place in pointer.choices:
            if item is not None and not item.function:
                outside = words.ult(constant(item.size, place.width), place)
                outside = words.and_(condition, outside)
                message = f"an address outside {item.name}"
                bad = words.or_(bad, run.poison(outside, message, outside=True))
    return Lane(pointer, bad)


def _wraps(
    layout: ir_types.DataLayout, i: reader.Instruction, indexes: Sequence[Lane], distance: Word
) -> Word:
    """Whether the distance that indexes mean is another one than the address can have: of 64 bits
    2^61 entries of eight bytes go round once, of 32 bits 2^29.
    """
    kind, width = i.element, layout.pointer
    wide = 2 * width + max(index.word.width for index in indexes)
    exact, most = constant(0, wide), 0
    for n, index in enumerate(indexes):
        assert kind is not None
        if n > 0 and isinstance(kind, ir_types.Struct):
            start, kind = layout.part(kind, index.word.value or 0)
            exact, most = words.add(exact, constant(start, wide)), most + start
            continue
        if n > 0:
            _, kind = layout.part(kind, 0)
        size, number = layout.size(kind), index.word
        far = (words.zext if "nuw" in i.flags else words.sext)(number, wide)
        exact = words.add(exact, words.mul(far, constant(size, wide)))
        most += size * number.largest
        if number.largest >> (min(number.width, width) - 1):
            most = 1 << width  # it may be negative
    if most < 1 << width - 1:
        return words.boolean(False)
    return words.ne(words.sext(distance, wide), exact)


def lane_at(run: Run, item: Object, place: int = 0) -> Lane:
    """The address of a place in an object."""
    choice = (words.boolean(True), item, constant(place, run.module.layout.pointer))
    return Lane(Address((choice,)), words.boolean(False))


def advanced(address: Value, distance: int, width: int) -> Value:
    """The address so many bytes behind another one."""
    (pointer,) = lanes_of(address)
    return (Lane(moved(pointer.address, constant(distance, width)), pointer.poison),)


def _points_into(item: Object | None, place: Word) -> bool:
    """Whether a place is known to lie before the object's end."""
    if item is None or item.function:
        return item is not None and place.value == 0
    return words.ult(place, constant(item.size, place.width)).value == 1


def _points_past_begin(run: Run, item: Object | None, place: Word) -> bool:
    """Whether a place is known to lie behind the object's begin, and not so far that the address
    would begin anew. Numbers lie as they are.
    """
    if item is None:
        return True
    narrow = run.module.layout.pointer == ir_types.NARROW
    return place.largest <= (item.size if narrow else words.ones(place.width - 2))


def _points_nowhere(run: Run, item: Object | None, place: Word) -> bool:
    """Whether nothing lies at an address that is a number."""
    return item is None and place.value is not None and place.value < run.first_address


def _are_distinct(item: Object | None, other: Object | None) -> bool:
    """Whether two objects are surely two: of functions that are alike, linkers make one, and of
    constants whose addresses nobody asks for, even where one is the end of the other.
    """
    if item is None or other is None or not (item.merged or other.merged):
        return item is None or other is None or not (item.function and other.function)
    if item.data is None or other.data is None or not (item.readonly and other.readonly):
        return True
    return not (item.data.endswith(other.data) or other.data.endswith(item.data))
