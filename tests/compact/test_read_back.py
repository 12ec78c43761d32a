"""What is emitted is read back from its source, by the reader of foreign sources, to the same
table: the same slot for every lookup of every square."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from magicert.cli.app import cli
from magicert.compact.emit import LANGUAGES

VARIABLE_SHIFTS = "javascript-32"  # writes tables with one shift for all squares only


def magicert(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def squares(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What tells one table's squares from another's."""
    keys = ("piece", "square", "index_min", "index_max", "offset", "slots_used")
    return [{key: square[key] for key in keys} for square in report["squares"]]


@cache
def squares_of(name: str) -> list[dict[str, Any]]:
    """The same of a published table."""
    (table,) = json.loads(magicert("verify", name, "--json").stdout)["reports"]
    return squares(table)


@pytest.mark.parametrize("name", ["cfish_black", "stockfish21_64", "black_two_level"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_emitted_source_is_the_same_table(language: str, name: str, tmp_path: Path) -> None:
    source = tmp_path / f"attacks{LANGUAGES[language].suffix}"
    written = magicert("emit", name, "--lang", language, "-o", source)
    if language == VARIABLE_SHIFTS and name == "stockfish21_64":
        assert written.exit_code == 2
        return
    assert written.exit_code == 0, written.output
    read = magicert("verify", source, "--json")
    assert read.exit_code == 0, read.output
    (report,) = json.loads(read.stdout)["reports"]
    assert report["verdict"] == "valid"
    assert squares(report) == squares_of(name)
