"""Every sample reads back to the numbers of its table; every shape has its expected verdict."""

from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.problem import NothingThereError
from magicert.table.read import TableFile
from magicert.table.values import Places
from magicert.verify.source.judge import judge
from magicert.verify.table.layout import spread
from magicert.verify.table.verifier import verify

HERE = Path(__file__).parent


def test_sample_gives_its_table(sample, shipped):
    path, table = HERE / "samples" / sample["file"], shipped(sample["table"])
    judgement = judge([(path, path.read_bytes())])
    expected = verify(TableFile(table, Path("table.toml"), "", Places()))
    assert judgement.verdict == expected.verdict
    reading = (judgement.valid or judgement.nearest)[0]
    for piece in Piece:
        found, wanted = reading.table.pieces[piece], table.pieces[piece]
        assert found.parameters["magic"] == wanted.parameters["magic"]
        assert found.offset is None or found.offset == wanted.offset
        (half,) = (half for half in reading.halves if half.piece == piece)
        assert not half.count.is_read or index_bits(found) == index_bits(wanted)
        if "mask" in found.parameters:
            assert found.parameters["mask"] == wanted.parameters["mask"]
    if "enumeration" in sample["hard"]:
        assert reading.table.order == table.order


def index_bits(half):
    word = 32 if "32" in half.index.text else 64
    if "bits" in half.parameters:
        return spread(half.parameters["bits"])
    return tuple(word - shift for shift in spread(half.parameters["shift"]))


def test_broken_sample_keeps_its_counterexamples(shipped, sample_text):
    judgement = judge([(Path("broken.rs"), sample_text("broken.rs").encode())])
    expected = verify(TableFile(shipped("olah_bad_4425a97"), Path("table.toml"), "", Places()))
    found = judgement.nearest[0].report.findings
    assert judgement.valid == []
    assert {f.squares[0] for f in found} == {f.squares[0] for f in expected.findings}


def test_shape(shape):
    name, expected = shape
    path = HERE / "shapes" / name
    if expected == "no table":
        with pytest.raises(NothingThereError):
            judge([(path, path.read_bytes())])
    else:
        assert judge([(path, path.read_bytes())]).verdict == expected


@pytest.mark.parametrize("name", ["engine.py", "in_lambda.cpp", "tuples.rs", "Signed.scala"])
def test_places_are_those_of_the_numbers(name, sample_text):
    """Line and column of each magic are where its digits stand in the file."""
    text = sample_text(name)
    (reading,) = judge([(Path(name), text.encode())]).valid
    lines = text.splitlines()
    for half in reading.halves:
        for value, (line, before) in zip(half.magic.values, half.magic.spots, strict=True):
            digits = lines[line - 1][before:].replace("_", "").lower()
            shown = (f"0x{value:x}", f"0x{value:016x}", str(value), f"0x{value:015x}")
            assert digits.startswith(shown), (name, line, digits[:30])
