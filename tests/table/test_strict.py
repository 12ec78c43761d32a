"""Reading is strict: every error of a file in one go, with its key and line."""

from pathlib import Path

import pytest

from magicert.problem import InputError
from magicert.table import parse_table

FILE = Path("t.toml")


def problems(lines: list[str] | bytes) -> list[str]:
    """The first lines of the problems' messages, without the file's name."""
    data = lines if isinstance(lines, bytes) else "\n".join(lines).encode()
    with pytest.raises(InputError) as caught:
        parse_table(data, FILE)
    return [str(p).splitlines()[0].removeprefix("t.toml:") for p in caught.value.problems]


def magics(*spoilt: str) -> str:
    values = [*spoilt, *[f'"{n:#x}"' for n in range(64 - len(spoilt))]]
    return "magic = [" + ", ".join(values) + "]"


def test_the_good_file_is_good(good: list[str]) -> None:
    table = parse_table("\n".join(good).encode(), FILE).table
    assert table.name == "small"
    assert [piece.value for piece in table.pieces] == ["bishop"]


@pytest.mark.parametrize(
    ("number", "line", "problem"),
    [
        (0, "magicert = 2", "1: magicert: format version 2: expected 1"),
        (0, "magicert = true", "1: magicert: format version true: expected 1"),
        (0, "", "missing-version"),
        (1, "", "missing-name"),
        (1, "name = 7", "2: name: 7: expected text"),
        (1, 'name = " "', "2: name: empty: expected text"),
        (2, 'order = "b1"', "3: order: 'b1': expected one of a1, h1, a8, h8"),
        (2, "order = 1.5", "3: order: 1.5: expected one of"),
        (3, 'buffer = "mine"', "4: buffer: 'mine': expected one of shared, separate"),
        (3, "buffer_size = 5", '4: buffer_size: only for buffer = "shared"'),
        (3, "colour = 3", "4: colour: unknown key: expected one of magicert, name"),
        (3, 'listing = "z"', "4: listing: 'z': expected one of"),
        (6, 'index = "occ < 1"', "7: bishop.index: '<': no comparisons"),
        (6, 'index = "magic >> bits"', "7: bishop.index: the formula 'magic >> bits' does not use"),
        (6, "index = 3", "7: bishop.index: 3: expected text"),
        (6, "", "6: bishop.index: missing: expected index = text"),
        (7, magics('"0x10000000000000000"'), "8: bishop.magic[0]: 0x10000000000000000: expected a"),
        (7, magics("-5"), "8: bishop.magic[0]: -5: expected a 64-bit word from 0 to 2^64 - 1"),
        (7, magics('"-0x5"'), "8: bishop.magic[0]: '-0x5': expected a 64-bit word"),
        (7, magics("true"), "8: bishop.magic[0]: true: expected a 64-bit word"),
        (7, magics("nan"), "8: bishop.magic[0]: nan: expected a 64-bit word"),
        (7, magics("inf"), "8: bishop.magic[0]: inf: expected a 64-bit word"),
        (7, magics("1.0"), "8: bishop.magic[0]: 1.0: expected a 64-bit word"),
        (7, magics('"12"'), "8: bishop.magic[0]: '12': expected a 64-bit word"),
        (7, magics("[1]"), "8: bishop.magic[0]: a list of 1: expected a 64-bit word"),
        (7, magics("1979-05-27"), "8: bishop.magic[0]: date 1979-05-27: expected a 64-bit"),
        (7, "magic = [1, 2]", "8: bishop.magic: 2 values: expected 64, one a square"),
        (7, "magic = []", "8: bishop.magic: 0 values: expected 64"),
        (7, 'magic = "zz"', "8: bishop.magic: 'zz': expected a 64-bit word"),
        (7, "magic = {a = 1}", "8: bishop.magic: a section: expected a 64-bit word"),
        (8, "bits = 9\nshift = 55", "10: bishop.shift: unknown key: the index formula uses bits"),
        (8, "bits = 9\nbits = 9", "10: bishop.bits: defined twice: the first is on line 9"),
        (8, "bits = 9\nocc = 9", "10: bishop.occ: 'occ' cannot be the name of a parameter"),
        (9, "buffer_size = 1152921504606846976", "10: bishop.buffer_size: 1152921504606846976: ex"),
        (9, "buffer_size = 0", "10: bishop.buffer_size: 0: expected a size in slots from 1"),
        (9, "buffer_size = [1]", "10: bishop.buffer_size: a list of 1: expected a size"),
        (8, f"bits = 1{'0' * 400}", "9: bishop.bits: 2^1328 or more: expected a 64-bit word"),
        (9, "offset = 9e99", "10: bishop.offset: 9.000e+99: expected an offset"),
        (9, "set_offset = 1", "10: bishop.set_offset: only for a table with [two_level]"),
        (9, 'literal = "/etc/passwd"', "10: bishop.literal: '/etc/passwd': expected a file beside"),
        (9, 'literal = "../x"', "10: bishop.literal: '../x': expected a file beside"),
        (0, "magicert = 1.0", "1: magicert: format version 1.0: expected 1"),
        (9, 'literal = ""', "10: bishop.literal: empty: expected text"),
        (9, "xff = 3", "10: bishop.xff: unknown key: the index formula uses bits, magic, mask;"),
        (9, "[two_level]\nentry_bits = 9", "11: two_level.entry_bits: 9: expected 8 or 16"),
        (9, "[provenance]\nlicense = 'MIT'", "11: provenance.license: unknown key"),
        (9, "[provenance]\nseed = -1", "11: provenance.seed: -1: expected a seed from 0"),
        (9, "[bishop]\nbits = 7", "10: bishop: defined twice: the first is on line 6"),
        (9, "[queen]\nx = 1", "10: queen: unknown key"),
        (9, "rook = 3", "10: bishop.rook: unknown key"),
        (9, "x = ", "10: not TOML: Invalid value"),
    ],
)  # fmt: skip
def test_one_spoilt_line(good: list[str], number: int, line: str, problem: str) -> None:
    good[number] = line
    found = problems(good)
    if problem.startswith("missing"):
        assert any("expected magicert = 1" in f or "name: missing" in f for f in found)
    else:
        assert any(f.strip().startswith(problem) for f in found), found


