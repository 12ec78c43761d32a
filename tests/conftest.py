"""What all tests share: the data, a command runner, strategies for formulas."""

import gc
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, Phase, settings

import magicert
from magicert.chess import Piece
from magicert.data import find_table, tables_folder
from magicert.languages import language
from magicert.system import processes
from magicert.table import Table, read_table

settings.register_profile(
    "magicert",
    max_examples=40,  # for tests that do not say
    derandomize=True,  # what passes here passes on a stranger's machine
    deadline=None,  # a first call may build tables; nothing here is a timed assertion
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
# A mutant is dead with its first failing example: nobody reads the smallest one.
settings.register_profile(
    "mutants", settings.get_profile("magicert"), phases=[Phase.explicit, Phase.generate]
)
# pytest --hypothesis-profile=thorough: every run draws other examples
settings.register_profile(
    "thorough", settings.get_profile("magicert"), max_examples=400, derandomize=False
)
settings.load_profile("magicert")

if (zig := find_spec("ziglang")) is not None:  # a compiler as a Python package
    os.environ["PATH"] += f"{os.pathsep}{Path(str(zig.origin)).parent}"


TOOLCHAINS = {
    "csharp", "go", "java", "javascript", "typescript", "zig", "clippy", "gofmt",
}  # fmt: skip
"""What is compiled and run by `make toolchains`, not by the gate."""
COMPILING = {
    "test_emit_run", "test_board_programs", "test_harness", "test_every_interpretation",
    "test_constructor",
}  # fmt: skip
PACKAGING = {"test_browser", "test_wheel"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what wants a toolchain: compilers other than C, C++, Rust and Python; browsers; pip.
    And of lists of many alike what the gate leaves to `make long`.
    """
    seen = Counter[tuple[str, ...]]()
    for item in items:
        name = item.path.stem
        given = getattr(getattr(item, "callspec", None), "params", {}).values()
        called = {str(value).partition(" ")[0] for value in given}
        called |= {word for word in TOOLCHAINS if f"_{word}_" in item.name}
        in_node = "in_node" in getattr(item, "fixturenames", ())
        wanted = in_node or name in PACKAGING or (name in COMPILING and called & TOOLCHAINS)
        if wanted and not item.get_closest_marker("slow"):
            item.add_marker("toolchain")
        taken = item.get_closest_marker("gate_takes")
        if taken and not any(map(item.get_closest_marker, ("slow", "toolchain", "long"))):
            arguments = item.callspec.params  # type: ignore[attr-defined]
            each_of = taken.kwargs.get("each_of", "").split()
            kind = (item.nodeid.partition("[")[0], *(str(arguments[name]) for name in each_of))
            seen[kind] += 1
            if seen[kind] > taken.kwargs.get("first", 1):
                item.add_marker("long")


def pytest_collection_finish() -> None:
    """Thousands of tests are there to the end: what collects garbage need not look at them."""
    gc.collect()
    gc.freeze()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`@pytest.mark.cases_of("FILE.tsv")`: a case for each line of a file beside the test. The
    first line names the arguments; lines that begin with # are comments.
    """
    for marker in metafunc.definition.iter_markers("cases_of"):
        path = metafunc.definition.path.with_name(marker.args[0])
        lines = path.read_text("utf-8").splitlines()
        names, *rows = (line.split("\t") for line in lines if not line.startswith("#"))
        cases = [[cell.replace("\\n", "\n") for cell in row] for row in rows]
        metafunc.parametrize(names, cases)


def pytest_configure() -> None:
    """The gate tests the built wheel: refuse to test a checkout by accident.

    A wheel lacks large certificates: the tests take all data from the checkout, except those in
    tests/api that look at what a wheel carries.
    """
    # A shell that runs them in the background lets them ignore Ctrl-C, nohup the end of a session;
    # and their children, too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.environ.setdefault("MAGICERT_DATA", str(Path(__file__).parents[1] / "tables"))
    # No folder can be made there: what a test finds must not depend on what ran before.
    os.environ.setdefault("MAGICERT_CACHE", str(Path(os.devnull) / "none"))
    if os.environ.get("MAGICERT_TEST_WHEEL"):
        site = Path(sysconfig.get_paths()["purelib"]).resolve()
        if not Path(magicert.__file__).resolve().is_relative_to(site):
            raise pytest.UsageError(f"magicert comes from {magicert.__file__}, not from the wheel")


LOADED = ["magicert.functions.work", "magicert.z3models.methods", "magicert.search.shards.shard"]
"""What most children of a test import first."""
IN_A_COPY = """
import os
os.environ.clear()
os.environ.update(environment)
target(*args, **kwargs)
"""


@pytest.fixture(scope="session", autouse=True)
def _children_begin_with_their_libraries_loaded(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Solvers' processes and the workers of pools begin as copies of a process that has imported
    numba and Z3 once, which takes a second or two. Users' are begun anew: so are those that a test
    begins with `child`, and on other systems all.
    """
    if sys.platform != "linux":
        yield
        return
    from multiprocessing.context import ForkServerContext

    begin = str(tmp_path_factory.mktemp("begin") / "in_a_copy.py")
    Path(begin).write_text(IN_A_COPY, "utf-8")

    class Copies(ForkServerContext):
        def Process(self, *, target, args=(), kwargs=None, **more):  # noqa: N802
            given = {"target": target, "args": args, "kwargs": kwargs or {}}
            given["environment"] = dict(os.environ)
            return super().Process(target=run_path, args=(begin, given), **more)

    copies, other = Copies(), multiprocessing.get_context
    copies.set_forkserver_preload(LOADED)

    def context(method: str | None = None) -> Any:
        return copies if method == "spawn" else other(method)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing, "get_context", context)
        patch.setattr(processes, "get_context", context)
        yield


PARSED_BY_A_COPY = language._survives


@pytest.fixture(scope="session", autouse=True)
def _texts_are_parsed_here_alone() -> Iterator[None]:
    """A copy of a process that has grown with a thousand tests costs more than the parse."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(language, "_survives", lambda *_: True)
        yield


@pytest.fixture
def parsed_by_a_copy_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """As users have it: for texts that may take the grammar minutes and gigabytes."""
    monkeypatch.setattr(language, "_survives", PARSED_BY_A_COPY)


@pytest.fixture(scope="session")
def tables() -> Path:
    """The folder of published tables."""
    return tables_folder()


@pytest.fixture(scope="session")
def expected(tables: Path) -> dict[str, Any]:
    """What an independent check says of the corpus."""
    expectations: dict[str, Any] = json.loads((tables / "expected.json").read_text())
    return expectations


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Run a magicert command in this process: `run("verify", path, status=0)` gives click's Result,
    if it ends so.
    """
    from magicert.commands.app import cli

    def command(
        *arguments: str | Path, stdin: bytes | None = None, status: int | None = None
    ) -> Result:
        result = CliRunner().invoke(cli, [str(a) for a in arguments], input=stdin)
        assert status in (None, result.exit_code), result.output
        return result

    return command


# Messages by their facts, so that a better sentence breaks no test.

SENTENCE = re.compile(r"(?:\b[a-z]+[ ,:]+){4}")
"""What a line has that is more than a place, a name or a value: four plain words in a row."""
VERDICTS = {"valid", "invalid", "unknown", "undecided", "impossible", "exists", "refuted", "proved"}


def facts_of(line: str) -> list[str]:
    """What a line states however it is worded: places, options, numbers, quoted names, verdicts. A
    line that is no sentence is one fact, and so is a sentence of plain words only.
    """
    if not SENTENCE.search(line):
        return [line]
    words = [word.strip(",;.:()") for word in line.split()]
    facts = [
        word for word in words if not re.fullmatch(r"[A-Za-z]*('s)?", word) or word in VERDICTS
    ]
    return facts or [line]


@pytest.fixture(scope="session")
def lacking() -> Callable[[Sequence[str], str], list[str]]:
    """The facts of lines that a message does not have."""
    return lambda lines, message: [
        fact for line in lines for fact in facts_of(line) if fact not in message
    ]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Child:
    """Processes that import what is installed, and nothing from the folder that they start in."""

    python = (sys.executable, "-P")
    magicert = (*python, "-m", "magicert")
    impatient = (
        *python, "-c",
        "from magicert.show import progress; progress.LINE_EVERY = 0.1; "
        "from magicert.commands import main; main()",
    )  # fmt: skip
    """The command, whose first line about its progress comes at once, not after ten seconds."""
    lost = 300
    """Seconds after which a signal counts as lost: far more than any machine needs."""

    def run(self, *arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """The command as a process of its own, to its end."""
        words = [*self.magicert, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, **options)

    def says(self, code: str, *arguments: str | Path, **options: Any) -> Any:
        """What a program in Python prints."""
        words = [*self.python, "-c", code, *map(str, arguments)]
        return subprocess.run(
            words, stdout=subprocess.PIPE, text=True, check=True, **options
        ).stdout

    def start(
        self, *arguments: str | Path, command: Sequence[str] = magicert, **options: Any
    ) -> subprocess.Popen[str]:
        """The command as a process that runs on; stdout and stderr are pipes."""
        words = [*command, *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(words, **{**pipes, "text": True, **options})


@pytest.fixture(scope="session")
def child() -> Child:
    """Starts commands, or Python, as processes of their own."""
    return Child()


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A table that takes for ever: the whole board can change its index, but hardly does."""
    text = find_table("bbc").read_text("utf-8")
    odd = " + ((popcount(occ & ~mask) >> 5) << 40)"
    text = text.replace(">> (64 - bits)", f">> (64 - bits)){odd}").replace('"((occ', '"(((occ')
    path = tmp_path / "endless.toml"
    path.write_text(text.replace("bits = [", "square_size = 4096\nbits = ["))
    return path


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch):
    """Packing from nothing in seconds, and not so well: small pools, few holes looked at."""
    from magicert.compact import start
    from magicert.compact.kernels import WalkEffort

    monkeypatch.setattr(start, "EFFORTS", dict.fromkeys(Piece, (1, 12_000)))
    monkeypatch.setattr(start, "WINDOWS_ANNEALED", 2)
    monkeypatch.setattr(start, "IN_HOLES", WalkEffort(2_000, 4.0, 0.3))
    monkeypatch.setattr(start, "AT_END", WalkEffort(2_000, 12.0, 0.8))


@pytest.fixture(scope="session")
def half_board() -> Table:
    """A valid half board: ranks 1 to 4 of Cfish's black magics, with holes for the rest."""
    table = read_table(find_table("cfish_black")).table
    pieces = {
        piece: replace(
            half,
            offset=half.offset[:32] if half.offset else None,
            parameters={name: values[:32] for name, values in half.parameters.items()},
        )
        for piece, half in table.pieces.items()
    }
    return replace(table, pieces=pieces, half_board=True)


class Page(HTMLParser):
    """What a browser would make of a page: its tags, text, scripts, and what it would load."""

    LOADING = ("src", "href", "data", "action", "poster", "srcset", "xlink:href")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.html, self.inside = page, ""
        self.tags, self.loads, self.words, self.scripts = [], [], [], {}
        self.feed(page)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.loads += [str(value) for name, value in attrs if name in self.LOADING]
        self.loads += [name for name, _ in attrs if name.startswith("on")]
        self.inside = f"{tag} {dict(attrs).get('id')}" if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self.inside = "" if tag in ("script", "style") else self.inside

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data
        else:
            self.words.append(data)


@pytest.fixture
def read_page() -> Callable[[str], Page]:
    return Page
