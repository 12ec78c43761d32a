"""--json prints one document, whatever comes of the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.atlas import Atlas, Entry, atlas_toml

Run = Callable[..., Result]


def document(result: Result) -> Any:
    return json.loads(result.stdout)


def test_a_set_as_json(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "set.toml"
    result = run("find", "--set", "--piece", "bishop", "--json", "-o", output)
    said = document(result)
    assert (result.exit_code, said["outcome"], said["squares"]) == (0, "exists", 64)
    assert said["magics"]["bishop"]["a1"]["bits"] == 6
    assert said["output"] == str(output)
    assert output.exists()


def test_a_set_that_cannot_be_as_json(run: Run) -> None:
    result = run("find", "--set", "--piece", "bishop", "--bits", "5", "--json")
    said = document(result)
    assert (result.exit_code, said["outcome"]) == (1, "impossible")
    assert "attack sets do not fit in 32 slots" in said["left"]["bishop d4"]


def test_packing_as_json(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "out.toml"
    short = ("pack", "--from", "cfish_black", "--rounds", "0", "--json", "-o", output)
    said = document(run(*short))
    assert (said["outcome"], said["entries"], said["output"]) == ("packed", 87_988, str(output))
    result = run(*short, "--limit", "60000")
    assert (result.exit_code, document(result)["outcome"]) == (3, "unknown")
    result = run(*short, "--limit", "6000")
    assert (result.exit_code, document(result)["outcome"]) == (1, "impossible")


@pytest.mark.parametrize("wanted", [("--only", "bishop:d1"), ("--only", "bishop:e1")])
def test_settled_cells_as_json(run: Run, tmp_path: Path, wanted: tuple[str, ...]) -> None:
    pytest.importorskip("numba")
    cell = Entry(piece="bishop", square="d1", bits=4, state="open")
    (tmp_path / "in.toml").write_text(atlas_toml(Atlas([cell])))
    result = run(
        "atlas", "--settle", "--json", "--atlas", tmp_path / "in.toml", *wanted,
        "--ledger", tmp_path / "a.db", "--output", tmp_path / "out.toml",
    )  # fmt: skip
    said = document(result)
    assert said["finished"] is True
    squares = [cell["square"] for cell in said["settled"]]
    assert squares == (["d1"] if "bishop:d1" in wanted else [])


def test_tables_as_json_have_the_records(run: Run) -> None:
    rows = {row["key"]: row for row in document(run("tables", "--json"))}
    assert rows["black"]["verdict"] == "valid"
