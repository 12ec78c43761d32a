"""Reading is strict: every error of a file in one go, with its key and line."""

from pathlib import Path

import pytest

from magicert.problem import InputError
from magicert.table import parse_table, read_table
from magicert.table.read import MAX_FILE
from magicert.table.write import table_toml

FILE = Path("t.toml")
MAGICS = "magic = [" + ", ".join(f'"{n:#x}"' for n in range(64)) + "]"
GOOD = (
    "magicert = 1", 'name = "small"', 'order = "a1"', 'buffer = "separate"', "", "[bishop]",
    'index = "((occ & mask) * magic) >> (64 - bits)"', MAGICS, "bits = 9", "buffer_size = 32768",
)  # fmt: skip
"""The lines of a correct file."""


@pytest.fixture
def good():
    return [*GOOD]


def problems(document):
    """The first lines of the problems' messages, without the file's name."""
    data = "\n".join(document) if isinstance(document, list) else document
    with pytest.raises(InputError) as caught:
        parse_table(data if isinstance(data, bytes) else data.encode(), FILE)
    return [str(p).splitlines()[0].removeprefix("t.toml:") for p in caught.value.problems]


def keys(found):
    return [one.split(": ")[1] for one in found]


def test_the_good_file_is_good(good):
    table = parse_table("\n".join(good).encode(), FILE).table
    assert (table.name, list(table.pieces)) == ("small", ["bishop"])
    said = "\n".join(['board = "whole"', *good])
    assert parse_table(said.encode(), FILE).table == table
    data = b"\xef\xbb\xbf" + "\r\n".join(good).encode()  # a byte order mark, Windows' lines
    assert parse_table(data, FILE).table == table


@pytest.mark.cases_of("spoilt_lines.tsv")
def test_spoilt_lines(good, number, line, problem):
    good[int(number) - 1] = line.replace(", ...]", MAGICS[14:]).replace("(400 zeros)", "0" * 400)
    found = problems(good)
    assert any(one.strip().startswith(problem) or f" {problem}" in one for one in found), found


def test_all_errors_of_a_file_in_one_go(good):
    good[0] = "magicert = 3"
    good[2] = 'order = "c3"'
    good[6] = 'index = "((occ & mask) * magik) / 2"'
    good[7] = "magic = [1, -2, true]"
    good += ["offset = 1.5", "nonsense = 1", 'name = "again"', "bits = nan"]
    wrong = "index index magic magic magic[1] magic[2] bits offset nonsense name name bits"
    expected = ["magicert", "order", *(f"bishop.{key}" for key in wrong.split())]
    assert keys(problems(good)) == expected
    found = problems([*GOOD, *(f"unknown_{n} = {n}" for n in range(1000))])
    assert len(found) == 201  # what is too much is counted, not listed
    assert found[-1].strip() == "and 800 problems more"
    assert max(map(len, found)) < 1000


def test_without_a_formula_no_key_of_it_is_blamed(good):
    (found,) = problems([*good[:6], *good[7:]])
    assert "bishop.index: missing" in found


def test_no_piece_at_all():
    found = problems('magicert = 1\nname = "x"\n')
    assert found == [" no [rook] and no [bishop]: expected at least one"]


def test_bytes_that_are_no_text(good):
    data = (
        "\n".join(good).encode().replace(b"small", b"sm\xffll").replace(b"bits = 9", b"bits = -9")
    )
    found = problems(data)
    assert found[0] == "2: byte 0xff is not UTF-8: expected UTF-8 text"
    assert found[1].startswith("9: bishop.bits: -9: expected")


@pytest.mark.parametrize(
    "data",
    [
        b"x = " + b"[" * 100_000,
        b"x = " + b"{a=" * 100_000,
        b"x = " + b"1" * 100_000,
        b"a." * 100_000 + b"a = 1",
        b"[" + b"a." * 50_000 + b"a]",
        b"\x00" * 1000,
        b"x = '" + b"y" * 1_000_000,
    ],
    ids=lambda data: data[:6],
)
def test_hostile_files_end_soon(data):
    assert problems(data)


def test_a_file_has_so_many_bytes_and_no_more(good, tmp_path):
    path, text = tmp_path / "t.toml", "\n".join([*good, ""])
    path.write_text(text.ljust(MAX_FILE, "\n"))
    assert read_table(path).table.name == "small"
    path.write_text(text.ljust(MAX_FILE + 1, "\n"))
    with pytest.raises(InputError, match=f"file larger than {MAX_FILE:,} bytes"):
        read_table(path)


def test_lines_are_found_in_lists_over_many_lines(good):
    rows = [f"  {n}, # row {n}, with ] and = in the comment" for n in range(64)]
    rows[40] = '  "0x1_", # spoilt'
    good[7] = "\n".join(["magic = [", *rows, "]"])
    expected = 'a 64-bit word: an integer, or hexadecimal text such as "0x1f"'
    assert problems(good) == [f"49: bishop.magic[40]: '0x1_': expected {expected}"]


def test_a_key_twice_in_an_inline_table_hides_nothing(good):
    good[3] = 'provenance = {path = "a", path = "b", path = "c"}\nbuffer = "nonsense"'
    twice = "4: provenance.path: defined twice: the first is on line 4"
    wrong = "5: buffer: 'nonsense': expected one of shared, separate"
    assert problems(good) == [twice, twice, wrong]


# Other boards.

CHESS = ("8x8", "ranks 1-4", "ranks 5-8")


def document(section, board="9x10"):
    """Section lines begin on line 4."""
    index = 'index = "((occ & mask) * magic) >> (128 - popcount(mask))"\nmagic = 3\n'
    return f'magicert = 1\nname = "t"\nboard = "{board}"\n{section}\n{index}'


@pytest.mark.cases_of("spoilt_boards.tsv")
def test_spoilt_boards(board, section, expected):
    found = problems(document(section, board).replace("128", "64" if board in CHESS else "128"))
    assert any(problem.startswith(expected) for problem in found), found


def test_all_problems_of_another_board_in_one_go():
    piece = '{ kind = "hopper", steps = [[0, 12]], region = ["a1-z9"], limit = -2 }'
    more = '[b]\npiece = "Rx"\nindex = "oc * magic"\nmagic = [1, 2]\n'
    assert keys(problems(document(f"[a]\npiece = {piece}") + more)) == [
        "a.piece.steps[0]", "a.piece.limit", "a.piece.region[0]", "b.piece", "b.index", "b.magic",
    ]  # fmt: skip


# Half boards: lists of 32, and what cannot be one.


def test_a_half_board_says_so_and_has_lists_of_32(half_board):
    text = table_toml(half_board)
    assert 'board = "ranks 1-4"' in text
    assert parse_table(text.encode(), FILE).table == half_board


@pytest.mark.cases_of("spoilt_half_boards.tsv")
def test_spoilt_half_boards(good, old, new, expected):
    good[2] = 'order = "a1"\nboard = "ranks 1-4"'
    good[7] = f"magic = {list(range(32))}"
    (problem,) = problems("\n".join(good).replace(old, new, 1))
    assert expected in problem