def test_all_errors_of_a_file_in_one_go(good: list[str]) -> None:
    good[0] = "magicert = 3"
    good[2] = 'order = "c3"'
    good[6] = 'index = "((occ & mask) * magik) / 2"'
    good[7] = "magic = [1, -2, true]"
    good += ["offset = 1.5", "nonsense = 1", 'name = "again"', "bits = nan"]
    keys = [f.split(": ")[1] for f in problems(good)]
    assert keys == [
        "magicert",
        "order",
        "bishop.index",
        "bishop.index",
        "bishop.magic",
        "bishop.magic",
        "bishop.magic[1]",
        "bishop.magic[2]",
        "bishop.bits",
        "bishop.offset",
        "bishop.nonsense",
        "bishop.name",
        "bishop.name",
        "bishop.bits",
    ]


def test_no_piece_at_all() -> None:
    assert problems(b'magicert = 1\nname = "x"\n') == [
        " no [rook] and no [bishop]: expected at least one"
    ]


def test_bytes_that_are_no_text(good: list[str]) -> None:
    data = (
        "\n".join(good).encode().replace(b"small", b"sm\xffll").replace(b"bits = 9", b"bits = -9")
    )
    found = problems(data)
    assert found[0] == "2: byte 0xff is not UTF-8: expected UTF-8 text"
    assert found[1].startswith("9: bishop.bits: -9: expected")


def test_a_byte_order_mark_and_windows_lines_are_fine(good: list[str]) -> None:
    data = b"\xef\xbb\xbf" + "\r\n".join(good).encode()
    assert parse_table(data, FILE).table.name == "small"


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
        b" " * (9 << 20),
    ],
)
def test_hostile_files_end_soon(data: bytes) -> None:
    assert problems(data)


def test_lines_are_found_in_lists_over_many_lines(good: list[str]) -> None:
    rows = [f"  {n}, # row {n}, with ] and = in the comment" for n in range(64)]
    rows[40] = '  "0x1_", # spoilt'
    good[7] = "\n".join(["magic = [", *rows, "]"])
    assert problems(good) == [
        "49: bishop.magic[40]: '0x1_': expected a 64-bit word: an integer, or hexadecimal text "
        'such as "0x1f"'
    ]


def test_a_key_twice_in_an_inline_table_hides_nothing(good: list[str]) -> None:
    good[3] = 'provenance = {path = "a", path = "b", path = "c"}\nbuffer = "nonsense"'
    assert problems(good) == [
        "4: provenance.path: defined twice: the first is on line 4",
        "4: provenance.path: defined twice: the first is on line 4",
        "5: buffer: 'nonsense': expected one of shared, separate",
    ]


def test_a_two_level_table_needs_both_finished_buffers(good: list[str]) -> None:
    good[9] = 'literal = "x.bin"\n[two_level]\nentry_bits = 8'
    assert problems(good) == ["6: bishop.literal_sets: missing: expected with a literal"]
    good[9] = 'literal_sets = "x.bin"\n[two_level]\nentry_bits = 8'
    assert problems(good) == ["10: bishop.literal_sets: without a literal: expected both"]


def test_a_thousand_problems_are_counted_not_listed(good: list[str]) -> None:
    good += [f"unknown_{n} = {n}" for n in range(1000)]
    found = problems(good)
    assert len(found) == 201
    assert found[-1].strip() == "and 800 problems more"
    assert max(map(len, found)) < 1000
