"""Pieces of other boards: seconds to find a verified table, and the bytes of its forms.

    python benchmarks/bench_boards_find.py

Each family of engines' tables, with the engine's own bytes beside them. Warm kernels, one core,
wall clock; a table is found, verified exhaustively and made into a file's text. "Chance" is what
engines do: random sparse candidates for all squares with as many index bits, by the loop compiled
here, for at most LIMIT seconds.
"""

import time
from typing import Any

from magicert.board import parse_board
from magicert.outcome import Unseen
from magicert.requests.find_set import SetRequest
from magicert.requests.set_question import TableForm, pieces_of
from magicert.requests.set_search import SetLeft, classes, size_of

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


def seconds_to_find(board: str, texts: tuple[str, ...], form: TableForm, **other: Any) -> str:  # noqa: ANN401
    """Of a whole set; or how much of it there is when the time is over."""
    asked = SetRequest(
        texts, board=board, form="lines" if form.lines else None, two_level=form.two_level,
        masks=form.masks, fixed_shift=form.fixed_shift, **other,
    )  # fmt: skip
    started = time.perf_counter()
    found = asked.run(Unseen)
    if isinstance(found, SetLeft):
        return f"{len(found.magics)} of {found.squares}"
    return f"{time.perf_counter() - started:.2f}"


def seconds_by_chance(board: str, text: str) -> str:
    return seconds_to_find(board, (text,), TableForm(), options={"construct": "no"}, seconds=LIMIT)


def families() -> None:
    print(f"{'board':6} {'piece':20} {'seconds':>8} {'chance':>10} {'engine':>11}", end="")
    print("".join(f" {name:>17}" for name in FORMS))
    for board, text, engine in FAMILIES:
        on = parse_board(board)
        seconds = seconds_to_find(board, (text,), TableForm())
        sizes = [size_of(on, pieces_of([text], on), form).bytes for form in FORMS.values()]
        own = "-" if engine is None else f"{engine:,}"
        print(
            f"{board:6} {text:20} {seconds:>8} {seconds_by_chance(board, text):>10} {own:>11}",
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
        found = "" if seconds is None else f"  found and verified in {seconds} s"
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
