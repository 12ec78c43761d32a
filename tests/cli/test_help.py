"""What the commands say about themselves, and what a shell asks of them."""

import os
import re
import shutil
import subprocess

import click
import pytest
from click.shell_completion import get_completion_class

import magicert
from magicert.cli import installed
from magicert.cli.app import COMMANDS, EXTRAS, GROUPS, cli
from magicert.data import certificates_by_name, tables_by_name

OPTION = re.compile(r"^  (?:-[a-zA-Z], )?(--[a-z-]+)(?= [A-Z\[/]| \S+(?:  |$)|  |$)", re.MULTILINE)
"""An option at the head of its line."""
OF_ALL = {"--quiet", "--verbose", "--help", "--help-all"}
WRITES_A_TEXT = ("emit", "export", "completion", "help")
"""What these print is a text for another program."""


def options_of(name: str) -> dict[str, click.Option]:
    """The options of a command, by their longest names."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    params = command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
    return {max(one.opts, key=len): one for one in params if isinstance(one, click.Option)}


def shown(name: str) -> set[str]:
    """The options that --help shows."""
    every = options_of(name).items()
    return {spelled for spelled, option in every if not getattr(option, "seldom", False)}


@pytest.mark.parametrize("name", COMMANDS)
def test_one_word_for_one_thing_and_examples_set_apart(run, name):
    options, few = options_of(name), shown(name)
    assert [one.name for one in options.values() if not one.help] == []
    assert options.keys().isdisjoint(("--timeout", "--seconds", "--pieces", "--formula"))
    assert ("--json" in options) == (name not in WRITES_A_TEXT)
    for spelled, option in options.items():
        assert ("-o" in option.opts) == (spelled == "--output")
        assert (option.type.name == "time") == (spelled == "--budget")
    text = run(name, "--help").stdout
    assert run("help", name).stdout == text
    assert set(OPTION.findall(run(name, "--help-all").stdout)) in (set(), {*options} - OF_ALL)
    assert set(OPTION.findall(text)) == few - OF_ALL
    (*_, sentence) = text.split("\n\n")
    assert all(spelled in sentence for spelled in few & OF_ALL)
    lines = text.splitlines()
    own = [line for line in lines if line.lstrip().startswith(f"magicert {name}")]
    assert own or name == "completion"
    assert all(line.startswith("      magicert ") for line in own)
    assert max(len(line.removeprefix(" " * 6)) for line in lines) <= 80
    assert "\\b" not in text
    assert "\b" not in text
    used = re.findall(r"--[a-z][a-z-]+", " ".join(own).partition(" -- ")[0])
    assert set(used) <= few, "what help leaves out is in none of its examples"


def test_help_shows_few_options_and_commands_in_groups(run):
    counts = [len(shown(name) - OF_ALL) for name in COMMANDS]
    assert max(counts) <= 15
    assert sum(counts) <= 130
    text = run("--help").stdout
    assert run("help").stdout == text
    assert [title for title in GROUPS if f"\n{title}:\n" in text] == list(GROUPS)
    listed = run("find", "-O", "help")
    assert (listed.exit_code, "=" in listed.stdout) == (0, True), "an engine's, without a square"


def test_the_manual_page_has_every_option(run):
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


# -- versions


def test_version_names_commit_and_extras(run, tmp_path, monkeypatch):
    monkeypatch.setattr(installed, "PACKAGE", tmp_path)
    assert run("-V").stdout.splitlines()[0] == f"magicert {magicert.__version__}"
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    first, second, *rest = run("--version").stdout.splitlines()
    assert first == f"magicert {magicert.__version__}, commit 0123456789ab"
    assert re.fullmatch(r"Python \d+\.\d+\.\d+, numpy \d+\.\d+\.\d+", second)
    assert all(extra in "\n".join(rest) for extra in EXTRAS.values())
    told = installed.about({"numpy": "one", "no_such_library": "two", "os": "two", "sys": "three"})
    assert told.splitlines()[2:] == ["extras: one, three", "not installed: two"]


# -- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_scripts(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_MAGICERT_COMPLETE" in result.stdout
    if shell == "powershell":
        assert "-CommandName magicert " in result.stdout
        assert all(f"$env:{name} = " in result.stdout for name in ("COMP_WORDS", "COMP_WORD"))
        assert result.stdout.count("{") == result.stdout.count("}")
        assert "%(" not in result.stdout


@pytest.mark.parametrize(
    "words",
    [
        "verify", "tables", "bench", "lemma", "emit", "pack --from", "show rook e4 --table",
        "check",
    ],
)  # fmt: skip
def test_names_are_completed_wherever_they_are_taken(words):
    shell = get_completion_class("bash")
    assert shell is not None
    completion = shell(cli, {}, "magicert", "_MAGICERT_COMPLETE")
    every = certificates_by_name() if words == "check" else tables_by_name()
    for beginning in ("b", ""):
        names = [name for name in every if name.startswith(beginning)]
        offered = [item.value for item in completion.get_completions(words.split(), beginning)]
        assert names
        assert offered[: len(names)] == names


def test_powershell_is_offered_words(child):
    code = """
import os
from magicert.cli import main
for line in ("|disp", "show rook|h", "verify|shak", "verify --format|s", "completion|p"):
    before, _, os.environ["COMP_WORD"] = line.partition("|")
    os.environ["COMP_WORDS"] = before.replace(" ", chr(10))
    try: main()
    except SystemExit: print("-")
"""
    environment = {**os.environ, "_MAGICERT_COMPLETE": "powershell_complete"}
    done = subprocess.run(
        [*child.python, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    answered = [
        [line.split("\t") for line in part.splitlines()] for part in done.stdout.split("-\n")
    ]
    assert [[value for _, value, _ in part] for part in answered] == [
        ["disprove"], [f"h{rank}" for rank in range(1, 9)], ["shakmaty", "shak"], ["sarif"],
        ["powershell"], [],
    ]  # fmt: skip
    assert {kind for part in answered for kind, _, _ in part} <= {"plain", "file", "dir"}
