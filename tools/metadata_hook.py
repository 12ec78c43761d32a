"""What CITATION.cff says of authors, repository and DOI: the only place where they stand.

The package's metadata take authors and links from it, the data archive its DOI. Until the owner has
named a repository there are no links.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

CITATION = "CITATION.cff"
PAGES = {
    "Repository": "",
    "Documentation": "/tree/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}
"""What package indexes link to, below the repository."""


class Hook(MetadataHookInterface):
    """Called by hatchling for both distributions."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add authors and links."""
        text = (Path(self.root) / CITATION).read_text("utf-8")
        metadata["authors"] = [{"name": name} for name in authors(text)]
        found = re.search(r"^repository-code: *(\S+)", text, re.M)
        # No links are said, too: else `Dynamic: Project-URL` would stand in the wheel.
        metadata["urls"] = {name: f"{found[1]}{page}" for name, page in PAGES.items() if found}


def authors(text: str) -> list[str]:
    """The names below `authors`: of persons, or of a group."""
    listed = re.search(r"^authors:\n((?: .*\n)+)", text, re.M)
    entries = re.split(r"^ *- ", listed[1] if listed else "", flags=re.M)[1:]
    keys = [dict(re.findall(r"^ *([a-z-]+): *(.+)$", entry, re.M)) for entry in entries]
    return [
        one.get("name") or f"{one.get('given-names', '')} {one.get('family-names', '')}".strip()
        for one in keys
    ]
