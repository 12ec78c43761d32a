"""The counterexample names its place in the source, and `magicert fix` puts the number right."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest

import magicert
from magicert.board import Piece, mask
from magicert.jobs.fixing import repair
from magicert.jobs.fixing.edits import SourceFile, rewritten
from magicert.jobs.fixing.repair import slips_of
from magicert.languages.language import language_of
from magicert.verify.source.judge import judge
from magicert.verify.source.lists import read_sources

WRONG_ROW = 27
OF_ROOK = {
    "a digit": lambda m: m ^ 7 << 36,
    "another number": lambda _: 0x1234567812345678,
}


@pytest.fixture
def broken(engine, shipped):
    """bbc in C with another rook magic on d4, each on a line of its own."""

    def write(
        change: Callable[[int], int], spell: str = "0x{:x}ULL", line: str = "\n"
    ) -> tuple[Path, str, str]:
        magics = list(shipped("bbc").pieces[Piece.ROOK].parameters["magic"])
        right = magics[WRONG_ROW]
        magics[WRONG_ROW] = change(right)
        listed = f",{line}".join(map(spell.format, magics))
        path = engine(rook=f"const U64 rook_magics[64] = {{{line}{listed}}};{line}")
        return path, spell.format(right), spell.format(magics[WRONG_ROW])

    return write


def test_entries_count_as_the_engine_does(command, engine, shipped):
    """A list with subscripts is in the order of these, whatever the order of its lines."""
    magics = list(shipped("bbc").pieces[Piece.ROOK].parameters["magic"])
    magics[WRONG_ROW] = 1
    items = [f"[{row}] = {magic:#x}ULL" for row, magic in enumerate(magics)]
    listed = ",\n".join(reversed(items))
    path = engine(rook=f"const U64 rook_magics[64] = {{\n{listed}}};\n")
    report, *_ = json.loads(command("verify", path, "--json").stdout)["reports"]
    ((entry,),) = report["reading"]["entries"]
    assert (entry["entry"], entry["line"], entry["number"]) == (WRONG_ROW, 38, "0x1")


@pytest.fixture
def unpublished(monkeypatch):
    """As if no published table had these magics."""
    monkeypatch.setattr(repair, "published_number", lambda *_: None)


@pytest.mark.usefixtures("unpublished")
def test_a_slip_is_undone(command, broken):
    """Another slip may explain it as well, but one digit is all that changes."""
    path, _, wrong = broken(OF_ROOK["a digit"])
    result = command("fix", path)
    assert result.exit_code == 0
    assert "(one digit)" in result.stderr
    new = re.search(r"^\+(0x\w+ULL),$", result.stdout, re.MULTILINE)[1]
    assert int(wrong[2:-3], 16) in slips_of(int(new[2:-3], 16), 16)


@pytest.mark.usefixtures("unpublished")
def test_a_digit_too_many_is_a_finding_and_dropped(command, engine, magics):
    texts = [f"{magic:#018x}ULL" for magic in magics("rook")]
    wide = f"{texts[0][:5]}7{texts[0][5:]}"
    path = engine(rook=f"U64 rook_magics[64] = {{{', '.join([wide, *texts[1:]])}}};\n")
    result = command("verify", path, "--bits", "popcount")
    assert result.exit_code == 1
    assert f"rook a1 has a wrong magic: {wide[:-3]} has 68 bits" in result.stdout
    (help_,) = re.findall("help: magicert (.*) changes one digit: (.*) becomes (.*)", result.stdout)
    assert help_[1:] == (wide, texts[0])
    assert command(*help_[0].split(), "--write").exit_code == 0
    assert texts[0] in path.read_text()


def test_a_published_number_is_restored(command, broken, monkeypatch, tmp_path):
    path, right, wrong = broken(OF_ROOK["another number"])
    monkeypatch.chdir(tmp_path)
    result = command("fix", path.name)
    assert result.exit_code == 0
    assert f"-{wrong},\n+{right},\n" in result.stdout
    assert "(as in barond)" in result.stderr  # the first with these magics
    assert "engine.c is valid" in result.stderr
    assert wrong in path.read_text()
    if git := shutil.which("git"):
        subprocess.run([git, "apply", "-"], input=result.stdout.encode(), check=True)
        assert right in path.read_text()


@pytest.mark.usefixtures("unpublished")
def test_write_changes_the_number_and_nothing_else(command, broken):
    path, _, wrong = broken(OF_ROOK["another number"], line="\r\n")
    path.chmod(0o640)
    before = path.read_bytes()
    assert command("fix", path, "--write").exit_code == 0
    after = path.read_bytes()
    head, _, tail = before.partition(wrong.encode())
    assert after.startswith(head)
    assert after.endswith(tail)
    assert re.fullmatch(rb"0x[0-9a-f]+ULL", after[len(head) : len(after) - len(tail)])
    assert path.stat().st_mode & 0o777 == 0o640
    assert command("verify", path).exit_code == 0


def test_a_number_of_a_shared_buffer_is_restored(command, tmp_path, sample_text):
    """Squares that share slots need the very number, and not just a magic."""
    path = tmp_path / "black_pairs.c"
    text = sample_text("black_pairs.c")
    magic = judge([(path, text.encode())]).valid[0].halves[0].magic.words[WRONG_ROW]
    path.write_text(text.replace(f"{magic:x}", f"{magic ^ 0xF0F00:x}"))
    assert command("verify", path).exit_code == 3  # its bits are taken
    assert command("fix", path, "--write").exit_code == 0
    assert path.read_text() == text


@pytest.mark.usefixtures("unpublished")
def test_the_same_seed_finds_the_same_magic(command, broken):
    path, _, _ = broken(OF_ROOK["another number"])
    first, again, other = (command("fix", path, "--seed", seed).stdout for seed in (1, 1, 2))
    assert first == again != other


def test_a_valid_source_needs_no_fix(command, engine):
    result = command("fix", engine(), "--write")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "needs no fix" in result.stderr


def test_a_wrong_shift_and_a_wrong_mask(command, engine):
    """The magics stay: the numbers beside them are wrong."""
    shifts = [64 - mask(Piece.ROOK, square).bit_count() for square in range(64)]
    masks = [mask(Piece.ROOK, square) for square in range(64)]
    right = ", ".join(map(str, shifts))
    shifts[20] += 1
    masks[40] ^= 1 << 41
    more = f"int rook_shifts[64] = {{{', '.join(map(str, shifts))}}};\n"
    more += f"U64 rook_masks[64] = {{{', '.join(map(hex, masks))}}};\n"
    path = engine(more=more)
    assert command("verify", path).exit_code == 1
    result = command("fix", path, "--write")
    assert result.exit_code == 0, result.stderr
    assert right in path.read_text()
    assert hex(mask(Piece.ROOK, 40)) in path.read_text()
    assert "0x8a80104000800020ULL" in path.read_text()


def test_what_numbers_do_not_mend_is_said(command, broken, engine):
    computed, _, _ = broken(OF_ROOK["another number"])
    words = re.sub(r"0x(\w+?)(\w{6})ULL,\n", r"(0x\1ULL << 24 | 0x\2),\n", computed.read_text())
    computed.write_text(words)
    result = command("fix", computed)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "entry 27 of rook_magics is not a plain number" in result.stderr
    offsets = ", ".join(str(4000 * square) for square in range(64))
    overlapping = engine(more=f"int rook_offsets[64] = {{{offsets}}};\n")
    result = command("fix", overlapping)
    assert result.exit_code == 1
    assert "no number of a square is wrong by itself" in result.stderr
    assert command("fix", engine(rook="")).exit_code == 2


def test_json(command, broken):
    path, right, wrong = broken(OF_ROOK["a digit"])
    found = json.loads(command("fix", path, "--json").stdout)
    assert (found["verdict_before"], found["verdict"]) == ("unknown", "valid")
    (change,) = found["changes"]
    assert (change["square"], change["old"], change["new"]) == ("rook d4", wrong, right)
    assert right in found["patch"]


IN_MANY_NOTATIONS = ["Negative.java", "Marked.cs", "pairs.js", "suffix_n.mjs", "magics.adb",
                     "quotes.cc", "magics.lisp", "texts.ts", "nested_ranks.d", "magics.nim",
                     "separate_masks.hpp", "records.pp"]  # fmt: skip


def shape(number):
    """A number's notation: its digits, however many, are one h."""
    digits = re.sub("[0-9a-fA-F]+", "h", number.lstrip("-"))
    return re.sub(r"(?:h[_'])+", "", digits)


