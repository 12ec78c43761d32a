"""What is no table: a clear message, exit status 2, in bounded time and memory."""

import random
import resource

import pytest

RNG = random.Random(7)


def wide(count, bits):
    return ", ".join(hex(RNG.getrandbits(bits) | 1 << bits - 1) for _ in range(count))


def test_no_table(command, tmp_path):
    path = tmp_path / "main.cpp"
    path.write_text("#include <cstdio>\nint main() { return 0; }\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "no table" in result.output


def test_random_keys_are_no_magics(command, tmp_path):
    path = tmp_path / "zobrist.cpp"
    path.write_text(f"U64 rookKeys[64] = {{{wide(64, 64)}}};\nU64 other[64] = {{{wide(64, 64)}}};")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "of 2 lists of 64 long numbers none reads as magics" in result.output


@pytest.mark.parametrize("count", [63, 65])
def test_a_list_that_is_not_64(command, engine, shipped, count):
    magics = (shipped("bbc").pieces["bishop"].parameters["magic"] * 2)[:count]
    listed = ", ".join(map(hex, magics))
    result = command("verify", engine(bishop=f"U64 bishop_magics[64] = {{{listed}}};\n"))
    assert result.exit_code == 2
    assert f"engine.c:2: bishop_magics has {count} numbers: expected 64" in result.output


def test_another_board(command, tmp_path):
    path = tmp_path / "shogi.cpp"
    path.write_text(f"const u128 ROOK_MAGICS[120] = {{{wide(120, 128)}}};\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "a list of 120 numbers of 128 bits" in result.output
    assert "--board 12x10 --piece ROOK_MAGICS=R" in result.output


def test_two_lists_of_one_name(command, engine, shipped):
    other = ", ".join(map(hex, shipped("surge").pieces["rook"].parameters["magic"]))
    path = engine(more=f"const U64 rook_magics[64] = {{{other}}};\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "engine.c:3: two lists are called rook_magics" in result.output
    pins = ["--map", "rook.magic=rook_magics:3", "--map", "bishop.magic=bishop_magics"]
    assert command("verify", path, *pins).exit_code == 0


def test_a_subscript_twice(command, tmp_path, shipped):
    magics = shipped("bbc").pieces["rook"].parameters["magic"]
    keys = [0, 0, *range(2, 64)]
    listed = ", ".join(f"[{k}] = {m}u" for k, m in zip(keys, magics, strict=True))
    path = tmp_path / "twice.c"
    path.write_text(f"U64 rook_magics[64] = {{{listed}}};\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "subscript 0 is given twice" in result.output


def test_binary(command, tmp_path):
    path = tmp_path / "engine.exe"
    path.write_bytes(bytes(RNG.getrandbits(8) for _ in range(100_000)))
    result = command("verify", path)
    assert result.exit_code == 2
    assert "not a binary" in result.output


def test_a_file_of_50_megabytes_is_not_read(command, tmp_path):
    path = tmp_path / "large.cpp"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = command("verify", path)
    assert result.exit_code == 2
    assert "larger than 16 MiB" in result.output
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000


def test_no_file(command, tmp_path):
    assert command("import", tmp_path / "no.c", "-o", tmp_path / "t.toml").exit_code == 2


PATHOLOGICAL = [
    "/*",
    '"',
    "'",
    "(",
    "[{(",
    "-",
    "x<",
    "{-",
    "a.b::",
    "0x1,",
    '"a${',
    "#if A\n",
    "#if 0\n#endif\n",
]


@pytest.mark.parametrize("text", PATHOLOGICAL)
@pytest.mark.parametrize("ending", [".cpp", ".py", ".kt"])
def test_pathological_text_ends(command, tmp_path, text, ending):
    path = tmp_path / f"odd{ending}"
    path.write_text("x = [1, 2, " + text * 20_000)
    assert command("verify", path).exit_code == 2


def test_deep_nesting_around_a_table(command, engine, shipped):
    magics = ", ".join(map(hex, shipped("bbc").pieces["rook"].parameters["magic"]))
    result = command("verify", engine(rook="{" * 5_000 + f"rook_magics = [{magics}]"))
    assert result.exit_code in (0, 2)
