"""What a build passes to its compiler: flags from its compile_commands.json, and those that nobody
passed here.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from magicert.chess import parse_square
from magicert.functions.compile import compiler_commands, compilers, files_read, modules
from magicert.functions.compile.build import flags_of
from magicert.functions.compile.hints import flags_to_try, is_of_another_zig
from magicert.functions.compile.zig_build import modules_of_build, version_stated
from magicert.problem import InputError

HERE = Path(__file__).parent
SOURCE = "unsigned long long rook(int s, unsigned long long o) { return o; }\n"


def written(folder, *entries):
    file = folder / "compile_commands.json"
    file.write_text(json.dumps(entries), "utf-8")
    return file


@pytest.mark.cases_of("flags_of_a_build.tsv")
@pytest.mark.parametrize("form", ["command", "arguments"])
def test_flags_of_a_build(tmp_path, form, command, taken, left_out):
    given = command if form == "command" else shlex.split(command)
    entry = {"directory": "/engine/build", "file": "../a.cpp", form: given}
    found = flags_of(written(tmp_path, entry), [Path("/engine/a.cpp")])
    assert list(found.flags) == shlex.split(taken)
    assert list(found.left_out) == shlex.split(left_out)
    assert all(
        flag in found.as_lines
        for flag in (*shlex.split(taken), *shlex.split(left_out))
        if " " not in flag
    )


def test_whose_flags_are_taken(tmp_path):
    """A header's are those of the source with its name, or of all in its folder that agree."""
    commands = {"a.cpp": "-DA", "b.cpp": "-DB", "sub/c.cpp": "-DC", "sub/d.cpp": "-DC -Wall"}
    for name in (*commands, "a.h", "x.h", "sub/x.h"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    file = written(tmp_path, *(
        {"directory": ".", "file": name, "command": f"cc {flags} {name}"}
        for name, flags in commands.items()
    ))  # fmt: skip
    given = {"a.cpp": "-DA", "a.h": "-DA", "sub/x.h": "-DC", "x.h": "2 commands with different"}
    for name, flags in given.items():
        if flags[:1] == "-":
            assert flags_of(file, [tmp_path / name]).flags == (flags,)
            continue
        with pytest.raises(InputError, match=flags):
            flags_of(file, [tmp_path / name])
    assert flags_of(file, [tmp_path / "sub/c.cpp", tmp_path / "sub/d.cpp"]).flags == ("-DC",)
    with pytest.raises(InputError, match="other flags than"):
        flags_of(file, [tmp_path / "a.cpp", tmp_path / "b.cpp"])
    with pytest.raises(InputError, match=r"no command for .*e\.cpp.* found those for a\.cpp"):
        flags_of(file, [tmp_path / "e.cpp"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "cannot be read"),
        ("{}", "expected a list"),
        ("[1]", "expected directory, file"),
        ('[{"directory": "/", "file": "a.c"}]', "expected directory, file"),
        ('[{"directory": "/", "file": "a.c", "arguments": [1]}]', "expected directory, file"),
        ('[{"directory": "/", "file": "a.c", "command": "cc \'"}]', "expected directory, file"),
        ('[{"directory": "/\\u0000", "file": "a.c", "command": "cc"}]', "expected directory, file"),
        ('[{"directory": "/", "file": "\\ud800", "command": "cc"}]', "expected directory, file"),
        ('[{"directory": "/", "file": "a.c", "arguments": ["cc", "-DX=\\u0000"]}]', "expected dir"),
        ('[{"directory": "/", "file": "a.c", "arguments": ["cc", "-f\\ud800"]}]', "expected dir"),
    ],
)
def test_a_file_that_is_none(tmp_path, text, message):
    (tmp_path / "compile_commands.json").write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        flags_of(tmp_path / "compile_commands.json", [Path("a.c")])


