"""Two levels whose words several squares share: read, certified, refused."""

import shutil
from pathlib import Path

import pytest

from magicert.compact.emit import LANGUAGES, binary, make_unit, printer
from magicert.data import find_table
from magicert.problem import InputError
from magicert.table import parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

NAME = "two_level_79593"
NUMBERS, WORDS = f"{NAME}.numbers.bin", f"{NAME}.words.bin"


@pytest.fixture
def text(tmp_path: Path) -> str:
    """The record's file; its buffers lie in the temporary folder."""
    path = find_table(NAME)
    for name in (NUMBERS, WORDS):
        shutil.copy(path.parent / name, tmp_path / name)
    return path.read_text()


def report_on(text: str, folder: Path) -> Report:
    return verify(parse_table(text.encode(), folder / "t.toml"))


def problems(text: str) -> str:
    with pytest.raises(InputError) as error:
        parse_table(text.encode(), Path("t.toml"))
    return "\n".join(map(str, error.value.problems))


def test_the_record_is_certified_through_both_levels(text: str, tmp_path: Path):
    report = report_on(text, tmp_path)
    assert report.verdict == "valid"
    assert set(report.input.sidecars) == {NUMBERS, WORDS}
    assert "the finished buffer yields the true attack set" in report.statement
    assert report.formulas["bishop.result"] == "word & line"


def test_it_reads_back(text: str):
    table = parse_table(text.encode(), Path("t.toml")).table
    assert parse_table(table_toml(table).encode(), Path("t.toml")).table == table


@pytest.mark.parametrize("name", [NUMBERS, WORDS])
def test_a_wrong_byte_is_found(text: str, tmp_path: Path, name: str):
    data = bytearray((tmp_path / name).read_bytes())
    place = next(n for n, byte in enumerate(data) if byte)
    data[place] ^= 0xFF
    (tmp_path / name).write_bytes(data)
    report = report_on(text, tmp_path)
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == {"literal"}


def test_a_short_file_of_words_is_refused(text: str, tmp_path: Path):
    (tmp_path / WORDS).write_bytes((tmp_path / WORDS).read_bytes()[:-8])
    with pytest.raises(InputError, match="4,840 bytes: expected 4,848"):
        report_on(text, tmp_path)


def test_without_the_formula_it_is_wrong(text: str, tmp_path: Path):
    assert report_on(text.replace('result = "word & line"\n', ""), tmp_path).verdict == "invalid"


def without(text: str, *beginnings: str) -> str:
    kept = (line for line in text.splitlines() if not line.startswith(beginnings))
    return "\n".join(kept)


def test_the_rules_of_shared_words(text: str):
    assert "literal_words: missing: expected with words" in problems(without(text, "literal_words"))
    assert "words: missing: expected with literal_words" in problems(without(text, "words ="))
    assert "without a literal: expected both" in problems(without(text, "literal ="))
    declared = text.replace("[rook]\n", "[rook]\nattack_sets = 606\n")
    assert "rook.attack_sets: with two_level.literal_words" in problems(declared)
    start = text.index("set_offset = [")
    cut = text[:start] + text[text.index("]", start) + 1 :]
    assert "set_offset: missing: expected with literal_words" in problems(cut)


def test_it_is_emitted_finished():
    unit = make_unit(read_table(find_table(NAME)), "test")
    assert unit.bytes == 79_593
    assert len(binary(unit)) == 79_593
    for language in LANGUAGES:
        source = printer(language).emit(unit, literal=True)
        assert "606 words" in source
        assert printer(language).emit(unit, literal=False) == source
