"""Samples of each way to compute attacks: each proved, each mutant refuted. samples/index.toml."""

import hashlib
import shutil
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from magicert.board import parse_board, parse_square
from magicert.engine import Quiet
from magicert.jobs import verify_functions
from magicert.verify.function.certificate import FunctionCertificate
from magicert.verify.function.question import question_of

SAMPLES = Path(__file__).parent / "samples"
INDEX = tomllib.loads((SAMPLES / "index.toml").read_text("utf-8"))["sample"]
FEW = tuple(map(parse_square, ("a1", "d4", "h5")))
"""Squares of the quick tests: a corner, the middle, an edge. `pytest -m slow` looks at all."""
ASKED = ("functions", "flags", "init", "order", "board", "compiler", "target", "traps")


class Here(Quiet):
    """Hears what is found in this process."""

    def so_far(self, result):
        pass


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """A process of its own costs a second of imports; the tests of limits have theirs."""
    monkeypatch.setattr(
        verify_functions, "supervise", lambda work, asked, hears, **_: work(asked, hears)
    )


def skip_without_compiler(source):
    if source.endswith(".rs") and not shutil.which("rustc"):
        pytest.skip("no rustc")
    if source.endswith(".zig") and not (find_spec("ziglang") or shutil.which("zig")):
        pytest.skip("no zig")


def certified(file, sample, **more):
    given = {key: sample[key] for key in ASKED if key in sample}
    result = verify_functions.certify_functions(question_of((file,), {**given, **more}), Here())
    assert isinstance(result, FunctionCertificate), result
    return result


def said(result):
    """All findings as text, for the part that a mutant expects."""
    return "\n".join(
        f"{f.square} {f.build} {f.outcome}: {f.message} at {f.place} {f.confirmed} {f.reads}"
        for function in result.functions
        for f in function.findings
    )


RUNS = [
    pytest.param(
        sample, target, id=f"{sample['source']}-{target}",
        marks=[pytest.mark.slow] if number or sample.get("slow") else [],
    )
    for sample in INDEX
    for number, target in enumerate(sample.get("targets", ["x86_64"]))
]  # fmt: skip


@pytest.mark.parametrize(("sample", "target"), RUNS)
def test_a_sample_is_proved(sample, target):
    skip_without_compiler(sample["source"])
    result = certified(
        SAMPLES / sample["source"], sample, target=target, squares=FEW, solvers=("z3", "bitwuzla")
    )
    assert result.verdict == sample.get("expect", "valid"), said(result)


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "target"), RUNS)
def test_a_sample_is_proved_on_all_squares_within_thirty_seconds(sample, target):
    skip_without_compiler(sample["source"])
    result = certified(SAMPLES / sample["source"], sample, target=target)
    assert result.verdict == sample.get("expect", "valid"), said(result)
    squares = sum(len(function.squares) for function in result.functions)
    assert result.figures["seconds"] < 30 * max(1, squares / 128)


def test_a_proof_is_written_and_checked(tmp_path):
    pytest.importorskip("drup")
    sample = next(sample for sample in INDEX if sample["source"] == "hyperbola_byteswap.c")
    result = certified(SAMPLES / sample["source"], sample, squares=FEW[1:2], proof=tmp_path)
    assert result.evidence.startswith("DRUP proofs")
    clauses = (tmp_path / "bishop-d4.cnf").read_text("ascii").splitlines()
    (square,) = (s for s in result.functions[1].squares if s.square == "d4")
    steps = (tmp_path / "bishop-d4-traps.drup").read_text("ascii").splitlines()
    assert square.proof.endswith(f"steps for the clauses {sha256(tmp_path / 'bishop-d4.cnf')}")
    assert steps[-1] == "0"
    assert any(line.startswith("p cnf ") for line in clauses)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


MUTANTS = [
    pytest.param(
        sample, mutant, id=f"{sample['source']}-{number}",
        marks=[pytest.mark.slow] if number or mutant.get("slow") else [],
    )
    for sample in INDEX
    for number, mutant in enumerate(sample.get("mutant", ()))
]  # fmt: skip


@pytest.mark.parametrize(("sample", "mutant"), MUTANTS)
def test_a_mutant_is_found(sample, mutant, tmp_path):
    skip_without_compiler(sample["source"])
    text = (SAMPLES / sample["source"]).read_text("utf-8")
    before, after = mutant["replace"]
    assert text.count(before) == 1, before
    file = tmp_path / sample["source"]
    file.write_text(text.replace(before, after), "utf-8")
    names = sample["functions"]
    functions = {key: names[key] for key in mutant.get("functions", names)}
    board = parse_board(sample.get("board", "8x8"))
    squares = tuple(map(board.parse, mutant.get("squares", ())))
    # Calling what writes outside its tables could end anyhow; the others are called to confirm.
    run = "init" not in sample and "target" not in sample
    result = certified(file, sample, functions=functions, squares=squares, run=run)
    assert result.verdict == mutant["expect"], said(result)
    assert mutant.get("finding", "") in said(result)
    for function in result.functions:
        for finding in function.findings:
            if finding.found and function.kind != "index" and "target" not in sample:
                assert finding.confirmed == f"the compiled function returns {finding.found}"
