"""Samples of each way to compute attacks: each proved, each mutant refuted. samples/index.toml."""

import hashlib
import shutil
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from magicert.board import parse_board, parse_square
from magicert.verify.function.certificate import FunctionCertificate

SAMPLES = Path(__file__).parent / "samples"
INDEX = tomllib.loads((SAMPLES / "index.toml").read_text("utf-8"))["sample"]
ASKED = ("functions", "flags", "init", "order", "board", "compiler", "target", "traps")


SLOW = [pytest.mark.slow]


@pytest.fixture
def asked(certified):
    """`asked(file, sample, ...)`: the certificate of a sample's functions."""

    def ask(file, sample, **more):
        for ending, here in ((".rs", shutil.which("rustc")), (".zig", find_spec("ziglang"))):
            if file.suffix == ending and not here:
                pytest.skip(f"no compiler of {ending}")
        given = {key: sample[key] for key in ASKED if key in sample}
        result = certified(file, **{**given, **more})
        assert isinstance(result, FunctionCertificate), result
        return result

    return ask


def said(result):
    """All findings as text, for the part that a mutant expects."""
    return "\n".join(
        f"{f.square} {f.build} {f.outcome}: {f.message} at {f.place} {f.confirmed} {f.reads}"
        for function in result.functions
        for f in function.findings
    )


def proofs():
    """Each sample on d4, or where more happens; slow: on all squares, for each target."""
    for one in INDEX:
        squares = tuple(map(parse_square, one.get("squares", ["d4"])))
        first, *_ = targets = one.get("targets", ["x86_64"])
        marks = SLOW[: "slow" in one]
        yield pytest.param(one, first, squares, id=one["source"], marks=marks)
        for target in targets:
            yield pytest.param(one, target, (), id=f"{one['source']}-{target}", marks=SLOW)


@pytest.mark.parametrize(("sample", "target", "squares"), list(proofs()))
def test_a_sample_is_proved(asked, sample, target, squares):
    """All squares of two functions within thirty seconds."""
    given = {"solvers": ("z3", "bitwuzla")} if squares else {}
    result = asked(SAMPLES / sample["source"], sample, target=target, squares=squares, **given)
    assert result.verdict == sample.get("expect", "valid"), said(result)
    looked = sum(len(function.squares) for function in result.functions)
    assert squares or result.figures["seconds"] < 30 * max(1, looked / 128)


def test_a_proof_is_written_and_checked(asked, tmp_path):
    pytest.importorskip("drup")
    sample = next(sample for sample in INDEX if sample["source"] == "hyperbola_byteswap.c")
    result = asked(SAMPLES / sample["source"], sample, proof=tmp_path)
    assert result.evidence.startswith("DRUP proofs")
    clauses = tmp_path / "bishop-d4.cnf"
    (square,) = (s for s in result.functions[1].squares if s.square == "d4")
    steps = (tmp_path / "bishop-d4-traps.drup").read_text("ascii").splitlines()
    assert square.proof.endswith(
        f"steps for the clauses {hashlib.sha256(clauses.read_bytes()).hexdigest()}"
    )
    assert steps[-1] == "0"
    assert "\np cnf " in "\n" + clauses.read_text("ascii")


@pytest.mark.parametrize(
    ("sample", "mutant"),
    [
        pytest.param(one, mutant, id=f"{one['source']}-{number}", marks=SLOW["gate" in mutant :])
        for one in INDEX
        for number, mutant in enumerate(one.get("mutant", ()))
    ],
)
def test_a_mutant_is_found(asked, sample, mutant, tmp_path):
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
    result = asked(file, sample, functions=functions, squares=squares, run=run)
    assert result.verdict == mutant["expect"], said(result)
    assert mutant.get("finding", "") in said(result)
    for function in result.functions:
        for finding in function.findings:
            if finding.found and function.kind != "index" and "target" not in sample:
                assert finding.confirmed == f"the compiled function returns {finding.found}"
