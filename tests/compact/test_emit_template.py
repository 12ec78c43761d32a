"""Templates: what their lines mean, and what is no template."""

from pathlib import Path

import pytest

from magicert.compact.emit.template import load, parse, render

LINES = """
%% for pieces
%% if large
$piece of $size$$
%% else
%% if uses swap(
small $piece
%% end
%% end
%% end
last
"""


def test_lines_are_there_for_each_item_and_on_a_condition():
    scope = {"calls": "x + swap(y)", "size": 3, "pieces": [
        {"piece": "rook", "large": True}, {"piece": "king", "large": False},
    ]}  # fmt: skip
    parts = parse(LINES.strip().splitlines(), "here")
    assert render(parts, scope) == "rook of 3$\nsmall king\nlast\n"
    assert render(parts, {**scope, "calls": "swap"}) == "rook of 3$\nlast\n"
    with pytest.raises(KeyError, match="size"):
        render(parts, {"calls": "", "pieces": scope["pieces"]})


def test_a_file_is_included_as_far_to_the_right(tmp_path: Path):
    (tmp_path / "outer").write_text("begin\n%% if inside\n    %% include inner\n%% end\n")
    (tmp_path / "inner").write_text("one {\n\n    %% include most\n}\n")
    (tmp_path / "most").write_text("%% if inside\ntwo\n%% end\n")
    text = render(load(tmp_path / "outer"), {"inside": True})
    assert text == "begin\n    one {\n\n        two\n    }\n"


@pytest.mark.parametrize(
    "text", ["%% if x", "%% end", "%% else", "%% for x\n%% else", "%% unless x"]
)
def test_a_line_that_means_nothing_is_refused(text: str):
    with pytest.raises(ValueError, match="here: "):
        parse(text.splitlines(), "here")
