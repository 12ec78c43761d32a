"""Cells as files for solvers: other people's readers take them, and agree with the atlas."""

import hashlib
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import first_conflict, square_cell
from magicert.data import tables_folder
from magicert.scheme import SCHEMES, resolve_scheme

Run = Callable[..., Any]
QUICK = [("bishop h2", 3, "unsat"), ("bishop b8", 5, "sat")]
UNSAT = "b8 3|g7 3|a2 3|b1 3|d1 4|e1 4|d8 4|e8 4|c1 4|c2 4|e2 4"
SAT = "a2 5|c1 5|d8 5|h8 6|b3 4|a1 5|h1 5"
MORE = [
    (f"bishop {one[:2]}", int(one[3]), answer)
    for cells, answer in ((UNSAT, "unsat"), (SAT, "sat"))
    for one in cells.split("|")
]
"""Cells of the atlas, with what it says of them: some have a magic."""


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


SOLVERS = {
    "z3": ("z3", "smt2", by_z3),
    "bitwuzla": ("bitwuzla", "smt2", by_bitwuzla),
    "cadical": ("pysat", "dimacs", by_cadical),
}


def agrees(run: Run, folder: Path, solver: str, name: str, bits: int, *more: str) -> str:
    """The solver's answer is that of the atlas, and a magic is one."""
    module, form, solve = SOLVERS[solver]
    pytest.importorskip(module)
    path = folder / f"cell.{form}"
    result = run("export", *name.split(), "--bits", bits, "--format", form, "-o", path, *more)
    assert result.exit_code == 0, result.output
    (said,) = re.findall(r"; (sat|unsat|unknown); [\d,]+ bytes", result.stdout)
    answer, magic = solve(path)
    assert said in (answer, "unknown")
    if answer == "sat":
        piece, square = name.split()
        scheme = resolve_scheme(more[more.index("--scheme") + 1] if "--scheme" in more else "white")
        cell = square_cell(scheme, Piece(piece), parse_square(square), bits)
        assert first_conflict(cell, magic) is None
    return str(said)


@pytest.mark.parametrize(
    ("name", "bits", "known"),
    [*QUICK, *(pytest.param(*cell, marks=pytest.mark.slow) for cell in MORE)],
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_agree_with_the_atlas(
    run: Run, tmp_path: Path, solver: str, name: str, bits: int, known: str
):
    assert agrees(run, tmp_path, solver, name, bits) == known


@pytest.mark.parametrize("solver", ["z3", "cadical"])
@pytest.mark.parametrize(
    ("name", "bits", "more", "known"),
    [
        ("bishop d8", 5, ("--scheme", "two-halves"), "unknown"),
        ("bishop d8", 5, ("--scheme", "(occ & mask) * magic >> 59"), "unknown"),
        ("bishop b1", 3, ("--encoding", "pairwise"), "unsat"),
    ],
)
def test_other_schemes_and_encodings(
    run: Run, tmp_path: Path, solver: str, name: str, bits: int, more: tuple[str, ...], known: str
):
    assert agrees(run, tmp_path, solver, name, bits, *more) == known


def test_a_smaller_range(run: Run, tmp_path: Path):
    """The largest index is a constraint of its own, which the atlas's ranges answer."""
    pytest.importorskip("z3")
    path = tmp_path / "x.smt2"
    words = ("bishop", "b8", "--bits", 5, "--largest-index", 30, "--format", "smt2")
    said = run("export", *words, "-o", path).stdout
    assert "bvule" in path.read_text()
    answer, magic = by_z3(path)
    assert f"; {answer}; " in said
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, 57, 5, largest_index=30)
    assert answer == "unsat" or first_conflict(cell, magic) is None


def test_the_header_is_what_smt_lib_asks_for(run: Run, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("z3")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    text = run("export", "bishop", "d1", "--bits", 4, "--format", "smt2").stdout
    lines = text.splitlines()
    assert lines[0] == "(set-info :smt-lib-version 2.6)"
    assert lines[1] == "(set-logic QF_BV)"
    infos = re.findall(r"^\(set-info :(\S+)", text, re.MULTILINE)
    assert infos == ["smt-lib-version", "source", "license", "category", "status"]
    source = text.partition(":source |")[2].partition("|)")[0]
    heads = ("Generated by: ", "Generated on: 1970-01-01", "Generator: magicert ", "Application: ")
    assert [line for line, head in zip(source.split("\n")[1:], heads, strict=False)
            if not line.startswith(head)] == []  # fmt: skip
    assert lines[-1] == "(exit)"
    assert lines.count("(check-sat)") == 1


def test_the_clauses_are_those_of_the_proof(run: Run):
    """So that a proof that ships can be checked against the exported file, by anybody's checker."""
    text = run("export", "bishop", "d1", "--bits", 4, "--format", "dimacs").stdout
    body = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("c "))
    proof = lzma.decompress((tables_folder() / "proofs" / "bishop-d1-4.drup.xz").read_bytes())
    assert hashlib.sha256(body.encode()).hexdigest().encode() in proof[:400]


def test_it_is_the_same_file_again(run: Run, tmp_path: Path, monkeypatch: Any):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    for form in ("dimacs", "smt2"):
        words, path = ("export", "bishop", "d1", "--bits", 4, "--format", form), tmp_path / form
        run(*words, "-o", path)
        assert run(*words).stdout == path.read_text()
        assert run(*words, "-o", path).exit_code == 2, "magicert cannot tell that it is its own"
