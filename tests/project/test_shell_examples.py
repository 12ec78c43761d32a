"""Every shell example of the documents is run, and what it prints is what the document shows.

A line is run in its document's order, in a folder that has what the documents speak of: an engine's
source, a table, words, and this repository's tables/ and tests/source/. Where no output is shown,
the exit status is compared, and what a comment behind the line says of it
(`# IMPOSSIBLE`, `# all 9,547`). In an output `...` stands for anything on a line, and alone for
any lines. shell_examples.toml names what takes too long; a budget is cut to one second.
"""

import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece
from magicert.data import find_table
from magicert.table import read_table

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "site" / "index.md",
    ROOT / "proofs" / "README.md", *sorted((ROOT / "docs").glob("*.md")),
]  # fmt: skip
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


@pytest.fixture
def folder(here) -> Path:
    """The folder of somebody who follows the documents."""
    text = source_of("surge", "{2:#x}ull", "const uint64_t {}Magics[64]")
    zeros = f"[64] = {{ {', '.join(['0ull'] * 64)} }};\n"
    attack = (ROOT / "tests" / "function" / "samples" / "hyperbola_byteswap.c").read_text()
    surge = "# Written by magicert import\n" + find_table("surge").read_text("utf-8")
    for place in ("src", "tests"):
        (here / place).mkdir()
    for name, written in {
        "src/bitboard.cpp": text,
        "engine.c": text + "".join(f"const uint64_t {p}_constant{zeros}" for p in Piece),
        "attack.c": attack.replace("UINT64_C(1) << square", "1 << square"),
        "words.txt": "apple\npear\nplum\nfig\nlemon\nlime\n",
        "my-engine.toml": surge,
        "smaller.toml": surge,
        "found.toml": 'cell = "rook g1, 10 bits"\nmagic = "0x1c00169a9b2fffd8"\n'
        'finder = "somebody"\ndate = "2026-05-31"\nsource = "a day before"\n',
    }.items():
        (here / name).write_text(written, "utf-8")
    for place in ("tables", "tests/source"):
        (here / place).symlink_to(ROOT / place)
    return here


ALL = {path: list(examples(path)) for path in DOCUMENTS}
RUN = {path: found for path in ALL if (found := [e for e in ALL[path] if not e.listed(SKIPPED)])}
LONG = [path for path, shown in RUN.items() if any(example.listed(SLOW) for example in shown)]


@pytest.mark.parametrize(
    ("path", "all_of_them"),
    [
        *((path, False) for path in RUN),
        *(pytest.param(path, True, marks=pytest.mark.slow) for path in LONG),
    ],
    ids=lambda given: getattr(given, "name", str(given)),
)
def test_examples(run, path, folder, all_of_them):
    if "src/magics.h" in path.read_text("utf-8"):  # a xiangqi engine's source
        array, word = "Bitboard {}MagicsInit[90]", "B({0:#x}, {1:#x})"
        lists = (source_of(f"pikafish_{piece}", word, array) for piece in ("rook", "cannon"))
        define = "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)\n"
        (folder / "src" / "magics.h").write_text(define + "".join(lists))
    for example in RUN[path]:
        if all_of_them or not example.listed(SLOW):
            run_one(run, example)


def test_what_is_listed_is_shown_and_a_shown_script_is_there():
    every = [example for shown in ALL.values() for example in shown]
    listed = [*SLOW, *SKIPPED]
    assert [entry for entry in listed if not any(e.listed([entry]) for e in every)] == []
    assert sum(example.output is not None for example in every) >= 15
    assert sum(example.output is None for example in every) >= 80
    named = {e.line.split()[1] for e in every if e.line.startswith("python ")}
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_what_an_output_matches_and_that_a_wrong_one_is_noticed(run):
    for shown, printed, same in (
        ("a 1.5 s", "a 1.5 s", True),
        ("a 1.5 s", "a 1x5 s", False),
        ("a ... s\nb", "a 2 s\nb", True),
        ("a ... s\nb", "a 2 s\nc\nb", False),
        ("a\n...\nb", "a\nc\nd\nb", True),
        ("a\n...\nb", "a\nc\nd", False),
    ):
        assert bool(re.fullmatch(pattern(shown), printed)) is same
    line = "magicert show rook a1"
    for wrong in (line, "rook a2"), (f"{line[:-1]}9", None), (f"{line}   # IMPOSSIBLE", None):
        with pytest.raises(AssertionError):
            run_one(run, Example(*wrong))
