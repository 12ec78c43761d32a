"""With nothing but the base requirements: what README shows first works, the rest says what it
needs.
"""

import json
from pathlib import Path
from typing import Any

import pytest

CODE = """
import json, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in "numba llvmlite pysat bitwuzla drup distributed ortools".split():
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import magicert
from click.testing import CliRunner
from magicert.commands.app import cli

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
_ROWS = Path(__file__).with_name("base_requirements.tsv").read_text("utf-8").splitlines()[1:]
COMMANDS = {row.partition("\t")[0]: row.partition("\t")[2] for row in _ROWS}


@pytest.fixture(scope="module")
def results(child, tmp_path_factory) -> dict[str, list[Any]]:
    """Exit status, output and errors of every command, in a folder of its own."""
    folder = tmp_path_factory.mktemp("elsewhere")
    words = json.dumps([command.split() for command in COMMANDS])
    lines = map(json.loads, child.says(CODE, words, cwd=folder).splitlines())
    return dict(zip(COMMANDS, lines, strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_it_works_or_says_what_is_missing(results, command):
    (status, output, errors), extra = results[command], COMMANDS[command]
    if extra:
        assert (status, output) == (2, "")
        assert f"pip install 'magicert[{extra}]'" in errors
    else:
        assert status == 0, errors
        assert output
