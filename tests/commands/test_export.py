"""`magicert export`: cells as files for other people's solvers, which agree with the atlas."""

import hashlib
import lzma
import re
from pathlib import Path
from typing import Any

import pytest

from magicert.cell import first_conflict
from magicert.chess import Piece, parse_square
from magicert.data import tables_folder
from magicert.scheme import resolve_scheme
from magicert.targets import square_cell


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
        assert run(*words, "-o", "-").stdout == texts[form]
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
