"""The command as a process of its own: imports, pipes, signals, a narrow terminal."""

import os
import re
import shlex
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from magicert.data import published_tables, tables_folder

BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"
LEAVES = tables_folder() / "certificates" / "bishop-e1-4.cover.xz"


def modules_after(child: Any, *commands: str) -> tuple[str, set[str]]:
    """What commands print, one after another, and the modules that they have imported."""
    code = (
        "import sys\n"
        "from magicert.cli import main\n"
        f"for words in {commands}:\n"
        "    sys.argv[1:] = words.split()\n"
        "    try: main()\n"
        "    except SystemExit as end: assert not end.code\n"
        "print('MODULES', *sys.modules)"
    )
    done = subprocess.run([*child.python, "-c", code], capture_output=True, text=True, check=True)
    text, _, modules = done.stdout.partition("MODULES ")
    return text, set(modules.split())


def test_nothing_is_imported_that_is_not_needed(child):
    commands = ["", "verify", "show", "tables", "find"]
    text, modules = modules_after(child, *(f"{command} --help" for command in commands))
    assert text.count("Usage") == len(commands)
    heavy = {"numpy", "numba", "z3", "msgspec", "distributed", "pysat", "sqlite3"}
    assert not heavy & modules
    text, modules = modules_after(child, f"check {LEAVES}")
    assert text.startswith("valid ")
    assert not {"numba", "sqlite3"} & modules
    assert not {name for name in modules if name.startswith("magicert.search")}


def test_piped_output_has_no_colours_and_no_frames(child):
    done = child.run("verify", BROKEN)
    assert done.returncode == 1
    assert not set("\x1b│─╭━") & set(done.stdout)


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


def verifying(child: Any, table: Path) -> "subprocess.Popen[str]":
    """A verification that has said how far it is, and goes on for ever."""
    about = ("verify", table, "--max-lookups", 1 << 36)
    process = child.start(*about, command=child.impatient)
    assert "verifying endless.toml: " in process.stderr.readline()
    return process


def test_ctrl_c_is_three_and_a_second_one_changes_nothing(child, endless):
    process = verifying(child, endless)
    process.send_signal(signal.SIGINT)
    seen = [process.stderr.readline()]
    while "interrupted" not in seen[-1]:
        seen.append(process.stderr.readline())
    assert seen[-1] == "interrupted\n"
    assert any("verifying endless.toml: " in line for line in seen), "how far it came"
    process.send_signal(signal.SIGINT)
    assert (process.communicate(), process.returncode) == (("", ""), 3)


@pytest.mark.skipif(os.name == "nt", reason="other signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_the_end_of_a_session_is_like_ctrl_c(child, endless, name):
    process = verifying(child, endless)
    process.send_signal(getattr(signal, name))
    _, errors = process.communicate()
    assert process.returncode == 3
    assert "verifying endless.toml: " in errors, "how far it came"
    assert errors.endswith("interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@pytest.mark.parametrize(
    ("words", "closed", "status"),
    [("emit bbc --lang c", ">&-", 0), ("help nonsense", "2>&-", 2), ("verify -", "<&-", 2)],
)
def test_a_closed_stream_is_no_traceback(child, words, closed, status):
    command = shlex.join([*child.magicert, *words.split()])
    shell = ["sh", "-c", f"{command} {closed}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert done.returncode == status
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


def test_ctrl_c_in_a_solver_is_three_and_says_so(child):
    """The whole group of processes hears it, as at a terminal."""
    pytest.importorskip("pysat")
    about = ("disprove", "bishop", "c3", "--bits", 6, "--engine", "sat", "-O", "method=direct")
    process = child.start(*about, command=child.impatient, start_new_session=True)
    seen = ""
    while "magics" not in seen:  # the solver's process is at work, which takes hours
        seen = process.stderr.readline()
        assert seen, "the work ended"
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 3
    assert "UNKNOWN" in output
    assert "\n  interrupted" in output
    assert "Traceback" not in errors
    assert "SpawnProcess" not in errors


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
