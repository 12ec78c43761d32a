"""Pieces of other boards: seconds to find a verified table, and the bytes of its forms.

    python benchmarks/bench_boards_find.py

Each family of engines' tables, with the engine's own bytes beside them. Warm kernels, one core,
wall clock; a table is found, verified exhaustively and made into a file's text. "Chance" is what
engines do: random sparse candidates for all squares with as many index bits, by the loop compiled
here, for at most LIMIT seconds.
"""

import time

import numpy as np

from magicert.board import parse_board
from magicert.engine import Quiet
from magicert.jobs.boards.forms import TableForm, parts_of, pieces_of, questions_of
from magicert.jobs.boards.sizes import classes, size_of
from magicert.jobs.sets.boards import BoardSet, BoardSetFound, find_boards
from magicert.search.boards.blockers import MagicQuestion, blockers_of
from magicert.search.boards.kernel import first_magic
from magicert.search.finders.random_words import stream_key

FAMILIES = (
    ("9x10", "rook=R", 1_081_344 * 16),
    ("9x10", "cannon=pR", 1_081_344 * 16),
    ("9x10", "horse=nN", 896 * 16),
    ("9x9", "rook=R", 520_192 * 16),
    ("12x10", "rook_h=sR", 71_680 * 16),
    ("12x10", "rook_v=vR", 18_432 * 16),
    ("12x10", "bishop=B", 211_968 * 16),
    ("12x10", "cannon_h=spR", 71_680 * 16),
    ("12x10", "cannon_v=vpR", 18_432 * 16),
    ("12x10", "cannon_diag=pB", 211_968 * 16),
    ("12x10", "lame_dabbaba=nD", 1_280 * 16),
    ("12x10", "horse=nN", 1_280 * 16),
    ("12x10", "elephant=nA", 1_024 * 16),
    ("12x10", "janggi_elephant=nZ", None),
    ("12x10", "nightrider=NN", None),
    ("12x10", "grasshopper_h=sgR", 71_680 * 16),
    ("12x10", "grasshopper_v=vgR", 18_432 * 16),
    ("12x10", "grasshopper_diag=gB", None),
)
"""Board, piece, and what the engine's table takes where it was published whole."""
XIANGQI = ("rook", "cannon")
FORMS = {
    "usual masks": TableForm(masks="usual"),
    "least masks": TableForm(),
    "fixed shift": TableForm(fixed_shift=True),
    "two levels": TableForm(two_level=True),
    "lines": TableForm(lines=True),
    "lines, two levels": TableForm(lines=True, two_level=True),
}
LIMIT = 10.0
BLOCK = 1 << 16
U = np.uint64


def seconds_to_find(board: str, texts: tuple[str, ...], form: TableForm) -> float:
    on = parse_board(board)
    wanted = BoardSet(on, pieces_of(texts, on), texts, form)
    started = time.perf_counter()
    found = find_boards(wanted, Quiet())
    assert isinstance(found, BoardSetFound)
    return time.perf_counter() - started


def by_chance(question: MagicQuestion, until: float) -> bool:
    """Whether random candidates give a magic before the time is over."""
    blockers = blockers_of(question)
    table = np.zeros(1 << question.bits, dtype=U)
    key, done = U(stream_key(1, question.square + 1)), 0
    while time.perf_counter() < until:
        numbers = U(3), key, U(done), U(done + BLOCK)
        words = blockers.low, blockers.high, blockers.numbers, U(64 - question.bits)
        if int(first_magic(*words, *numbers, table)[0]) < done + BLOCK:
            return True
        done += BLOCK
    return False


def seconds_by_chance(board: str, text: str) -> str:
    on = parse_board(board)
    questions = questions_of(on, parts_of(pieces_of([text], on), TableForm()), TableForm())
    started = time.perf_counter()
    found = sum(by_chance(question, started + LIMIT) for question in questions.values())
    spent = time.perf_counter() - started
    return f"{spent:.2f}" if found == len(questions) else f"{found} of {len(questions)}"


def families() -> None:
    print(f"{'board':6} {'piece':20} {'seconds':>8} {'chance':>10} {'engine':>11}", end="")
    print("".join(f" {name:>17}" for name in FORMS))
    for board, text, engine in FAMILIES:
        on = parse_board(board)
        seconds = seconds_to_find(board, (text,), TableForm())
        sizes = [size_of(on, pieces_of([text], on), form).bytes for form in FORMS.values()]
        own = "-" if engine is None else f"{engine:,}"
        print(
            f"{board:6} {text:20} {seconds:8.2f} {seconds_by_chance(board, text):>10} {own:>11}",
            end="",
        )
        print("".join(f" {size:17,}" for size in sizes), flush=True)


def together(board: str, texts: tuple[str, ...], one: int, several: int | None) -> None:
    on = parse_board(board)
    pieces = pieces_of(texts, on)
    print(f"\n{board}: {', '.join(pieces)}")
    for name, form in FORMS.items():
        size = size_of(on, pieces, form)
        aim = several if form.lines else one
        limit = "" if aim is None else f"  aim {aim:,}"
        seconds = seconds_to_find(board, texts, form) if form.two_level or form.lines else None
        found = "" if seconds is None else f"  found and verified in {seconds:.2f} s"
        print(f"  {name:18} {size.bytes:12,} bytes, {size.lookups} lookups{limit}{found}")
    computed = classes(on, pieces)
    if computed is not None:
        print(
            f"  a byte for each line, one buffer for all: {computed.bytes:,} bytes (computed only)"
        )


def main() -> None:
    seconds_to_find("5x5", ("rook",), TableForm())
    families()
    together("9x10", XIANGQI, 4_000_000, 700_000)
    fairy = tuple(text for board, text, _ in FAMILIES if board == "12x10")
    together("12x10", fairy, 6_000_000, None)


if __name__ == "__main__":
    main()
