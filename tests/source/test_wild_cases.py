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
        ("rook-magics.json", "", 1, "wild_cases/rook-magics.json:7"),
        ("refilled.cpp", "", 3, "wild_cases/refilled.cpp:45: not decided: ROOK_MAGIC is written"),
        ("refilled.cpp", "--as-written", 1, "rook h1"),
        ("one_shift_for_both.c", "", 0, "rook_mul:1, bishop_mul:19"),
        ("fourteen.cs", "", 0, "bishop bits = 14"),
        ("shogi.h", "", 2, "--board 9x9 --piece RookMagic=R; with magics of 64 bits the fold"),
        ("shogi.h", "--board 9x9 --piece RookMagic=R --order a1-files", 0, "the fold x | x >> 63"),
        ("shogi.h", "--board 9x9 --piece RookMagic=R", 0, "the fold x | x >> 63"),
    ],
)
def test_what_it_gives(command, file, options, status, said):
    result = command("verify", CASES / file, *options.split())
    assert result.exit_code == status
    assert said in result.output
