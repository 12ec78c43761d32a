"""Lists of magics: written and read back, refused when wrong; and the lists shipped."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, mask
from magicert.cell import first_conflict, square_cell
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.sets import Magic, MagicList, known_magics, read_magic_list, write_magic_list

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x7f"), max_size=20)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(list(Piece)), st.integers(0, 63)),
        st.builds(Magic, st.integers(1, 32), st.integers(0, WORD)),
        max_size=20,
    ),
    texts,
)
def test_a_list_is_read_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, magics: dict[tuple[Piece, int], Magic], text: str
) -> None:
    path = tmp_path_factory.mktemp("lists") / "list.toml"
    listed = MagicList("white", magics, {"command": text})
    write_magic_list(listed, path, "A comment.")
    assert read_magic_list(path) == listed


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("scheme = ", ["not a TOML file"]),
        ("rook = 3", ["rook: found 3: expected a section", "scheme: missing"]),
        (
            'scheme = "white"\nnumber = 3\n[rook]\nz9 = { bits = 9, magic = "0x1" }\n'
            'a1 = { bits = 0, magic = "0x1" }\na2 = { bits = 9, magic = "17" }\na3 = 5\n'
            'a4 = { bits = 9, magic = "0x12345678123456781" }',
            ["rook.z9: square 'z9'", "rook.a1: bits 0", "rook.a2: magic '17'", "rook.a3: found 5",
             "rook.a4: magic '0x12345678123456781'", "number: expected a text"],
        ),
    ],
)  # fmt: skip
def test_every_problem_of_a_list_is_named(tmp_path: Path, text: str, messages: list[str]) -> None:
    path = tmp_path / "list.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_magic_list(path)
    for message in messages:
        assert f"{path}: {message}" in str(caught.value)
    assert len(caught.value.problems) == len(messages)


def test_the_atlas_knows_magics_of_fewer_bits() -> None:
    for scheme, least in (("white", 40), ("black", 20)):
        known = known_magics(scheme)
        assert len(known) >= least
        for (piece, square), magic in known.items():
            assert magic.bits < mask(Piece(piece), square).bit_count()
            cell = square_cell(SCHEMES[scheme], Piece(piece), square, magic.bits)
            assert first_conflict(cell, magic.magic) is None, (piece, square)
