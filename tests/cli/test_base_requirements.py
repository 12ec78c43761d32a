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
import magicert
from click.testing import CliRunner
from magicert.cli.app import cli

for words in json.loads(sys.argv[1]):
    if words[0] == "magicert":
        try:
            answer = [0, str(eval(" ".join(words))), ""]
        except magicert.InputError as error:
            answer = [2, "", str(error)]
    else:
        result = CliRunner().invoke(cli, words)
        answer = [result.exit_code, result.stdout, result.stderr]
    print(json.dumps(answer))
"""
COMMANDS = {
    "verify shakmaty carp": "",
    "find rook e4": "",
    "find --set --piece bishop -o table.toml": "",
    "find --set --board 9x10 --piece cannon --form lines -o cannon.toml": "",
    "find pR e5 --board 9x10": "",
    "verify table.toml": "",
    "check bishop-e1-4": "",
    "emit black --lang c -o magics.h": "",
    "emit black_two_level --lang rust -o magics.rs": "",
    "emit table.toml --lang binary -o attacks.bin": "",
    "show bishop c1 --occupancy e3,b2 --table shakmaty": "",
    "tables cfish_black": "",
    "atlas": "",
    "find rook c2 --bits 9 --scheme black": "search",
    "find pR e5 --board 9x10 --bits 12": "search",
    "find bishop d1 --engine z3": "z3",
    "lemma shakmaty": "z3",
    "check bishop-d1-4.drup": "proofs",
    "pack --from shakmaty": "search",
    "magicert .pack('x.toml', seconds=1)": "search",
    "magicert .check('rook-b2-9', replay=1)": "search",
    "magicert .find('rook', 'c2', 9, search=True)": "search",
    "magicert .find('bishop', 'd1', 4, engine='z3')": "z3",
    "magicert .check('bishop-d1-4.drup')": "proofs",
}
"""A command, or a call of the Python API, and the extra that it needs."""


@pytest.fixture(scope="module")
def results(child: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """Exit status, output and errors of every command, in a folder of its own."""
    folder: Path = tmp_path_factory.mktemp("elsewhere")
    words = json.dumps([command.split() for command in COMMANDS])
    done = subprocess.run(
        [*child.python, "-c", CODE, words], cwd=folder, capture_output=True, text=True, check=True
    )
    lines = map(json.loads, done.stdout.splitlines())
    return dict(zip(COMMANDS, lines, strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_it_works_or_says_what_is_missing(results: dict[str, list[Any]], command: str):
    (status, output, errors), extra = results[command], COMMANDS[command]
    if extra:
        assert (status, output) == (2, "")
        assert f"pip install 'magicert[{extra}]'" in errors
    else:
        assert status == 0, errors
        assert output
