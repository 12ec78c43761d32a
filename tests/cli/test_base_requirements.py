"""With nothing but the base requirements: what README shows first works, the rest says what it
needs.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

CODE = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in {"numba", "z3", "pysat", "bitwuzla", "drup", "distributed", "ortools"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from click.testing import CliRunner
from magicert.cli.app import cli

for words in json.loads(sys.argv[1]):
    result = CliRunner().invoke(cli, words)
    print(json.dumps([result.exit_code, result.stdout, result.stderr]))
"""
WORKS = [
    "verify shakmaty carp",
    "find rook e4",
    "find --set --piece bishop -o table.toml",
    "find --set --board 9x10 --piece cannon --form lines -o cannon.toml",
    "find pR e5 --board 9x10",
    "verify table.toml",
    "check bishop-e1-4",
    "emit black --lang c -o magics.h",
    "emit black_two_level --lang rust -o magics.rs",
    "emit table.toml --lang binary -o attacks.bin",
    "show bishop c1 --occupancy e3,b2 --table shakmaty",
    "tables cfish_black",
    "atlas",
]
NEEDS = {
    "find rook c2 --bits 9 --scheme black": "pip install 'magicert[search]'",
    "find pR e5 --board 9x10 --bits 12": "pip install 'magicert[search]'",
    "find bishop d1 --engine z3": "pip install 'magicert[z3]'",
    "lemma shakmaty": "pip install 'magicert[z3]'",
    "check bishop-d1-4.drup": "pip install 'magicert[proofs]'",
    "pack --from shakmaty": "pip install 'magicert[search]'",
}


@pytest.fixture(scope="module")
def results(child: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Exit status, output and errors of every command, in a folder of its own."""
    folder: Path = tmp_path_factory.mktemp("elsewhere")
    commands = [*WORKS, *NEEDS]
    words = json.dumps([command.split() for command in commands])
    done = subprocess.run(
        [*child.python, "-c", CODE, words], cwd=folder, capture_output=True, text=True, check=True
    )
    lines = map(json.loads, done.stdout.splitlines())
    return dict(zip(commands, lines, strict=True))


@pytest.mark.parametrize("command", WORKS)
def test_it_works(results: dict[str, list[Any]], command: str) -> None:
    status, output, errors = results[command]
    assert status == 0, errors
    assert output


@pytest.mark.parametrize("command", NEEDS)
def test_it_says_what_is_missing(results: dict[str, list[Any]], command: str) -> None:
    status, output, errors = results[command]
    assert (status, output) == (2, "")
    assert NEEDS[command] in errors
