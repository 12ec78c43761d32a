"""Samples read back to the numbers of their tables, shapes to their verdicts, items to numbers."""

import tomllib
from pathlib import Path

import pytest

from magicert.chess import Piece
from magicert.problem import NothingThereError
from magicert.table.files import TableFile
from magicert.verify.source.judge import judge
from magicert.verify.source.lists import read_sources
from magicert.verify.table.layout import spread
from magicert.verify.table.verifier import verify

HERE = Path(__file__).parent


def index_bits(half):
    word = 32 if "32" in half.index.text else 64
    if "bits" in half.parameters:
        return spread(half.parameters["bits"])
    return tuple(word - shift for shift in spread(half.parameters["shift"]))


def test_sample_gives_its_table(sample, shipped, judged_sample):
    judgement, table = judged_sample(sample["file"]), shipped(sample["table"])
    expected = verify(TableFile.unsaved(table, ""))
    assert judgement.verdict == expected.verdict
    reading = (judgement.valid or judgement.nearest)[0]
    for half in reading.piece_readings:
        found, wanted = reading.table.pieces[half.piece], table.pieces[half.piece]
        assert found.parameters["magic"] == wanted.parameters["magic"]
        assert found.offset is None or found.offset == wanted.offset
        assert not half.count.is_read or index_bits(found) == index_bits(wanted)
        if "mask" in found.parameters:
            assert found.parameters["mask"] == wanted.parameters["mask"]
    assert {half.piece for half in reading.piece_readings} == set(Piece)
    if "enumeration" in sample["hard"]:
        assert reading.table.order == table.order
    if expected.verdict == "invalid":
        found = {finding.squares[0] for finding in reading.report.findings}
        assert found == {finding.squares[0] for finding in expected.findings}
        assert not judgement.valid


@pytest.mark.cases_of("shapes.tsv")
def test_shapes(file, expected):
    path = HERE / "shapes" / file
    if expected == "no table":
        with pytest.raises(NothingThereError):
            judge([(path, path.read_bytes())])
    else:
        assert judge([(path, path.read_bytes())]).verdict == expected


@pytest.mark.parametrize("name", ["engine.py", "in_lambda.cpp", "tuples.rs", "Signed.scala"])
def test_places_are_those_of_the_numbers(name, judged_sample):
    """Line and column of each magic are where its digits stand in the file."""
    lines = (HERE / "samples" / name).read_text("utf-8").splitlines()
    (reading,) = judged_sample(name).valid
    for half in reading.piece_readings:
        for value, (line, before) in zip(half.magic.values, half.magic.spots, strict=True):
            digits = lines[line - 1][before:].replace("_", "").lower()
            shown = (f"0x{value:x}", f"0x{value:016x}", str(value), f"0x{value:015x}")
            assert digits.startswith(shown), (name, line, digits[:30])


# What an item of a list comes to in its language: a number, or not known, or refused.

WORD = 0x8A08C0010C10040040400004140_0A40

FRAMES = tomllib.loads((HERE / "frames.toml").read_text("utf-8"))


def read(file, item, head, bits=64):
    """The list of sixteen such items."""
    ending, separator = file.partition(".")[2], "; " if file == "a.ml" else ", "
    frame = FRAMES[ending if bits == 64 else f"{bits} {ending}"]
    text = f"{head}\n{frame.format(separator.join([item] * 16))}\n"
    ((source,),) = read_sources([(Path(file), text.encode())], bits)
    (found,) = source.lists
    return found


@pytest.mark.cases_of("values.tsv")
def test_values(file, item, head, expected):
    numbers = list(read(file, item, head).row.flat())
    assert len(numbers) == 16
    if expected == "refused":
        assert all(number.problem for number in numbers)
    else:
        known = None if expected == "-" else int(expected, 0)
        assert {number.value for number in numbers} == {known}
        assert not any(number.problem for number in numbers if known is not None)


@pytest.mark.cases_of("what_fields_hold.tsv")
def test_what_fields_hold(fields, item, expected):
    text = f"typedef struct {{ {fields} }} M;\nM a[64] = {{ {', '.join([item] * 64)} }};\n"
    ((source,),) = read_sources([(Path("a.c"), text.encode())])
    numbers = list(source.lists[0].row.flat())
    if expected == "refused":
        assert numbers[0].problem
    else:
        assert [number.value for number in numbers] == [int(n, 0) for n in expected.split()] * 64


@pytest.mark.cases_of("wide_values.tsv")
def test_wide_values(file, item, head, made):
    """Two are halves, which the numbers tell apart."""
    high, low = WORD >> 64, WORD & (1 << 64) - 1
    values = read(file, item.format(h=f"{high:#x}", l=f"{low:#x}"), head, 128).values()
    if made == "two":
        assert values == [high, low] * 16
    else:
        assert set(values) == {WORD if made == "one" else None}
