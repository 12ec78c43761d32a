"""The command as a process of its own: imports, pipes, signals, a narrow terminal."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from magicert.data import published_tables, tables_folder
from magicert.table import read_table, table_toml

MAGICERT = [sys.executable, "-P", "-c", "from magicert.cli import main; main()"]
BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"


def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MAGICERT, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.parametrize("command", [(), ("verify",), ("show",), ("tables",)])
def test_help_imports_nothing_heavy(command: tuple[str, ...]) -> None:
    code = (
        "import sys, atexit\n"
        "atexit.register(lambda: print('HEAVY', sorted(heavy & set(sys.modules))))\n"
        "heavy = {'numpy', 'numba', 'z3', 'msgspec', 'distributed', 'pysat', 'sqlite3'}\n"
        "from magicert.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "Usage" in done.stdout
    assert "HEAVY []" in done.stdout


def test_version() -> None:
    import magicert

    done = run("--version")
    assert done.returncode == 0
    assert magicert.__version__ in done.stdout


def test_piped_output_has_no_colours_and_no_frames() -> None:
    done = run("verify", BROKEN)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert not set("│─╭━") & set(done.stdout)


def test_a_reader_that_leaves_early_causes_no_traceback() -> None:
    first = subprocess.Popen(
        [*MAGICERT, "verify", "--full", str(published_tables()["bbc"])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert first.stdout
    assert first.stderr
    first.stdout.close()
    _, errors = first.communicate(timeout=60)
    assert "Traceback" not in errors
    assert first.returncode == 3, "a verdict that nobody read is none"


def wide(folder: Path) -> Path:
    """A table that takes for ever: the whole board can change its index, but hardly does."""
    text = table_toml(read_table(published_tables()["bbc"]).table)
    odd = " + ((popcount(occ & ~mask) >> 5) << 40)"
    path = folder / "wide.toml"
    text = text.replace(">> (64 - bits)", f">> (64 - bits)){odd}").replace('"((occ', '"(((occ')
    path.write_text(text.replace("bits = [", "square_size = 4096\nbits = ["))
    return path


def test_ctrl_c_is_three_and_says_so(tmp_path: Path) -> None:
    path = wide(tmp_path)
    process = subprocess.Popen(
        [*MAGICERT, "verify", str(path), "--max-lookups", str(1 << 36)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "interrupted" in errors
    assert "Traceback" not in errors


def test_long_work_prints_plain_lines_when_piped(tmp_path: Path) -> None:
    done = run("verify", wide(tmp_path), "--max-lookups", str(1 << 25))
    assert done.returncode == 3
    assert done.stdout.startswith("unknown   ")
    assert "verifying wide.toml: " in done.stderr
    assert "lookups" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("columns", [40, 200])
def test_a_terminal_of_any_width(columns: int) -> None:
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen(
        [*MAGICERT, "verify", str(BROKEN), str(published_tables()["bbc"])],
        stdout=slave,
        stderr=subprocess.STDOUT,
        stdin=slave,
        env=environment,
    )
    os.close(slave)
    seen = b""
    while True:
        try:
            data = os.read(master, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(master)
    assert process.wait(timeout=60) == 1
    text = seen.decode()
    assert "Traceback" not in text
    assert "verdict" in text
    boards = [line for line in text.splitlines() if line.strip().startswith("1 R")]
    assert len(boards) == (2 if columns == 40 else 1), "boards go below one another if they must"
