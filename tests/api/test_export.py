"""What other people's tools read: cells as files for solvers, which agree with the atlas; tests of
an engine's own lookups, against a right function, and two that are wrong. The gate runs C, C++ and
Rust, `make toolchains` the others.
"""

import hashlib
import lzma
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert.board import Piece, parse_square
from magicert.cell import first_conflict, square_cell
from magicert.compact.emit.harness import harness, harnesses
from magicert.data import tables_folder
from magicert.problem import InputError
from magicert.scheme import resolve_scheme


def by_z3(path: Path) -> tuple[str, int]:
    import z3

    solver = z3.SolverFor("QF_BV")
    solver.from_file(str(path))
    answer = str(solver.check())
    word = solver.model()[z3.BitVec("magic", 64)] if answer == "sat" else None
    return answer, 0 if word is None else word.as_long()


def by_bitwuzla(path: Path) -> tuple[str, int]:
    import bitwuzla

    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    manager = bitwuzla.TermManager()
    parser = bitwuzla.Parser(manager, options)
    parser.parse(path.read_text().replace("(check-sat)", "").replace("(exit)", ""), True, False)
    solver = parser.bitwuzla()
    answer = "sat" if solver.check_sat() == bitwuzla.Result.SAT else "unsat"
    word = parser.parse_term("magic")
    return answer, int(solver.get_value(word).value(10)) if answer == "sat" else 0


def by_cadical(path: Path) -> tuple[str, int]:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    bits = dict(re.findall(r"^c magic (\d+) (\d+)$", path.read_text(), re.MULTILINE))
    with Solver(name="cadical195", bootstrap_with=CNF(from_file=str(path))) as solver:
        if not solver.solve():
            return "unsat", 0
        true = {literal for literal in solver.get_model() if literal > 0}
    return "sat", sum(1 << int(bit) for bit, variable in bits.items() if int(variable) in true)


SOLVERS = {"z3": by_z3, "bitwuzla": by_bitwuzla, "cadical": by_cadical}
QUICK = "z3 h2 3 unsat|z3 b8 5 sat|bitwuzla b8 5 sat|cadical h2 3 unsat|cadical b8 5 sat"
UNSAT = "h2 3|b8 3|g7 3|a2 3|b1 3|d1 4|e1 4|d8 4|e8 4|c1 4|c2 4|e2 4"
SAT = "a2 5|c1 5|d8 5|h8 6|b3 4|a1 5|h1 5"
"""Bishops of the atlas, with what it says of them: some have a magic."""
MORE = [
    pytest.param(f"{solver} {cell} {answer}", marks=pytest.mark.slow)
    for solver in SOLVERS
    for cells, answer in ((UNSAT, "unsat"), (SAT, "sat"))
    for cell in cells.split("|")
    if f"{solver} {cell} {answer}" not in QUICK.split("|")
]


def agrees(run: Any, folder: Path, solver: str, square: str, bits: str, *more: str) -> str:
    """The solver's answer is that of the command, and a magic is one."""
    form = "dimacs" if solver == "cadical" else "smt2"
    path = folder / f"cell.{form}"
    words = ("bishop", square, "--bits", bits, "--format", form, "-o", path)
    result = run("export", *words, *more)
    assert result.exit_code == 0, result.output
    (said,) = re.findall(r"; (sat|unsat|unknown); [\d,]+ bytes", result.stdout)
    answer, magic = SOLVERS[solver](path)
    assert said in (answer, "unknown")
    given = {"--scheme": "white", **dict(word.split("=") for word in more)}
    largest = int(given["--largest-index"]) if "--largest-index" in given else None
    scheme, bit = resolve_scheme(given["--scheme"]), parse_square(square)
    cell = square_cell(scheme, Piece.BISHOP, bit, int(bits), largest_index=largest)
    assert answer == "unsat" or first_conflict(cell, magic) is None
    return str(said)


@pytest.mark.parametrize("row", [*QUICK.split("|"), *MORE])
def test_solvers_agree_with_the_atlas(run, tmp_path, row):
    *asked, known = row.split()
    assert agrees(run, tmp_path, *asked) == known


@pytest.mark.cases_of("other_schemes_encodings_and_ranges.tsv")
def test_other_schemes_encodings_and_ranges(run, tmp_path, asked, more, known):
    for solver in ("z3", "cadical"):
        assert agrees(run, tmp_path, solver, *asked.split(), more) in known.split()
    assert ("bvule" in (tmp_path / "cell.smt2").read_text()) == ("--largest-index" in more)


