"""What the commands say about themselves."""

from collections.abc import Callable

import click
import pytest
from click.testing import Result

import magicert
from magicert.cli.app import COMMANDS, cli

Run = Callable[..., Result]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_and_no_typographic_remains(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    examples = [line for line in result.stdout.splitlines() if f"magicert {name}" in line]
    assert any("Usage:" not in line for line in examples)
    assert "\\b" not in result.stdout
    assert "\b" not in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    silent = [o.name for o in command.params if isinstance(o, click.Option) and not o.help]
    assert silent == []


@pytest.mark.parametrize(
    ("typed", "meant"), [("verfy", "verify"), ("disprov", "disprove"), ("tabels", "tables")]
)
def test_a_mistyped_command_gets_a_suggestion(run: Run, typed: str, meant: str) -> None:
    result = run(typed)
    assert result.exit_code == 2
    assert f"Did you mean {meant}?" in result.stderr
    assert "Did you mean" not in run("xyzzy").stderr


def test_a_mistyped_table_gets_a_suggestion(run: Run) -> None:
    result = run("verify", "shakmat")
    assert result.exit_code == 2
    assert "did you mean shakmaty?" in result.stderr
    assert "magicert tables lists them" in run("verify", "xyzzy").stderr


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(run: Run, option: str) -> None:
    assert magicert.__version__ in run(option).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("show", "rook", "a1", "--occupancy", "0xzz"), "expected a bitboard such as 0x1000"),
        (("find", "rook", "a1", "--timeout", "soon"), "expected a time such as 90s, 10m or 2h"),
        (("find", "rook", "a1", "--timeout", "nan"), "expected a time such as 90s, 10m or 2h"),
        (("find", "rook", "a1", "--timeout", "-1s"), "expected a time such as 90s, 10m or 2h"),
        (("find", "rook", "a1", "-O", "tries=many"), "unknown option"),
        (("gather", "ranks", "--constant", "1_x"), "expected a number such as 0x401041"),
        (("check", "x", "--replay", "some"), "expected a number of shards, or all"),
    ],
)
def test_errors_are_in_our_words(run: Run, arguments: tuple[str, ...], problem: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", " ").split())
    assert problem in said
    assert "invalid literal" not in said
