"""What the names, the code or a later statement of a source contradict is not certified."""

import json

import pytest

from magicert.board import Piece

SWAPPED_NAMES = [
    ("bishop_magics", "rook_magics"),
    ("BISHOP_MAGIC", "ROOK_MAGIC"),
    ("B_MAGIC", "R_MAGIC"),
    ("diagonalMagics", "orthogonalMagics"),
]


def lists(engine, shipped, rook="rook_magics", bishop="bishop_magics", more="", name="engine.c"):
    magics = {
        piece: ", ".join(f"0x{m:x}ULL" for m in table.parameters["magic"])
        for piece, table in shipped("bbc").pieces.items()
    }
    return engine(
        name,
        rook=f"static const U64 {rook}[64] = {{{magics[Piece.ROOK]}}};\n",
        bishop=f"static const U64 {bishop}[64] = {{{magics[Piece.BISHOP]}}};\n",
        more=more,
    )


@pytest.mark.parametrize("names", SWAPPED_NAMES)
def test_lists_swapped_by_name(command, engine, shipped, names):
    path = lists(engine, shipped, *names)
    result = command("verify", path)
    assert result.exit_code == 2
    assert "is named for a bishop" in result.output
    maps = ["--map", f"rook.magic={names[0]}", "--map", f"bishop.magic={names[1]}"]
    meant = command("verify", path, *maps)
    assert meant.exit_code == 0
    assert "warning: engine.c:1: " in meant.output.partition("\n")[0]


CODE = {
    "other shifts": "int f(int s, U64 o) {\n"
    "  int rookIndex = (o & rm[s]) * rook_magics[s] >> 55;\n"
    "  int bishopIndex = (o & bm[s]) * bishop_magics[s] >> 52;\n}\n",
    "one shift": "int rook_index(int s, U64 o) { return (o & rm[s]) * rook_magics[s] >> 54; }\n",
    "stored": "U64 rook_attacks(int s, U64 occ) {\n  occ &= rook_masks[s];\n"
    "  occ *= rook_magics[s];\n  occ >>= 64 - 10;\n  return rook_table[s][occ];\n}\n",
    "in two statements": "U64 rook_attacks(int s, U64 occ) {\n"
    "  U64 product = (occ & rook_masks[s]) * rook_magics[s];\n"
    "  return rook_table[s][product >> 54];\n}\n",
    "a named shift": "#define ROOK_SHIFT 54\n",
    "a named count": "enum { BISHOP_BITS = 6 };\n",
}


@pytest.mark.parametrize("name", CODE)
def test_a_shift_in_the_code_that_does_not_certify(command, engine, shipped, name):
    path = lists(engine, shipped, more=CODE[name])
    result = command("verify", path)
    assert result.exit_code in (1, 2)
    pinned = command("verify", path, "--bits", "rook=12,bishop=9")
    assert pinned.exit_code == 0
    assert "warning: " in pinned.output.partition("\n")[0]


def test_a_shift_in_the_code_that_certifies(command, engine, shipped):
    code = (
        "int f(int s, U64 o) {\n  int rookIndex = (o & rm[s]) * rook_magics[s] >> 52;\n"
        "  int bishopIndex = (o & bm[s]) * bishop_magics[s] >> 55;\n"
        "  return hash * 0x9e3779b97f4a7c15ULL >> 54;\n}\n"
    )
    result = command("verify", lists(engine, shipped, more=code))
    assert result.exit_code == 0
    assert "the shift by 52 (engine.c, line 4)" in result.output
    assert "warning" not in result.output


SWAPPED = {
    "keys.py": "MAGICS = {{'bishop': [{r}], 'rook': [{b}]}}\n",
    "subscripts.c": "U64 magics[2][64] = {{[BISHOP] = {{{r}}}, [ROOK] = {{{b}}}}};\n",
    "scopes.cpp": "namespace bishop {{ U64 magics[64] = {{{r}}}; }}\n"
    "namespace rook {{ U64 magics[64] = {{{b}}}; }}\n",
}


@pytest.mark.parametrize("name", SWAPPED)
def test_lists_swapped_by_what_stands_around_them(command, tmp_path, shipped, name):
    r, b = (", ".join(map(hex, t.parameters["magic"])) for t in shipped("bbc").pieces.values())
    path = tmp_path / name
    path.write_text(SWAPPED[name].format(r=r, b=b))
    result = command("verify", path)
    assert result.exit_code == 2
    assert "is named for a" in result.output


def test_fields_without_names_have_those_of_their_record(command, tmp_path, shipped):
    rows = zip(*(t.parameters["magic"] for t in shipped("bbc").pieces.values()), strict=True)
    listed = ", ".join(f"{{0x{r:x}, 0x{b:x}}}" for r, b in rows)
    path = tmp_path / "engine.c"
    for first, second, status in (("rook", "bishop", 0), ("bishop", "rook", 2)):
        record = f"struct S {{ U64 {first}_magic; U64 {second}_magic; }};\n"
        path.write_text(f"{record}struct S squares[64] = {{{listed}}};\n")
        assert command("verify", path).exit_code == status


SHIFTED = {
    "shr.kt": "val rook = ulongArrayOf({r})\nval bishop = ulongArrayOf({b})\n"
    "fun rookIndex(s: Int, o: ULong) = (((o and m[s]) * rook[s]) shr 53).toInt()\n|0x{:x}UL",
    "shr.pas": "const Rook: array[0..63] of QWord = ({r});\n"
    "Bishop: array[0..63] of QWord = ({b});\nfunction RookIndex(S: Integer): Integer;\n"
    "begin Result := ((O and M[S]) * Rook[S]) shr 53; end;\n|${:x}",
    "function.ml": "let rook = [| {r} |]\nlet bishop = [| {b} |]\n"
    "let rook_index s o = Int64.(shift_right_logical (mul o rook.(s)) 53)\n|0x{:x}L",
}


