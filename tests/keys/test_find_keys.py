"""`magicert find --keys`, `disprove --keys` and `check`: as a user sees them."""

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from magicert.cell import Cell, Keys, first_conflict
from magicert.cli.app import cli
from magicert.key_file import read_keys
from magicert.outcome import Outcome, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.guessing.kernel import pattern_of

Run = Callable[..., Result]
Write = Callable[[bytes | str], Path]
PRIMES = "2\n3\n5\n7\n11\n13\n17\n19\n"


@pytest.fixture
def shipped(tables: Path) -> Path:
    return tables / "keys"


def said(result: Result) -> dict[str, object]:
    document: dict[str, object] = json.loads(result.stdout)
    return document


def test_the_fewest_bits_are_found_and_fewer_are_too_few(run: Run, shipped: Path) -> None:
    result = run("find", "--keys", shipped / "css.txt")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "EXISTS white 24 keys of css.txt, 5 bits"
    assert "  shift 59" in lines
    assert "  4 bits: IMPOSSIBLE: 24 values in 16 slots" in lines
    magic = int(lines[1].split()[1], 16)
    cell = Cell(SCHEMES["white"], read_keys(shipped / "css.txt").keys, 5)
    assert first_conflict(cell, magic) is None


def test_what_chance_leaves_open_is_called_so(run: Run, shipped: Path) -> None:
    asked = ("find", "--keys", shipped / "c89.txt", "-O", "candidates=1000")
    spent = "5 bits: UNKNOWN: budget of candidates spent: 1,000 candidates tried"
    assert spent in run(*asked).stdout
    one = run(*asked, "--bits", "5")
    assert one.exit_code == 3
    assert one.stdout.startswith("UNKNOWN white 32 keys of c89.txt, 5 bits")
    assert "of random functions about 1.8e-13 would do" in one.stdout
    late = run("find", "--keys", shipped / "c89.txt", "--budget", "0.01s")
    assert (late.exit_code, "out of time" in late.stdout) == (3, True)


def test_many_keys_and_keys_in_order(run: Run, written: Write) -> None:
    """Keys in a row go into a table without a hole, whatever chance says of random functions."""
    row = said(run("find", "--keys", written("".join(f"{n}\n" for n in range(200))), "--json"))
    assert (row["outcome"], row["bits"]) == ("exists", 8)
    rng = random.Random(1)
    many = written("".join(f"{rng.getrandbits(64)}\n" for _ in range(100)))
    found = said(run("find", "--keys", many, "--json", "-O", "candidates=20000"))
    assert found["outcome"] == "exists"
    assert found["bits"] in range(8, 12)


def test_small_keys_are_settled_where_chance_finds_nothing(run: Run, shipped: Path) -> None:
    found = said(run("find", "--keys", shipped / "http.txt", "-O", "candidates=1000", "--json"))
    assert (found["outcome"], found["bits"], found["shift"]) == ("exists", 5, 59)
    assert (found["count"], found["values"], found["remarks"]) == (16, 16, [])
    (fewer,) = found["fewer"]  # type: ignore[misc]
    assert (fewer["bits"], fewer["outcome"], fewer["engine"]) == (4, "impossible", "window")


