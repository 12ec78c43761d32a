"""`magicert check`, and `magicert.check`: several certificates, what does not go together.

What the checkers refuse is in tests/certificates (covers, recounts), tests/proofs (solvers' proofs)
and test_atlas.py (atlases).
"""

import json

import pytest

import magicert
from magicert.problem import InputError

VALID, COUNTED, MISSING = "bishop-d1-4", "bishop-a5-4", "nowhere.cover"


def test_each_certificate_is_told_and_the_worst_counts(run, tmp_path):
    """What is wrong with a certificate does not stop the others."""
    forged = tmp_path / "forged.toml"
    forged.write_text('[[cell]]\npiece="bishop"\nsquare="d1"\nbits=4\nstate="exists"\nmagic="0x3"')
    for names, status in (
        ([VALID], 0), ([VALID, COUNTED], 3), ([COUNTED, forged, VALID], 1),
        ([VALID, forged, MISSING, COUNTED], 2),
    ):  # fmt: skip
        result = run("check", *names, status=status)
        verdicts = [line.split()[0] for line in result.stdout.splitlines() if line[0] != " "]
        known = {VALID: "valid", COUNTED: "unknown", forged: "invalid"}
        assert verdicts == [known[name] for name in names if name != MISSING]
        assert (MISSING in result.stderr) == (MISSING in names)
        checked = json.loads(run("check", *names, "--json", status=status).stdout)["checked"]
        assert [one["verdict"] for one in checked] == [
            known.get(name, "bad input") for name in names
        ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--proved"], "--proved needs --replay"),
        (["--replay", 1, "--settled", "x"], "--settled needs --proved"),
        (["--replay", 0], "'0': expected a number of shards, the range A-B, or all"),
        (["--replay", "3-1"], "'3-1': expected a number of shards, the range A-B, or all"),
        (["--recount", "1-3"], "'1-3': expected a number of shards, or all"),
        (["--sample", 0], "0: expected 1 or more"),
        (["--replay", "7-9"], "no such shard: it has 1"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said(run, words, message):
    result = run("check", VALID, *words, status=2)
    assert message in result.output
    assert not result.stdout.startswith("valid")


@pytest.mark.parametrize(
    ("wrong", "messages"),
    [
        ({"replay": "some", "sample": 0, "proved": 1}, ["replay: ", "sample: ", "proved: "]),
        ({"recount": range(3), "seed": -1}, ["recount: ", "seed: "]),
        ({"replay": -1, "settled": ""}, ["replay: ", "settled: "]),
        ({"proved": True}, ["--proved needs --replay"]),
    ],
    ids=str,
)
def test_python_says_all_that_is_wrong(wrong, messages):
    with pytest.raises(InputError) as refused:
        magicert.check(VALID, **wrong)
    assert len(refused.value.problems) == len(messages)
    assert all(message in str(refused.value) for message in messages)


def test_python_says_what_the_command_says(run):
    for name, replay in ((VALID, None), (COUNTED, range(1, 2))):
        words = [] if replay is None else ["--replay", "1-1"]
        (told,) = json.loads(run("check", name, *words, "--json").stdout)["checked"]
        checked = magicert.check(name, replay=replay)
        assert [checked.statement, *checked.lines] == told["said"]
        assert (checked.verdict, checked.claim) == (told["verdict"], told["claim"])
        assert checked.evidence == told["evidence"]
        assert checked.said == checked.statement  # its old name
