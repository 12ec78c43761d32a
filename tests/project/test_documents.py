"""Documents: what they show exists, links lead somewhere, and what is said of data follows from
them: nobody types a figure or a "first" by hand. Every shell example is run, and what it prints is
what the document shows.

A line is run in its document's order, in a folder that has what the documents speak of: an engine's
source, a table, words, and this repository's tables/, tests/source/ and tests/functions/. Where no
output is shown, the exit status is compared, and what a comment behind the line says of it
(`# IMPOSSIBLE`, `# all 9,547`). In an output `...` stands for anything on a line, and alone for
any lines. shell_examples.toml names what takes too long; a budget is cut to one second.
"""

import json
import re
import runpy
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest

import magicert
from magicert.atlas import US, Atlas, read_atlas
from magicert.betza import HEXAGONAL, NAMES
from magicert.chess import Piece, parse_square
from magicert.commands.app import COMMANDS, cli
from magicert.data import atlas_path, find_table, tables_folder
from magicert.outcome import STATUS
from magicert.table import read_table

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "site" / "index.md",
    ROOT / "proofs" / "README.md", ROOT / "functions" / "README.md",
    ROOT / "z3models" / "README.md", ROOT / "compact" / "README.md",
    ROOT / "proofs" / "rounding-lemma.md",
    *sorted((ROOT / "research").rglob("*.md")), *PAGES,
]  # fmt: skip
SHOWN = re.compile(r"^(?:    |\$ |.*\| )magicert ([^|].*)$", re.MULTILINE)


def test_every_command_piece_and_exit_status_is_documented():
    pieces, commands = (
        (ROOT / "docs" / name).read_text("utf-8") for name in ("boards.md", "commands.md")
    )
    assert [name for name in COMMANDS if f"`magicert {name}" not in commands] == []
    assert [name for name in (*NAMES, *HEXAGONAL) if f"`{name}`" not in pieces] == []
    assert [status for status in STATUS.values() if f"| {status} |" not in commands] == []


def test_documents_are_shown(run):
    listed = run("docs").stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["README", *(path.stem for path in PAGES)]
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    assert run("docs", "docs/glossary.md").stdout == glossary + "\n"


def test_how_to_install_is_said_in_one_place():
    """No index has magicert: a line that pip takes by name alone works nowhere. What is installed
    gets an extra by name.
    """
    site = [path for path in (ROOT / "site").rglob("*.*") if path.suffix != ".pyc"]
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *site]
    texts += [*(ROOT / "tools").rglob("*.py"), *(ROOT / "magicert").glob("[ac]*/**/*.py")]
    by_name = re.compile(r"pip install ['\"]?magicert(?!\[)")
    assert [path.name for path in texts if by_name.search(path.read_text("utf-8"))] == []
    assert "pip install ." in (ROOT / "docs" / "install.md").read_text()
    package = Path(str(magicert.__file__)).parent
    assert not (package / "site").exists(), "the wheel has neither the site nor its scripts"
    assert [path for path in package.rglob("*.js") if "tables" not in path.parts] == []