def test_flags_are_shown_before_they_are_obeyed(run, tmp_path):
    """Its compiler is none of ours, and the user's flags stand last."""
    program, mark = tmp_path / "cc", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\n", "utf-8")
    program.chmod(0o755)
    source = tmp_path / "a.c"
    source.write_text(f"#if WRONG != 2\n#error {{}}\n#endif\n{SOURCE}", "utf-8")
    command = f"{program} -DWRONG=1 -fplugin={program} -B{tmp_path} -c a.c"
    file = written(tmp_path, {"directory": str(tmp_path), "file": "a.c", "command": command})
    words = "verify", source, "--function", "fR=rook", "--build", file
    done = run(*words)
    assert done.exit_code == 2
    shown = f"{file}: taken from it for {source}: -DWRONG=1; not taken: -fplugin={program}"
    assert done.stderr.index(shown) < done.stderr.index("does not compile it")
    assert run(*words, "--", "-UWRONG", "-DWRONG=2").exit_code == 1
    assert not mark.exists()


CRATE = {
    "Cargo.toml": '[package]\nname = "north"\nversion = "1.0.0"\nedition = "2021"\n'
    '[dependencies]\nsets = { path = "sets" }\n',
    "sets/Cargo.toml": '[package]\nname = "sets"\nversion = "1.0.0"\nedition = "2021"\n',
    "sets/src/lib.rs": "#[inline] pub fn up(mut g: u64, o: u64) -> u64 { let mut p = !o; "
    "g |= p & g << 8; p &= p << 8; g |= p & g << 16; p &= p << 16; g |= p & g << 32; g << 8 }\n",
    "build.rs": "fn main() { let sets: Vec<u64> = (0..64).map(|s| 1 << s).collect(); "
    'let to = std::env::var("OUT_DIR").unwrap() + "/sets.rs"; '
    'std::fs::write(to, format!("static SETS: [u64; 64] = {sets:?};")).unwrap(); }\n',
    "src/lib.rs": 'include!(concat!(env!("OUT_DIR"), "/sets.rs")); pub struct Board(u64);\n'
    "impl Board { fn rook(s: u8, o: Board) -> u64 { sets::up(SETS[s as usize & 63], o.0) }\n"
    "pub fn used(self, s: u8) -> u64 { Board::rook(s, self) ^ 1 } }\n",
}
"""A crate with a build script and a dependency, and a private function that is inlined."""


@pytest.mark.toolchain
@pytest.mark.skipif(not shutil.which("cargo"), reason="no cargo")
def test_a_crate_is_compiled_by_cargo_as_the_page_says(certified, tmp_path):
    for name, text in CRATE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    asked = partial(certified, functions={"fR": "Board::rook"}, squares=(0,))
    with pytest.raises(InputError) as refused:
        asked(tmp_path / "src" / "lib.rs")
    (command,) = re.findall("cargo rustc .*?(?=;)", str(refused.value))
    page = (HERE.parents[1] / "docs" / "functions.md").read_text("utf-8")
    assert command in page
    target = tmp_path / "target"
    subprocess.run(
        shlex.split(command), cwd=tmp_path, check=True, capture_output=True,
        env={**os.environ, "CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(target)},
    )  # fmt: skip
    (module,) = target.glob("release/deps/north-*.ll")
    assert asked(module).verdict == "valid"
    module.write_text(module.read_text("utf-8").replace(", 32", ", 33"), "utf-8")
    assert asked(module).verdict == "invalid"


@pytest.mark.cases_of("missing_flags.tsv")
def test_a_missing_flag_is_named(certified, tmp_path, ending, flags, message, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if ending == "zig":
        pytest.importorskip("ziglang")
        stated = {
            "": ("build.zig.zon", '.{ .minimum_zig_version = "0.11.0" }'),
            "README": ("README.md", "## Build\n1. Install Zig (0.16.0)"),
        }
        name, words = stated[flags]
        (tmp_path / name).write_text(words, "utf-8")
        flags = ""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "sets.h").write_text("", "utf-8")
    (tmp_path / "Makefile").write_text("", "utf-8")
    file = tmp_path / f"rook.{ending}"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as refused:
        certified(file, functions={"fR": "f"}, flags=tuple(flags.split()), target="x86_64")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("version", "file", "text"),
    [
        ("0.14.0", "build.zig.zon", '.minimum_zig_version = "0.14.0"'),
        ("0.16.0", "README.md", "Install Zig (0.16.0)"),
        ("0.13.0", "build.zig.zon", '.name = "rook",'),
        ("0.11.0", "build.zig", 'b.createModule(.{ .source_file = .{ .path = "a.zig" } });'),
        ("0.12.1", "build.zig", 'b.addTest(.{ .root_source_file = .{ .path = "main.zig" } });'),
        ("0.14.1", "build.zig", 'b.addExecutable(.{ .root_source_file = b.path("main.zig") });'),
        ("", "build.zig", "b.addExecutable(.{ .root_module = exe }); // .root_source_file = x"),
        ("0.10.0", "src/near.zig", "const n = @enumToInt(s);"),
        ("0.13.0", "src/near.zig", "const r = std.rand.DefaultPrng;"),
        ("0.14.1", "src/near.zig", "const out = std.io.getStdOut().writer();"),
        ("0.16.0", "src/near.zig", "const none = [_]u64{0} ** 64;"),
        ("", "src/near.zig", "// std.io.getStdOut()"),
    ],
)
def test_which_zig_a_project_is_for(tmp_path, version, file, text):
    (tmp_path / "src").mkdir()
    for name in {"build.zig", "src/rook.zig", file}:
        (tmp_path / name).write_text(text if name == file else "", "utf-8")
    source = tmp_path / "src" / "rook.zig"
    stated = version_stated(source, "")
    assert (stated.version if stated else "") == version
    assert stated is None or stated.is_too_old == (not stated.words) == (version == "0.10.0")
    stated = version_stated(source, "error: local variable is never mutated")
    says_it = version in {"0.14.0", "0.16.0"} and file in {"build.zig.zon", "README.md"}
    assert stated is not None
    assert stated.version == (version if says_it or version == "0.10.0" else "0.11.0")


