"""Documents: every command and option they show exists, links lead somewhere, pictures are today's.

What commands print is compared by test_shell_examples.py.
"""

import re
import runpy
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import Result

import magicert
from magicert.betza import NAMES
from magicert.cli.app import COMMANDS, cli
from magicert.outcome import STATUS

ROOT = Path(__file__).parents[2]
Run = Callable[..., Result]


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "commands.md").read_text()
    assert [name for name in COMMANDS if f"`magicert {name}" not in text] == []


def test_every_piece_and_every_exit_status_is_documented() -> None:
    pieces, statuses = (
        (ROOT / "docs" / name).read_text("utf-8") for name in ("boards.md", "commands.md")
    )
    assert [name for name in NAMES if f"`{name}`" not in pieces] == []
    assert [status for status in STATUS.values() if f"| {status} |" not in statuses] == []


def test_documents_are_shown(run: Run) -> None:
    listed = run("docs").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert names == ["README", *sorted(path.stem for path in (ROOT / "docs").glob("*.md"))]
    assert run("docs", "docs/keys.md").stdout == (ROOT / "docs" / "keys.md").read_text() + "\n"
    missing = run("docs", "kyes")
    assert (missing.exit_code, "did you mean keys?" in missing.stderr) == (2, True)


def test_how_to_install_is_said_in_one_place() -> None:
    """No index has magicert: a line that pip takes by name alone works nowhere. What is installed
    gets an extra by name.
    """
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "site").rglob("*.*")]
    texts += [*(ROOT / "tools").rglob("*.py"), *(ROOT / "magicert").glob("[ac]*/**/*.py")]
    by_name = re.compile(r"pip install ['\"]?magicert(?!\[)")
    assert [path.name for path in texts if by_name.search(path.read_text("utf-8"))] == []
    assert "pip install ." in (ROOT / "docs" / "install.md").read_text()


PICTURES = ROOT / "docs" / "pictures"


@cache
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "site" / "pictures.py"))


def test_pictures_are_up_to_date() -> None:
    """If not: python site/pictures.py."""
    drawn = script()["pictures"]()
    assert {path.name for path in PICTURES.iterdir()} == set(drawn)
    stale = [name for name, text in drawn.items() if (PICTURES / name).read_text("utf-8") != text]
    assert stale == []


def test_the_measured_figures_are_those_of_the_run() -> None:
    """If not: python site/pictures.py."""
    page = (ROOT / "docs" / "frontier.md").read_text("utf-8")
    assert script()["with_figures"](page) == page
    assert page.count("\n| kindergarten | 9,728 |") == 1


DOCUMENTS = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "site" / "index.md",
    *sorted((ROOT / "docs").glob("*.md")),
]  # fmt: skip
SHOWN = re.compile(r"^(?:    |\$ |.*\| )magicert ([^|].*)$", re.MULTILINE)


def lines(path: Path) -> list[str]:
    """The command lines that a document shows, without `magicert`, comments and pipes."""
    text = path.read_text("utf-8")
    return [re.split(r"\s#|\s\||\s>|\s&&", line)[0] for line in SHOWN.findall(text)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_shown_command_exists(path: Path) -> None:
    context = click.Context(cli)
    for line in lines(path):
        name, *words = line.partition(" -- ")[0].split()  # then come a compiler's
        command = cli.get_command(context, name)
        if name.startswith("-"):
            continue
        assert command is not None, line
        for option, value in pairwise(words):
            kinds = [p.type for p in command.params if option in p.opts]
            if kinds and isinstance(kinds[0], click.Choice) and "--board" not in words:
                assert value in kinds[0].choices, f"{path.name}: {line}"
        known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        given = {word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
        assert given - known - {"--help", "-h"} == set(), f"{path.name}: {line}"


def test_there_are_such_lines() -> None:
    assert sum(len(lines(path)) for path in DOCUMENTS) > 60


def test_the_wheel_has_neither_the_site_nor_its_scripts() -> None:
    package = Path(str(magicert.__file__)).parent
    assert not (package / "site").exists()
    assert [path for path in package.rglob("*.js") if "tables" not in path.parts] == []


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


LINKING = [*DOCUMENTS[:2], *DOCUMENTS[3:], *ROOT.glob("tables/**/README.md")]


@pytest.mark.parametrize("path", LINKING, ids=lambda path: path.name)
def test_a_link_leads_somewhere(path: Path) -> None:
    text = re.sub(r"^( {4}|\t).*$|^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        target, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        other = (path.parent / target).resolve() if target else path
        found = other.exists() and (not anchor or anchor in anchors(other))
        dead += [] if found else [link]
    assert dead == []
