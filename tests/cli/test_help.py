"""What the commands say about themselves."""

import re
import shutil
import subprocess
from collections.abc import Callable

import click
import pytest
from click.testing import Result

import magicert
from magicert.cli.app import COMMANDS, GROUPS, cli

Run = Callable[..., Result]
OPTION = re.compile(r"^  (?:-[a-zA-Z], )?(--[a-z-]+)(?= [A-Z\[/]| \S+(?:  |$)|  |$)", re.MULTILINE)
"""An option at the head of its line."""
OF_ALL = ("--quiet", "--verbose", "--help", "--help-all")
WRITES_A_TEXT = ("emit", "export", "completion", "help")
"""What these print is a text for another program."""


def options_of(name: str) -> dict[str, click.Option]:
    """The options of a command, by their longest names."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    params = command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
    return {max(one.opts, key=len): one for one in params if isinstance(one, click.Option)}


def is_hidden(option: click.Option) -> bool:
    return getattr(option, "seldom", False)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_and_no_typographic_remains(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    examples = [line for line in result.stdout.splitlines() if f"magicert {name}" in line]
    assert any("Usage:" not in line for line in examples)
    assert "\\b" not in result.stdout
    assert "\b" not in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_one_word_for_one_thing(name: str) -> None:
    options = options_of(name)
    assert [one.name for one in options.values() if not one.help] == []
    assert options.keys().isdisjoint(("--timeout", "--seconds", "--pieces", "--formula"))
    assert ("--json" in options) == (name not in WRITES_A_TEXT)
    for spelled, option in options.items():
        assert ("-o" in option.opts) == (spelled == "--output")
        assert (option.type.name == "time") == (spelled == "--budget")


@pytest.mark.parametrize("name", COMMANDS)
def test_what_help_leaves_out_is_in_none_of_its_examples(run: Run, name: str) -> None:
    options = options_of(name)
    shown = {spelled for spelled, option in options.items() if not is_hidden(option)}
    text = run(name, "--help").stdout
    assert set(OPTION.findall(text)) == shown - {*OF_ALL}
    assert set(OPTION.findall(run(name, "--help-all").stdout)) in (set(), {*options} - {*OF_ALL})
    assert set(OPTION.findall(run(name, "--help").stdout)) == shown - {*OF_ALL}
    (*_, sentence) = text.split("\n\n")
    assert all(spelled in sentence for spelled in shown if spelled in OF_ALL)
    examples = " ".join(line for line in text.splitlines() if line.startswith("      magicert "))
    assert set(re.findall(r"--[a-z][a-z-]+", examples.partition(" -- ")[0])) <= shown


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
    assert "did you mean shakmaty?" in result.stdout
    assert "magicert tables lists them" in run("verify", "xyzzy").stdout


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(run: Run, option: str) -> None:
    assert magicert.__version__ in run(option).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("show", "rook", "a1", "--occupancy", "0xzz"), "expected a bitboard such as 0x1000"),
        (("find", "rook", "a1", "--budget", "soon"), "expected a time such as 90s, 10m or 2h"),
        (("find", "rook", "a1", "--budget", "nan"), "expected a time such as 90s, 10m or 2h"),
        (("find", "rook", "a1", "--budget", "-1s"), "expected a time such as 90s, 10m or 2h"),
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
        (("emit", "black", "--lang", "rst"), "did you mean rust?"),
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


def test_help_shows_few_options() -> None:
    shown = [
        [spelled for spelled, one in options_of(name).items() if not is_hidden(one)]
        for name in COMMANDS
    ]
    counts = [len({*spelled} - {*OF_ALL}) for spelled in shown]
    assert max(counts) <= 15
    assert sum(counts) <= 130


def test_commands_are_listed_in_groups(run: Run) -> None:
    text = run("--help").stdout
    assert [title for title in GROUPS if f"\n{title}:\n" in text] == list(GROUPS)


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help", "verify").stdout == run("verify", "--help").stdout
    assert run("help").stdout == run("--help").stdout
    result = run("help", "verfy")
    assert result.exit_code == 2
    assert "Did you mean verify?" in result.stderr


def test_the_manual_page_has_every_option(run: Run) -> None:
    page = run("docs", "man").stdout
    for name in COMMANDS:
        own = page.partition(f".SS \\&magicert {name} ")[2].partition(".SS")[0]
        spelled = re.findall(r"\\-\\-[a-z]+(?:\\-[a-z]+)*", own)
        assert {one.replace("\\", "") for one in spelled} >= options_of(name).keys()
    groff = shutil.which("groff")
    if groff is not None:
        done = subprocess.run(
            [groff, "-man", "-ww", "-z"], input=page, text=True, capture_output=True, check=True
        )
        assert done.stderr == ""
