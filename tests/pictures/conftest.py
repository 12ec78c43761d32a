"""Node and Chromium, where they are: the page's module outside of a browser and inside one."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CHECK = Path(__file__).parents[2] / "site" / "static" / "check.js"
PROGRAM = """
const check = require(process.argv[1]).check;
const wanted = JSON.parse(require("fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(wanted.map(([text, {atlas, ...wish}]) => check(text, wish, atlas))));
"""

Checked = dict[str, Any]


@pytest.fixture(scope="session")
def in_node() -> Callable[..., list[Checked]]:
    """What the page's module says of texts, each with what is wished; in one run of node. `atlas`
    is what the page has of it.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")

    def run(*texts: str, **wish: Any) -> list[Checked]:
        asked = json.dumps([[text, wish] for text in texts])
        done = subprocess.run(
            [node, "-e", PROGRAM, str(CHECK)], input=asked, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers: list[Checked] = json.loads(done.stdout)
        return answers

    return run
