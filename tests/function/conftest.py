import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("z3")
