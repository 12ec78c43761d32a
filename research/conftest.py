"""The tests of research share the fixtures of the product's."""

import runpy
from pathlib import Path

_SHARED = runpy.run_path(
    str(Path(__file__).parents[1] / "tests" / "conftest.py"), run_name="shared"
)
_NOT_HERE = {"pytest_collection_modifyitems"}
globals().update(
    {n: v for n, v in _SHARED.items() if not n.startswith("__") and n not in _NOT_HERE}
)