def test_shown_commands_and_options_exist():
    context, seen = click.Context(cli), 0
    for path in DOCUMENTS:
        for shown in SHOWN.findall(path.read_text("utf-8")):
            seen += 1
            line = re.split(r"\s#|\s\||\s>|\s&&| -- ", shown)[0]  # behind -- are a compiler's
            name, *words = line.split()
            if name.startswith("-"):
                continue
            command = cli.get_command(context, name)
            assert command, line
            for option, value in pairwise(words):
                kinds = [p.type for p in command.params if option in p.opts]
                if kinds and isinstance(kinds[0], click.Choice) and "--board" not in words:
                    assert value in kinds[0].choices, f"{path.name}: {line}"
            known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
            given = {word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
            assert given - known - {"--help", "-h"} == set(), f"{path.name}: {line}"
    assert seen > 60


def test_make_help_names_every_target():
    text = (ROOT / "Makefile").read_text("utf-8")
    phony = {name for line in re.findall(r"^\.PHONY: (.*)$", text, re.M) for name in line.split()}
    shown = re.findall(r"^\t@echo \"(?:make|  ?) *([a-z-]+) ", text, re.M)
    assert {"certify", "test"} < phony
    assert phony - {"help", *shown} == set()


def anchors(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def test_links_lead_somewhere():
    dead = []
    for path in {*DOCUMENTS, *ROOT.glob("tables/**/README.md")} - {ROOT / "site" / "index.md"}:
        text = re.sub(r"^( {4}|\t).*$|^```.*?^```", "", path.read_text("utf-8"), flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            target, _, anchor = link.partition("#")
            if re.match(r"\w+:", link):
                continue
            other = (path.parent / target).resolve() if target else path
            found = other.exists() and (not anchor or anchor in anchors(other))
            dead += [] if found else [(path.name, link)]
    assert dead == []


def test_every_page_links_the_glossary_and_no_line_begins_with_a_marked_number():
    """To Markdown a line that begins with a comment is HTML, and the links in it are text."""
    pages = [*PAGES, *(path for path in DOCUMENTS if "research" in path.parts)]
    texts = {path: path.read_text("utf-8") for path in pages}
    unlinked = [path for path, text in texts.items() if "glossary.md" not in text]
    assert [path.name for path in unlinked if path.name != "glossary.md"] == []
    begun = re.compile("^<!-- data: [a-z-]+ -->.", re.MULTILINE)
    assert [path.name for path, text in texts.items() if begun.search(text)] == []


def test_pictures_and_measured_figures_are_up_to_date():
    """If not: python site/pictures.py."""
    script, pictures = runpy.run_path(str(ROOT / "site" / "pictures.py")), ROOT / "docs/pictures"
    drawn = script["pictures"]()
    assert {path.name: path.read_text("utf-8") for path in pictures.iterdir()} == drawn
    page = (ROOT / "research" / "frontier" / "measurements.md").read_text("utf-8")
    assert script["with_figures"](page) == page
    assert page.count("\n| kindergarten | 9,728 |") == 1


def test_texts_are_what_the_data_say(tmp_path, monkeypatch):
    tool = runpy.run_path(str(ROOT / "tools" / "texts.py"))
    assert tool["stale"]() == [], "run python tools/texts.py"
    assert tool["_open_table"](Atlas([])).startswith("None is left")
    # A part that was changed by hand is noticed.
    for name in ("docs", "tables"):
        (tmp_path / name).mkdir()
    (tmp_path / "tables" / "claims.tsv").write_text(tool["claims_file"]())
    (tmp_path / "OPEN.md").write_text(tool["open_cells"]())
    (tmp_path / "README.md").write_text("")
    text = (ROOT / "docs" / "finders.md").read_text().replace(" slots instead", " of")
    (tmp_path / "docs" / "finders.md").write_text(text)
    monkeypatch.setitem(tool["stale"].__globals__, "ROOT", tmp_path)
    assert tool["stale"]() == ["docs/finders.md"]


CLAIM = re.compile(r"open before|was open|open in the literature|open until", re.IGNORECASE)
CELL = re.compile(r"(rook|bishop) ([a-h][1-8]),? (?:with |of )?(\d+)(?: bits)?")


def claims(atlas: Atlas, text: str) -> list[str]:
    """Lines that say that something was open before, of cells that others have an earlier date of.

    A line that names no cell is one: what it says cannot be compared.
    """
    wrong = []
    for line in filter(CLAIM.search, text.splitlines()):
        named = [(Piece(p), parse_square(s), -int(bits)) for p, s, bits in CELL.findall(line)]
        cells = [atlas.cells.get(cell) for cell in named]
        if not cells or any(cell is None or cell.finder != US for cell in cells):
            wrong.append(line)
    return wrong


def test_nothing_is_called_open_before_that_others_published():
    atlas = read_atlas(atlas_path())
    right = "| rook b2, 9 bits | no magic; open before |"
    wrong = [
        "| rook c2, 9 bits | 32 magics; open before |",
        "| rook b2, 9 bits, and rook d1, 10 bits: open in the literature |",
        "IMPOSSIBLE: open in the literature",
    ]
    assert claims(atlas, "\n".join([right, *wrong])) == wrong
    texts = [ROOT / "CHANGELOG.md", ROOT / "OPEN.md", *DOCUMENTS]
    assert [line for path in texts for line in claims(atlas, path.read_text("utf-8"))] == []


def test_every_cell_says_who_was_first_and_each_claim_of_ours_as_of_when():
    day = re.compile(r"(by )?\d{4}(-\d\d-\d\d)?")
    for scheme in ("white", "black"):
        atlas = read_atlas(atlas_path(scheme))
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", atlas.as_of)
        assert atlas.looked_through
        claimed = [entry for entry in atlas if entry.state != "open" or entry.finder]
        assert [str(entry) for entry in claimed if not (entry.finder and entry.source)] == []
        assert [str(entry) for entry in claimed if not day.fullmatch(entry.published)] == []


def test_the_census_is_made_from_the_data():
    """What does not certify is among the tables, so that anybody can verify what is said of it."""
    census = runpy.run_path(str(ROOT / "research" / "census" / "__main__.py"))
    rows = census["rows"]()
    assert census["PAGE"].read_text() == census["page"](rows)
    assert len({(row["repository"], row["path"]) for row in rows}) == len(rows)
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])
        assert (row["found"] == census["CERTIFIES"]) == bool(row["formula"])
    broken = [read_table(path).table for path in (tables_folder() / "broken").glob("*.toml")]
    known = {(one.provenance.repository, one.provenance.commit) for one in broken}
    said = [row for row in rows if row["found"] == census["NOT"]]
    assert said
    assert {(f"github:{row['repository']}", row["commit"]) for row in said} <= known


# -- shell examples

PROGRAMS = r"magicert|make|pip|python|xz|export|for|sh|git|cc|c\+\+|g\+\+|rustc|cargo|npm|node|\."
LISTED = tomllib.loads((Path(__file__).parent / "shell_examples.toml").read_text("utf-8"))
SLOW, SKIPPED = LISTED["slow"], LISTED["skipped"]


@dataclass(frozen=True, slots=True)
class Example:
    """A command line of a document, with its comment, and the output below it, if any."""

    line: str
    output: str | None = None

    @property
    def words(self) -> list[str]:
        """The command's words, with a budget that tests can wait for."""
        command = re.sub(r"\s#.*", "", self.line)
        return shlex.split(re.sub(r"--budget \w+", "--budget 1s", command))

    @property
    def claims(self) -> list[str]:
        """What the comment says the output has."""
        comment = re.search(r"\s# (.*)", self.line)
        return re.findall(r"\bIMPOSSIBLE\b|\b\d+,\d{3}\b", comment[1]) if comment else []

    def listed(self, beginnings: Iterable[str]) -> bool:
        return self.line.startswith(tuple(beginnings))


def examples(path: Path) -> Iterator[Example]:
    """The shell examples of a document: fenced as console, or indented."""
    text = path.read_text("utf-8")
    plain = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            yield Example(line, output)
    yield from map(Example, re.findall(rf"^    ((?:{PROGRAMS}) .*)$", plain, re.MULTILINE))


def pattern(output: str) -> str:
    """What an output must match: `...` is anything, alone on a line any lines."""
    lines = [line.rstrip() for line in output.rstrip().splitlines()]
    any_lines = r"(?:[^\n]*\n)*?[^\n]*"
    return r"\n".join(
        any_lines if line == "..." else re.escape(line).replace(r"\.\.\.", r"[^\n]*")
        for line in lines
    )


def run_one(run: Any, example: Example) -> None:
    """Run a line, and compare."""
    program, *words = example.words
    assert program == "magicert", f"{example.line}: expected to be listed in shell_examples.toml"
    result = run(*words)
    shown = "\n".join(line.rstrip() for line in result.stdout.rstrip().splitlines())
    told = f"{example.line}\n{result.output}"
    if example.output is not None:
        assert re.fullmatch(pattern(example.output), shown), told
        return
    refused = re.search(r"exit status (\d)", example.line)
    allowed = {int(refused[1]) if refused else 0}
    allowed |= {3} if "--budget" in words else set()  # the budget was cut
    if words[:1] == ["verify"] and "olah_bad" in example.line:
        allowed = {1}
    assert result.exit_code in allowed, told
    assert [claim for claim in example.claims if claim not in shown] == [], told


def source_of(name: str, item: str, array: str) -> str:
    """The magics of a table, as a source lists them."""
    lists = []
    for piece, half in read_table(find_table(name)).table.pieces.items():
        words = [item.format(*divmod(m, 1 << 64), m) for m in half.parameters["magic"]]
        lists.append(f"{array.format(str(piece).title())} = {{ {', '.join(words)} }};\n")
    return "".join(lists)


def write_xiangqi(folder: Path) -> None:
    """A xiangqi engine's source."""
    array, word = "Bitboard {}MagicsInit[90]", "B({0:#x}, {1:#x})"
    lists = (source_of(f"pikafish_{piece}", word, array) for piece in ("rook", "cannon"))
    define = "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)\n"
    (folder / "src" / "magics.h").write_text(define + "".join(lists))


@pytest.fixture
def folder(here) -> Path:
    """The folder of somebody who follows the documents."""
    text = source_of("surge", "{2:#x}ull", "const uint64_t {}Magics[64]")
    zeros = f"[64] = {{ {', '.join(['0ull'] * 64)} }};\n"
    attack = (ROOT / "tests" / "functions" / "samples" / "hyperbola_byteswap.c").read_text()
    right = (
        "enum Piece { ROOK };\ntemplate <Piece> inline uint64_t attacks_bb(int square, uint64_t "
    )
    right += "occupied) { return rook_attacks(square, occupied); }\n"
    right += "inline uint64_t attacks(Piece piece, int square, uint64_t occupied) "
    right += "{ return piece == ROOK ? attacks_bb<ROOK>(square, occupied) : 0; }\n"
    surge = "# Written by magicert import\n" + find_table("surge").read_text("utf-8")
    for place in ("src", "tests", "build"):
        (here / place).mkdir()
    command = {"directory": str(here), "file": "src/attacks.h", "command": "c++ -O2 src/attacks.h"}
    (here / "build" / "compile_commands.json").write_text(json.dumps([command]), "utf-8")
    for name, written in {
        "src/bitboard.cpp": text,
        "engine.c": text + "".join(f"const uint64_t {p}_constant{zeros}" for p in Piece),
        "src/attacks.h": attack + right,
        "attack.c": attack.replace("UINT64_C(1) << square", "1 << square"),
        "words.txt": "apple\npear\nplum\nfig\nlemon\nlime\n",
        "my-engine.toml": surge,
        "found.toml": 'cell = "rook g1, 10 bits"\nmagic = "0x1c00169a9b2fffd8"\n'
        'finder = "somebody"\ndate = "2026-05-31"\nsource = "a day before"\n',
    }.items():
        (here / name).write_text(written, "utf-8")
    for place in ("tables", "tests/source", "tests/functions"):
        (here / place).symlink_to(ROOT / place)
    return here


ALL = {path: list(examples(path)) for path in DOCUMENTS}
RUN = {path: found for path in ALL if (found := [e for e in ALL[path] if not e.listed(SKIPPED)])}
ABOUT_FUNCTIONS = {path for path in DOCUMENTS if path.name.startswith("functions")}
IN_LONG = {path for path in DOCUMENTS if path in ABOUT_FUNCTIONS or path.name == "finders.md"}
"""Their examples call a compiler several times, or search for seconds."""
LONG = [path for path, shown in RUN.items() if any(example.listed(SLOW) for example in shown)]


@pytest.mark.parametrize(
    ("path", "all_of_them"),
    [
        *(
            pytest.param(path, False, marks=[pytest.mark.long] if path in IN_LONG else [])
            for path in RUN
        ),
        *(pytest.param(path, True, marks=pytest.mark.slow) for path in LONG),
    ],
    ids=lambda given: getattr(given, "name", str(given)),
)
def test_examples(run, path, folder, all_of_them):
    if "src/magics.h" in path.read_text("utf-8"):
        write_xiangqi(folder)
    for example in RUN[path]:
        if all_of_them or not example.listed(SLOW):
            run_one(run, example)


@pytest.mark.toolchain
def test_the_programs_of_variants_are_built_and_run(run, folder):
    """All of its page, in order, with the programs that it shows; the tables are under 300 KB."""
    if not (shutil.which("go") and shutil.which("node")):
        pytest.skip("no go or no node here")
    path = ROOT / "docs" / "variants.md"
    write_xiangqi(folder)
    text = path.read_text("utf-8")
    for name, program in re.findall(r"^```(?:go|js)\n// (\S+)\n(.*?)^```", text, re.M | re.S):
        (folder / name).write_text(program, "utf-8")

    def shell(line: str) -> str:
        return subprocess.run(
            line, shell=True, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    build = ""
    for example in ALL[path]:
        if example.words[0] == "magicert":
            run_one(run, example)
        else:
            assert re.fullmatch(pattern(example.output or ""), shell(example.line).rstrip())
            build = build or example.line
    size = (folder / "engine.wasm").stat().st_size
    main = folder / "main.go"
    main.write_text(re.sub(r"\w+Attacks\(e5, (\w+)\)", r"\1.Lsh(uint64(e5))", main.read_text()))
    shell(build)
    assert 100_000 < size - (folder / "engine.wasm").stat().st_size < 300_000


def test_what_is_listed_is_shown_and_a_shown_script_is_there():
    every = [example for shown in ALL.values() for example in shown]
    listed = [*SLOW, *SKIPPED]
    assert [entry for entry in listed if not any(e.listed([entry]) for e in every)] == []
    assert {example.output is None for example in every} == {True, False}
    named = {script(e.line.split()) for e in every if e.line.startswith("python ")}
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def script(words: list[str]) -> str:
    """The file that Python is given, or that of a module (`-m`)."""
    if words[1] != "-m":
        return words[1]
    module = words[2].replace(".", "/")
    return f"{module}.py" if (ROOT / f"{module}.py").is_file() else f"{module}/__main__.py"


@pytest.mark.cases_of("what_an_output_matches.tsv")
def test_what_an_output_matches(shown, printed, same):
    assert bool(re.fullmatch(pattern(shown), printed)) == (same == "yes")


def test_a_wrong_example_is_noticed(run):
    line = "magicert show rook a1"
    for wrong in (line, "rook a2"), (f"{line[:-1]}9", None), (f"{line}   # IMPOSSIBLE", None):
        with pytest.raises(AssertionError):
            run_one(run, Example(*wrong))
