"""What commands say about themselves, and what a shell asks of them; what sessions show."""

import json
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.shell_completion import get_completion_class

import magicert
from magicert import data
from magicert.atlas import Atlas, AtlasCell, atlas_toml
from magicert.commands import installed
from magicert.commands.app import COMMANDS, EXTRAS, GROUPS, cli
from magicert.commands.tables import list_tables, measure, measured_before
from magicert.table import read_table
from magicert.table.write import write_table

OPTION = re.compile(r"^  (?:-[a-zA-Z], )?(--[a-z-]+)(?= [A-Z\[/]| \S+(?:  |$)|  |$)", re.MULTILINE)
"""An option at the head of its line."""
OF_ALL = {"--quiet", "--verbose", "--help", "--help-all"}
WRITES_A_TEXT = ("emit", "export", "completion", "help")
"""What these print is a text for another program."""


def options_of(name: str) -> dict[str, click.Option]:
    """The options of a command, by their longest names."""
    command = cli.get_command(click.Context(cli), name)
    params = command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
    return {max(one.opts, key=len): one for one in params if isinstance(one, click.Option)}


def shown(name: str) -> set[str]:
    """The options that --help shows."""
    every = options_of(name).items()
    return {
        spelled
        for spelled, option in every
        if not (option.hidden or getattr(option, "seldom", False))
    }


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


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_wrong_stands_above_how_a_command_is_used(run, name):
    result = run(name, "--no-such-option")
    first, *rest = result.stderr.splitlines()
    assert (result.exit_code, result.stdout) == (2, "")
    assert first.startswith("Error: No such option")
    assert " ".join(rest).startswith(f"Usage: cli {name} ")


def test_help_shows_commands_in_groups(run):
    text = run("--help").stdout
    assert run("help").stdout == text
    assert [title for title in GROUPS if f"\n{title}:\n" in text] == list(GROUPS)


def test_without_a_command_five_are_shown_and_the_others_are_named(run):
    result = run(status=2)
    shown = re.findall(r"^  magicert (\w+)", result.stderr, re.MULTILINE)
    others = " ".join(result.stderr.partition("More commands: ")[2].partition(".")[0].split())
    assert {*shown, *others.split(", ")} == {*COMMANDS}
    assert len(shown) == 5


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


def test_a_shell_completes_commands_options_and_values(capsys):
    shell = get_completion_class("bash")
    completion = shell(cli, {}, "magicert", "_MAGICERT_COMPLETE")

    def offered(*words: str, begun: str = "") -> set[str]:
        return {item.value for item in completion.get_completions([*words], begun)}

    assert offered() == {*COMMANDS}
    assert offered(begun="find") == {"find", "find-set"}
    assert offered("find", "--set", begun="--pie") == {"--piece"}
    for name in COMMANDS:
        assert offered(name, begun="--") >= shown(name)
        for spelled, option in options_of(name).items():
            if choices := getattr(option.type, "choices", ()):
                assert offered(name, spelled) == {*map(str, choices)}
    assert offered("help", begun="fin") == {"find", "find-set"}
    assert offered("show", begun="roo") == {"rook"}
    assert offered("show", "rook", begun="e") == {f"e{rank}" for rank in range(1, 9)}
    assert "two-halves" in offered("find", "--scheme", begun="tw")
    assert "hyperbola" in offered("emit", "--way", begun="hyp")
    for name in ("fix", "import", "verify", "report"):
        items = completion.get_completions([name], "x")
        assert "file" in [item.type for item in items], name
    assert capsys.readouterr() == ("", ""), "a shell shows what is printed"


@pytest.mark.cases_of("names_are_completed_wherever_they_are_taken.tsv")
def test_names_are_completed_wherever_they_are_taken(words):
    shell = get_completion_class("bash")
    completion = shell(cli, {}, "magicert", "_MAGICERT_COMPLETE")
    every = data.certificates_by_name() if words == "check" else data.tables_by_name()
    for beginning in ("b", ""):
        names = [name for name in every if name.startswith(beginning)]
        offered = [item.value for item in completion.get_completions(words.split(), beginning)]
        assert names
        assert offered[: len(names)] == names


