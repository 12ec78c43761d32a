"""Every sample reads back to the numbers of its table, and is judged as the table is."""

from pathlib import Path

from magicert.board import Piece
from magicert.table.locate import Places
from magicert.table.read import TableFile
from magicert.verify.source.readings.judge import judge
from magicert.verify.table.layout import spread
from magicert.verify.table.verifier import verify


def test_sample_gives_its_table(sample_file, shipped):
    table = shipped(sample_file.table)
    judgement = judge([(sample_file.path, sample_file.path.read_bytes())])
    expected = verify(TableFile(table, Path("table.toml"), "", Places()))
    assert judgement.verdict == expected.verdict
    reading = (judgement.valid or judgement.nearest)[0]
    assert len(judgement.valid) == (expected.verdict == "valid")
    for piece in Piece:
        found, wanted = reading.table.pieces[piece], table.pieces[piece]
        assert found.parameters["magic"] == wanted.parameters["magic"]
        assert found.offset is None or found.offset == wanted.offset
        assert index_bits(found) == index_bits(wanted)
        if "mask" in found.parameters:
            assert found.parameters["mask"] == wanted.parameters["mask"]
    if "order" in sample_file.hard.split() and "enumeration" in sample_file.hard:
        assert reading.table.order == table.order


def test_broken_sample_keeps_its_counterexamples(shipped, sample_text):
    judgement = judge([(Path("broken.rs"), sample_text("broken.rs").encode())])
    expected = verify(TableFile(shipped("olah_bad_4425a97"), Path("table.toml"), "", Places()))
    found = judgement.nearest[0].report.findings
    assert judgement.valid == []
    assert [f.lookups for f in found] == [f.lookups for f in expected.findings]
    assert {f.squares[0] for f in found} == {f.squares[0] for f in expected.findings}


def index_bits(half):
    word = 32 if "32" in half.index.text else 64
    if "bits" in half.parameters:
        return spread(half.parameters["bits"])
    return tuple(word - shift for shift in spread(half.parameters["shift"]))