def test_trial_does_it_where_nothing_else_is_installed(
    run: Run, written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `pip install magicert` gives: no numba, no Z3."""
    for missing in ("magicert.search.window", "magicert.z3models.engine_z3"):
        monkeypatch.setitem(sys.modules, missing, None)
    result = run("find", "--keys", written("auto\nbreak\ncase\nchar\nconst\n"))
    assert result.exit_code == 0, result.output
    assert "5 keys of" in result.stdout


def test_four_bits_are_too_few_for_16_status_codes(run: Run, shipped: Path) -> None:
    """By an engine that shares no code with the one whose certificate ships."""
    command = ["disprove", "--keys", shipped / "http.txt", "--bits", "4", "--engine", "sat"]
    result = run(*command)
    assert result.exit_code == 0
    assert result.stdout.startswith("IMPOSSIBLE white 16 keys of http.txt, 4 bits\n")


def test_the_certificate_that_ships_is_of_these_keys(
    run: Run, shipped: Path, written: Write
) -> None:
    certificate = shipped / "http-4.cover.xz"
    result = run("check", certificate, "--keys", shipped / "http.txt")
    assert result.exit_code == 0
    assert "white 16 keys, 4 bits: no magic exists" in result.stdout
    assert "12,980 leaves checked" in result.stdout
    others = (shipped / "http.txt").read_text().replace("503", "504")
    other = run("check", certificate, "--keys", written(others))
    assert other.exit_code == 1
    assert "0x1f8 of keys.txt is not among its keys" in other.stderr
    assert "its key 0x1f7 is not in keys.txt" in other.stderr
    square = run("check", "bishop-d1-4", "--keys", shipped / "http.txt")
    assert square.exit_code == 1


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """About eight keys of four values that cannot be had in two bits."""
    folder = tmp_path_factory.mktemp("keys")
    keys, output = folder / "keys.txt", folder / "made.cover"
    keys.write_text("".join(f"{n * n + 1} {n % 4}\n" for n in range(8)))
    for words in (
        ["disprove", "--keys", keys, "--bits", "2", "-O", f"certificate={output}"],
        ["check", output, "--keys", keys, "--replay", "all", "--sample", "2"],
    ):
        result = CliRunner().invoke(cli, [str(word) for word in words])
        assert result.exit_code == 0, result.output
    return output.read_bytes()


@pytest.fixture
def made(certificate: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "made.cover"
    path.write_bytes(certificate)
    return path


def changed(path: Path, change: Callable[[dict[str, object]], None]) -> Path:
    first, header, body = path.read_bytes().split(b"\n", 2)
    document = json.loads(header)
    change(document)
    path.write_bytes(b"\n".join([first, json.dumps(document).encode(), body]))
    return path


def test_other_keys_or_values_make_a_certificate_invalid(run: Run, made: Path) -> None:
    """The checker reads the keys itself: leaves are of these words and values, or are wrong."""
    original = made.read_bytes()

    def another_key(header: dict[str, object]) -> None:
        header["keys"][3][0] = "0x3b9"  # type: ignore[index]

    def one_value(header: dict[str, object]) -> None:
        header["keys"] = [[word, 0] for word, _ in header["keys"]]  # type: ignore[attr-defined]

    for change in (another_key, one_value):
        result = run("check", changed(made, change))
        assert (result.exit_code, result.stdout.split()[0]) == (1, "invalid")
        made.write_bytes(original)


TWO = [["0x1", 0], ["0x2", 1]]


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({"keys": [["0x1", 0], ["0x1", 1]]}, "a key comes twice"),
        ({"keys": [["0x1", 0], ["0x2", 2]]}, "0x2 has value number 2: expected 0 to 1"),
        ({"keys": [["0x1", 0], ["0x2", -1]]}, "expected 0 to 1"),
        ({"keys": [["1", 0]]}, "expected a word such as 0x1f"),
        ({"keys": [["0x10000000000000000", 0]]}, "expected a word"),
        ({"keys": []}, "0 of them: expected 1 to 65536"),
        ({"keys": "x"}, "Expected `array"),
        ({"keys": TWO, "piece": "rook", "square": "a1"}, "expected keys, or a piece and a square"),
        ({}, "expected rook or bishop, or keys"),
    ],
)
def test_a_header_with_wrong_keys_is_bad_input(
    run: Run, made: Path, about: dict[str, object], says: str
) -> None:
    def change(header: dict[str, object]) -> None:
        for key in ("keys", "piece", "square"):
            header.pop(key, None)
        header.update(about)

    result = run("check", changed(made, change))
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_ledger_keeps_what_is_done(run: Run, written: Write, tmp_path: Path) -> None:
    keys, ledger = written(PRIMES), tmp_path / "l.db"
    command = ["find", "--keys", keys, "--bits", "3", "--engine", "window", "--all"]
    first = said(run(*command, "--ledger", ledger, "--json"))
    again = run(*command, "--ledger", ledger, "--json")
    assert "resuming 1 of 1 shards" in again.stderr
    assert said(again)["magics"] == first["magics"]
    other = said(run("find", "--keys", keys, "--bits", "3", "--engine", "z3", "--json"))
    assert other["outcome"] == first["outcome"]


def test_a_minimal_table_of_keys_of_which_one_comes_again(run: Run, written: Write) -> None:
    result = run("find", "--keys", written(PRIMES + "2\n"), "--largest-index", "8", "--json")
    found = said(result)
    assert (found["outcome"], found["bits"], found["largest_index"]) == ("exists", 4, 8)
    assert found["count"] == 8
    assert "keys.txt: line 9: 2 as in line 1: counted once" in result.stderr


@pytest.mark.parametrize(
    ("keys", "engine"),
    [("7 1\n9 1\n", "trial"), ("7 1\n9 1\n", "z3"), *((f"{(1 << 64) - 1}\n", engine)
     for engine in ("window", "sat"))],
)  # fmt: skip
def test_one_value_needs_one_bit_and_any_magic_will_do(
    run: Run, written: Write, keys: str, engine: str
) -> None:
    result = run("find", "--keys", written(keys), "--engine", engine)
    assert result.exit_code == 0
    assert "1 bits" in result.stdout.splitlines()[0]


def test_an_interruption_ends_it(run: Run, written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    class Interrupted:
        OPTIONS = ()

        def solve(self, *request: object) -> Outcome:
            asked.append(request)
            return Unknown("interrupted", "3 candidates tried")

    monkeypatch.setattr("magicert.requests.find.load", lambda _: Interrupted())
    result = run("find", "--keys", written(PRIMES))
    assert (result.exit_code, len(asked)) == (3, 1)
    assert "interrupted" in result.stdout


def test_guessing_is_for_squares() -> None:
    with pytest.raises(InputError, match="expected a slider on a square"):
        pattern_of(Cell(SCHEMES["white"], Keys.of([1, 2]), 2))
