"""The command as a process of its own: imports, pipes, signals, a narrow terminal, progress."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from magicert.data import published_tables, tables_folder
from magicert.show import progress
from magicert.show.progress import ProgressDisplay

BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"
STEPS = tomllib.loads(Path(__file__).with_name("progress.toml").read_text("utf-8"))
LEAVES = tables_folder() / "certificates" / "bishop-e1-4.cover.xz"


def test_nothing_is_imported_that_is_not_needed(child):
    code = (
        "import sys\nfrom magicert.commands import main\n"
        "for words in sys.argv[1:]:\n"
        "    sys.argv[1:] = words.split()\n"
        "    try: main()\n"
        "    except SystemExit as end: assert not end.code\n"
        "print('MODULES', *sys.modules)"
    )
    helped = [f"{command} --help" for command in ("", "verify", "show", "tables", "find")]
    for commands, shown, needless in (
        (helped, "Usage", "numpy numba z3 msgspec distributed pysat sqlite3"),
        ([f"check {LEAVES}"], "valid ", "numba sqlite3 magicert.search"),
    ):
        text, _, modules = child.says(code, *commands).partition("MODULES ")
        assert text.count(shown) == len(commands)
        assert not {*needless.split()} & {*modules.split()}


@pytest.mark.parametrize("words", ["verify --full bbc", "--help", "frobnicate"])
def test_a_reader_that_leaves_early_sees_what_other_commands_show(child, words):
    """128 + SIGPIPE, as of `yes | head -1`, and no word: not "unknown", which is a verdict."""
    ours, theirs = os.pipe()
    os.close(ours)
    streams = ("stdout", "stderr") if words == "frobnicate" else ("stdout",)  # where it says it
    process = child.start(*words.split(), **dict.fromkeys(streams, theirs))
    os.close(theirs)
    _, errors = process.communicate()
    assert process.returncode == 141
    assert "Traceback" not in (errors or "")


@pytest.mark.skipif(os.name == "nt", reason="other signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_is_three_a_second_one_changes_nothing_and_a_session_ends_so(child, endless, name):
    about = ["verify", endless, "--max-lookups", 1 << 36, *["--json"] * (name == "SIGTERM")]
    process = child.start(*about, command=child.impatient)
    # It says how far it is, and goes on for ever.
    assert "verifying endless.toml: " in process.stderr.readline()
    process.send_signal(getattr(signal, name))
    seen = [process.stderr.readline()]
    while "interrupted" not in seen[-1]:
        seen.append(process.stderr.readline())
    assert seen[-1] == "interrupted\n"
    assert any("verifying endless.toml: " in line for line in seen), "how far it came"
    if name == "SIGINT":  # what ends a session is sent once
        process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert (errors, process.returncode) == ("", 3)
    if name == "SIGTERM":
        (said,) = json.loads(output)["problems"]
        assert (json.loads(output)["verdict"], said["message"]) == ("unknown", "interrupted")
    else:
        assert output == ""


@pytest.mark.parametrize("words", ["exec('raise KeyboardInterrupt')", "raise KeyboardInterrupt"])
def test_ctrl_c_in_code_that_is_made_from_a_text_is_three(child, here, words):
    """As that of a dataclass is while modules are imported: of `python -m` it would be the end by
    the signal.
    """
    code = (
        "from magicert.commands import app, main\n"
        f"def load(*_): {words}\n"
        "app.Group.load = load\n"
        "import sys; sys.argv[1:] = ['tables']\n"
        "main()"
    )
    (here / "interrupted_early.py").write_text(code, "utf-8")
    path = os.pathsep.join([str(here), os.environ.get("PYTHONPATH", "")])
    process = child.start(
        command=(*child.python, "-m", "interrupted_early"), env={**os.environ, "PYTHONPATH": path}
    )
    output, errors = process.communicate()
    assert (process.returncode, output, errors.strip()) == (3, "", "interrupted")


def test_ctrl_c_while_c_calls_a_function_of_ours_is_not_lost(child):
    """As numba's are that LLVM calls: what they raise is dropped by Python."""
    code = (
        "import ctypes, signal, sys, time\n"
        "from magicert.commands import app, main\n"
        "def load(*_):\n"
        "    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()\n"
        "    print('left', flush=True)\n"
        "    for _ in range(6000): time.sleep(0.01)\n"
        "app.Group.load = load\n"
        "sys.argv[1:] = ['tables']\n"
        "main()"
    )
    process = child.start(command=(*child.python, "-c", code))
    output, errors = process.communicate()
    assert (process.returncode, output, errors.strip()) == (3, "left\n", "interrupted")


