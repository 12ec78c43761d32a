"""How certificates and findings are shown and written."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.cli.app import cli
from magicert.verify.function.metadata import without_types

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def wrong(tmp_path):
    text = (SAMPLES / "hyperbola_byteswap.c").read_text("utf-8")
    file = tmp_path / "attack.c"
    file.write_text(text.replace("UINT64_C(1) << square", "1 << square"), "utf-8")
    return file


@pytest.fixture
def run(in_this_process):  # noqa: ARG001
    return lambda *words: CliRunner().invoke(cli, ["verify", *map(str, words)])


def test_findings_as_json_sarif_and_files(run, wrong, tmp_path):
    folder, log = tmp_path / "certificates", tmp_path / "log.sarif"
    found = run(
        wrong, "--function", "bishop=bishop_attacks", "--json", "--sarif", log,
        "--certificates", folder, "--", "-O2",
    )  # fmt: skip
    assert found.exit_code == 1
    document = json.loads(found.stdout)
    assert document == json.loads((folder / "attack.c.function.findings.json").read_text())
    squares = {square["square"]: square for square in document["functions"][0]["squares"]}
    assert squares["a1"]["outcome"] == "proved"
    assert squares["a5"]["place"].endswith("attack.c:18")
    (run_of_sarif,) = json.loads(log.read_text())["runs"]
    lines = {
        result["locations"][0]["physicalLocation"].get("region", {}).get("startLine")
        for result in run_of_sarif["results"]
    }
    assert 18 in lines


def test_ir_and_bitcode_are_certified_as_they_are(run, tmp_path):
    llvm = pytest.importorskip("llvmlite.binding")
    text = """
define i64 @west(i64 %sliders, i64 %occupied) {
  %a = or i64 %sliders, 0
  br label %head
head:
  %n = phi i32 [ 0, %0 ], [ %m, %head ]
  %now = phi i64 [ %a, %0 ], [ %open, %head ]
  %all = phi i64 [ 0, %0 ], [ %both, %head ]
  %right = lshr i64 %now, 1
  %there = and i64 %right, 9187201950435737471
  %both = or i64 %all, %there
  %free = xor i64 %occupied, -1
  %open = and i64 %there, %free
  %m = add i32 %n, 1
  %end = icmp eq i32 %m, 7
  br i1 %end, label %out, label %head
out:
  ret i64 %both
}
"""
    plain, bitcode = tmp_path / "west.ll", tmp_path / "west.bc"
    plain.write_text(text, "utf-8")
    bitcode.write_bytes(llvm.parse_assembly(text).as_bitcode())
    for file in (plain, bitcode):
        found = run(file, "--function", "setwise:lR=west")
        assert found.exit_code == 0, found.output
        assert "2^128 inputs" in found.stdout
    plain.write_text(text.replace("9187201950435737471", "-1"), "utf-8")
    assert run(plain, "--function", "setwise:lR=west").exit_code == 1


@pytest.mark.usefixtures("in_this_process")
def test_a_page_shows_the_boards_the_numbers_and_how_to_repeat_it(tmp_path):
    file, page = tmp_path / "none.ll", tmp_path / "page.html"
    file.write_text("define i64 @none(i32 %square, i64 %occupied) {\n  ret i64 0\n}\n", "utf-8")
    asked = ("report", file, "--function", "rook=none", "--order", "a8", "-o", page)
    done = CliRunner().invoke(cli, [*map(str, asked)])
    assert done.exit_code == 1, done.output
    text = page.read_text("utf-8")
    assert "<h1>invalid: none, " in text
    assert f"magicert verify {file} --function rook=none --order a8" in text
    assert text.count(">wrong<") == 64
    assert "<figcaption>found</figcaption>" in text
    (data,) = re.findall(r'<script type="application/json" id="certificate">(.*?)</script>', text)
    squares = json.loads(data)["functions"][0]["squares"]
    assert {square["outcome"] for square in squares} == {"refuted"}


def test_options_of_functions_alone_are_refused(run, wrong):
    assert "expected --function" in run(wrong, "--init", "start").output
    assert "expected --function" in run(wrong, "--", "-O2").output


def test_a_script_without_a_guard_asks_once(tmp_path):
    script = tmp_path / "ask.py"
    (tmp_path / "none.ll").write_text(
        "define i64 @none(i64 %s, i64 %o) {\n  ret i64 0\n}\n", "utf-8"
    )
    script.write_text(
        f"import magicert\nprint(magicert.certify_function({str(tmp_path / 'none.ll')!r}, "
        "{'setwise:R': 'none'}).verdict)\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-P", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "invalid\n"


def test_bytes_that_read_as_metadata_keep_none():
    text = '@a = constant [3 x i8] c"!7\\00"\n!7 = !DIDerivedType(tag: DW_TAG_const_type, '
    text += "baseType: !8)\n!8 = !{}\n"
    assert "!7 =" not in without_types(text, declared=False)


def test_modules_of_zig_are_named_by_flags(certified, tmp_path, monkeypatch):
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    Path("options.zig").write_text("pub const step = 8;\n", "utf-8")
    Path("glue.zig").write_text(
        "export fn north(s: u64, _: u64) u64 {\n"
        '    return s << @import("build_options").step;\n}\n',
        "utf-8",
    )
    flags = ["--dep", "build_options", "-Mroot=glue.zig", "-Mbuild_options=options.zig"]
    result = certified(Path("glue.zig"), functions={"setwise:fW": "north"}, flags=flags)
    assert result.verdict == "valid"
