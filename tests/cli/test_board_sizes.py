"""The forms of a table of any board: their bytes, and the one that no file can say, built."""

from itertools import product

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


@pytest.mark.parametrize("board", [Board(5, 5), Board(9, 8)])
def test_one_buffer_with_a_byte_for_each_line_serves_all_pieces(board: Board) -> None:
    """Built by its description for some squares: no slot has to hold two numbers, and what the
    lines' buffers hold joins to the attack set.
    """
    pieces = pieces_of(["rook", "cannon"], board)
    predicted = classes(board, pieces)
    assert predicted is not None
    lines = {name: lines_of(movement) for name, movement in pieces.items()}
    every = range(board.squares) if board.squares < 30 else (0, 40)
    words = slots = 0
    for square in every:
        mask = least_mask(board, pieces["rook"], square)
        magic = constructed(mask, mask.bit_count(), board.word, 1)
        assert magic is not None
        buffer: dict[int, tuple[int, ...]] = {}
        numbers: dict[str, dict[tuple[int, ...], int]] = {line: {} for line in lines["rook"]}
        behind: dict[tuple[str, str, int], int] = {}
        for occupied in occupancies(mask):
            word = (1 << board.word) - 1
            index = (occupied * magic & word) >> (board.word - mask.bit_count())
            entry = []
            for line, own in numbers.items():
                seen = tuple(attacks_of(board, lines[p][line], square, occupied) for p in pieces)
                number = own.setdefault(seen, len(own))
                for piece, attacks in zip(pieces, seen, strict=True):
                    assert behind.setdefault((piece, line, number), attacks) == attacks
                entry.append(number)
            assert max(entry) < 256
            assert buffer.setdefault(index, tuple(entry)) == tuple(entry)
            for piece, movement in pieces.items():
                held = zip(numbers, buffer[index], strict=True)
                joined = [behind[piece, line, number] for line, number in held]
                assert joined[0] | joined[1] == attacks_of(board, movement, square, occupied)
        words += sum(len(own) for own in numbers.values()) * len(pieces)
        slots += 1 << mask.bit_count()
    if len(every) == board.squares:
        assert (predicted.slots, predicted.words) == (slots, words)
        assert predicted.bytes == slots * 2 + words * 8


def test_pieces_with_other_masks_or_one_line_have_no_such_form() -> None:
    board = Board(9, 10)
    for texts in (["rook", "bishop"], ["rook", "horse"], ["sR"], ["horse"]):
        assert classes(board, pieces_of(texts, board)) is None
    assert classes(Board(26, 4), pieces_of(["cannon"], Board(26, 4))) is None  # 9 bits a line


def test_bytes_are_slots_times_words_and_numbers_with_sets_behind() -> None:
    board = Board(5, 5)
    pieces = pieces_of(["rook"], board)
    sets = 0
    for square, movement in product(range(25), pieces.values()):
        sets += len({attacks_of(board, movement, square, o) for o in occupancies_of(square)})
    plain, levels = (size_of(board, pieces, TableForm(two_level=two)) for two in (False, True))
    assert plain.bytes == plain.slots * 8
    assert (levels.sets, levels.entry) == (sets, 1)
    assert levels.bytes == levels.slots + sets * 8
    assert [size.form.options for size in sizes(board, pieces)] == [
        ["--masks", "usual"], [], ["--fixed-shift"], ["--two-level"], ["--form", "lines"],
        ["--form", "lines", "--two-level"],
    ]  # fmt: skip


def occupancies_of(square: int) -> list[int]:
    """Those that can matter to a rook on 5x5: on its own file and rank."""
    rank, file = divmod(square, 5)
    line = sum(1 << s for s in range(25) if (s // 5 == rank) != (s % 5 == file))
    return occupancies(line)


def test_too_many_attack_sets_have_no_two_level_form() -> None:
    board = Board(11, 11)
    pieces = {"queens": parse_piece("pQ")}
    with pytest.raises(InputError, match="more than 16 bits can number"):
        entry_bits(attack_sets(board, movement) for movement in pieces.values())
