"""Prove engines again, each by its whole command at its commit: is tables/engines.tsv right?

    python tools/engines.py --list
    python tools/engines.py Stockfish Weiss                      # fetched from GitHub
    python tools/engines.py --all --mirrors /mirrors --keep /tmp/engines
    python tools/engines.py Berserk --write                      # a row that has no verdict yet

A row has all that this needs: repository, commit, command, and in `glue` the place of a file that
lies in tables/engines/ and is put among the engine's own. The files of that commit alone are
written, into a folder that is removed afterwards (--keep FOLDER: it stays), and the command runs
there.

An engine is a stranger's code: it is compiled, and what its command says runs: --init and --run its
functions. What stands before `&& magicert` runs only with --builds: `cargo build`, for example,
which runs its build scripts.

What differs from the row (verdict, kinds, squares) is said, and the row stays as it is: --replace
writes what was found in its place. Seconds are told and never a difference: they are the machine's.
Exit status: 0 all as their rows say, 1 something differs, 2 no such row, or nothing to fetch.
"""

import argparse
import csv
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

TABLE = Path(__file__).parents[1] / "tables" / "engines.tsv"
FIELDS = (
    "name", "repository", "commit", "author", "language", "command", "glue", "kinds", "squares",
    "tries", "seconds", "verdict", "reason", "date",
)  # fmt: skip
FOUND = ("kinds", "squares", "verdict")
"""What a run finds, and a row is held against."""
VERDICTS = {0: "valid", 1: "invalid", 2: "refused", 3: "not decided"}
"""By the exit status of `magicert verify`."""


@dataclass(frozen=True, slots=True)
class Proved:
    """What came of a command: the fields that a row has of it, and what was said where it is not
    valid.
    """

    kinds: str
    squares: str
    verdict: str
    seconds: int
    said: str

    def differences(self, row: Mapping[str, str]) -> list[str]:
        """Where a row says something else."""
        pairs = ((field, row[field], getattr(self, field)) for field in FOUND)
        return [f"{field} {known}, found {new}" for field, known, new in pairs if known != new]


