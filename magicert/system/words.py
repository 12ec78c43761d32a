"""Operations on 64-bit words that numba has no name for, for compiled code only."""

from typing import Any

from numba import types
from numba.extending import intrinsic


def _popcount(_context: Any, word: Any) -> Any:  # noqa: ANN401
    del word

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount: Any = intrinsic(_popcount)
"""How many bits of a uint64 are set, as a uint64: one instruction."""
