"""The checker that Coq has extracted: `make proved` compiles it and says where it is."""

import os
import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def built():
    """The folder where proofs/build.sh has put everything."""
    if not (folder := os.environ.get("MAGICERT_PROVED")):
        pytest.skip("the proved checker is not compiled: make proved does it, if Coq is installed")
    return Path(folder).resolve()


@pytest.fixture(scope="session")
def proved(built):
    """Run the extracted checker; its lines. Whatever it finds, it must not crash."""

    def run(arguments):
        command = [built / "magicert-proved", *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert result.returncode in (0, 1, 2, 3), result.stderr
        assert "exception" not in result.stderr
        return result.stdout.splitlines()

    return run


@pytest.fixture(scope="session")
def beside():
    """A file of tests/certificates, as a module: what is forged there is forged here, too."""

    folder = ROOT / "tests" / "certificates"
    return lambda name: SimpleNamespace(**runpy.run_path(str(folder / f"{name}.py")))