def test_the_same_question_is_the_same_file(run, tmp_path, monkeypatch):
    """Its header is what SMT-LIB asks for; its clauses are those of the proof that ships, which can
    be checked against it by anybody's checker.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    texts = {}
    for form in ("smt2", "dimacs"):
        words, path = ("export", "bishop", "d1", "--bits", 4, "--format", form), tmp_path / form
        run(*words, "-o", path)
        texts[form] = path.read_text()
        assert run(*words).stdout == texts[form]
        assert run(*words, "-o", path).exit_code == 2, "magicert cannot tell that it is its own"
    lines = texts["smt2"].splitlines()
    assert lines[:2] == ["(set-info :smt-lib-version 2.6)", "(set-logic QF_BV)"]
    infos = re.findall(r"^\(set-info :(\S+)", texts["smt2"], re.MULTILINE)
    assert infos == ["smt-lib-version", "source", "license", "category", "status"]
    source = texts["smt2"].partition(":source |")[2].partition("|)")[0].split("\n")[1:]
    heads = ("Generated by: ", "Generated on: 1970-01-01", "Generator: magicert ", "Application: ")
    assert all(line.startswith(head) for line, head in zip(source, heads, strict=False))
    assert (lines[-1], lines.count("(check-sat)")) == ("(exit)", 1)
    lines = texts["dimacs"].splitlines(keepends=True)
    body = "".join(line for line in lines if not line.startswith("c "))
    proof = lzma.decompress((tables_folder() / "proofs" / "bishop-d1-4.drup.xz").read_bytes())
    assert hashlib.sha256(body.encode()).hexdigest().encode() in proof[:400]


# -- harnesses

SOURCES = Path(__file__).with_name("engines")
"""Engines in many languages, @WRONG where their rook on d4 answers wrongly."""
LOOKUPS = 6_391_680
"""102,400 and 5,248 occupancies, each with 4 random ones, all and each of the squares outside."""


ENGINES = tomllib.loads((SOURCES / "engines.toml").read_text("utf-8"))
KINDS = {
    "right": ("false", ""),
    "one magic is wrong": ("(occupied & 0x8080876080800L) == 0x800000000L", "0x0000000800000000"),
    "wrong outside of the mask": ("(occupied & 0x8000000) != 0", "0x0000000008000000"),
}
"""When an engine answers wrongly, and the fewest occupied squares for which it does: rook d4's mask
has d5, and not d4 itself.
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ENGINES)
def test_a_harness_finds_what_is_wrong(language, kind, tmp_path):
    engine, (wrong, shown) = {"emits": language, "run": "./check", **ENGINES[language]}, KINDS[kind]
    stem = engine["own"].partition(".")[0]
    emitted = magicert.emit("shakmaty", engine["emits"], scope=engine.get("scope"), stem=stem)
    wrong = wrong if language == "java" else wrong.replace("L", "")
    wrong = "0 == 1" if engine["emits"] == "c" and not shown else wrong
    source = (SOURCES / engine["file"].replace(".cpp", ".c")).read_text()
    check = harness(language, "engine")
    if language == "zig":
        check = check.replace("fn start() void {}", 'const start = @import("magics.zig").own.init;')
    for name, text in {
        engine["own"]: emitted,
        engine["file"]: source.replace("@WRONG", wrong),
        engine["harness"]: check,
        "go.mod": "module engine\n\ngo 1.18\n",
    }.items():
        (tmp_path / name).write_text(text)
    environment = {**os.environ, "GOCACHE": str(tmp_path / "gocache"), "GOFLAGS": "-mod=mod"}
    for command in (engine["build"].split(), engine["run"].split()):
        if command[0] != "./check" and shutil.which(command[0]) is None:
            pytest.skip(f"no {command[0]} here")
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0 or command == engine["run"].split(), said
    assert (done.returncode == 0) == (kind == "right"), said
    if shown:
        place = "d4" if engine["emits"] == "c" else "square 27"
        assert f"wrong: rook on {place}, occupied {shown}, of it in the mask 0x0" in said
        expected, found = re.findall(r"(?:expected|found) (0x\w{16})", said)
        assert int(expected, 16) ^ int(found, 16) == 1
    elif language in ("c", "c++", "java", "csharp"):
        assert said == f"right: {LOOKUPS} lookups, all occupancies of all masks\n"


def test_the_command_writes_it(run, tmp_path):
    path = tmp_path / "check_magics.c"
    for _ in range(2):  # over its own, too
        assert run("emit", "--check-harness", "--lang", "c", "-o", path).exit_code == 0
        assert path.read_text() == harness("c")
    named = run("emit", "--check-harness", "--lang", "go", "--package", "x").stdout
    assert named == harness("go", "x")
    assert {*harnesses()} == {*ENGINES}
    with pytest.raises(InputError, match="did you mean rust"):
        harness("rst")
    # A source without magics says what can be done.
    path.write_text("static U64 rook_magics[64];\nvoid init(void) { rook_magics[0] = find(0); }\n")
    for asked in (tmp_path, path):
        result = run("verify", asked)
        assert (result.exit_code, "magicert emit --check-harness" in result.stdout) == (2, True)
