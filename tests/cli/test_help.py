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


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_the_version(run: Run, option: str) -> None:
    assert magicert.__version__ in run(option).stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_are_set_apart(run: Run, name: str) -> None:
    text = run(name, "--help").stdout
    assert "\\b" not in text
    assert "\b" not in text
    lines = text.splitlines()
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
