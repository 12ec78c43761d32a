"""How the kernels of this room are compiled, and what their annotations mean.

All words are uint64 and all counts int64: `uint64 * int` would quietly become int64 or float64,
so literals beside a word are wrapped. `tests/project` looks at the types that numba inferred.
"""

from typing import Any

from magicert.system.compiled import compiled

Word = Any
"""In a kernel's annotations: a uint64."""
Count = Any
"""In a kernel's annotations: an int64."""

helper = compiled(inline="always")
inner = compiled(forceinline=True, _nrt=False)
"""For what is called once a candidate: without counting references to the arrays of its records,
which cost the column kernel half of its speed. It may not make arrays."""
entry = compiled()
