"""`magicert find --set`, end to end: verified, reproducible, resumable."""

import os
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from magicert.board import Piece, mask
from magicert.cli.app import cli
from magicert.engine import EngineRequest
from magicert.outcome import Observer, Outcome
from magicert.search.finders import trial
from magicert.table import Table, read_table
from magicert.verify.table.verifier import verify

TRIED = ("-O", "construct=no")
GOLDEN = Path(__file__).parent / "golden_set_seed_1.toml"


def find(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["find", *arguments])


def numbers(table: Table) -> dict[str, object]:
    """What a table computes with, without its name and provenance."""
    return {p.value: (half.index.text, dict(half.parameters)) for p, half in table.pieces.items()}


@pytest.mark.parametrize("workers", ["1", "3"])
def test_seed_1_gives_the_golden_table(tmp_path: Path, workers: str) -> None:
    path = tmp_path / "set.toml"
    result = find("--set", "-o", str(path), "--workers", workers, *TRIED)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("EXISTS set of white, 128 squares\n  rook 102,400 slots\n")
    written = read_table(path)
    assert numbers(written.table) == numbers(read_table(GOLDEN).table)
    assert verify(written).verdict == "valid"
    assert os.listdir(tmp_path) == ["set.toml"]  # noqa: PTH208
    provenance = written.table.provenance
    assert provenance.seed == 1
    assert provenance.command == "magicert find --set -O construct=no --seed 1"


def test_a_set_is_built_without_a_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("magicert.search.finders.trial._Search.run", None)
    path = tmp_path / "set.toml"
    assert find("--set", "-o", str(path)).exit_code == 0
    assert verify(read_table(path)).verdict == "valid"


def test_without_output_the_table_goes_to_standard_output() -> None:
    result = find("--set", "--piece", "bishop", "--scheme", "black", "--seed", "7")
    document = tomllib.loads(result.stdout)
    assert "rook" not in document
    assert "~mask" in document["bishop"]["index"]
    assert document["provenance"]["command"] == (
        "magicert find --set --piece bishop --scheme black --seed 7"
    )
    assert "verified exhaustively, 5,248 lookups" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "bits", "slots"),
    [
        (["--fixed-shift"], {"rook": 12, "bishop": 9}, 64 * 4096 + 64 * 512),
        (["--bits", "13", "--piece", "rook"], {"rook": 13}, 64 * 8192),
        (["--fixed-shift", "--scheme", "two-halves"], {"rook": 12, "bishop": 9}, 294_912),
        (
            ["--piece", "bishop", "--scheme", "two-halves-add", "--fixed-shift"],
            {"bishop": 9},
            32_768,
        ),
    ],
)
def test_one_shift_for_all(
    tmp_path: Path, arguments: list[str], bits: dict[str, int], slots: int
) -> None:
    path = tmp_path / "set.toml"
    result = find("--set", "-o", str(path), *arguments)
    assert result.exit_code == 0, result.output
    table = read_table(path).table
    assert {p.value: half.parameters["bits"] for p, half in table.pieces.items()} == {
        piece: (k,) for piece, k in bits.items()
    }
    assert sum(half.buffer_size or 0 for half in table.pieces.values()) == slots


def test_a_formula_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    formula = "((occ & mask) * magic + 0x1234) >> (64 - bits)"
    result = find("--set", "--piece", "bishop", "--scheme", formula, "-o", str(path))
    assert result.exit_code == 0, result.output
    assert read_table(path).table.pieces[Piece.BISHOP].index.text == formula


def test_fewer_bits_takes_the_known_magics(tmp_path: Path) -> None:
    path = tmp_path / "set.toml"
    result = find("--set", "--fewer-bits", "-o", str(path))
    assert result.exit_code == 0, result.output
    table = read_table(path).table
    assert verify(read_table(path)).verdict == "valid"
    bits = {p: half.parameters["bits"] for p, half in table.pieces.items()}
    saved = [
        (piece, square)
        for piece in Piece
        for square in range(64)
        if bits[piece][square] < mask(piece, square).bit_count()
    ]
    assert len(saved) >= 40


class Interrupting:
    """The trial engine, but somebody presses Ctrl-C at the given request."""

    OPTIONS = trial.OPTIONS

    def __init__(self, at: int) -> None:
        self.at = at
        self.asked = 0

    def solve(self, request: EngineRequest, observer: Observer) -> Outcome:
        self.asked += 1
        if self.asked >= self.at:
            raise KeyboardInterrupt
        return trial.solve(request, observer)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_set_keeps_what_it_has_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    path = tmp_path / "set.toml"
    partial = tmp_path / "set.toml.partial"
    with monkeypatch.context() as patch:
        patch.setattr("magicert.requests.set_search.load", lambda _: Interrupting(11))
        result = find("--set", "-o", str(path), "--workers", workers, *TRIED)
    assert result.exit_code == 3
    assert "UNKNOWN set of white: 10 of 128" in result.stdout
    assert result.stdout.count("0x") == 10
    assert f"kept in {partial}" in result.stderr
    assert not path.exists()
    resumed = find("--set", "-o", str(path), *TRIED)
    assert resumed.exit_code == 0, resumed.output
    assert "10 squares" in resumed.stderr
    assert not partial.exists()
    assert numbers(read_table(path).table) == numbers(read_table(GOLDEN).table)


def test_what_is_kept_is_checked_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.toml"
    with monkeypatch.context() as patch:
        patch.setattr("magicert.requests.set_search.load", lambda _: Interrupting(4))
        find("--set", "-o", str(path))
    partial = tmp_path / "set.toml.partial"
    other = find("--set", "-o", str(path), "--seed", "2")
    assert other.exit_code == 2
    assert "left by another command (magicert find --set --seed 1)" in other.stderr
    partial.write_text(partial.read_text().replace("bits = 11", "bits = 10"))
    wrong = find("--set", "-o", str(path))
    assert wrong.exit_code == 2
    assert "rook.b1: 10 bits: expected 11" in wrong.stderr
    lines = [
        'a1 = { bits = 12, magic = "0x1" }' if line.startswith("a1") else line
        for line in partial.read_text().replace("bits = 10", "bits = 11").splitlines()
    ]
    partial.write_text("\n".join(lines))
    bad = find("--set", "-o", str(path))
    assert bad.exit_code == 2
    assert "rook.a1: 0x1 is no magic of 12 bits" in bad.stderr
    assert not path.exists()


def test_what_no_slots_can_hold_is_impossible() -> None:
    for words, message in (
        ("bishop d4 --bits 4 --engine trial", "108 different attack sets do not fit in 16 slots"),
        ("--set --bits 6", "rook c1: 70 different attack sets do not fit in 64"),
    ):
        result = find(*words.split())
        assert result.exit_code == 1
        assert message in result.output


def test_an_interruption_while_verifying_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **_options: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "set.toml"
    with monkeypatch.context() as patch:
        patch.setattr("magicert.requests.set_search.verify", interrupted)
        result = find("--set", "--piece", "bishop", "-o", str(path))
    assert result.exit_code == 3
    assert "UNKNOWN set of white: 64 of 64" in result.stdout
    assert not path.exists()
    assert find("--set", "--piece", "bishop", "-o", str(path)).exit_code == 0


def test_a_table_that_the_verifier_refuses_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "set.toml"
    monkeypatch.setattr("magicert.search.finders.trial.built_for", lambda _: 1)
    result = find("--set", "-o", str(path))
    assert result.exit_code == 70, "a bug is no verdict"
    assert "the set is invalid: two positions share slot 0" in result.stderr
    assert not path.exists()
