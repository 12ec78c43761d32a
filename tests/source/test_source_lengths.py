"""Attack tables that are too short, and lists that are declared for another number of items."""

import pytest

from magicert.board import Piece, mask

SHORT = {
    "flat.c": "Bitboard RookTable[0x18000];",
    "beside.cpp": "Bitboard RookTable[0x19000]; Bitboard BishopTable[0x1400];",
    "squares.c": "U64 rook_attacks[64][2048];",
    "shared.c": "U64 attack_table[100000];",
    "macro.c": "#define ROOK_SIZE (1 << 16)\nU64 rook_attacks[ROOK_SIZE];",
    "vector.cpp": "std::vector<U64> rookAttacks(100000);",
    "array.cpp": "std::array<U64, 102399> rook_table;",
    "heap.c": "U64 *rook_table;\nvoid init() { rook_table = malloc(100000 * sizeof(U64)); }",
}
LONG = {
    "flat.c": "Bitboard RookTable[0x19000];\nBitboard BishopTable[0x1480];",
    "squares.c": "U64 rook_attacks[64][4096]; U64 bishop_attacks[64][512];",
    "shared.c": "U64 attack_table[107648];",
    "distinct.c": "U64 rookAttacks[4900]; uint8_t bishopAttacks[1428];",
    "others.c": "U64 between[64][64]; Entry hash_table[1 << 20]; int rook_value_table[64][1024];",
    "unknown.c": "U64 rook_attacks[ROOK_SIZE];",
}


@pytest.mark.parametrize("name", SHORT)
def test_a_table_that_ends_before_the_lookups_do(command, engine, name):
    path = engine(name, more=f"{SHORT[name]}\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "but the lookups reach" in result.output
    pins = (f"--map={piece}.magic={piece}_magics" for piece in Piece)
    meant = command("verify", path, *pins)
    assert meant.exit_code == 0
    assert "they read beyond its end" in meant.output.partition("\n")[0]


@pytest.mark.parametrize("name", LONG)
def test_a_table_that_is_long_enough(command, engine, name):
    result = command("verify", engine(name, more=f"{LONG[name]}\n"))
    assert result.exit_code == 0
    assert ("whether attack tables are long enough is not checked" in result.output) == (
        name in ("distinct.c", "others.c", "unknown.c")
    )


OTHERS = {
    "rs": "static ROOK_ATTACKS: [u64; 100000] = [0; 100000];\nconst {}: [u64; 64] = [{}];",
    "go": "var rookAttacks [100000]uint64\nvar {} = [64]uint64{{{}}}",
    "java": "static long[] rookAttacks = new long[100000];\nstatic long[] {} = {{{}}};",
}


def spelt(shipped, frame, suffix=""):
    return "\n".join(
        frame.format(f"{piece}_magics", ", ".join(f"0x{m:x}{suffix}" for m in own))
        for piece, own in magics(shipped).items()
    )


def magics(shipped):
    return {p: t.parameters["magic"] for p, t in shipped("bbc").pieces.items()}


@pytest.mark.parametrize("ending", OTHERS)
def test_in_other_languages(command, tmp_path, shipped, ending):
    path = tmp_path / f"engine.{ending}"
    path.write_text(spelt(shipped, OTHERS[ending], "L" if ending == "java" else ""))
    assert "but the lookups reach 102,400" in command("verify", path).output


DECLARED = {
    "c": "const U64 {}[63] = {{{}}};",
    "rs": "const {}: [u64; 63] = [{}];",
    "go": "var {} = [63]uint64{{{}}}",
    "cpp": "std::array<U64, 63> {} = {{{}}};",
}


@pytest.mark.parametrize("ending", DECLARED)
def test_a_list_that_is_declared_for_63_items(command, tmp_path, shipped, ending):
    path = tmp_path / f"engine.{ending}"
    path.write_text(spelt(shipped, DECLARED[ending]))
    result = command("verify", path)
    assert result.exit_code == 2
    assert "declared for 63 items" in result.output


def offsets(piece):
    sizes = [1 << mask(piece, square).bit_count() for square in range(64)]
    return ", ".join(str(sum(sizes[:square])) for square in range(64))


@pytest.mark.parametrize(
    "written",
    ["int rook_offsets[64]", "unsigned short rook_offsets[64]", "uint8_t rook_offset[64]"],
)
def test_offsets_are_what_their_type_holds(command, engine, written):
    path = engine(more=f"{written} = {{{offsets(Piece.ROOK)}}};\n")
    result = command("verify", path)
    assert result.exit_code == (0 if written.startswith("int") else 2)


def test_offsets_that_are_changed_later(command, engine):
    more = f"int rook_offsets[64] = {{{offsets(Piece.ROOK)}}};\n"
    change = "int main() { rook_offsets[3] = 0; }\n"
    assert command("verify", engine(more=more)).exit_code == 0
    result = command("verify", engine(more=more + change))
    assert "rook_offsets is changed after it is made" in result.output


def test_bits_that_are_named_for_the_other_piece(command, engine):
    counts = {
        piece: ", ".join(str(mask(piece, square).bit_count()) for square in range(64))
        for piece in Piece
    }
    more = f"int rook_bits[64] = {{{counts[Piece.BISHOP]}}};\n"
    more += f"int bishop_bits[64] = {{{counts[Piece.ROOK]}}};\n"
    result = command("verify", engine(more=more))
    assert result.exit_code == 2
    assert "bishop_bits is read for a rook, but is named for a bishop" in result.output


def test_a_second_list_on_the_same_line_is_not_left_out(command, engine, shipped):
    own = magics(shipped)[Piece.ROOK]
    lists = [", ".join(f"0x{m ^ change:x}ULL" for m in own) for change in (0, 5 << 20)]
    result = command(
        "verify", engine(rook=f"U64 rook_magics[2][64] = {{{{{lists[0]}}}, {{{lists[1]}}}}};\n")
    )
    assert result.exit_code == 1
    assert "is called magic, but certifies in no reading" in result.output


def test_black_without_lookup_code_is_a_guess(command, tmp_path, shipped):
    text = "".join(
        f"U64 {piece}_magics[64] = {{{', '.join(map(hex, own.parameters['magic']))}}};\n"
        for piece, own in shipped("cfish_black").pieces.items()
    )
    path = tmp_path / "black.c"
    path.write_text(text)
    assert "occ | ~mask" in command("verify", path).output.partition("\n")[0]
    white = "int f(int s, U64 o) {{ o &= rook_masks[s]; o *= rook_magics[s]; return o >> 52; }}\n"
    path.write_text(f"{text}{white}int x = f(0, 0);\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "cuts the occupancy to the mask" in result.output
