"""How certificates and findings are shown and written."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.cli.app import cli

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def wrong(tmp_path):
    text = (SAMPLES / "hyperbola_byteswap.c").read_text("utf-8")
    file = tmp_path / "attack.c"
    file.write_text(text.replace("UINT64_C(1) << square", "1 << square"), "utf-8")
    return file


def run(*words):
    return CliRunner().invoke(cli, ["verify", *map(str, words)])


def test_findings_as_json_sarif_and_files(wrong, tmp_path):
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


def test_ir_and_bitcode_are_certified_as_they_are(tmp_path):
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


def test_options_of_functions_alone_are_refused(wrong):
    assert "expected --function" in run(wrong, "--init", "start").output
    assert "expected --function" in run(wrong, "--", "-O2").output
