"""Files of keys for the tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[bytes | str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Write:
    """Write a file of keys."""

    def write(content: bytes | str) -> Path:
        path = tmp_path / "keys.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