@pytest.mark.cases_of("words_are_completed.tsv")
def test_words_are_completed(words, begun, offered):
    completion = get_completion_class("bash")(cli, {}, "magicert", "_MAGICERT_COMPLETE")
    items = completion.get_completions(words.split(), begun)
    assert [item.value for item in items] == offered.split()


# -- sessions

SESSIONS = Path(__file__).with_name("sessions.txt").read_text("utf-8").split("\n\n")[1:]


@pytest.fixture
def folder(here, half_board) -> Path:
    """The folder in which a session begins."""
    samples = Path(__file__).parents[1] / "source" / "samples"
    for name, place in {"samples": samples, "tables": data.tables_folder()}.items():
        (here / name).symlink_to(place)
    write_table(half_board, here / "half.toml")
    table = read_table(data.board_tables()["pikafish_knight"]).table
    magics = list(table.pieces["horse"].parameters["magic"])
    magics[40] >>= 7
    horse = replace(table.pieces["horse"], parameters={"magic": tuple(magics)})
    write_table(replace(table, pieces={"horse": horse}), here / "horses.toml")
    cell = AtlasCell(piece="bishop", square="d1", bits=4, state="open")
    (here / "open.toml").write_text(atlas_toml(Atlas([cell])))
    (here / "one").mkdir()
    (here / "one" / "notes.txt").write_text("none here")
    shutil.copy(samples / "bbc.c", here / "one")
    return here


@pytest.mark.parametrize("session", SESSIONS)
def test_commands_answer_as_the_sessions_show(run, folder, lacking, session):
    if ".drup" in session:
        pytest.importorskip("drup")
    asked = re.findall(r"^(\d?)\$ (.+)\n((?:[|!].+\n?)*)", f"{session}\n", re.MULTILINE)
    assert len(asked) == session.count("$ ")
    for status, command, lines in asked:
        words, _, given = command.partition(" < ")
        if words.startswith("bench") and not shutil.which("cc"):
            continue
        result = run(*words.split(), stdin=(folder / given).read_bytes() if given else None)
        said = " ".join(result.output.split())
        assert result.exit_code == int(status or 0), said
        for line in lines.splitlines():
            if line[0] == "|":
                assert lacking([line[1:]], said) == [], said
            else:
                assert line[1:] not in said, said
    for picture in folder.glob("cannon.svg"):
        assert 'viewBox="0 0 10 11"' in picture.read_text()


def test_tables_lists_what_is_published(run):
    result = run("tables")
    assert result.exit_code == 0
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [line[0] for line in lines] == list(data.tables_by_name())
    cells = {line[0]: line[1:3] for line in lines}
    assert cells["black"][0] == str(read_table(data.record_tables()["black"]).table.buffer_size)
    assert cells["cfish_black"] == ["87988", "72118"]
    rows = {row["key"]: row for row in json.loads(run("tables", "--json").stdout)}
    named = {**data.published_tables(), **data.board_tables()}
    assert all(row["provenance"]["repository"] for key, row in rows.items() if key in named)
    assert rows["black"]["verdict"] == "valid"
    assert (rows["cfish_black"]["board"], rows["fairy_horse"]["board"]) == ("whole", "12x10")


@pytest.mark.parametrize("how_many", [3, pytest.param(None, marks=pytest.mark.slow)])
def test_figures_that_ship_are_what_verifying_gives(how_many):
    """All of them take long: the gate draws other ones each time."""
    known, paths = measured_before(), data.tables_by_name()
    assert known.keys() == paths.keys()
    for key in random.sample(sorted(paths), how_many or len(paths)):
        assert measure(key, paths[key]) == known[key]


def test_a_table_that_changed_is_verified_anew(tmp_path, monkeypatch):
    changed = tmp_path / "shakmaty.toml"
    text = data.published_tables()["shakmaty"].read_text()
    changed.write_text(re.sub(r'"0x[0-9a-f]{16}"', '"0x0000000000000001"', text, count=1))
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "invalid"
    changed.write_text(text)
    monkeypatch.setattr("magicert.commands.tables.measure", None)
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "valid"
