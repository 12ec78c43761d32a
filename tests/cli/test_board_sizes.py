"""The forms of a table of any board: their bytes, and the one that no file can say, built."""

import pytest

from magicert.betza import lines_of, parse_piece
from magicert.board import Board, attacks_of, least_mask, squares_of
from magicert.problem import InputError
from magicert.requests.set_question import TableForm, pieces_of
from magicert.requests.set_search import attack_sets, classes, entry_bits, size_of, sizes
from magicert.search.finders.trial import constructed


def occupancies(mask: int) -> list[int]:
    found = [0]
    for square in squares_of(mask):
        found += [occupied | 1 << square for occupied in found]
    return found


@pytest.mark.parametrize(
    ("board", "squares"), [(Board(5, 5), range(25)), (Board(9, 8), (0, 40))], ids=str
)
def test_one_buffer_with_a_byte_for_each_line_serves_all_pieces(board, squares):
    """Built by its description for these squares: no slot has to hold two numbers, and what the
    lines' buffers hold joins to the attack set.
    """
    pieces = pieces_of(["rook", "cannon"], board)
    lines = {name: lines_of(movement) for name, movement in pieces.items()}
    words = slots = 0
    for square in squares:
        mask = least_mask(board, pieces["rook"], square)
        magic = constructed(mask, mask.bit_count(), board.word, 1)
        assert magic is not None
        buffer: dict[int, list[int]] = {}
        numbers: dict[str, dict[tuple[int, ...], int]] = {line: {} for line in lines["rook"]}
        for occupied in occupancies(mask):
            index = (occupied * magic) % (1 << board.word) >> (board.word - mask.bit_count())
            joined, entry = [0, 0], []
            for line, own in numbers.items():
                seen = tuple(attacks_of(board, lines[p][line], square, occupied) for p in pieces)
                entry.append(own.setdefault(seen, len(own)))
                joined = [one | more for one, more in zip(joined, seen, strict=True)]
            assert max(entry) < 256
            assert buffer.setdefault(index, entry) == entry
            true = [attacks_of(board, movement, square, occupied) for movement in pieces.values()]
            assert joined == true
        words += sum(len(own) for own in numbers.values()) * len(pieces)
        slots += 1 << mask.bit_count()
    predicted = classes(board, pieces)
    assert predicted is not None
    if len(squares) == board.squares:
        assert (predicted.slots, predicted.words) == (slots, words)
        assert predicted.bytes == slots * 2 + words * 8


@pytest.mark.parametrize(
    ("board", "texts"),
    [
        (Board(9, 10), ["rook", "bishop"]),
        (Board(9, 10), ["rook", "horse"]),
        (Board(9, 10), ["sR"]),
        (Board(9, 10), ["horse"]),
        (Board(26, 4), ["cannon"]),  # 9 bits a line
    ],
)
def test_pieces_with_other_masks_or_one_line_have_no_such_form(board, texts):
    assert classes(board, pieces_of(texts, board)) is None


def test_bytes_are_slots_times_words_and_numbers_with_sets_behind():
    board = Board(5, 5)
    pieces = pieces_of(["rook"], board)
    sets = 0
    for square in range(25):
        rank, file = divmod(square, 5)
        line = sum(1 << s for s in range(25) if (s // 5 == rank) != (s % 5 == file))
        seen = {attacks_of(board, pieces["rook"], square, o) for o in occupancies(line)}
        sets += len(seen)
    plain, levels = (size_of(board, pieces, TableForm(two_level=two)) for two in (False, True))
    assert plain.bytes == plain.slots * 8
    assert (levels.sets, levels.entry) == (sets, 1)
    assert levels.bytes == levels.slots + sets * 8
    assert [" ".join(size.form.options) for size in sizes(board, pieces)] == [
        "--masks usual", "", "--fixed-shift", "--two-level", "--form lines",
        "--form lines --two-level",
    ]  # fmt: skip
    with pytest.raises(InputError, match="more than 16 bits can number"):
        entry_bits([attack_sets(Board(11, 11), parse_piece("pQ"))])
