"""A program in C of ours, compiled where it runs."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

FLAGS = (("-O3", "-std=c11", "-march=native"), ("-O3", "-std=c11"))
"""A compiler that does not know the first ones gets the second."""


@cache
def c_program(source: Path) -> Path | None:
    """The program of a file, compiled once for this process and those that it starts from then on;
    None where nothing compiles it. It is gone when this process ends.
    """
    # Workers are ended by a signal and could not clear up: they use what their parent has.
    name = f"MAGICERT_C_{sha256(source.read_bytes()).hexdigest()[:16]}"
    if Path(os.environ.get(name, "")).is_file():
        return Path(os.environ[name])
    folder = tempfile.mkdtemp(prefix="magicert-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = Path(folder) / source.stem
    for compiler in _compilers():
        for flags in FLAGS:
            command = [*compiler, *flags, "-o", str(program), str(source)]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                os.environ[name] = str(program)
                return program
    return None


def _compilers() -> Iterator[list[str]]:
    # LLVM's code for rows of 64 bytes takes a quarter less time than GCC's.
    if path := shutil.which("clang"):
        yield [path]
    if find_spec("ziglang"):
        yield [sys.executable, "-P", "-m", "ziglang", "cc"]
    if path := shutil.which("cc"):
        yield [path]
