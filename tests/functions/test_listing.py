"""What a source has that can be proved, and the command that proves it."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from magicert import certify_function
from magicert.commands.app import cli
from magicert.functions.compile.clang_dumps import syntax_tree
from magicert.functions.compile.names import functions_declared
from magicert.functions.listing import listing
from magicert.functions.question import question_of
from magicert.problem import InputError
from magicert.system.deadline import FOREVER, BudgetOverError

pytest.importorskip("llvmlite")

WALK = """typedef unsigned long long U64;
enum Color { WHITE, BLACK };
enum PieceType { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
"""
CPP = f"""{WALK}struct Board {{ U64 at; U64 rook(int s, U64 o) const {{ return at & o << s; }} }};
Board board;
U64 KNIGHTS[64], BETWEEN[64][64], PAWN_ATTACKS[2][64], ROOK_MASK[64], knightKeys[64], KINGS[7];
U64 PAWN_MOVES[64][2];
U64 rook_attacks_slow(int s, U64 o) {{ return o << s; }}
inline U64 rook_attacks(int s, U64 o) {{ return o << s; }}
U64 rook_mask(int s, U64 o) {{ return o << s; }}
U64 rookXRay(int s, U64 o) {{ return o << s; }}
template <PieceType P> U64 get(int s, U64 o) {{ return o << s << P; }}
U64 of(PieceType p, int s, U64 o) {{ return o << s << p; }}
U64 slide(int s, U64 o) {{ return o >> s; }}
U64 north(U64 b) {{ return b << 8; }}
U64 queen(int s, U64 o = 0, bool all = false) {{ return o << s; }}
int bishop(int s, U64 o) {{ return s + (int)o; }}
template <PieceType P, int N> struct Slider {{
    U64 n;
    static U64 far(int s, U64 o) {{ return o << s << P; }}
    U64 near(int s, U64 o) const {{ return o << s << n; }}
}};
struct Set {{ U64 at; Set operator&(U64 o) const {{ return {{at & o}}; }} }};
Slider<ROOK, 4> rooks;
Slider<BISHOP, 4> bishops;
namespace n {{ U64 king_attacks(int s); }}
U64 n::king_attacks(int s) {{ return s; }}
"""
CASES = {
    ".cpp": (
        CPP,
        [
            "rook=board.rook(square, occupied)", "rook=rook_attacks_slow", "rook=rook_attacks", "rook=rook_mask",
            "rook=get<ROOK>(square, occupied)", "bishop=get<BISHOP>(square, occupied)",
            "rook=of(ROOK, square, occupied)", "bishop=of(BISHOP, square, occupied)",
            "queen=queen(square, occupied)", "PIECE=slide", "setwise:fW=north", "knight=KNIGHTS[square]",
            "between=BETWEEN[square][target]", "fF=PAWN_ATTACKS[WHITE][square]",
            "bF=PAWN_ATTACKS[BLACK][square]", "fF=PAWN_MOVES[square][WHITE]",
            "bF=PAWN_MOVES[square][BLACK]", "rook=rooks.near(square, occupied)",
            "bishop=bishops.near(square, occupied)", "rook=Slider<ROOK, 4>::far(square, occupied)",
            "bishop=Slider<BISHOP, 4>::far(square, occupied)", "king=n::king_attacks",
        ],
        {"rook": "rook_attacks", "bishop": "get<BISHOP>(square, occupied)"},
    ),
    ".c": (
        f"{WALK}static inline U64 between(int a, int b) {{ return 1ull << a << b; }}\n"
        "U64 bishopAttacks(U64 o, int s) { return o << s; }\n",
        ["between=between", "bishop=bishopAttacks"],
        {"bishop": "bishopAttacks"},
    ),
    ".rs": (
        "#[derive(Clone, Copy)] pub struct Bits(pub u64);\n"
        "pub enum Piece { Rook, Bishop }\n"
        "static KING: [Bits; 64] = [Bits(0); 64];\n"
        "fn rook(s: u8, o: Bits) -> Bits { Bits(o.0 << s) }\n"
        "fn of(p: Piece, s: u8, o: u64) -> u64 { o << s << p as u8 }\n"
        "fn slide(s: u8, o: u64) -> u64 { o >> s }\n",
        [
            "rook=rook", "rook=of(Piece::Rook, square, occupied)",
            "bishop=of(Piece::Bishop, square, occupied)", "PIECE=slide", "king=KING[square]",
        ],
        {"rook": "rook"},
    ),
    ".zig": (
        "pub const Piece = enum { rook, bishop };\npub var lines: [64][64]u64 = undefined;\n"
        "pub fn rookAttacks(s: u6, o: u64) u64 { return o << s; }\n"
        "pub fn of(p: Piece, s: u6, o: u64) u64 { return o << s + @intFromEnum(p); }\n"
        "fn bishop(s: u6, o: u64) u64 { return o << s; }\n",
        [
            "rook=rookAttacks", "rook=of(.rook, @intCast(square), occupied)",
            "bishop=of(.bishop, @intCast(square), occupied)", "line=lines[square][target]",
        ],
        {"rook": "rookAttacks"},
    ),
}  # fmt: skip


@pytest.fixture
def source(ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path(f"attacks{ending}")
    path.write_text(CASES[ending][0], "utf-8")
    return path


def _too_slow(_):
    raise BudgetOverError


def _functions_in(command: str) -> dict[str, str]:
    """The functions of a command."""
    words = shlex.split(command)
    texts = [words[n + 1] for n, word in enumerate(words) if word == "--function"]
    return dict(text.split("=", 1) for text in texts)


@pytest.mark.parametrize("ending", CASES)
def test_what_a_source_has(source, ending):
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    _, functions, proved = CASES[ending]
    assert sorted(map(str, found.found)) == sorted(functions)
    asked = _functions_in(found.command)
    assert proved.items() <= asked.items()
    # No name accuses anybody of a wrong shift, or of wrong squares between two.
    assert not [key for key in asked if key in {"between", "line"} or ":" in key]


def test_an_attack_mask_of_occupied_squares_is_asked_for_and_an_index_is_none(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    source = Path("attacks.c")
    source.write_text(
        "typedef unsigned long U64;\nU64 rookIdx(int square, U64 occ) { return occ >> square; }\n"
        "U64 rook_attack_mask(int square, U64 occ) { return occ << square; }\n"
        "U64 bishop_mask(int square, U64 occ) { return occ << square; }\n",
        "utf-8",
    )
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    names = ["bishop=bishop_mask", "rook=rook_attack_mask"]
    assert sorted(map(str, found.found)) == names
    assert _functions_in(found.command) == {"rook": "rook_attack_mask"}


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        (["diagonal_attacks"], {"bishop": "diagonal_attacks"}),
        (["diagonalAttacks", "antiDiagAttacks"], {}),  # of one diagonal each
        (["diag_attacks", "antidiagonal", "bishop_attacks_of"], {"bishop": "bishop_attacks_of"}),
        (["rook_captures", "rook_moves_of_it"], {"rook": "rook_moves_of_it"}),
        (["rook_captures"], {}),
        (["rook_capture_attacks"], {"rook": "rook_capture_attacks"}),
    ],
)
def test_half_of_a_sliders_attacks_is_asked_for_as_no_slider(names, asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    functions = (f"U64 {name}(int s, U64 occ) {{ return occ << s; }}\n" for name in names)
    Path("attacks.c").write_text(f"typedef unsigned long long U64;\n{''.join(functions)}", "utf-8")
    found = listing(question_of((Path("attacks.c"),), {"functions": {"rook": "any"}}))
    assert _functions_in(found.command) == asked


def test_a_function_that_wants_an_instruction_of_the_processor_is_listed(tmp_path, monkeypatch):
    """Nothing calls it, and so the source compiles without it."""
    monkeypatch.chdir(tmp_path)
    Path("attacks.h").write_text(
        "#include <immintrin.h>\ntypedef unsigned long long U64;\nextern U64 mask[64], of[64][4096];\n"
        "inline U64 rook_attacks(int s, U64 occ) { return of[s][_pext_u64(occ, mask[s])]; }\n"
        "inline U64 king_attacks(int s) { return mask[s]; }\n",
        "utf-8",
    )
    found = listing(question_of((Path("attacks.h"),), {"functions": {"rook": "any"}}))
    assert sorted(map(str, found.found)) == ["king=king_attacks", "rook=rook_attacks"]
    assert found.command.endswith(" -- -mbmi2")


def test_what_may_be_more_than_attacks_is_listed_and_not_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = (
        "kingZone[64]", "KING_ATTACKS[64]", "knightMobility[64]", "PassedPawnMask[2][64]",
        "pawn_moves[2][64]",
    )  # fmt: skip
    tables = "".join(f"extern U64 {name};\nU64 {name};\n" for name in names)
    span = "U64 pawn_attack_span(Color c, int s) { return 1ull << s << c; }\n"
    rook = "U64 rook_reach(int s, U64 o) { return o << s; }\n"
    rook += "U64 bishop_mask(int s, U64 blockers) { return blockers << s; }\n"
    Path("sets.cpp").write_text(WALK + tables + span + rook, "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    listed = {*map(str, found.found)}
    others = {"king=kingZone[square]", "knight=knightMobility[square]"}
    others |= {"fF=PassedPawnMask[WHITE][square]", "bF=pawn_moves[BLACK][square]"}
    assert others | {"fF=pawn_attack_span(WHITE, square)"} <= listed
    asked = _functions_in(found.command)
    assert asked == {"rook": "rook_reach", "king": "KING_ATTACKS[square]"}
    # With the word for captures, and with a namespace, it is one.
    pawns = "namespace attacks { U64 pawn(Color c, int s) { return 1ull << s << c; } }\n"
    Path("sets.cpp").write_text(WALK + pawns + span, "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    assert _functions_in(found.command) == {
        "fF": "attacks::pawn(WHITE, square)", "bF": "attacks::pawn(BLACK, square)",
    }  # fmt: skip


def test_an_enum_that_is_as_long_as_a_bitboard_is_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "enum class Set : unsigned long long { EMPTY, ALL = ~0ull };\n"
    text += "enum class Square : unsigned char { A1, B1 };\n"
    text += "Set rookAttack(Square s, Set occupied) { return Set((int)s + (int)occupied); }\n"
    Path("sets.cpp").write_text(text, "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    assert _functions_in(found.command) == {"rook": "rookAttack"}


LARGE = """typedef unsigned __int128 B;
enum Colour { BLACK, WHITE };
enum Piece { ROOK, CANNON, KNIGHT, BISHOP, KING };
template <Piece P> B attacks(int s, B o) { return o << s << P; }
B lanceEffect(Colour c, int s, const B &o) { return o << s << c; }
template <Colour C> B knightEffect(int s) { return (B)1 << s << C; }
B horse_effect(int s, B o) { return o >> s; }
B elephant_effect(int s, B o) { return o >> s; }
B GOLD[81][2];
"""


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (
            "9x9",
            {
                "rook": "attacks<ROOK>(square, occupied)",
                "bishop": "attacks<BISHOP>(square, occupied)", "BK": "horse_effect",
                "fR": "lanceEffect(BLACK, square, occupied)",
                "bR": "lanceEffect(WHITE, square, occupied)",
                "ffN": "knightEffect<BLACK>(square)", "bbN": "knightEffect<WHITE>(square)",
                "WfF": "GOLD[square][BLACK]", "WbF": "GOLD[square][WHITE]",
            },
        ),
        (
            "9x10",
            {
                "rook": "attacks<ROOK>(square, occupied)",
                "cannon": "attacks<CANNON>(square, occupied)", "horse": "horse_effect",
            },
        ),
    ],
)  # fmt: skip
def test_a_word_means_the_piece_of_the_boards_game(board, expected, tmp_path, monkeypatch):
    """A right function of shogi or xiangqi would be refuted as the piece of chess of that name."""
    monkeypatch.chdir(tmp_path)
    Path("sets.cpp").write_text(LARGE, "utf-8")
    asked = {"functions": {"rook": "any"}, "board": board}
    found = listing(question_of((Path("sets.cpp"),), asked))
    assert _functions_in(found.command) == expected


@pytest.mark.parametrize("way", ["a8", "a1", "stated", "twice", "no pawn"])
def test_the_order_of_squares_is_that_of_an_enum(way, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    squares = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]
    names, others = ", ".join(squares), ""
    if way == "a1":
        names = ", ".join(sorted(squares, key=lambda square: square[::-1]))
    elif way == "stated":  # A8 = 56, B8, ..., A7 = 48, ...
        names = ", ".join(
            f"SQ_{square.upper()} = {8 * int(square[1]) - 8}" if square[0] == "a"
            else f"SQ_{square.upper()}" for square in squares
        )  # fmt: skip
    elif way == "twice":
        others = "enum class Other { A8, B8 = 9 };\n"
    table = "KINGS[64]" if way == "no pawn" else "PAWN_ATTACKS[2][64]"
    text = f"{WALK}enum {{ {names} }};\n{others}extern U64 {table};\nU64 {table};\n"
    Path("sets.cpp").write_text(text, "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    # An enum says how squares are numbered, and nothing of bits: it is a guess.
    assert ("--order 'a8?'" in found.command) == (way == "a8"), found.command


def test_clang_is_asked_once_for_names_with_a_part_in_common(tmp_path, monkeypatch):
    asked = list[str]()

    def tree(*args: Any) -> tuple[Path, str]:
        asked.extend(args[6][2:] if len(args) > 6 else ())
        return syntax_tree(*args)

    source = tmp_path / "sets.cpp"
    text = "namespace e { U64 rook_attacks(int, U64 o) { return o; }\nU64 king_attacks(int s); }\n"
    source.write_text(f"{WALK}{text}U64 e::king_attacks(int s) {{ return s; }}\n", "utf-8")
    monkeypatch.setattr("magicert.functions.compile.clang_dumps.syntax_tree", tree)
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    assert {*map(str, found.found)} == {"rook=e::rook_attacks", "king=e::king_attacks"}
    assert len(asked) == 1, asked


@pytest.mark.parametrize("ending", [".c"])
def test_it_is_a_command_that_proves_nothing(source, monkeypatch):
    result = CliRunner().invoke(cli, ["verify", str(source), "--functions", "--json"])
    assert (result.exit_code, json.loads(result.stdout)["functions"][0]["key"]) == (0, "between")
    source.write_text("int n;\n", "utf-8")
    result = CliRunner().invoke(cli, ["verify", str(source), "--functions"])
    assert result.exit_code == 1
    words = ["verify", str(source), "--functions"]
    assert CliRunner().invoke(cli, [*words, "--function", "rook=rook"]).exit_code == 2
    Path("rook.ll").write_text("", "utf-8")
    assert CliRunner().invoke(cli, ["verify", "rook.ll", "--functions"]).exit_code == 2
    monkeypatch.setattr("magicert.functions.listing.listing", _too_slow)
    assert CliRunner().invoke(cli, words).exit_code == 3


@pytest.mark.parametrize("ending", [".cpp"])
def test_a_source_that_does_not_compile(source):
    text = "std::span<int> rooks;\nunsigned long rook(int, unsigned long o) { return o; }\n"
    source.write_text(f"#include <span>\n{text}", "utf-8")
    found = listing(question_of((source,), {"functions": {"rook": "any"}, "flags": ["-std=c++17"]}))
    assert found.command.endswith("--function rook=rook -- -std=c++20")
    source.write_text("unsigned long rook(\n", "utf-8")
    with pytest.raises(InputError, match="error"):
        listing(question_of((source,), {"functions": {"rook": "any"}}))


@pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
def test_what_needs_a_file_of_a_build_script_is_listed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OUT_DIR", raising=False)
    files = {
        "Cargo.toml": "[package]\nname = 'a'\nedition = '2021'\n",
        "build.rs": "fn main() {}\n",
        "src/lib.rs": 'include!(concat!(env!("OUT_DIR"), "/made.rs"));\n'
        "pub fn rook_attacks(s: u8, o: u64) -> u64 { TABLE[s as usize] & o }\n"
        "pub fn king_attacks(s: u8) -> u64 { 7 << s }\n",
    }
    Path("src").mkdir()
    for name, text in files.items():
        Path(name).write_text(text, "utf-8")
    found = listing(question_of((Path("src/lib.rs"),), {"functions": {"rook": "any"}}))
    assert [*map(str, found.found)] == ["rook=rook_attacks", "king=lib::king_attacks"]
    assert found.command == (
        "export OUT_DIR=$(mktemp -d) && rustc -O --edition=2021 build.rs -o $OUT_DIR/build && "
        "$OUT_DIR/build && magicert verify src/lib.rs --function rook=rook_attacks "
        "--function king=lib::king_attacks"
    )


@pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
def test_types_that_no_text_defines(tmp_path, monkeypatch):
    """A macro of the crate makes one; another crate, which is not made yet, has some."""
    monkeypatch.chdir(tmp_path)
    text = (
        "macro_rules! names { ($($n:ident)*) => { #[repr(u8)] pub enum Square { $($n,)* } } }\n"
        f"names! {{ {' '.join(f'{f}{r}' for r in range(1, 9) for f in 'ABCDEFGH')} }}\n"
        "pub fn rook_attacks(s: Square, o: u64) -> u64 { o << s as u8 }\n"
        "pub fn king_moves(s: Square) -> u64 { s as u64 }\n"
        "macro_rules! items { ($($one:item)*) => { $($one)* } }\n"
        f"items! {{ #[repr(u8)] pub enum Tile {{ A = 0, {', '.join(f'T{n}' for n in range(63))} }} }}\n"
        "pub struct Sets(Vec<u64>);\nimpl Sets {\n"
        "    pub fn new() -> Self { Sets(vec![7]) }\n"
        "    pub fn bishop(&self, s: Tile, o: u64) -> u64 { self.0[0] & o << s as u8 }\n"
        "    pub fn queen(&self, s: Square, o: u64) -> u64 { self.0[0] & o << s as u8 }\n}\n"
        "pub fn bishop_castles(a: Square, b: Square) -> Square { if a as u8 > 3 { a } else { b } }\n"
    )
    Path("made.rs").write_text(text, "utf-8")
    found = listing(question_of((Path("made.rs"),), {"functions": {"rook": "any"}}))
    of_byte = "(core::mem::transmute::<u8, {}>(square as u8), occupied)"
    assert [*map(str, found.found)] == [
        "rook=made::rook_attacks", "king=made::king_moves",
        f"bishop=made(Sets::new).bishop{of_byte.format('Tile')}",
        f"queen=made(Sets::new).queen{of_byte.format('Square')}",
    ]  # fmt: skip
    files = {
        "Cargo.toml": "[package]\nname = 'a'\nedition = '2021'\n[dependencies.types]\npath = 'types'\n",
        "types/Cargo.toml": "[package]\nname = 'types'\nedition = '2021'\n",
        "types/src/lib.rs": "pub struct Square(pub u8);\npub struct Set(pub u64);\n",
        "src/lib.rs": "use types::*;\n"
        "pub fn rook_attacks(s: Square, o: Set) -> Set { Set(o.0 << s.0) }\n"
        "pub fn rook_castles(a: Square, b: Square) -> Square { if a.0 > 3 { a } else { b } }\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    found = listing(question_of((Path("src/lib.rs"),), {"functions": {"rook": "any"}}))
    assert [*map(str, found.found)] == ["rook=rook_attacks"]
    assert found.command == (
        "export OUT_DIR=$(mktemp -d) && rustc -O --edition=2021 --crate-type=rlib "
        "--crate-name=types types/src/lib.rs --out-dir $OUT_DIR && "
        "magicert verify src/lib.rs --function rook=rook_attacks -- -L $OUT_DIR --extern types"
    )


@pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
def test_what_a_leaper_captures_of_the_occupied_squares_is_not_asked_for(tmp_path):
    """Its name may be that of all that it attacks: nobody is accused by it."""
    source = tmp_path / "pawns.rs"
    source.write_text(
        "pub enum Color { White, Black }\n"
        "pub fn pawn_attacks(sq: u8, color: Color, blockers: u64) -> u64 { blockers & 7 << sq << color as u8 }\n"
        "pub fn knight_attacks(sq: u8, occupied: u64) -> u64 { occupied & 7 << sq }\n"
        "pub fn king_attacks(sq: u8) -> u64 { 7 << sq }\n",
        "utf-8",
    )
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    assert {one.key for one in found.found} == {"", "king"}
    assert "king=" in found.command
    assert "knight" not in found.command
    assert "pawn_" not in found.command


def test_a_scope_that_has_the_common_part_hides_no_overload(tmp_path):
    source = tmp_path / "sets.cpp"
    text = "struct k_attacks { static U64 rook_attacks(int, U64 o) { return o; }\n"
    text += "static U64 rook_attacks(U64 o, U64 n) { return o & n; } };\n"
    source.write_text(f"{WALK}{text}U64 king_k_attacks(int s) {{ return s; }}\n", "utf-8")
    names, how = ("rook_attacks", "king_k_attacks"), ((), "", "", FOREVER)
    found = functions_declared("rook_attacks", [source], how, names)
    assert sorted(one.type for one in found) == ["U64 (U64, U64)", "U64 (int, U64)"]


def test_of_a_folder_the_files_are_named_that_may_have_the_functions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["--function", "rook=rook_attacks"]
    texts = {
        "src/attacks.c": "U64 rook_attacks(int s,\n    U64 o)\n{ return o; }\n",
        "src/search.c": "int main() { return rook_attacks(1, 2) > 3; }\n",
        "src/perft.c": "U64 slideAll(int s) { return s; }\nU64 rookAll(int s) { return s; }\n",
        "deps/attacks.c": "U64 rook_attacks(int s, U64 o) { return o; }\n",
    }
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, "utf-8")
    result = CliRunner().invoke(cli, ["verify", ".", *words])
    expected = "is a folder: expected the file that has the function, such as "
    assert result.exit_code == 2
    assert f"{expected}src/attacks.c or src/perft.c" in result.stderr
    assert "deps" not in result.stderr
    result = CliRunner().invoke(cli, ["verify", "deps", *words])
    assert "such as deps/attacks.c" in result.stderr


def test_of_a_folder_the_first_file_is_listed_that_has_a_sliders_function(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    head = "typedef unsigned long long U64;\n"
    texts = {
        "src/draw.c": "void draw_rook(int x, int y) { }\nvoid draw_bishop(int x, int y) { }\n",
        "src/broken_attacks.c": "U64 rook_attacks(int square, U64 occ) { return missing; }\n",
        "src/magic_mask.c": f"{head}U64 rookMask(int s) {{ return s; }}\n",
        "src/slide.c": f"{head}U64 rook_attacks(int square, U64 occ) {{ return occ; }}\n",
        "tests/attacks.c": f"{head}U64 rook_attacks(int square, U64 occ) {{ return occ; }}\n",
        "fathom/attacks.c": f"{head}U64 rook_attacks(int square, U64 occ) {{ return occ; }}\n",
    }
    for name, text in texts.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, "utf-8")
    result = CliRunner().invoke(cli, ["verify", ".", "--functions"])
    assert result.exit_code == 0, result.stderr
    assert "magicert verify src/slide.c --function rook=rook_attacks" in result.stdout
    also = ".: functions may be in src/broken_attacks.c and src/magic_mask.c as well"
    assert also in result.stderr
    result = CliRunner().invoke(cli, ["verify", "src/..", "--functions", "--json"])
    assert json.loads(result.stdout)["functions"][0]["name"] == "rook_attacks"
    # Each file is compiled with its own flags of the build.
    entries = [
        {"directory": str(tmp_path), "file": name, "command": f"cc -D{name[4:8]} -c {name}"}
        for name in ("src/slide.c", "src/broken_attacks.c")
    ]
    Path("compile_commands.json").write_text(json.dumps(entries), "utf-8")
    words = ["verify", ".", "--functions", "--build", "compile_commands.json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.stderr
    assert "magicert verify src/slide.c --function rook=rook_attacks -- -Dslid" in result.stdout
    Path("src/slide.c").unlink()
    Path("src/magic_mask.c").unlink()
    shutil.rmtree("tests")
    shutil.rmtree("fathom")
    result = CliRunner().invoke(cli, ["verify", ".", "--functions"])
    assert result.exit_code == 1  # of what compiles nothing is an attack function
    Path("src/draw.c").unlink()
    result = CliRunner().invoke(cli, ["verify", ".", "--functions"])
    assert result.exit_code == 2
    assert "broken_attacks.c:1" in result.stderr


def test_a_source_by_the_name_of_c_may_be_of_cpp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """typedef unsigned long long U64;
    namespace sets {
    U64 kings[64];
    void init() {
        for (int s = 0; s < 64; s++) {
            U64 king = 1ull << s, beside = (king << 1 & ~0x0101010101010101) | (king >> 1 & ~(U64(0x80) * 0x0101010101010101));
            U64 row = king | beside;
            kings[s] = row << 8 | row >> 8 | beside;
        }
    }
    U64 king_attacks(int s) { return kings[s]; }
    }
    """
    Path("sets.c").write_text(text, "utf-8")
    found = listing(question_of((Path("sets.c"),), {"functions": {"rook": "any"}}))
    words = shlex.split(found.command)[2:]
    asked = "king=sets::king_attacks"
    assert words == ["sets.c", "--function", asked, "--init", "sets::init", "--", "-xc++"]
    answer = certify_function(
        "sets.c", {"king": "sets::king_attacks"}, init="sets::init", flags=["-xc++"]
    )
    assert answer.verdict == "valid"


def test_a_source_for_an_older_zig_is_asked_by_the_grammar_alone(tmp_path, monkeypatch):
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    text = """var kings = [_]u64{0} ** 64;
    pub const Tables = struct { n: [64]u64 = undefined, pub fn init(self: *Tables) void { self.n[0] = 1; } };
    pub fn rookAttacks(s: u6, o: u64, t: *const Tables) u64 { return o << s & t.n[s]; }
    pub fn between(a: u6, b: u6) u64 { return @as(u64, 1) << a << b; }
    pub fn other(s: u6, o: u64) u64 { return o << s; }
    """
    Path("attacks.zig").write_text(text, "utf-8")
    Path("build.zig.zon").write_text('.{ .minimum_zig_version = "0.14.1" }', "utf-8")
    with pytest.raises(InputError) as refused:
        listing(question_of((Path("attacks.zig"),), {"functions": {"rook": "any"}}))
    command = shlex.split(str(refused.value.problems[-1].message).partition("&& ")[2])
    assert command == [
        "magicert", "verify", "attacks.zig",
        "--function", "rook=rookAttacks(@intCast(square), occupied, made(source.Tables.init))",
        "--init", "made(source.Tables.init)", "--compiler", "zig0.14.1/ziglang/zig",
    ]  # fmt: skip
    Path("attacks.zig").unlink()
    with pytest.raises(InputError, match="no such file"):
        listing(question_of((Path("attacks.zig"),), {"functions": {"rook": "any"}}))


def test_what_gives_the_attacks_of_a_set_is_called_by_the_names_of_its_sets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """typedef unsigned long long U64;
    static U64 fill(U64 from, U64 empty, int by, U64 edge) {
        U64 to = 0;
        for (int n = 0; n < 7; n++) {
            from = (by < 0 ? from >> -by : from << by) & edge;
            to |= from;
            from &= empty;
        }
        return to;
    }
    U64 rook_moves(U64 bb, U64 empties, U64 friendlies) {
        U64 not_a = ~0x0101010101010101, not_h = ~0x8080808080808080;
        U64 to = fill(bb, empties, 8, ~0ull) | fill(bb, empties, -8, ~0ull);
        return (to | fill(bb, empties, 1, not_a) | fill(bb, empties, -1, not_h)) & ~friendlies;
    }
    U64 bishop_moves(U64 bb, U64 occ, U64 enemies) { return bb & occ & enemies; }
    U64 queens(U64 a, U64 b) { return a | b; }
    U64 bishop_fill(U64 bishops, U64 empty) { return bishops & empty; }
    """
    Path("sets.cpp").write_text(text, "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    assert "setwise:bishop=bishop_fill(sliders, ~occupied)" in map(str, found.found)
    asked = {"setwise:rook": "rook_moves(sliders, ~occupied, 0)"}
    assert _functions_in(found.command) == asked
    assert certify_function("sets.cpp", asked).verdict == "valid"
    # What is asked of one square goes before it.
    Path("sets.cpp").write_text(f"{text}U64 rook(int s, U64 o) {{ return o << s; }}", "utf-8")
    found = listing(question_of((Path("sets.cpp"),), {"functions": {"rook": "any"}}))
    assert _functions_in(found.command) == {"rook": "rook"}


@pytest.mark.parametrize("ending", [".c", ".cpp"])
def test_a_macro_goes_by_a_call(certified, tmp_path, monkeypatch, ending):
    """By the names of what it takes, which are all that tells what it is given."""
    monkeypatch.chdir(tmp_path)
    text = "typedef unsigned long long U64;\nU64 walk(U64 occupied, int square) { return 0; }\n"
    text += "#define rook_attacks(occ, sq) walk(occ, sq)\n#define bishop_attacks(x, y) walk(y, x)\n"
    text += "#define queen_value(sq, occ) 900\n#define rook_mask(sq) walk(0, sq)\n"
    source = Path(f"sets{ending}")
    source.write_text(text, "utf-8")
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    call = "rook_attacks(occupied, square)"
    assert [str(one) for one in found.found if "define" in one.declared] == [f"rook={call}"]
    assert _functions_in(found.command) == {"rook": call}
    assert certified(source, functions={"rook": call}).verdict == "invalid"


SETS_OF_ONE = {
    "sets.cpp": (
        "struct Bitboard { unsigned long long value; };\n"
        "struct Bishop { static Bitboard attacks(Bitboard square, Bitboard occupancy); };\n"
        "Bitboard Bishop::attacks(Bitboard square, Bitboard o) { return {square.value << 9 | o.value}; }\n",
        "Bishop::attacks(Bitboard{1ull << square}, Bitboard{occupied})",
    ),
    "sets.c": (
        "typedef struct { unsigned long long v; } BitBoard;\n"
        "BitBoard bishop(BitBoard from, BitBoard occ) { return (BitBoard){ from.v << 9 | occ.v }; }\n",
        "bishop((BitBoard){1ull << square}, (BitBoard){occupied})",
    ),
    "sets.rs": (
        "#[derive(Clone, Copy)] pub struct Bits(u64);\n"
        "pub fn bishop(square: Bits, occ: Bits) -> Bits { Bits(square.0 << 9 | occ.0) }\n",
        "bishop(Bits(1u64 << square), Bits(occupied))",
    ),
}


@pytest.mark.parametrize("name", SETS_OF_ONE)
def test_a_square_of_a_bitboards_type_is_a_set_of_one(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text, call = SETS_OF_ONE[name]
    Path(name).write_text(text, "utf-8")
    found = listing(question_of((Path(name),), {"functions": {"rook": "any"}}))
    assert _functions_in(found.command) == {"bishop": call}
    assert certify_function(name, {"bishop": call}).verdict == "invalid"
