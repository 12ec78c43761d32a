"""Find a magic for a square, or for all of them, or prove that there is none."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from magicert.api.asked import (
    check_numbers,
    check_seconds,
    libraries,
    piece_of,
    square_of,
)
from magicert.board import Piece
from magicert.cell import Slider
from magicert.engine import Observer, Quiet
from magicert.jobs.find import Wanted
from magicert.jobs.find import find as ask
from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem, suggestion
from magicert.square_order import ORDERS, place_of
from magicert.table import TableFile, parse_table


def find(
    piece: str,
    square: str | int,
    bits: int | None = None,
    *,
    scheme: str = "white",
    order: str = ORDERS[0],
    search: bool = False,
    engine: str | None = None,
    everything: bool = False,
    seconds: float | None = None,
    memory: int | None = None,
    seed: int = 1,
    workers: int = 1,
    options: Mapping[str, str] | None = None,
    observer: Observer | None = None,
) -> Outcome:
    """Find a magic for a square, or all of them, or learn that there is none.

    `bits` not given are popcount(mask), `scheme` is a name or an index formula, `engine` one of
    those of `magicert find`. `order` is your square order: with "a8" the square "a8" is bit 0, and
    a square's number is its bit. `seconds` and `memory` (MiB) are budgets. The answer is Exists
    (each magic checked for all occupancies; with its mask and shift), Impossible (with its kind of
    evidence) or Unknown. Of fewer bits than usual the atlas that ships is asked first, but not with
    `search`, nor where an engine, its options or everything is asked for.
    Raises InputError for a question or an option that is none.
    """
    asked = _wanted(
        piece, square, bits, order, scheme=scheme, search=search, engine=engine,
        everything=everything, seconds=seconds, memory=memory, seed=seed, workers=workers,
        options=options or {},
    )  # fmt: skip
    with libraries():
        return ask(asked, observer or Quiet()).outcome


def disprove(
    piece: str,
    square: str | int,
    bits: int,
    *,
    scheme: str = "white",
    order: str = ORDERS[0],
    search: bool = False,
    engine: str | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    workers: int = 1,
    options: Mapping[str, str] | None = None,
    observer: Observer | None = None,
) -> Outcome:
    """Prove that a square has no magic of so many bits: the question of `find`, asked of an
    engine that can give a proof. Impossible is the answer hoped for; Exists refutes it. What the
    atlas knows is the answer, with its kind of evidence: with `search` an engine is asked.
    """
    asked = _wanted(
        piece, square, bits, order, scheme=scheme, search=search, engine=engine, proof=True,
        seconds=seconds, memory=memory, workers=workers, options=options or {},
    )  # fmt: skip
    with libraries():
        return ask(asked, observer or Quiet()).outcome


def find_set(
    pieces: Sequence[str] = ("rook", "bishop"),
    *,
    scheme: str = "white",
    bits: int | None = None,
    fixed_shift: bool = False,
    seconds: float | None = None,
    seed: int = 1,
    observer: Observer | None = None,
) -> TableFile:
    """Find a magic for every square of these pieces, as a table that has been verified.

    Raises InputError where a square has none, or where the seconds end first.
    """
    from magicert.jobs.sets.chess import SetFound, SetWanted
    from magicert.jobs.sets.chess import find_set as search

    wanted = SetWanted(
        pieces=tuple(map(piece_of, pieces)), scheme=scheme, bits=bits, fixed_shift=fixed_shift,
        seconds=seconds, seed=seed,
    )  # fmt: skip
    with libraries():
        found = search(wanted, observer or Quiet())
    if isinstance(found, SetFound):
        return parse_table(found.text.encode(), Path("magicert"))
    word = "no magic" if found.impossible else "no magic found in time"
    raise InputError(
        Problem(word, key=f"{slider} {number}") for slider, number in map(_named, found.left)
    )


def _named(square: tuple[Piece, int]) -> tuple[str, str]:
    from magicert.board import square_name

    return str(square[0]), square_name(square[1])


def _wanted(piece: str, square: str | int, bits: int | None, order: str, **asked: object) -> Wanted:
    problems: list[Problem] = []
    named: Piece | None = None
    number: int | None = None
    try:
        named = piece_of(piece)
    except InputError as error:
        problems += error.problems
    try:
        number = square_of(square)
    except InputError as error:
        problems += error.problems
    if order not in ORDERS:
        hint = suggestion(str(order), ORDERS) or f"expected one of {', '.join(ORDERS)}"
        problems.append(Problem(f"{order!r}: {hint}", key="order"))
    elif number is not None and isinstance(square, str):
        number = place_of(order, number)
    if bits is not None and (isinstance(bits, bool) or not isinstance(bits, int)):
        problems.append(Problem(f"{bits!r}: expected a number of bits", key="bits"))
    try:
        check_seconds(asked.get("seconds"))
    except InputError as error:
        problems += error.problems
    try:
        check_numbers(**{key: asked.get(key) for key in ("memory", "seed", "workers")})
    except InputError as error:
        problems += error.problems
    if problems or named is None or number is None:
        raise InputError(problems)
    return Wanted(Slider(named, number), bits=bits, **asked)  # type: ignore[arg-type]


__all__ = ["Exists", "Impossible", "Outcome", "Unknown", "disprove", "find", "find_set"]
