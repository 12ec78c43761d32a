"""Loads and stores of several places at once: copies of memory, and lanes that a mask names."""

from collections.abc import Sequence

from magicert.functions.execute import access, vectors, words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.pointers import advanced
from magicert.functions.execute.stack import Copied, bytes_in, cells_of, joined
from magicert.functions.execute.state import State
from magicert.functions.execute.values import Lane, Value, chosen_lane, lanes_of, moved
from magicert.functions.llvm import ir_types
from magicert.functions.llvm.variables import MOST_COPIED


def masked(
    state: State, kind: ir_types.Type, addresses: Value, mask: Sequence[Lane], others: Value, *,
    stores: bool = False,
) -> Value:  # fmt: skip
    """Load, or store, the lanes that a mask names; of the others a load gives what is given.
    One address for lanes side by side, or one for each.
    """
    assert isinstance(kind, ir_types.Vector)
    layout = state.run.module.layout
    assert layout.has_whole_bytes(kind)
    step, places = layout.stored(kind.item), lanes_of(addresses)
    if len(places) == 1:
        places = tuple(
            lanes_of(advanced(addresses, n * step, layout.pointer))[0] for n in range(kind.count)
        )
    lanes = []
    for place, choice, other in zip(places, mask, lanes_of(others), strict=True):
        state.decide(choice.poison)
        whole, before = state.path, state.stack
        state.path = here = words.and_(whole, choice.word)
        if stores:
            access.store(state, kind.item, (other,), (place,))
            state.stack = joined(choice.word, state.stack, before)
        else:
            (loaded,) = lanes_of(access.loaded(state, kind.item, (place,)))
            lanes.append(chosen_lane(choice.word, loaded, other))
        ended = state.path is not here
        state.path = words.and_(whole, words.not_(choice.word)) if ended else whole
    return tuple(lanes)


def gathered(state: State, kind: ir_types.Type, arguments: Sequence[Value]) -> Value:
    """x86's gathers: (others, base, indexes, mask, scale). Lanes without an index are 0."""
    assert isinstance(kind, ir_types.Vector)
    others, base, indexes, mask, scale = map(lanes_of, arguments)
    width = state.run.module.layout.pointer
    by = words.resized(scale[0].word, width)
    places = []
    for index in indexes[: kind.count]:
        far = words.mul(words.resized(index.word, width, words.sext), by)
        poison = words.or_(base[0].poison, index.poison)
        places.append(Lane(moved(base[0].address, far), poison))
    count = len(places)
    part = ir_types.Vector(count, kind.item)
    lane = masked(state, part, tuple(places), signs(mask)[:count], others[:count])
    rest = ir_types.Vector(kind.count - count, kind.item)
    nothing = vectors.filled(state.run.module.layout, rest, poison=False)
    return (*lanes_of(lane), *lanes_of(nothing))


def copy(state: State, name: str, arguments: Sequence[Value]) -> None:
    """What `memcpy`, `memmove` and `memset` do."""
    if lanes_of(arguments[3])[0].word.value != 0:
        raise UndecidedError("a volatile copy")
    size = lanes_of(arguments[2])[0].word.value
    if size is None:
        raise UndecidedError(f"{name}: how many bytes depends on the occupancy")
    at_once = _filled if "memset" in name else _copied_whole
    if at_once(state, size, arguments):
        return
    if size > MOST_COPIED:
        raise UndecidedError(f"{name}: {size:,} bytes, one after another")
    byte = ir_types.Integer(8)
    width = state.run.module.layout.pointer
    lanes = []
    for n in range(size):
        if "memset" in name:
            lanes.append(arguments[1])
        else:
            lanes.append(access.loaded(state, byte, advanced(arguments[1], n, width)))
    for n, value in enumerate(lanes):
        access.store(state, byte, value, advanced(arguments[0], n, width))


def _filled(state: State, size: int, arguments: Sequence[Value]) -> bool:
    """What is filled at a known place of one object on the stack, however large that is."""
    (target,) = lanes_of(arguments[0])
    if len(target.address.choices) != 1 or target.poison.value != 0:
        return False
    ((_, to, start),) = target.address.choices
    at = start.value
    if to is None or to not in state.stack or at is None or at + size > to.size:
        return False
    cells = list(bytes_in(state.stack[to], to.size))
    cells[at : at + size] = cells_of(arguments[1], 1) * size
    state.stack = {**state.stack, to: cells}
    return True


def _copied_whole(state: State, size: int, arguments: Sequence[Value]) -> bool:
    """A table that is copied to the stack is read where it is, until somebody changes it."""
    (target,), (source,) = (lanes_of(value) for value in arguments[:2])
    ends = (target.address.choices, source.address.choices)
    poison = words.or_(target.poison, source.poison)
    if any(len(choices) != 1 for choices in ends) or poison.value != 0:
        return False
    ((_, to, start),), ((_, item, place),) = ends
    if to is None or to not in state.stack:
        return False
    assert item is not None
    content, at, first = access.content_of(state, item), start.value, place.value
    whole = (at, to.size) == (0, size)
    if whole and content is not None and (first, item.size) == (0, size):
        same = list(content) if isinstance(content, list) else content
        state.stack = {**state.stack, to: same}
        return True
    if isinstance(content, list) and at is not None and first is not None:
        if at + size > to.size or first + size > item.size:
            return False
        cells = list(bytes_in(state.stack[to], to.size))
        cells[at : at + size] = content[first : first + size]
        state.stack = {**state.stack, to: cells}
        return True
    if not whole:
        return False
    if item.data is None or content is not None:
        return False
    for _ in access.objects_at(state, arguments[1], size, "a load"):
        state.stack = {**state.stack, to: Copied(item, place)}
    return True


def signs(mask: Value) -> tuple[Lane, ...]:
    """The highest bit of each lane."""
    lanes = lanes_of(mask)
    return tuple(Lane(words.extract(x.word, 1, x.word.width - 1), x.poison) for x in lanes)
