"""The page that checks magics, in node."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).parents[2] / "site"
sys.path.append(str(SITE))
PROGRAM = """
const {folder, pieces, asked} = JSON.parse(require("fs").readFileSync(0, "utf-8"));
globalThis.magicertPieces = JSON.parse(pieces);
const {check} = require(`${folder}/check.js`), boards = require(`${folder}/boards.js`);
const said = {
  check: (text, {atlas, ...wish}) => check(text, wish, atlas),
  piece: (text, {board}) => {
    const on = boards.parseBoard(board);
    try {
      const squares = boards.placed(on, boards.parsePiece(text, on), "a1");
      return squares.map((where) => where && [where.usual, where.least].map(String));
    } catch (error) {
      return error.message;
    }
  },
};
console.log(JSON.stringify(asked.map(([what, text, wish]) => said[what](text, wish))));
"""


def node_program():
    """What the page's modules say of texts, each with what is wished; in one run of node. `atlas`
    is what the page has of it; `what` is "check", or "piece": its masks on a board.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    from piece_names import piece_names

    def run(*texts, what="check", **wish):
        pairs = [text if isinstance(text, tuple) else (text, wish) for text in texts]
        asked = [[what, text, own] for text, own in pairs]
        given = {"folder": str(SITE / "static"), "pieces": piece_names(), "asked": asked}
        words = [node, "-e", PROGRAM]
        done = subprocess.run(
            words, input=json.dumps(given), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def in_node():
    """The page's modules, for what `make toolchains` runs."""
    return node_program()


@pytest.fixture(scope="session")
def page_says():
    """The same, for what the gate runs where there is node."""
    return node_program()