@pytest.mark.parametrize("name", IN_MANY_NOTATIONS)
@pytest.mark.usefixtures("unpublished")
def test_the_notation_of_the_number_stays(command, tmp_path, sample_text, name):
    path = tmp_path / name
    path.write_text(sample_text(name))
    file, numbers = SourceFile(path, path.read_bytes()), all_numbers(path)
    column = judge([(path, path.read_bytes())]).valid[0].halves[0].magic
    edits = file.edits(column, WRONG_ROW, 0x1234567890123456)
    assert all(shape(edit.old) == shape(edit.new) for edit in edits)
    path.write_bytes(file.encoded(file.with_edits(edits)))
    changed = [new for old, new in zip(numbers, all_numbers(path), strict=True) if old != new]
    assert changed in ([0x1234567890123456], [0x12345678, 0x90123456], [0x90123456, 0x12345678])
    if name in ("Negative.java", "pairs.js"):
        result = command("fix", path, "--json")
        assert result.exit_code == 0, result.output
        for change in json.loads(result.stdout)["changes"]:
            assert shape(change["old"]) == shape(change["new"])


def all_numbers(path):
    ((source,),) = read_sources([(path, path.read_bytes())])
    return [number.value for one in source.lists for number in one.row.flat()]


WRITTEN = {
    ("a.c", "0x8A80ULL", 0xABC, 0): "0xABCULL",
    ("a.c", "0x8a80ULL", 0xABC, 16): "0x0000000000000abcULL",
    ("a.c", "0123", 8, 0): "010",
    ("a.rs", "0x8a80_1040_u64", 0x12345, 8): "0x0001_2345_u64",
    ("a.rs", "1_234_567u64", 1000, 0): "1_000u64",
    ("a.cpp", "0x8a80'1040ULL", 0x12345, 0): "0x1'2345ULL",
    ("a.pas", "$8A80", 0xAB, 0): "$AB",
    ("a.adb", "16#8A80_1040#", 0x12345, 0): "16#1_2345#",
    ("a.jl", "0b1010", 0b111, 4): "0b0111",
    ("a.mjs", "123n", 456, 0): "456n",
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_number_rewritten(case, tmp_path):
    name, text, value, digits = case
    assert rewritten(text, value, language_of(tmp_path / name), digits) == WRITTEN[case]


@pytest.mark.parametrize("path", ["no_such.c", ".", "table.toml", "-"])
def test_what_is_no_source_is_bad_input(command, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text("magicert = 1\n")
    assert command("fix", path).exit_code == 2


# Every magic is right, and an offset or a name is not.


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
