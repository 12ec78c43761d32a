"""What two checkouts print for the same commands, and which commands differ.

    python tools/same_bytes.py OLD NEW                        # all kinds, the quick ones first
    python tools/same_bytes.py OLD NEW --kinds bad,sessions   # only these
    python tools/same_bytes.py OLD NEW --match 'find.*--set' --ignore '// To check its numbers.*'

Each command of OLD's documents, tests of messages, tables and samples runs once with each checkout,
as a process of its own in a folder that has what the tests give it. Standard output, standard
error, exit status and the files that a session leaves are compared. Seconds, lines of progress,
folders and the place of usage beside an error are taken out first. What takes longer than --limit
with one of the two is named, and not compared.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDERS = """
import importlib.util, sys
from pathlib import Path
tests, target = Path("tests").resolve(), Path(sys.argv[1])
def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
def call(fixture, *values):
    return fixture._get_wrapped_function()(*values)
for name in ("bad", "documents", "sessions"):
    (target / name).mkdir()
outputs = load(tests / "cli" / "test_outputs.py")
for name, data in outputs.FILES.items():
    (target / "bad" / name).write_bytes(data)
for name in ("folder", "empty", "full"):
    (target / "bad" / name).mkdir()
(target / "bad" / "full" / "file").touch()
(target / "bad" / "link.c").symlink_to("bbc.c")
call(load(tests / "project" / "test_documents.py").folder, target / "documents")
half = call(load(tests / "conftest.py").half_board)
call(load(tests / "cli" / "test_help.py").folder, target / "sessions", half)
"""
"""Makes the folders of the tests of OLD by their own fixtures."""

LANGUAGES = (
    "c", "c++", "csharp", "go", "java", "javascript", "python", "rust", "typescript", "zig",
)  # fmt: skip


SHELL = ("|", ">", "2>", "&&", "||", "&")
"""Where a command line of a document goes on with the shell's."""


SECONDS = re.compile(r'("seconds": |seconds (?:of [a-z]+ )?)[0-9.e-]+|\b[0-9.,]+ (?=s\b)')
"""What took how long."""
PROGRESS = r"[a-z]+ing .*: (\.\.\.|S .*|[0-9,]+ of [0-9,]+\b.*)|(trial|set of)\b.*\.\.\."
"""Lines that depend on how quick the machine is."""


@dataclass(frozen=True, slots=True)
class Session:
    """Commands that run one after the other in one folder. `folder` names what is in it."""

    folder: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a command did; `files` are those that it left, with their contents."""

    output: str
    errors: str
    status: int | None
    files: Mapping[str, str]


def bad_input(old: Path) -> Iterator[Session]:
    """Each wrong command line of the tests, on its own."""
    text = (old / "tests/cli/bad_input.txt").read_text("utf-8")
    for part in re.split(r"\n(?=\S)", text)[1:]:
        yield Session("bad", (part.splitlines()[0],))


def refusals(old: Path) -> Iterator[Session]:
    """What is refused before any work."""
    for path in sorted(old.glob("tests/**/refusals.toml")):
        for rows in tomllib.loads(path.read_text("utf-8")).values():
            for row in rows:
                yield Session("bad", (str(row[1]).replace("BOARDS", str(old / "tables/boards")),))


def said(old: Path) -> Iterator[Session]:
    """Commands in files of cases, where a whole one stands in the column `words`."""
    for path in sorted(old.glob("tests/c*/*.tsv")):
        lines = path.read_text("utf-8").splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        if rows[0][0] == "words":
            for row in rows[1:]:
                shipped = str(old / "tables/atlas.toml")
                yield Session("bad", (row[0].replace("SHIPPED", shipped),))


def sessions(old: Path) -> Iterator[Session]:
    """The sessions of the tests."""
    text = (old / "tests/cli/sessions.txt").read_text("utf-8")
    for part in text.split("\n\n")[1:]:
        yield Session("sessions", tuple(re.findall(r"^\d?\$ (.+)$", part, re.MULTILINE)))


def documents(old: Path) -> Iterator[Session]:
    """The examples of each document, with a budget of a second."""
    listed = tomllib.loads((old / "tests/project/shell_examples.toml").read_text("utf-8"))
    left_out = (*listed["slow"], *listed["skipped"])
    for path in sorted([old / "README.md", *old.glob("docs/*.md")]):
        text = path.read_text("utf-8")
        lines = re.findall(r"^(?:\$ |    )(magicert .+)$", text, re.MULTILINE)
        commands = [
            re.sub(r"--budget \w+", "--budget 1s", re.sub(r"\s#.*", "", line))[9:]
            for line in lines if not line.startswith(left_out)
        ]  # fmt: skip
        yield Session("documents", tuple(commands))


def helps(old: Path) -> Iterator[Session]:
    """Help of every command, by the names that OLD's own help has."""
    names = re.findall(r"^  ([a-z-]+)  ", _help(old), re.MULTILINE)
    yield Session("bad", ("", "--help", "help"))
    yield Session("bad", tuple(f"{name} --help-all" for name in names))


