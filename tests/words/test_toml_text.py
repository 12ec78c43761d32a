import tomllib

from hypothesis import given
from hypothesis import strategies as st

from magicert.atlas import Atlas, Entry, atlas_toml
from magicert.system.toml_text import quoted

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS)
def test_a_quoted_text_is_read_back(text: str):
    assert tomllib.loads(f"key = {quoted(text)}") == {"key": text}


@given(TEXTS)
def test_an_atlas_quotes_its_texts(text: str):
    """A source with quotation marks in it wrote a file that nobody could read."""
    entry = Entry(piece="rook", square="a1", bits=12, state="open", source=text)
    (cell,) = tomllib.loads(atlas_toml(Atlas([entry])))["cell"]
    assert cell.get("source", "") == text
