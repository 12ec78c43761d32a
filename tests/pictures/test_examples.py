"""Every command that a document shows exists, with its options, even where it is not run."""

import re
from itertools import pairwise
from pathlib import Path

import click
import pytest

import magicert
from magicert.cli.app import cli

ROOT = Path(__file__).parents[2]
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
