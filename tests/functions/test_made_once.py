"""In Zig: a call whose object is made once, by a function that fills what it is given."""

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
