"""Small sources of this project's own in the shapes of public files that were read wrongly.

Each was written for the purpose, with numbers found by its own search or those of bbc.
"""

from pathlib import Path

import pytest

CASES = Path(__file__).parent / "wild_cases"


@pytest.mark.parametrize(
    ("file", "options", "status", "said"),
    [
        ("ptr_amp_wrong.c", "", 1, "wild_cases/ptr_amp_wrong.c:10"),
        ("ptr_amp_right.c", "--full", 0, "rook.offset   ROOK[1]"),
    ],
)
def test_what_it_gives(command, file, options, status, said):
    result = command("verify", CASES / file, *options.split())
    assert result.exit_code == status
    assert said in result.output
