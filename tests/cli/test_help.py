"""What the commands say about themselves."""

import re
from collections.abc import Callable

import click
import pytest
from click.testing import Result

import magicert
from magicert.cli.app import COMMANDS, GROUPS, SELDOM, cli

Run = Callable[..., Result]
OPTION = re.compile(r"^  (?:-[a-zA-Z], )?(--[a-z-]+)(?= [A-Z\[/]| \S+(?:  |$)|  |$)", re.MULTILINE)
"""An option at the head of its line."""
OF_ALL = ("--quiet", "--verbose", "--help", "--help-all")


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
    said = " ".join(result.stderr.split())
    assert problem in said
    assert "invalid literal" not in said


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("find", "rook", "e4", "--engine", "trail"), "Did you mean trial?"),
        (("find", "rok", "e4"), "did you mean rook?"),
        (("find", "rook", "4e"), "did you mean e4?"),
        (("find", "rook", "e4", "--scheme", "blakc"), "did you mean black?"),
        (("find", "rook", "e4", "-O", "candidate=3"), "did you mean candidates?"),
        (("emit", "black", "--lang", "rst"), "Did you mean rust?"),
        (("tables", "shakmat"), "did you mean shakmaty?"),
        (("bench", "shakmat"), "did you mean shakmaty?"),
        (("pack", "--from", "cfish_blak"), "did you mean cfish_black"),
        (("pack", "--scheme", "whit"), "Did you mean white?"),
    ],
)
def test_what_is_nearly_right_gets_a_suggestion(
    run: Run, arguments: tuple[str, ...], hint: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert hint in " ".join(result.stderr.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_set_apart(run: Run, name: str) -> None:
    lines = run(name, "--help").stdout.splitlines()
    examples = [line for line in lines if f"magicert {name}" in line and "Usage:" not in line]
    own = [line for line in examples if line.lstrip().startswith("magicert ")]
    assert own or name == "completion"
    assert all(line.startswith("      magicert ") for line in own)
    assert max(len(line.removeprefix(" " * 6)) for line in lines) <= 80


@pytest.mark.parametrize(("name", "most"), [("pack", 9), ("find", 9), ("verify", 6)])
def test_many_options_stand_in_groups(run: Run, name: str, most: int) -> None:
    text = run(name, "--help").stdout
    groups = re.split(r":\n(?=  -)", text)[1:-1]  # the last one is of all commands
    assert len(groups) > 1
    assert max(len(OPTION.findall(group)) for group in groups) <= most


@pytest.mark.parametrize("name", SELDOM)
def test_seldom_options_are_shown_by_help_all_only(run: Run, name: str) -> None:
    def options(*words: str) -> set[str]:
        return set(OPTION.findall(run(name, *words).stdout))

    usual = options("--help")
    assert usual.isdisjoint(SELDOM[name])
    assert options("--help-all") == usual | {*SELDOM[name]}
    assert options("--help") == usual


def test_no_command_shows_more_than_eighteen_options(run: Run) -> None:
    shown = {name: len(OPTION.findall(run(name, "--help").stdout)) for name in COMMANDS}
    assert {name: count for name, count in shown.items() if count > 18 + len(OF_ALL)} == {}


def test_commands_are_listed_in_groups(run: Run) -> None:
    text = run("--help").stdout
    assert [title for title in GROUPS if f"\n{title}:\n" in text] == list(GROUPS)


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help", "verify").stdout == run("verify", "--help").stdout
    assert run("help").stdout == run("--help").stdout
    result = run("help", "verfy")
    assert result.exit_code == 2
    assert "Did you mean verify?" in result.stderr
