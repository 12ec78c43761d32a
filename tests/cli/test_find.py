"""`magicert find` and `disprove`: what is printed has been checked, whoever the engine is."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.board import Piece, parse_square
from magicert.cell import first_conflict, square_cell
from magicert.engine import EngineRequest
from magicert.outcome import Exists, Impossible, Observer, Outcome, Unknown
from magicert.scheme import SCHEMES

Run = Callable[..., Result]
MAGIC = 0x2020202020200
"""A magic of bishop a1 with 6 bits; so is every word with the same 55 low bits."""


class Fake:
    """An engine that says what it is told to say."""

    OPTIONS = ()

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def solve(self, request: EngineRequest, observer: Observer) -> Outcome:
        observer.say(f"asked about {request.cell}")
        return self.outcome


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Callable[[Outcome], None]:
    def put(outcome: Outcome) -> None:
        for job in ("find", "set_search"):
            monkeypatch.setattr(f"magicert.requests.{job}.load", lambda _: Fake(outcome))

    return put


def test_the_magic_of_these_tests_is_one() -> None:
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("a1"), 6)
    assert first_conflict(cell, MAGIC) is None
    assert cell.period == 1 << 55


@pytest.mark.parametrize("place", [0, 1, 99, 100, 101, 250])
def test_every_magic_is_checked_before_anybody_sees_one(
    run: Run, say: Callable[[Outcome], None], place: int
) -> None:
    magics = [MAGIC + (n << 55) for n in range(251)]
    say(Exists(tuple(magics)))
    whole = run("find", "bishop", "a1", "--all")
    assert (whole.exit_code, whole.stdout.count("  magic 0x")) == (0, 251)
    magics[place] = 1
    say(Exists(tuple(magics)))
    for command in (
        ["find", "bishop", "a1", "--all"],
        ["disprove", "bishop", "a1", "--search", "--json"],
    ):
        result = run(*command)
        assert result.exit_code == 70
        assert "0x1, which is no magic" in result.stderr
        assert "magic 0x" not in result.stdout


def test_a_set_with_a_wrong_magic_is_not_printed(
    run: Run, say: Callable[[Outcome], None], tmp_path: Path
) -> None:
    say(Exists((1,)))
    output = tmp_path / "set.toml"
    for arguments in (["-o", output], []):
        result = run("find", "--set", "--piece", "bishop", *arguments)
        assert (result.exit_code, result.stdout) == (70, "")
        assert not output.exists()


def test_an_exists_without_a_magic_is_a_bug(run: Run, say: Callable[[Outcome], None]) -> None:
    say(Exists(()))
    assert run("find", "bishop", "a1").exit_code == 70


def test_outcomes_as_json(run: Run, say: Callable[[Outcome], None]) -> None:
    say(Exists((MAGIC,), complete=True, figures={"tests": 3}))
    said = json.loads(run("find", "bishop", "a1", "--json").stdout)
    assert (said["outcome"], said["magics"]) == ("exists", [f"{MAGIC:#018x}"])
    assert (said["piece"], said["square"], said["bits"]) == ("bishop", "a1", 6)
    assert (said["complete"], said["figures"]) == (True, {"tests": 3})
    say(Impossible("nothing fits"))
    result = run("disprove", "bishop", "a1", "--search", "--json")
    said = json.loads(result.stdout)
    assert (result.exit_code, said["outcome"], said["argument"]) == (
        0,
        "impossible",
        "nothing fits",
    )
    assert said["evidence"] == "a solver alone"
    say(Unknown("out of time", "3 of 4 shards done"))
    result = run("find", "bishop", "a1", "--json")
    said = json.loads(result.stdout)
    assert (result.exit_code, said["outcome"], said["progress"]) == (
        3, "unknown", "3 of 4 shards done",
    )  # fmt: skip


def test_options_of_an_engine_are_listed_without_a_square(run: Run) -> None:
    result = run("find", "-O", "help")
    assert result.exit_code == 0
    assert "=" in result.stdout
