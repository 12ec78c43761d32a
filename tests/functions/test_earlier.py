"""What an earlier run has made of the same sources is taken in the next one; of others it is not."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from magicert.functions import earlier, work
from magicert.functions.compare import cache
from magicert.functions.compare.cache import Cache
from magicert.functions.compile import inputs
from magicert.functions.compile.compilers import Compiler
from magicert.functions.compile.inputs import inputs_hash
from magicert.system.deadline import FOREVER

SOURCE = """
#include <masks.h>
#if __has_include("other.h")
#define FILE_A 0x0101010101010100ull
#endif
typedef unsigned long long u64;
static u64 above = FILE_A;
u64 rook(int s, u64 o) {
    u64 m = above << s, hit = o & m, first = hit & -hit;
    return hit ? m & (first | (first - 1)) : m;
}
"""
HEADER = "#define FILE_A 0x0101010101010100ull\n"
RUST = """
mod masks;
static TABLE: &[u8] = include_bytes!("table.bin");
#[no_mangle]
pub fn rook(s: u32, o: u64) -> u64 { masks::FILE_A << s & o | TABLE[0] as u64 }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    found = tmp_path / "cache"
    monkeypatch.setenv("MAGICERT_CACHE", str(found))
    return found


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A source of C with a header, in the folder where somebody works."""
    here = tmp_path / "here"
    for name in "first", "last":
        (here / name).mkdir(parents=True)
    (here / "last" / "masks.h").write_text(HEADER)
    (here / "rook.c").write_text(SOURCE)
    monkeypatch.chdir(here)
    return Path("rook.c")


FLAGS = ("-isystem", "first", "-isystem", "last")


def hash_of(source, flags=FLAGS, target="", compiler=""):
    return inputs_hash([source], flags, target, compiler, FOREVER)


CHANGES = {
    "nothing": lambda _: None,
    "the source": lambda _: Path("rook.c").write_text(SOURCE + "\n"),
    "a comment in a header": lambda _: Path("last/masks.h").write_text(HEADER + "// 1\n"),
    "a header that is found before": lambda _: Path("first/masks.h").write_text(HEADER),
    "a header that is asked for": lambda _: Path("other.h").write_text(""),
    "a variable of the environment": lambda patch: patch.setenv("CPATH", "first"),
    "another variable": lambda patch: patch.setenv("ANY", "1"),
    "the folder": lambda patch: (shutil.copytree(".", "../there"), patch.chdir("../there")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_compiler_reads_is_in_the_hash(source, change, monkeypatch):
    before = hash_of(source)
    CHANGES[change](monkeypatch)
    assert before is not None
    assert (hash_of(source) == before) == (change == "nothing")


def test_flags_and_target_are_in_the_hash(source):
    hashes = [
        hash_of(source), hash_of(source, (*FLAGS, "-O1")), hash_of(source, (*FLAGS, "-DX")),
        hash_of(source, target="aarch64"),
    ]  # fmt: skip
    assert None not in hashes
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize(
    "flags", ["-fplugin=x.so", "-fprofile-use=x", "-fprofile-use", "-Xclang -load", "@file",
              "-fmodules", "-mllvm -x", "-include-pch x", "-ivfsoverlay x", "--config=x",
              "-fsanitize-ignorelist=x", "-Wp,-x", "-fprebuilt-module-path=x"],
)  # fmt: skip
def test_flags_that_may_name_other_files_have_no_hash(source, flags):
    assert hash_of(source, (*FLAGS, *flags.split())) is None


@pytest.mark.parametrize(
    "text", ['__asm__(".incbin \\"x\\"");', "#ifdef X\n#endif\n#pragma clang module import x",
             'char const *when = __TIME__ "x";', "#error not here"],
)  # fmt: skip
def test_sources_that_read_more_have_no_hash_that_stays(source, text, monkeypatch):
    source.write_text(SOURCE + text)
    before = hash_of(source)
    if "__TIME__" in text:
        monkeypatch.setattr("magicert.functions.compile.compiler_commands._now", lambda: 1)
        assert before != hash_of(source)
    else:
        assert before is None


def test_a_compiler_is_known_by_its_files(tmp_path):
    program = tmp_path / "bin" / "clang"
    library = tmp_path / "lib" / "libLLVM.so"
    for path in program, library:
        path.parent.mkdir()
        path.write_bytes(b"\x7fELF 1")
    compiler = Compiler((str(program),), "clang", "clang version 20")

    def state():
        return [*inputs._compiler_files(compiler.command, compiler)]

    states = [state()]
    for path in program, library:
        times = path.stat().st_atime_ns, path.stat().st_mtime_ns
        path.write_bytes(b"\x7fELF 2")
        os.utime(path, ns=times)  # as who wants to hide it
        states.append(state())
    assert states[0] != states[1] != states[2]
    program.write_text("#!/bin/sh\nexec clang-of-today $*")
    with pytest.raises(inputs.UnknownInputsError):
        state()


@pytest.mark.skipif(sys.platform == "win32", reason="scripts are others there")
def test_a_script_in_place_of_a_compiler_has_no_hash(source, tmp_path):
    pytest.importorskip("ziglang")
    zig = Path(find_spec("ziglang").origin).with_name("zig")
    link = tmp_path / "zig"
    link.symlink_to(zig)
    assert hash_of(source, compiler=str(link)) is not None
    link.unlink()
    link.write_text(f'#!/bin/sh\nexec {zig} "$@"\n')
    link.chmod(0o755)
    assert hash_of(source, compiler=str(link)) is None


@pytest.fixture(params=["a file", "a package"])
def crate(request, tmp_path, monkeypatch):
    """A source of Rust with a module and a table, alone or in a package."""
    if shutil.which("rustc") is None:
        pytest.skip("needs rustc")
    (tmp_path / "crate" / "src").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "crate")
    if request.param == "a package":
        Path("Cargo.toml").write_text('[package]\nname = "x"\n')
    Path("src/lib.rs").write_text(RUST)
    Path("src/masks.rs").write_text("pub const FILE_A: u64 = 1;\n")
    Path("src/table.bin").write_bytes(b"0")
    return Path("src/lib.rs")


RUST_CHANGES = {
    "nothing": lambda _: None,
    "a module": lambda _: Path("src/masks.rs").write_text("pub const FILE_A: u64 = 2;\n"),
    "a table": lambda _: Path("src/table.bin").write_bytes(b"1"),
    "a manifest": lambda _: Path("Cargo.toml").write_text('[package]\nname = "y"\n'),
    "a variable": lambda patch: patch.setenv("ANY", "1"),
}


@pytest.mark.parametrize("change", RUST_CHANGES)
def test_what_rustc_reads_is_in_the_hash(crate, change, monkeypatch):
    before = hash_of(crate, ())
    RUST_CHANGES[change](monkeypatch)
    assert before is not None
    assert (hash_of(crate, ()) == before) == (change == "nothing")


def test_a_module_that_is_found_elsewhere_has_another_hash(crate):
    before = hash_of(crate, ())
    Path("src/masks").mkdir()
    Path("src/masks.rs").rename("src/masks/mod.rs")
    assert hash_of(crate, ()) not in {before, None}


@pytest.mark.parametrize(
    "text",
    [
        'static X: &str = include_str!("../../outside");',
        'static X: &str = include_str!(concat!(env!("OUT_DIR"), "/x"));',
        'use std::include_str as text;\nstatic X: &str = text!("../../outside");',
        'static X: &str = include_str/**/!("../../outside");',
        '#[path = "../../outside.rs"] mod outside;',
        'static X: &str = include_str!("/outside");',
        'static X: &str = include_str!("../target/x");',
        'macro_rules! x { ($x:expr) => { include_str!("../x") }; }',
    ],
)
def test_a_package_that_may_read_outside_of_it_has_no_hash(crate, text):
    if not Path("Cargo.toml").exists():
        pytest.skip("the compiler names what it reads")
    crate.write_text(RUST + text)
    assert hash_of(crate, ()) is None


@pytest.mark.parametrize("flags", ["-Zunpretty=x", "-Clinker=x", "-L .", "-lx", "@file"])
def test_flags_of_rustc_that_may_name_other_files_have_no_hash(crate, flags):
    Path("libmacros.so").write_bytes(b"")
    assert hash_of(crate, flags.split()) is None


@pytest.fixture
def asked(certified, monkeypatch, source):
    """`asked()`: the verdict, and whether the compiler was called."""
    compiled = []
    made = work.resolved
    monkeypatch.setattr(work, "resolved", lambda *a: compiled.append(1) or made(*a))

    def ask(**given):
        given = {"cached": True, "flags": FLAGS, "functions": {"fR": "rook"}, **given}
        compiled.clear()
        result = certified(source, **given)
        assert (earlier.COMPILED in result.trusted) == (not compiled)
        return result.verdict, bool(compiled)

    return ask


def test_the_same_sources_are_not_compiled_again(asked, monkeypatch):
    assert asked() == ("valid", True)
    assert asked() == ("valid", False)
    assert asked(cached=False) == ("valid", True)
    assert asked(traps=False) == ("valid", True)
    Path("first/masks.h").write_text(HEADER.replace("100ull", "000ull"))
    assert asked() == ("invalid", True)
    assert asked() == ("invalid", False)
    Path("first/masks.h").unlink()
    assert asked() == ("valid", False)
    monkeypatch.setattr(earlier, "package_digest", lambda: b"another")
    assert asked() == ("valid", True)


def test_a_proof_of_the_same_modules_is_not_made_again(asked, certified, source, monkeypatch):
    """The squares are not even looked at; those of other modules, or of another question, are."""
    asked()
    proved = []
    made = work._prove_builds
    monkeypatch.setattr(work, "_prove_builds", lambda *a: proved.append(1) or made(*a))

    def again(**given):
        proved.clear()
        given = {"cached": True, "flags": FLAGS, "functions": {"fR": "rook"}, **given}
        result = certified(source, **given)
        return result, bool(proved)

    result, anew = again()
    assert (result.verdict, anew) == ("valid", False)
    assert all(square.earlier for square in result.functions[0].squares)
    assert sum("proved earlier" in one for one in result.trusted) == 1
    fresh, _ = again(cached=False)
    assert fresh.trusted == tuple(one for one in result.trusted if "user's cache" not in one)
    assert (fresh.ir, fresh.assumed, fresh.taken) == (result.ir, result.assumed, result.taken)
    others = {"squares": (1,)}, {"order": "a8"}, {"functions": {"bR": "rook"}}, {"run": True}
    for other in others:
        assert again(**other)[1], other


def test_a_compiler_sees_what_is_included_now_without_the_cache(asked):
    assert asked(cached=False)[0] == "valid"
    Path("first/masks.h").write_text(HEADER.replace("100ull", "000ull"))
    assert asked(cached=False)[0] == "invalid"


@pytest.mark.parametrize("change", ["a header that is found before", "the source"])
def test_of_what_changes_while_it_is_compiled_nothing_is_remembered(
    asked, monkeypatch, source, change
):
    builds = work.resolved

    def changed(*arguments):
        made = builds(*arguments)
        CHANGES[change](monkeypatch)
        return made

    monkeypatch.setattr(work, "resolved", changed)
    with work.sources_unchanged():  # as who asks has it
        assert asked()[0] == "valid"
    source.write_text(SOURCE)
    Path("first/masks.h").unlink(missing_ok=True)
    assert asked()[1]


def test_a_text_that_is_broken_is_none(folder):
    known = Cache(folder)
    known.keep_text(b"one", "text" * 100)
    known.keep_text(b"other", "text")
    assert known.text(b"one") == "text" * 100
    (content,) = known.database.execute(
        "SELECT content FROM texts WHERE name = x'6f6e65'"
    ).fetchone()
    for broken in (content[:-1], content[:40], content[:10], b"", content[:-6] + b"123456"):
        known.database.execute("UPDATE texts SET content = ? WHERE name = x'6f6e65'", (broken,))
        assert known.text(b"one") is None
    other = "(SELECT content FROM texts WHERE name = x'6f74686572')"
    known.database.execute(f"UPDATE texts SET content = {other} WHERE name = x'6f6e65'")
    assert (known.text(b"one"), known.text(b"other")) == (None, "text")


def test_a_full_disk_keeps_no_text(folder):
    known = Cache(folder)
    known.keep_text(b"one", "text")
    known.database.execute("PRAGMA max_page_count = 1")
    known.keep_text(b"other", "".join(map(str, range(100_000))))
    assert (known.text(b"one"), known.text(b"other")) == ("text", None)


def test_two_runs_keep_texts_at_once(folder):
    runs = [Cache(folder), Cache(folder)]
    for number in range(10):
        runs[number % 2].keep_text(b"%d" % number, str(number))
        runs[number % 2].keep_text(b"both", "the same")
    assert [runs[0].text(b"%d" % n) for n in range(10)] == list(map(str, range(10)))
    assert runs[1].text(b"both") == "the same"


def test_texts_do_not_grow_without_end(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    monkeypatch.setattr(cache.time, "time", iter(range(1000)).__next__)
    kept = Cache(folder)
    for number in range(40):
        kept.keep_text(b"%02d" % number, os.urandom(300).hex())
    left = [n for n in range(40) if kept.text(b"%02d" % n)]
    assert left[-1] == 39
    assert 0 < len(left) < 40
    kept.keep_text(b"large", os.urandom(10_000).hex())
    assert kept.text(b"large") is None