def _help(checkout: Path) -> str:
    process = [sys.executable, "-P", "-m", "magicert", "--help"]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    return subprocess.check_output(process, env=environment, text=True)


def tables(old: Path) -> Iterator[Session]:
    """Every table that ships, verified."""
    for folder in "published", "records", "boards", "broken":
        for path in sorted((old / "tables" / folder).glob("*.toml")):
            name = path.relative_to(old)
            yield Session("documents", (f"verify {name}", f"verify {name} --json"))


def samples(old: Path) -> Iterator[Session]:
    """Every sample of a source, verified and imported."""
    for path in sorted((old / "tests/source/samples").glob("*.*")):
        name = f"samples/{path.name}"
        commands = f"verify {name}", f"verify {name} --json", f"import {name} -o -"
        yield Session("sessions", commands)


def emitted(_: Path) -> Iterator[Session]:
    """A table of each kind in every language."""
    for table in "shakmaty", "carp", "black", "layered", "two_level", "pikafish_rook":
        for language in LANGUAGES:
            words = f"emit {table} --lang {language}"
            yield Session("bad", (words, f"{words} --literal"))


OTHERS = """
show rook e4
show bishop c1 --occupancy e3,b2 --table shakmaty
show rook e4 --json
atlas --json
atlas --ranges
atlas --cell rook b2
tables
tables --json
export bishop d1 --bits 4 --format smt2 -o x.smt2
export bishop d1 --bits 4 --format dimacs -o x.cnf
lemma shakmaty --json
gather --json
find rook e4 --json
find rook b2 --bits 9 --json
find rook e4 --search --json
find lowest-bit
find rook e4 --engine trial --seed 3 --json
find bishop d8 --bits 5 --scheme black --json
find rook e4 --set
find --set --sizes
find --set --sizes --json
disprove rook b2 --bits 9 --json
pack --limit 100
check nothing.xz
docs
docs glossary -q
completion bash
-V
report shakmaty
report olah_bad_4425a97 -o x.html
fix bbc.c -o x.c
fix bbc.c --json
"""


def others(old: Path) -> Iterator[Session]:
    """Answers that are known, sets, certificates."""
    for path in sorted((old / "tables/certificates").glob("*.cover.xz")):
        if path.stat().st_size < 20_000:
            yield Session("documents", (f"check {path.relative_to(old)} --json",))
    for seed in "12":
        more = f"--board 9x10 --piece rook --piece cannon --form lines --seed {seed} -o set.toml"
        yield Session("bad", (f"find --set --seed {seed} -o set.toml",))
        yield Session("bad", (f"find --set {more}", "verify set.toml --json"))
    for command in OTHERS.strip().splitlines():
        yield Session("bad", (command,))


KINDS = {
    "bad": bad_input, "refusals": refusals, "said": said, "help": helps, "sessions": sessions,
    "documents": documents, "others": others, "emit": emitted, "samples": samples, "tables": tables,
}  # fmt: skip