@pytest.mark.parametrize(
    ("words", "older"),
    [
        ("error: expected function or variable declaration after pub", True),
        ("error: local variable is never mutated", True),
        ("error: use of undeclared identifier 'rook'", False),
    ],
)
def test_what_says_that_a_source_is_of_another_zig(words, older):
    assert is_of_another_zig(words) == older


def test_the_modules_of_a_zig_build_are_named(tmp_path, monkeypatch):
    files = {
        "build.zig": """
            const sets = b.createModule(.{ .root_source_file = b.path("src/sets.zig") });
            const rook = b.createModule(.{ .target = t, .root_source_file = b.path("src/rook.zig") });
            const words = b.addModule("words", .{ .root_source_file = .{ .path = "words.zig" } });
            rook.addImport("sets", sets); sets.addImport("rook", rook);
        """,
        "src/rook.zig": 'const near = @import("near.zig"); const std = @import("std");',
        "src/near.zig": 'const sets = @import("sets"); const o = @import("options");',
        "src/sets.zig": 'const r = @import("rook"); const w = @import("words");',
        "words.zig": "",
    }
    (tmp_path / "src").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    modules = modules_of_build(tmp_path / "src" / "rook.zig")
    assert modules is not None
    assert modules.flags == (
        "--dep sets --dep options -Mroot=src/rook.zig --dep rook=root --dep words "
        "-Msets=src/sets.zig -Moptions=FILE -Mwords=words.zig"
    )


