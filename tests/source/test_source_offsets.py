"""`magicert fix` where every magic is right, and an offset or a name is not."""

import re
from itertools import accumulate
from pathlib import Path

import pytest

import magicert
from magicert.board import Piece, mask


@pytest.fixture
def with_offsets(engine):
    """bbc in C with lists of offsets, one buffer for both; `wrong` replaces some of the rook's."""

    def write(wrong: dict[int, int]) -> Path:
        lists, start = [], 0
        for piece in Piece:
            sizes = [1 << mask(piece, square).bit_count() for square in range(64)]
            offsets = [start + before for before in accumulate(sizes[:-1], initial=0)]
            start = offsets[-1] + sizes[-1]
            if piece == "rook":
                offsets = [wrong.get(row, offset) for row, offset in enumerate(offsets)]
            listed = ",\n".join(map(str, offsets))
            lists.append(f"int {piece}_offsets[64] = {{\n{listed}}};\n")
        return engine(more="".join(lists))

    return write


@pytest.mark.parametrize("wrong", [{0: 1}, {5: 9, 27: 0}])
def test_a_wrong_offset_is_put_right(command, with_offsets, wrong):
    right = with_offsets({}).read_text()
    path = with_offsets(wrong)
    assert command("verify", path).exit_code == 1
    result = command("fix", path, "--write")
    assert result.exit_code == 0, result.stderr
    assert "the sum of the sizes before" in result.stderr
    assert path.read_text() == right


def test_an_offset_is_put_back_as_published(command, tmp_path):
    """Where squares share slots, no sum says what an offset was."""
    text = magicert.emit("shakmaty", "rust")
    offset = magicert.read_table("shakmaty").table.pieces["bishop"].offset[12]
    assert len(re.findall(rf"\b{offset}\b", text)) == 1
    path = tmp_path / "magics.rs"
    path.write_text(re.sub(rf"\b{offset}\b", f"{offset + 7}", text))
    assert command("verify", path).exit_code == 1
    result = command("fix", path, "--write")
    assert result.exit_code == 0, result.stderr
    assert "(as in " in result.stderr
    assert path.read_text() == text


def test_what_is_not_found_is_not_said_to_be_impossible(command, with_offsets):
    path = with_offsets({row: 4096 * (row // 2) for row in range(64)})
    result = command("fix", path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "no patch was found" in result.stderr
    assert "cannot" not in result.stderr
    shown = command("verify", path)
    assert shown.exit_code == 3
    (options,) = re.findall(r"if that is what the engine computes, say (.*)", shown.stdout)
    assert command("verify", path, *options.split()).exit_code == 1


def test_lists_under_each_others_names_are_said_in_one_sentence(command, engine):
    path = engine()
    text = path.read_text()
    other = {"rook": "bishop", "bishop": "rook"}
    path.write_text(re.sub("rook|bishop", lambda found: other[found[0]], text))
    sentence = "bishop_magics holds magics of a rook, and rook_magics holds magics of a bishop"
    for name in ("verify", "fix"):
        result = command(name, path)
        assert result.exit_code == 0, result.output
        assert result.output.count(sentence) == 1
    assert command("verify", path, "--strict").exit_code == 3
    stated = ("--map", "rook.magic=bishop_magics", "--map", "bishop.magic=rook_magics")
    assert sentence not in command("verify", path, *stated).output
