"""`magicert disprove`: its exit statuses, which engine is asked, what goes with --proof."""

import pytest

import magicert
from magicert.outcome import Exists, Impossible, Unknown


@pytest.mark.cases_of("nobody_waits_for_a_compiler_where_z3_answers.tsv")
def test_nobody_waits_for_a_compiler_where_z3_answers(run, say, monkeypatch, cold, words, engine):
    monkeypatch.setattr("magicert.api.find.option_values", lambda *_: {})
    monkeypatch.setattr("magicert.search.window.needs_compiling", lambda: cold == "cold")
    named = say(Unknown("given up"))
    result = run("disprove", *words.split())
    assert (result.exit_code, named) == (3, [engine])
    assert ("using Z3: the window search" in result.stderr) == (engine == "z3")


@pytest.mark.parametrize(
    ("outcome", "status", "said"),
    [(Impossible("nothing fits"), 0, "IMPOSSIBLE"), (Unknown("given up"), 3, "UNKNOWN"),
     (Exists((0x2020202020200,)), 1, "EXISTS")],
)  # fmt: skip
def test_a_proof_is_what_it_hopes_for(run, say, outcome, status, said):
    say(outcome)
    bits = "4" if outcome.kind == "impossible" else "6"
    result = run("disprove", "bishop", "a1", "--bits", bits, "--search", status=status)
    assert said in result.stdout


def test_what_a_solver_does_not_prove_is_refused(run, tmp_path):
    """By the command and by the function, in the same words."""
    proof = tmp_path / "p.xz"
    words = ("disprove", "bishop", "d8", "--bits", "2", "--proof", proof, "--engine", "window")
    result = run(*words, status=2)
    with pytest.raises(magicert.InputError, match="--proof needs --engine sat") as raised:
        magicert.disprove("bishop", "d8", 2, engine="window", proof=proof)
    assert result.stderr == f"{raised.value}\n"
    with pytest.raises(magicert.InputError, match="proof: an empty path"):
        magicert.disprove("bishop", "d8", 2, proof="")
