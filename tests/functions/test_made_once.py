"""A call whose object is made once: in Zig by a function that fills what it is given, in C++ by a
constructor.
"""

import shlex
from pathlib import Path

import pytest

import magicert
from magicert.functions.listing import listing
from magicert.functions.question import question_of

pytest.importorskip("llvmlite")

TEXT = """pub const Tables = struct {
    kings: [64]u64 = undefined,
    pub fn init(self: *Tables) void {
        for (FIRST..64) |s| {
            const king = @as(u64, 1) << @intCast(s);
            const beside = (king << 1 & ~@as(u64, 0x0101010101010101)) |
                (king >> 1 & ~@as(u64, 0x8080808080808080));
            const row = king | beside;
            self.kings[s] EQUALS row << 8 | row >> 8 | beside;
        }
    }
};
pub fn kingAttacks(s: u6, tables: *const Tables) u64 {
    return tables.kings[s];
}
"""
CALL = "kingAttacks(@intCast(square), made(source.Tables.init))"


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path("attacks.zig")


def test_the_command_of_a_listing_proves_it(source):
    source.write_text(TEXT.replace("FIRST", "0").replace("EQUALS", "="), "utf-8")
    question = question_of((source,), {"functions": {"rook": "any"}})
    words = shlex.split(listing(question).command)[2:]
    assert words == [
        "attacks.zig", "--function", f"king={CALL}", "--init", "made(source.Tables.init)",
    ]  # fmt: skip
    answer = magicert.certify_function(source, {"king": CALL}, init="made(source.Tables.init)")
    assert answer.verdict == "valid"


@pytest.mark.parametrize(("first", "equals"), [("1", "="), ("0", "|=")])
def test_what_its_memory_held_before_is_not_known(source, first, equals):
    source.write_text(TEXT.replace("FIRST", first).replace("EQUALS", equals), "utf-8")
    answer = magicert.certify_function(source, {"king": CALL}, init="made(source.Tables.init)")
    assert answer.verdict != "valid"


def test_an_object_that_nobody_fills_is_named_in_no_command(source):
    text = TEXT.replace("init(self: *Tables)", "init(self: *Tables, _: u8)").replace("EQUALS", "=")
    source.write_text(text.replace("FIRST", "0"), "utf-8")
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    assert not found.command


CPP = """typedef unsigned long long u64;
struct Walk { virtual u64 row(u64 king) const = 0; virtual ~Walk() {} };
struct Beside : Walk { u64 row(u64 king) const override; };
namespace engine {
class Tables {
    u64 *kings, masks[64];
    void fill_masks() { for (int s = 0; s < 64; s++) masks[s] = ~0ull; }
public:
    Tables();
    void init_all() { init_kings(); }
    void init_kings();
    u64 king(int s) const { return kings[s] & masks[s]; }
};
}
"""
CPP_FILLS = """#include "tables.h"
u64 Beside::row(u64 king) const {
    u64 side = (king << 1 & ~0x0101010101010101) | (king >> 1 & ~0x8080808080808080);
    return king | side;
}
namespace engine {
Tables::Tables() : kings(new u64[64]()) { fill_masks(); }
void Tables::init_kings() {
    Walk *walk = new Beside;
    for (int s = 0; s < 64; s++) {
        u64 king = 1ull << s, row = walk->row(king);
        kings[s] = (row << 8 | row >> 8 | row) & ~king;
    }
}
}
"""


def test_an_object_of_cpp_is_made_once_and_filled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("README.md").touch()  # which marks a project
    Path("tables.h").write_text(CPP, "utf-8")
    Path("tables.cpp").write_text(CPP_FILLS, "utf-8")
    source = Path("tables.h")
    words = shlex.split(listing(question_of((source,), {"functions": {"rook": "any"}})).command)
    made = "made(engine::Tables, engine::Tables::init_all)"
    assert words[2:] == [
        "tables.h", "tables.cpp", "--function", f"king={made}.king(square)", "--init", made,
    ]  # fmt: skip
    call, sources = f"{made}.king(square)", ["tables.h", "tables.cpp"]
    answer = magicert.certify_function(sources, {"king": call}, init=made)
    assert answer.verdict == "valid"
    # Where nothing fills it, that is no error of the function, though its masks are filled.
    made = "made(engine::Tables)"
    call = f"{made}.king(square)"
    answer = magicert.certify_function(sources, {"king": call}, init=made)
    assert answer.verdict == "unknown"


def test_what_a_constructor_reads_is_filled_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("README.md").touch()
    source = Path("board.cpp")
    source.write_text(
        "typedef unsigned long long u64;\nu64 rows[64];\n"
        "void init_rows() { for (int s = 0; s < 64; s++) { u64 k = 1ull << s;\n"
        "    rows[s] = k | (k << 1 & ~0x0101010101010101) | (k >> 1 & ~0x8080808080808080); } }\n"
        "struct Board { u64 kings[64];\n"
        "    Board() { for (int s = 0; s < 64; s++)\n"
        "        kings[s] = (rows[s] << 8 | rows[s] >> 8 | rows[s]) & ~(1ull << s); }\n"
        "    u64 king_attacks(int s) const { return kings[s] & ~(rows[s] & 1ull << s); } };\n",
        "utf-8",
    )
    found = listing(question_of((source,), {"functions": {"rook": "any"}}))
    call, init = "made(Board).king_attacks(square)", "init_rows(), made(Board)"
    words = shlex.split(found.command)[2:]
    assert words == ["board.cpp", "--function", f"king={call}", "--init", init]
    assert magicert.certify_function(source, {"king": call}, init=init).verdict == "valid"