def test_ctrl_c_in_a_solver_is_three_and_says_so(child):
    """The whole group of processes hears it, as at a terminal."""
    about = ("disprove", "bishop", "c3", "--bits", 6, "--engine", "sat", "-O", "method=direct")
    process = child.start(*about, command=child.impatient, start_new_session=True)
    seen = ""
    while "magics" not in seen:  # the solver's process is at work, which takes hours
        seen = process.stderr.readline()
        assert seen, "the work ended"
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert (process.returncode, "UNKNOWN" in output, "\n  interrupted" in output) == (3, True, True)
    assert not re.search("Traceback|SpawnProcess", errors)


POOL = """
import os
from magicert.system.processes import process_pool
with process_pool(1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a request to Linux")
def test_workers_end_with_a_killed_parent(child):
    """They waited for work for ever."""
    command = (*child.python, "-c", POOL)
    with child.start(command=command, stdin=subprocess.PIPE) as process:
        worker = int(process.stdout.readline())
        process.kill()
        try:
            # The end of the output is the end of all who have it.
            assert process.communicate(timeout=child.lost)[0] == ""
        except subprocess.TimeoutExpired:
            os.kill(worker, signal.SIGKILL)
            raise


@pytest.mark.cases_of("a_closed_stream_is_no_traceback.tsv")
@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_closed_stream_is_no_traceback(child, words, closed, status):
    command = shlex.join([*child.magicert, *words.split()])
    shell = ["sh", "-c", f"{command} {closed}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == int(status)
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(("words", "unbuffered"), [("verify bbc", ""), ("help", "1")])
def test_a_full_disk_behind_stdout_is_two(child, words, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        process = child.start(*words.split(), stdout=full, env=environment)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (2, "output: No space left on device\n")


def test_unbuffered_output_that_is_cut_is_no_success(child, tmp_path):
    """Python's own unbuffered stdout drops what a disk that is nearly full does not take."""
    resource = pytest.importorskip("resource")
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limit[1]))
    try:
        with (tmp_path / "out.json").open("w") as out:
            process = child.start("atlas", "--json", stdout=out, env=environment)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (2, "output: File too large\n")


@pytest.mark.parametrize("columns", [40, 200])
def test_a_terminal_of_any_width(child, columns):
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = child.start(
        "verify", BROKEN, published_tables()["bbc"],
        stdout=slave, stderr=subprocess.STDOUT, stdin=slave, env=environment,
    )  # fmt: skip
    os.close(slave)
    seen = b""
    with suppress(OSError):  # as the last reader of a terminal that is gone sees its end
        while data := os.read(master, 65536):
            seen += data
    os.close(master)
    assert process.wait() == 1
    text = seen.decode()
    assert "Traceback" not in text
    assert re.search("invalid.*olah", text)
    boards = [line for line in text.splitlines() if line.strip().startswith("1 R")]
    assert len(boards) == (2 if columns == 40 else 1), "boards go below one another if they must"


# -- progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    clock = SimpleNamespace(now=100.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(progress, "SILENCE", 3600)
    return clock


def lines(capsys):
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("rule", STEPS)
def test_what_is_told_of_steps(clock, capsys, rule):
    with ProgressDisplay("work", STEPS[rule].get("unit", "")) as show:
        for seconds, *step in STEPS[rule]["steps"]:
            clock.now += seconds
            show(*step)
    assert lines(capsys) == [f"work: {told}" for told in STEPS[rule]["told"]]


def test_lines_come_seldom_and_the_last_is_of_an_interruption(clock, capsys):
    show = ProgressDisplay("verifying", "lookups")
    for _ in range(200):
        clock.now += 0.25
        show((clock.now - 100) * 4000, None)
    told = lines(capsys)
    assert (len(told), told[-1]) == (5, "verifying: 200,000 lookups, 4,000/s")
    show = ProgressDisplay("checking", "bytes")
    for steps, last in (((), "nothing finished yet"), ((10, 600), "600 of 1,200 bytes")):
        for step in steps:
            show(step, 1200)
        show.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
        assert lines(capsys) == [f"checking: {last}"]


@pytest.mark.parametrize(
    ("steps", "first", "rest"),
    [([], "planning: ...", "planning: "), ([(1, 5)], "planning: 1 of 5", "planning: 1 of 5, ")],
)
def test_silent_work_is_heard_of_again(steps, first, rest, monkeypatch):
    monkeypatch.setattr(progress, "SILENCE", 0.01)
    monkeypatch.setattr(progress, "LINE_EVERY", 0.02)
    told, shown = Event(), []

    class Show(ProgressDisplay):
        def say(self, message: str) -> None:
            self.spoken = 0.0
            shown.append(message)
            if len(shown) == 3:
                told.set()

    show = Show("planning")
    for step in steps:
        show(*step)  # before the timer runs, which may be the faster one
    with show:
        assert told.wait(60)
    assert shown[0] == first
    assert all(line.startswith(rest) and line.endswith(" s so far") for line in shown[1:3])
