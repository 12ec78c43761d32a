"""Lines that can be left out before lexing, because no number of interest is near.

A lexer takes a second for a long engine, and almost all of that is code without a table.
A line may go if it has no number, opens or closes no bracket for others, and cannot begin
or end a comment or string of several lines: then the lexer is in the same state behind it
whether it was there or not. Every doubt keeps the line. Lines keep their numbers.
"""

import re

# Numbers that may be items, fields or constants; `i < 64` and `x + 3` are none of these.
_NUMBER = re.compile(
    r"(?:^|[=:,({\[|&]|>>|\bu?shr|\blsr|sh|define\s+\w+)[\s(-]*[$&]?\d|\d{3}|0[xX]|&[hH]|\$[0-9a-fA-F]|#[xob\d]"
    r"|['\"][0-9a-fA-F]{16}|[sS]hift_?[rR][^;\n]*\d"
    r"|[a-hA-H][1-8]\W+\w*?[a-hA-H][1-8]\b"  # squares in a row tell the order
)
_STATE = re.compile(
    r"/\*|\*/|/\+|\+/|\{-|-\}|\(\*|\*\)|#=|=#|#\[|\]#|\[=*\[|\]=*\]|\"\"\"|'''|`|[rR]#*\"|"
    r"\\$|\*%?=|^\s*#\s*(?:if|ifn?def|el\w+|end\w*|define)\b|\{\$|^=\w|#\||\|#"
)
# A line that says nothing without the one above: it opens a list, or it is bare data.
_CONTINUED = re.compile(r"\s*(?:[=\[({<]|\.\{|-?>|[$#&]?\d|\.?d[bwdq]\b|\.\w+)", re.IGNORECASE)
_BRACKET = re.compile(r"[\[({\])}]")


def without_quiet_lines(text: str) -> str:
    """The text with every line emptied that cannot matter."""
    lines = text.split("\n")
    kept: list[str] = []
    above = -1
    """The line above with text in it, if it was emptied."""
    for number, line in enumerate(lines):
        opens, changes = _brackets(line)
        if (
            changes
            or _NUMBER.search(line)
            or _STATE.search(line)
            or line.count('"') % 2
            or line.count("'") % 2
        ):
            # The name of a list, and the header of its block, may stand on the line above.
            if above >= 0 and (opens or _CONTINUED.match(line)):
                kept[above] = lines[above]
            kept.append(line)
            above = -1
        else:
            kept.append("")
            if line and not line.isspace():
                above = number
    return "\n".join(kept)


def _brackets(line: str) -> tuple[bool, bool]:
    """Does a line open a bracket that it leaves open; does it open or close one at all that
    it does not close or open itself (as `}, {` does)?
    """
    level = lowest = 0
    for bracket in _BRACKET.findall(line):
        level += 1 if bracket in "[({" else -1
        lowest = min(lowest, level)
    return level > lowest, level != 0 or lowest < 0
