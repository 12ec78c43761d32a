"""Computed attacks: each way is compiled with warnings as errors, and tried for every occupancy of
every mask, and squares outside of them, by the harness that engines get.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

from magicert.compact.emit import printer
from magicert.compact.emit.harness import all_lookups, harness
from magicert.compact.emit.ways import WAYS, languages_of_ways, print_way

FLAGS = "-O2 -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"
INCLUDED = "#include <stdio.h>\n#define rook_attacks {0}rook_attacks\n"
INCLUDED += "#define bishop_attacks {0}bishop_attacks\n"
COMMANDS = {
    "c": ("w.h", "main.c", f"gcc -std=c99 {FLAGS} main.c -o main"),
    "c++": ("w.hpp", "main.cpp", f"g++ -std=c++17 {FLAGS} main.cpp -o main"),
    "rust": ("w.rs", "main.rs", "rustc --test --edition=2021 -O -Dwarnings main.rs -o main"),
}

ZIG = """const ways = .{ @IMPORTS };
extern "c" fn printf([*:0]const u8, ...) i32;

fn walk(square: usize, occ: u64, steps: [4][2]i32, mask: *u64) u64 {
    var reached: u64 = 0;
    for (steps) |step| {
        var file = @as(i32, @intCast(square & 7)) + step[0];
        var rank = @as(i32, @intCast(square >> 3)) + step[1];
        var going = true;
        while (file >= 0 and file < 8 and rank >= 0 and rank < 8) {
            const bit = @as(u64, 1) << @as(u6, @intCast(8 * rank + file));
            if (going) reached |= bit;
            if (occ & bit != 0) going = false;
            file += step[0];
            rank += step[1];
            if (file >= 0 and file < 8 and rank >= 0 and rank < 8) mask.* |= bit;
        }
    }
    return reached;
}

fn tried(comptime w: type, square: usize, occ: u64, bishop: bool) u64 {
    const rooks = [4][2]i32{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } };
    const bishops = [4][2]i32{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } };
    var mask: u64 = 0;
    const right = walk(square, occ, if (bishop) bishops else rooks, &mask);
    for ([_]u64{ occ, occ | ~mask }) |all| {
        const found = if (bishop) w.bishopAttacks(square, all) else w.rookAttacks(square, all);
        if (found != right) @panic("wrong");
    }
    return mask;
}

pub fn main() void {
    var lookups: i32 = 0;
    inline for (ways) |w| for (0..128) |n| {
        var occ: u64 = 0;
        while (true) {
            const mask = tried(w, n & 63, occ, n > 63);
            lookups += 1;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    };
    _ = printf("%d", lookups);
}
"""


def programs(language: str, way: str) -> dict[str, str]:
    """The files of a program that tries a way."""
    text = print_way(way, printer(language, None, "w"))
    if language == "rust":
        return {"w.rs": f"{text}\n#[cfg(test)]\nmod check_magics;\n", "w/check_magics.rs":
                harness("rust"), "main.rs": "#[allow(dead_code)]\nmod w;\n"}  # fmt: skip
    name, main, _ = COMMANDS[language]
    prefix = "magics_" if language == "c" else "magics::"
    start = f'#include "{name}"\n' + INCLUDED.format(prefix)
    return {name: text, main: start + all_lookups()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("language", COMMANDS)
def test_a_way_answers_every_occupancy(language: str, way: str, tmp_path: Path) -> None:
    command = COMMANDS[language][2].split()
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    (tmp_path / "w").mkdir()
    for name, text in programs(language, way).items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert ("right: " if language != "rust" else "ok. 2 passed") in done.stdout


def test_the_ways_of_zig(tmp_path: Path) -> None:
    if shutil.which("zig") is None:
        pytest.skip("no zig here")
    for way in WAYS:
        (tmp_path / f"{way}.zig").write_text(print_way(way, printer("zig", None, way)))
    imports = ", ".join(f'@import("{way}.zig")' for way in WAYS)
    (tmp_path / "main.zig").write_text(ZIG.replace("@IMPORTS", imports))
    command = ["zig", "build-exe", "-lc", "main.zig"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, str(len(WAYS) * 107_648)), done.stderr


def test_every_language_with_ways_is_tried() -> None:
    assert {*COMMANDS, "zig"} == {*languages_of_ways()}
