"""Texts for TOML files."""

import json


def quoted(text: str) -> str:
    """A text as a TOML string, on one line."""
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