def test_a_module_that_build_zig_makes_of_options_is_made(tmp_path, monkeypatch):
    files = {
        "build.zig": """
            pub fn build(b: *std.Build) void {
            const of = b.addOptions(); const fast = b.option(bool, "fast", "") orelse true;
            of.addOption(bool, "fast", fast);
            of.addOption(u8, "depth", b.option(u8, "depth", "") orelse 7);
            exe.root_module.addOptions("chosen", of);
            const paths = [_][]const u8{ "src/types/root.zig", "tests/types/root.zig" };
            }
        """,
        "src/rook.zig": 'const o = @import("chosen"); const t = @import("types");',
        "src/types/root.zig": 'const up = @import("../types/root.zig");',
        "tests/types/root.zig": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    modules = modules_of_build(Path("src/rook.zig"))
    assert modules is not None
    assert modules.flags == (
        "--dep chosen --dep types -Mroot=src/rook.zig -Mchosen=chosen.zig -Mtypes=src/types/root.zig"
    )
    assert modules.words == (
        "printf '%s\\n' 'pub const fast: bool = true;' 'pub const depth: u8 = 7;' > chosen.zig"
    )


def test_all_flags_that_are_missing_are_named_at_once(certified, tmp_path):
    """The compiler says one of them after the other."""
    for folder, text in {
        "include/sets.h": '#include "words.h"\nconsteval int g() { return 1; }',
        "deep/words.h": "#pragma once",
        "Makefile": "",
    }.items():
        (tmp_path / folder).parent.mkdir(exist_ok=True)
        (tmp_path / folder).write_text(text, "utf-8")
    file = tmp_path / "rook.cpp"
    uses = (
        "unsigned long long f(int s, unsigned long long o) { return __builtin_ia32_pext_di(o, s); }"
    )
    file.write_text(f'#include "sets.h"\n{uses}', "utf-8")
    asked = partial(certified, file, functions={"fR": "f"}, target="x86_64", flags=("-std=c++17",))
    flags = f"-- -I{tmp_path}/include -I{tmp_path}/deep -std=c++20 -mbmi2"
    with pytest.raises(InputError, match=f"It compiles with {re.escape(flags)}"):
        asked()
    file.write_text(f'#include "sets.h"\n{uses}\nint h() {{ return nobody; }}', "utf-8")
    with pytest.raises(InputError, match=r"With -- .*c\+\+20 .*the compiler says: .*'nobody'"):
        asked()


@pytest.mark.parametrize("kind", ["clang", "zig"])
@pytest.mark.parametrize("step", ["", "expanded"])
def test_a_flag_whose_value_is_missing_takes_no_check_for_it(kind, step):
    """`-multiply_defined` takes the next word, whatever that is."""
    compiler = compilers.Compiler((kind,), kind, "clang version 20")
    paths = Path("a.c"), Path("module.ll")
    for traps in (False, True):
        words = compiler_commands.compile_command(
            compiler, "c", *paths, ["-multiply_defined"], "", traps=traps, step=step
        )
        left = words[words.index("-multiply_defined") + 2 :]
        assert {*compiler_commands.TRAPS} <= {*left} if traps else "-fno-sanitize=all" in left
        assert step != "expanded" or "-undef" in left


@pytest.mark.parametrize(("version", "asks_twice"), [("16.0.6", True), ("17.0.6", False)])
def test_an_older_zig_is_asked_for_a_module_that_it_only_prints_as_well(version, asks_twice):
    zig = compilers.Compiler(("zig",), "zig", f"zig with clang version {version}")
    paths = Path("a.zig"), Path("t/module.ll")
    command = compiler_commands.compile_command(zig, "zig", *paths, (), "", traps=True)
    assert "--verbose-llvm-ir=t/module.ll" in command
    assert ("-femit-llvm-ir=t/module.ll.passed" in command) == asks_twice


def test_a_link_that_leads_to_itself_is_no_source(tmp_path):
    (tmp_path / "a.c").symlink_to("a.c")
    (tmp_path / "b.c").write_text(SOURCE, "utf-8")
    entries = (
        {"directory": ".", "file": name, "command": f"cc -D{name[0]}"} for name in ("a.c", "b.c")
    )
    assert flags_of(written(tmp_path, *entries), [tmp_path / "b.c"]).flags == ("-Db",)


@pytest.mark.gate_takes
@pytest.mark.parametrize(("inits", "status"), [(("fill", "spoil()"), 1), (("spoil", "fill"), 0)])
@pytest.mark.parametrize("ending", ["c", "cpp", "zig"])
def test_each_init_runs_in_its_turn(run, tmp_path, ending, inits, status):
    source = tmp_path / f"a.{ending}"
    if ending == "zig":
        pytest.importorskip("ziglang")
    text = "typedef unsigned long long u64; static u64 T[64];\n"
    text += "void fill(void) { for (int s = 0; s < 64; s++) T[s] = s < 56 ? 256ull << s : 0; }\n"
    text += "void spoil(void) { T[5] = 1; }\nu64 pawn(int s) { return T[s]; }\n"
    if ending == "zig":
        text = "var T: [64]u64 = @splat(0);\npub fn fill() void { for (0..64) |s| { "
        text += "T[s] = if (s < 56) @as(u64, 256) << @intCast(s) else 0; } }\n"
        text += "pub fn spoil() void { T[5] = 1; }\npub fn pawn(s: u8) u64 { return T[s]; }\n"
    source.write_text(text, "utf-8")
    words = (word for init in inits for word in ("--init", init))
    done = run("verify", source, "--function", "fW=pawn", "--no-cache", *words)
    assert done.exit_code == status, done.stdout + done.stderr


def test_files_of_zig_that_import_each_other_are_each_read_once(tmp_path):
    for folder, other in (("a", "b"), ("b", "a")):
        (tmp_path / folder).mkdir()
        text = f'const other = @import("../{other}/{other}.zig");\n'
        (tmp_path / folder / f"{folder}.zig").write_text(text + "// mode", "utf-8")
    assert files_read.place_of_mode([tmp_path / "a" / "a.zig"], ()) == ""


@pytest.mark.parametrize(
    "text",
    [
        'const b = @import("builtin");\nconst m = b.mode;',
        'const b = @import( // a comment\n    "builtin"\n);const m = b.mode;',
        'const b = @import("builtin");\nconst s = "//"; const m = b.mode;',
        'const b = @import("builtin");\nconst m = @field(b, "mode");',
        'const std = @import("std");\nconst m = std . debug . runtime_safety;',
    ],
)
def test_a_mode_that_code_of_zig_asks_for_is_seen_however_it_is_written(text, tmp_path):
    (tmp_path / "a.zig").write_text('const b = @import( // the rest\n"b.zig" );\n', "utf-8")
    (tmp_path / "b.zig").write_text(text, "utf-8")
    assert files_read.place_of_mode([tmp_path / "a.zig"], ()).startswith(f"{tmp_path / 'b.zig'}:")
    (tmp_path / "b.zig").write_text('// builtin\n// mode\nconst s = "a mode of builtin";', "utf-8")
    assert files_read.place_of_mode([tmp_path / "a.zig"], ()) == ""


def test_a_crate_is_compiled_with_what_its_cargo_toml_says(certified, tmp_path):
    """What cargo would tell it, and `env!` reads: of its package, or of its workspace."""
    if not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    source = tmp_path / "north" / "src" / "lib.rs"
    source.parent.mkdir(parents=True)
    workspace = '[workspace.package]\nversion = "3.4.5-dev"\nauthors = ["A", "B"]\n'
    (tmp_path / "Cargo.toml").write_text(workspace, "utf-8")
    package = '[package]\nname = "a-b"\nversion = { workspace = true }\nauthors.workspace = true\n'
    (tmp_path / "north" / "Cargo.toml").write_text(package, "utf-8")
    told = {
        "CARGO_PKG_NAME": "a-b", "CARGO_PKG_VERSION": "3.4.5-dev", "CARGO_PKG_VERSION_MINOR": "4",
        "CARGO_PKG_AUTHORS": "A:B", "CARGO_CRATE_NAME": "a_b",
        "CARGO_MANIFEST_DIR": str(tmp_path / "north"),
    }  # fmt: skip
    right = " && ".join(f'same(env!("{name}"), r"{text}")' for name, text in told.items())
    same = (
        "const fn same(a: &str, b: &str) -> bool {\n"
        "    let (a, b) = (a.as_bytes(), b.as_bytes());\n"
        "    let mut n = 0;\n"
        "    while n < a.len() && n < b.len() && a[n] == b[n] { n += 1; }\n"
        "    n == a.len() && n == b.len()\n}\n"
    )
    body = f"if {right} {{ o & (s as u64 >> 6) }} else {{ 1 }}"
    source.write_text(f'{same}#[no_mangle] pub extern "C" fn f(s: u8, o: u64) -> u64 {{ {body} }}')
    asked = {"functions": {"fR": "f"}, "squares": (parse_square("d8"),)}
    assert certified(source, **asked).verdict == "valid"


NORTH = (HERE / "north.h").read_text("utf-8")
IN_ZIG = (
    "pub fn rook(s0: u64, o: u64) u64 { var s = s0; var p = ~o; s |= p & (s << 8); p &= p << 8; "
    "s |= p & (s << 16); p &= p << 16; s |= p & (s << 32); return s << 8; }"
)


@pytest.mark.parametrize(
    ("ending", "name", "text"),
    [
        ("c", "north", NORTH),
        pytest.param("cpp", "north", NORTH, marks=pytest.mark.long),
        pytest.param("zig", "rook", IN_ZIG, marks=pytest.mark.long),
    ],
)
def test_the_builds_of_two_runs_are_the_same(certified, tmp_path, ending, name, text):
    """No certificate has the name of a temporary folder, or what was compiled before, in it."""
    file = tmp_path / f"north.{ending}"
    file.write_text(text, "utf-8")
    first, second = (certified(file, functions={"setwise:fR": name}) for _ in range(2))
    assert (first.verdict, len(first.ir)) == ("valid", 2)
    assert (first.ir, first.command) == (second.ir, second.command)


def test_only_what_a_module_says_of_files_has_a_folder_taken_out():
    text = (
        "; ModuleID = '/tmp/magicert-ab/expanded.i'\nsource_filename = \"/tmp/magicert-ab/a.i\"\n"
        '@s = constant [18 x i8] c"/tmp/magicert-ab/x"\n'
        '!1 = !DIFile(filename: "../tmp/magicert-ab/kept.zig", directory: "/tmp/magicert-ab")\n'
    )
    found = modules._without_folder(text, Path("/tmp/magicert-ab"))
    assert found == (
        "; ModuleID = 'expanded.i'\nsource_filename = \"a.i\"\n"
        '@s = constant [18 x i8] c"/tmp/magicert-ab/x"\n'
        '!1 = !DIFile(filename: "kept.zig", directory: "")\n'
    )


@pytest.mark.parametrize(
    ("said", "flags"),
    [
        ("error: always_inline function 'f' requires target feature 'sse4.1', but", ["-msse4.1"]),
        ("error: '__builtin_ia32_f' needs target feature sse4.1", ["-msse4.1"]),
        ("error: no member named 'abs' in namespace 'std'", ["--include=cstdlib"]),
        ("error: use of undeclared identifier '_BitScanForward64'", ["--include=intrin.h"]),
        ("error: unknown type name 'u128'", ["-DWIDE"]),
        ("error: unknown type name 'Both'", ["-DWIDE", "-DFAST"]),
        ("error: unknown type name 'Windows'", []),  # no macro of the user's own
        ("error: unknown type name 'Narrow'", []),
        ("error: unknown type name 'Square'", []),
    ],
)
def test_flags_that_a_compilers_words_ask_for(tmp_path, said, flags):
    (tmp_path / "types.h").write_text(
        "#ifndef TYPES_H\n#define TYPES_H\nusing Square = int;\n"
        "#if defined(__GNUC__) && defined(WIDE)\nusing u128 = unsigned __int128;\n"
        "#ifdef FAST\ntypedef u128 Both;\n#endif\n"
        "#elif defined(_MSC_VER)\nstruct Windows {};\n#else\nusing Narrow = int;\n#endif\n#endif\n"
    )
    assert flags_to_try(said, "c++", tmp_path / "attacks.cpp", []) == flags


@pytest.mark.parametrize(
    ("macro", "flags"),
    [
        ("VERSION", ['-DVERSION=""']),  # a text that nothing here needs
        ("NAME", ['-DNAME=""']),
        ("LEVEL", ["-DLEVEL=3"]),
        ("TUNE", ["-DTUNE"]),
        ("HASH_SIZE", []),  # which nobody knows without the build
        ("VERSIONS", []),
        ("KIND", []),
    ],
)
def test_macros_that_a_build_defines(tmp_path, macro, flags):
    (tmp_path / "src").mkdir()
    (tmp_path / "Makefile").write_text(
        'KIND = 2\nFLAGS += -DTUNE -DVERSION=\\"v$(MAJOR)\\" -DLEVEL=3 -DHASH_SIZE=$(SIZE)\n'
    )
    cmake = 'add_compile_definitions(\n)\ntarget_compile_definitions(me PRIVATE NAME="me v2")\n'
    (tmp_path / "CMakeLists.txt").write_text(cmake)
    said = f"error: use of undeclared identifier '{macro}'"
    assert flags_to_try(said, "c++", tmp_path / "src" / "attacks.cpp", []) == flags


def test_features_that_processors_have_no_more_are_not_named():
    text = 'attributes #0 = { "target-features"="-3dnow,-3dnowa,+sse,-adx,-prefetchwt1" }'
    assert modules._GONE.sub("", text) == 'attributes #0 = { "target-features"="+sse,-adx," }'
