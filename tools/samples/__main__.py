"""Write all samples into a folder, with an index of what they are."""

import json
import sys
from pathlib import Path

from magicert.board import Piece
from tools.samples import c_family, curly, others
from tools.samples.printing import SAMPLES, numbers

FAMILIES = (c_family, curly, others)


def main(folder: Path) -> None:
    """Write every sample and index.toml."""
    folder.mkdir(parents=True, exist_ok=True)
    index = ["# Written by `python -m tools.samples`: the numbers are those of `table`.", ""]
    for sample in SAMPLES:
        text = sample.text(*(numbers(sample.table, piece) for piece in Piece))
        (folder / sample.file).write_bytes(text.encode(sample.encoding))
        index += ["[[sample]]"]
        for key in ("file", "table", "hard"):
            index.append(f"{key} = {json.dumps(getattr(sample, key))}")
        index.append("")
    (folder / "index.toml").write_text("\n".join(index), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