@pytest.mark.parametrize("name", SHIFTED)
def test_a_shift_in_words_is_a_shift(command, tmp_path, shipped, name):
    body, _, item = SHIFTED[name].rpartition("|")
    sign = "; " if name.endswith(".ml") else ", "
    pieces = shipped("bbc").pieces.values()
    r, b = (sign.join(map(item.format, t.parameters["magic"])) for t in pieces)
    path = tmp_path / name
    path.write_text(body.format(r=r, b=b))
    assert command("verify", path).exit_code != 0
    path.write_text(body.format(r=r, b=b).replace("53", "52"))
    assert command("verify", path).exit_code == 0


WRITES = {
    "one.c": "void init() { rook_magics[20] = 1; }\n",
    "loop.c": "void init() {\n  for (int i = 0; i < 64; i++)\n    rook_magics[i] ^= key;\n}\n",
    "call.c": "void init() {\n  for (int i = 0; i < 64; i++)\n"
    "    rook_magics[i] = bswap(rook_magics[i]);\n}\n",
    "memset.c": "void init() { memset(rook_magics, 0, sizeof rook_magics); }\n",
    "swap.cpp": "void init() { std::swap(rook_magics[3], rook_magics[4]); }\n",
    "range.cpp": "void init() {\n  for (auto& m : rook_magics)\n    m = ~m;\n}\n",
    "pointer.c": "void init() { *(rook_magics + 20) = 1; }\n",
    "alias.c": "void init() {\n  U64 *p = rook_magics;\n  p[20] = 1;\n}\n",
}


@pytest.mark.parametrize("name", WRITES)
def test_a_later_write_to_a_list(command, engine, shipped, name):
    path = lists(engine, shipped, more=f"{WRITES[name]}int main() {{ init(); }}\n", name=name)
    result = command("verify", path)
    assert result.exit_code == 2
    assert "rook_magics is changed after it is made" in result.output
    assert f"{name}:" in result.output
    pinned = command("verify", path, "--map", "rook.magic=rook_magics")
    assert pinned.exit_code == 0
    assert "is changed after it is made" in pinned.output.partition("\n")[0]


OTHER_WRITES = {
    "items.py": "rook_magics[20] = 1\n",
    "loop.py": "for i in range(64):\n    rook_magics[i] ^= 5\n",
    "again.py": "rook_magics = [m ^ 1 for m in rook_magics]\n",
    "method.py": "rook_magics.reverse()\n",
}


@pytest.mark.parametrize("name", OTHER_WRITES)
def test_a_later_write_in_python(command, tmp_path, shipped, name):
    text = "".join(
        f"{piece}_magics = [{', '.join(map(hex, table.parameters['magic']))}]\n"
        for piece, table in shipped("bbc").pieces.items()
    )
    path = tmp_path / name
    path.write_text(text + OTHER_WRITES[name])
    result = command("verify", path)
    assert result.exit_code == 2
    assert "is changed after it is made" in result.output


HARMLESS = {
    "reads": "U64 f(int s) { return rook_magics[s] == 0 ? 1 : rook_magics[s]; }\n",
    "declares": "extern const U64 rook_magics[64];\n",
    "comment": "// rook_magics[20] = 1;\n",
    "string": 'const char *s = "rook_magics[20] = 1;";\n',
    "other name": "void init() { other_rook_magics[20] = 1; rook_magics2[3] = 4; }\n",
    "field": "void init() { table[3].attacks = rook_magics; }\n",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_write(command, engine, shipped, name):
    assert command("verify", lists(engine, shipped, more=HARMLESS[name])).exit_code == 0


def test_a_function_that_nothing_calls(command, engine, shipped):
    """Engines keep the function that once found their magics: it is said, and not refused."""
    more = "void find_all()\n{\n    rook_magics[0] = find(0);\n}\n"
    result = command("verify", lists(engine, shipped, more=more))
    assert result.exit_code == 0
    assert "find_all, which nothing here calls" in result.output.partition("\n")[0]


def test_more_bits_than_the_masks_have(command, engine, shipped):
    """All rooks with 16 bits, and a shift of 48: more room than is needed, but valid."""
    for name, more in (
        ("bits.c", f"int rook_bits[64] = {{{', '.join(['16'] * 64)}}};\n"),
        ("constant.c", "#define ROOK_BITS 16\n"),
        ("shift.c", "int f() { return (occ & m) * rook_magics[s] >> 48; }\n"),
    ):
        result = command("verify", lists(engine, shipped, more=more, name=name))
        assert result.exit_code == 0, result.output
        assert "nearest" not in result.output
        assert "popcount of the mask" not in result.output.partition("bishop.index")[0]


def test_what_was_not_read_and_what_was_guessed_is_said(command, engine):
    path = engine()
    result = command("verify", path)
    assert "lookup code is not read" in result.output
    first = result.output.partition("\n")[0]
    assert "not in the source, taken as usual: bits = popcount(mask)" in first
    reading = json.loads(command("verify", path, "--json").output)["reports"][0]["reading"]
    assert reading["guesses"] == ["bits = popcount(mask)", "masks = relevant occupancy"]
    assert reading["warnings"] == []
    assert "lookup code is not read" in reading["not_read"]
