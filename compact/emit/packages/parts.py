"""What every package has: its name, a licence, a page to read first."""

import re
from dataclasses import dataclass

from magicert import __version__
from magicert.compact.emit.unit import Unit
from magicert.table import Provenance

LICENCE = """MIT License

Copyright (c) 2026 The magicert authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

Files = dict[str, str]
"""The texts by their paths in the package."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What is packed: a verified table, where its numbers come from, and what it is called."""

    unit: Unit
    provenance: Provenance
    stem: str
    literal: bool = False

    @property
    def name(self) -> str:
        """The package's name: "magics-black"."""
        word = re.sub(r"[^a-z0-9]+", "-", self.stem.lower()).strip("-")
        return f"magics-{word or 'table'}"

    @property
    def identifier(self) -> str:
        """The same where there can be no hyphen: "magics_black"."""
        return self.name.replace("-", "_")

    @property
    def version(self) -> str:
        """That of the tool that wrote it."""
        return __version__

    @property
    def description(self) -> str:
        """One line for a manifest."""
        size = f"{self.unit.bytes / 1024:,.0f} KiB"
        return f"Rook and bishop attacks by magic bitboards, {size}, verified exhaustively"

    def common(self, how: str) -> Files:
        """The licence, and a page that says what this is and `how` it is used."""
        numbers = [
            f"The numbers come from {self.provenance.repository or 'elsewhere'}, whose licence is "
            f"{self.provenance.licence}."
        ]
        lines = [
            f"# {self.name}",
            "",
            f"{self.description}.",
            "",
            *how.strip("\n").splitlines(),
            "",
            *(numbers if self.provenance.licence else []),
            *(f"- {line}" for line in self.unit.header),
        ]
        return {"LICENSE": LICENCE, "README.md": "\n".join(lines) + "\n"}
