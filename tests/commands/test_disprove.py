"""`magicert disprove`: which engine is asked, and where a proof is written."""

import pytest

from magicert.outcome import Unknown


@pytest.mark.cases_of("nobody_waits_for_a_compiler_where_z3_answers.tsv")
def test_nobody_waits_for_a_compiler_where_z3_answers(run, say, monkeypatch, cold, words, engine):
    monkeypatch.setattr("magicert.api.find.option_values", lambda *_: {})
    monkeypatch.setattr("magicert.search.window.is_cold", lambda: cold == "cold")
    named = say(Unknown("given up"))
    result = run("disprove", *words.split())
    assert (result.exit_code, named) == (3, [engine])
    assert ("Z3 answers: the window search" in result.stderr) == (engine == "z3")