def main(words: Sequence[str] | None = None) -> int:
    """Prove the rows that were named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows of the table, by their name")
    parser.add_argument("--all", action="store_true", help="every row")
    parser.add_argument("--list", action="store_true", help="show the rows, and do nothing")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--mirrors", type=Path, help="a folder of OWNER+NAME/repo git directories")
    parser.add_argument("--github", default="https://github.com", help="where OWNER/NAME is else")
    parser.add_argument("--keep", type=Path, help="write the files here, and leave them")
    parser.add_argument("--builds", action="store_true", help="run what stands before magicert")
    parser.add_argument("--budget", default="10m", help="for each command")
    parser.add_argument("--write", action="store_true", help="fill in rows without a verdict")
    parser.add_argument("--replace", action="store_true", help="write over what differs, too")
    given = parser.parse_args(words)
    rows = read(given.table)
    if unknown := set(given.names) - {row["name"] for row in rows}:
        print(f"{given.table}: no row of the name {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    chosen = [row for row in rows if given.all or row["name"] in given.names]
    if given.list or not chosen:
        for row in chosen or rows:
            print(f"{row['name']}\t{row['verdict'] or 'no verdict yet'}\t{row['command']}")
        return 0
    status = 0
    for row in chosen:
        status = max(status, _one(row, given))
        if given.write or given.replace:
            write(given.table, rows)
    return status


def _one(row: dict[str, str], given: argparse.Namespace) -> int:
    """Prove a row, say what came of it, and enter what may be entered."""
    before, joined, _ = row["command"].rpartition(" && ")
    if joined and not given.builds:
        print(f"{row['name']}: left out without --builds, which lets this run: {before}")
        return 0
    with ExitStack() as stack:
        work = given.keep or Path(stack.enter_context(TemporaryDirectory(prefix="engines-")))
        folder = work / row["name"].replace("/", "-").replace(" ", "-")
        try:
            repository = fetched(row, work, given.mirrors, given.github)
            export(repository, row["commit"], folder)
        except subprocess.CalledProcessError as error:
            print(f"{row['name']}: not fetched: {error.stderr.decode().strip()}", file=sys.stderr)
            return 2
        if row["glue"]:
            ours = given.table.parent / "engines" / Path(row["glue"]).name
            (folder / row["glue"]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ours, folder / row["glue"])
        found = proved(row["command"], folder, given.budget)
    new = not row["verdict"]
    differences = [] if new else found.differences(row)
    told = f"{found.verdict}, {found.squares or 'no'} squares, {found.seconds} s"
    told += f" (the row has {row['seconds'] or '?'} s)" * (not new)
    print(f"{row['name']}: {told}{''.join(f'; differs: {one}' for one in differences)}")
    if found.said:
        print(f"    {found.said}")
    if (new and given.write) or (differences and given.replace):
        row |= {field: getattr(found, field) for field in FOUND}
        row["seconds"], row["date"] = str(found.seconds), f"{datetime.now(UTC):%Y-%m-%d}"
    return int(bool(differences))


def read(table: Path) -> list[dict[str, str]]:
    """The rows of the table. Raises ValueError where its columns are others."""
    with table.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        if tuple(rows.fieldnames or ()) != FIELDS:
            message = f"{table}: expected the columns {', '.join(FIELDS)}"
            raise ValueError(message)
        return [*rows]


def write(table: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """The whole table, in the order of its names."""
    ordered = sorted(rows, key=lambda row: row["name"].lower())
    lines = ["\t".join(FIELDS), *("\t".join(row[field] for field in FIELDS) for row in ordered)]
    table.write_text("\n".join([*lines, ""]), "utf-8")


def _git(*words: str | Path, given: bytes | None = None) -> bytes:
    """What git says. No hook runs, and nobody is asked for a password."""
    command = ["git", "-c", f"core.hooksPath={os.devnull}", *map(str, words)]
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, input=given, capture_output=True, check=True, env=environment)
    return done.stdout


def fetched(row: Mapping[str, str], work: Path, mirrors: Path | None, github: str) -> Path:
    """A git directory that has the row's commit: a mirror's, or a new one. Raises
    CalledProcessError with git's words.
    """
    name = row["repository"].replace("/", "+")
    for there in (mirrors / name / "repo", mirrors / name) if mirrors else ():
        if (there / "HEAD").is_file():
            return there
    made = work / f"{name}.git"
    _git("init", "--bare", "--quiet", made)
    from_where = f"{github}/{row['repository']}"
    _git(f"--git-dir={made}", "fetch", "--quiet", "--depth", "1", from_where, row["commit"])
    return made


def export(repository: Path, commit: str, folder: Path) -> None:
    """Write the files of a commit: none that is a link, nor one that a mirror does not have."""
    git = f"--git-dir={repository}"
    for line in _git(git, "ls-tree", "-r", "-z", commit).split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = Path(os.fsdecode(name))
        is_file = about.startswith(b"100")
        if not is_file or path.is_absolute() or {"..", ".git"} & {*path.parts}:
            continue
        found = _git(git, "cat-file", "--batch", given=about.split()[2] + b"\n")
        head, _, text = found.partition(b"\n")
        if not head.endswith(b"missing"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text[:-1])


def proved(command: str, folder: Path, budget: str) -> Proved:
    """What a whole command comes to in a folder: its parts are joined by `&&`, the last one is
    `magicert verify`, and a shell runs what stands before.
    """
    before, joined, last = command.rpartition(" && ")
    environment = _after(before, folder) if joined else dict(os.environ)
    words = [Template(word).safe_substitute(environment) for word in shlex.split(last)]
    while "=" in words[0]:  # as in NAME=value magicert verify
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if words[:2] != ["magicert", "verify"]:
        message = f"expected magicert verify: {last}"
        raise ValueError(message)
    # -P: what lies in the folder by the name of a module is not imported.
    program = [sys.executable, "-P", "-m", "magicert", "verify", "--json", "--no-cache"]
    options = [] if "--budget" in words else ["--budget", budget]
    began = _seconds()
    done = subprocess.run(
        [*program, *options, *_expanded(words[2:], folder)], cwd=folder, capture_output=True,
        text=True, stdin=subprocess.DEVNULL, check=False, env=environment,
    )  # fmt: skip
    seconds = round(_seconds() - began)
    said = done.stderr.strip().splitlines()[-1:]
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = {"verdict": "no answer"}
    functions = document.get("functions", ())
    kinds = [_kind(function) for function in functions]
    squares = [square for one in functions for square in one["squares"]]
    right = min(
        (sum(square["outcome"] == "proved" for square in one["squares"]) for one in functions),
        default=0,
    )
    told = [one["message"] for one in document.get("problems", ()) if "message" in one]
    told += [square["message"] for square in squares if "message" in square][:1]
    told += [document["reason"]] if "reason" in document else []
    verdict = VERDICTS.get(done.returncode, f"exit status {done.returncode}")
    return Proved(
        " ".join(kinds), str(right or ""), verdict, seconds,
        "" if verdict == "valid" else "; ".join(told or said)[:600],
    )  # fmt: skip


def _after(before: str, folder: Path) -> dict[str, str]:
    """The environment in which a shell ends that runs these words."""
    with TemporaryDirectory(prefix="engines-") as beside:
        exported = Path(beside) / "environment"
        words = f"{before} && env -0 > {shlex.quote(str(exported))}"
        subprocess.run(["sh", "-c", words], cwd=folder, check=True)
        pairs = os.fsdecode(exported.read_bytes()).split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def _kind(function: Mapping[str, str]) -> str:
    kind, piece = function["kind"], function["piece"]
    return piece if kind == "attacks" else f"{kind} {piece}"


def _expanded(words: Sequence[str], folder: Path) -> Iterator[str]:
    """Words with the files that a * stands for, of LLVM's assembly, whose names cargo makes."""
    for word in words:
        if word.endswith(".ll") and "*" in word:
            yield from (str(one.relative_to(folder)) for one in sorted(folder.glob(word)))
        else:
            yield word


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