class Checkout:
    """A checkout, and how its commands are run."""

    def __init__(self, root: Path, scratch: Path, limit: float, ignored: str) -> None:
        self.root = root.resolve()
        self.scratch = scratch
        self.limit = limit
        self.ignored = re.compile(f"{PROGRESS}|{ignored}")
        self.environment = {
            **os.environ, "PYTHONPATH": str(self.root), "COLUMNS": "100", "NO_COLOR": "1",
            "PYTHONPYCACHEPREFIX": str(scratch / "pyc"), "XDG_CACHE_HOME": str(scratch / "cache"),
            "PYTHONHASHSEED": "0", "GIT_CEILING_DIRECTORIES": str(scratch),
        }  # fmt: skip
        self.environment.pop("MAGICERT_DATA", None)
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(self, session: Session, template: Path) -> list[Result]:
        """The results of a session's commands; it ends at the first that takes too long."""
        folder = Path(tempfile.mkdtemp(dir=self.scratch)) / "folder"
        shutil.copytree(template / session.folder, folder, symlinks=True)
        for link, target in (("tables", "tables"), ("samples", "tests/source/samples"),
                             ("tests/source", "tests/source")):  # fmt: skip
            if (folder / link).is_symlink():
                (folder / link).unlink()
                (folder / link).symlink_to(self.root / target)
        results = []
        for command in session.commands:
            before = contents(folder)
            results.append(self._run_command(command, folder, before))
            if results[-1].status is None:
                break
        shutil.rmtree(folder.parent)
        return results

    def _run_command(self, command: str, folder: Path, before: Mapping[str, bytes]) -> Result:
        line, _, given = command.partition(" < ")
        words = [sys.executable, "-P", "-m", "magicert", *words_of(line)]
        source = (folder / given).open("rb") if given else subprocess.DEVNULL
        with subprocess.Popen(
            words, cwd=folder, env=self.environment, stdin=source, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                output, errors = process.communicate(timeout=self.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return Result("", "", None, {})
        after = contents(folder)
        changed = {
            name: self.plain(data)
            for name, data in sorted(after.items()) if before.get(name) != data
        }  # fmt: skip
        gone = dict.fromkeys(before.keys() - after.keys(), "(removed)")
        return Result(self.plain(output), self.plain(errors), process.returncode, changed | gone)

    def plain(self, data: bytes) -> str:
        """Text without what differs from run to run, or from folder to folder."""
        text = data.decode("utf-8", "backslashreplace")
        text = text.replace(str(self.root), "CHECKOUT")
        text = re.sub(re.escape(str(self.scratch)) + r"/\w+/folder", "FOLDER", text)
        text = SECONDS.sub(r"\1S ", text)
        lines = (line for line in text.split("\n") if not self.ignored.fullmatch(line))
        text = "\n".join(lines)
        return re.sub(r"(Usage: .*\n(?:  .*\n)*Try .*\n)\n(Error: [\s\S]*)", r"\2\1", text)


def words_of(line: str) -> list[str]:
    """The words of a command line, up to a pipe or the like."""
    words = shlex.split(line)
    return words[: next((i for i, word in enumerate(words) if word in SHELL), len(words))]


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder, links left out."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def differences(old: Result, new: Result) -> Iterator[str]:
    """Lines that say what differs."""
    if old.status != new.status:
        yield f"exit status {old.status}, now {new.status}"
    names = sorted(old.files.keys() | new.files.keys())
    texts = [("stdout", old.output, new.output), ("stderr", old.errors, new.errors)]
    texts += [(name, old.files.get(name, ""), new.files.get(name, "")) for name in names]
    for name, before, after in texts:
        if before != after:
            yield f"{name}:"
            lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
            yield from (line[:400] for line in [*lines][2:] if line[:2] != "@@")


def compare(
    session: Session, checkouts: tuple[Checkout, Checkout], template: Path
) -> Iterator[tuple[str, list[str]]]:
    """Each command of a session that both ran, with what differs."""
    with ThreadPoolExecutor(2) as pool:
        old, new = pool.map(lambda checkout: checkout.run(session, template), checkouts)
    for command, before, after in zip(session.commands, old, new, strict=False):
        both = {"old": before, "new": after}
        if slow := [name for name, result in both.items() if result.status is None]:
            yield command, [f"not compared, for it took too long: {' and '.join(slow)}"]
            return
        yield command, list(differences(before, after))


def main() -> int:
    """Compare, and print what differs. Exit status 1 if something does."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--match", default="", help="only commands with this expression in them")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a command")
    parser.add_argument("--ignore", default="$.", help="lines that were changed on purpose")
    options = parser.parse_args()
    count = different = 0
    with tempfile.TemporaryDirectory(prefix="same_bytes.") as name:
        scratch = Path(name)
        for part in "template", "old", "new":
            (scratch / part).mkdir()
        old = Checkout(options.old, scratch / "old", options.limit, options.ignore)
        new = Checkout(options.new, scratch / "new", options.limit, options.ignore)
        make = [sys.executable, "-P", "-c", FOLDERS, str(scratch / "template")]
        subprocess.run(make, cwd=old.root, env=old.environment, check=True)
        for kind in options.kinds.split(","):
            for session in unique(KINDS[kind](old.root)):
                if not any(re.search(options.match, command) for command in session.commands):
                    continue
                for command, lines in compare(session, (old, new), scratch / "template"):
                    count += 1
                    different += bool(lines)
                    if lines:
                        print(f"{kind}: magicert {command}", *lines, sep="\n    ", flush=True)
            print(f"# {kind}: {count} commands so far, {different} of them differ", flush=True)
    return 1 if different else 0


def unique(every: Iterable[Session]) -> Iterator[Session]:
    """Each session once."""
    yield from dict.fromkeys(every)


if __name__ == "__main__":
    sys.exit(main())
