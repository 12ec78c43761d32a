"""Operations on 64-bit words that numba has no name for, for compiled code only."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _popcount(_context: Any, word: Any) -> Any:  # noqa: ANN401
    del word

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount: Any = intrinsic(_popcount)
"""How many bits of a uint64 are set, as a uint64: one instruction."""


def _high_product(_context: Any, x: Any, y: Any) -> Any:  # noqa: ANN401
    del x, y

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        wide = ir.IntType(128)
        x, y = (builder.zext(argument, wide) for argument in arguments)
        high = builder.lshr(builder.mul(x, y), ir.Constant(wide, 64))
        return builder.trunc(high, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


high_product: Any = intrinsic(_high_product)
"""Bits 64 to 127 of the product of two uint64, as a uint64: one instruction."""
