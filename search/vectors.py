"""What kernels in vector instructions share: numba has no vectors, so they are written for LLVM."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils

WORD = ir.IntType(64)


def vector(lanes: int) -> Any:  # noqa: ANN401
    """The type of so many words."""
    return ir.VectorType(WORD, lanes)


def one_word(value: int) -> Any:  # noqa: ANN401
    """A constant."""
    return ir.Constant(WORD, value)


def lane(number: int) -> Any:  # noqa: ANN401
    """The number of a lane."""
    return ir.Constant(ir.IntType(32), number)


def same(builder: Any, value: Any, lanes: int) -> Any:  # noqa: ANN401
    """A vector with one value in all lanes."""
    nothing = ir.Constant(vector(lanes), [0] * lanes)
    one = builder.insert_element(nothing, value, lane(0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(one, nothing, places)


def call(builder: Any, name: str, values: list[Any]) -> Any:  # noqa: ANN401
    """What an LLVM intrinsic makes of vectors that are as long as its result."""
    kind = ir.FunctionType(values[0].type, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)
