"""From options, or a small TOML file beside a source, to the parts of a reading that they override.

--board 9x10 --piece RookMagicsInit=R --piece CannonMagicsInit=pR

board = "9x10"              # the same as a file: --map FILE, or SOURCE.toml beside the source
[RookMagicsInit]            # a list's name
piece = "R"
[CannonMagicsInit]
piece = "pR"
shift = "CannonShifts"      # a list's name or a number, as in --map CannonMagicsInit.shift=...
"""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from magicert.board import CHESS, Board, orders, parse_board
from magicert.chess import Piece
from magicert.formula import Formula, parse
from magicert.movement import Movement, least_mask
from magicert.problem import InputError, Problem, listed, printable, suggestion
from magicert.scheme import refuse_unknown, resolve_scheme
from magicert.table.model import MASK_RULES, MaskRule
from magicert.table.movements import movement_of
from magicert.table.values import Places, Values
from magicert.verify.source.overrides import FOLDED, Overrides
from magicert.verify.source.variant import variant_of
from magicert.verify.source.ways import for_word

LARGEST_FILE = 1 << 16
_TARGET = re.compile(r"([^.=]+)\.([A-Za-z_]\w*)")
_HOW = "expected LIST=PIECE, as in RookMagics=R"


def overrides_of(
    formula: str | None,
    maps: tuple[str, ...],
    order: str | None,
    bits: tuple[str, ...],
    pieces: tuple[str, ...] = (),
    board: str | None = None,
    as_written: bool = False,
) -> Overrides:
    """What the options' texts override. InputError with all that is wrong with them."""
    reader = _OptionsReader(formula=formula, order=order, board=board)
    for text in maps:
        if "=" not in text and text.lower().endswith(".toml"):
            reader.file(Path(text))
    reader.options([text for text in maps if "=" in text or text[-5:].lower() != ".toml"], pieces)
    reader.counts(bits)
    texts = {
        "scheme": [formula], "map": maps, "order": [order], "bits": bits, "piece": pieces,
        "board": [board],
    }  # fmt: skip
    words = (
        word
        for name, values in texts.items()
        for text in values
        if text
        for word in (f"--{name}", text)
    )
    options = shlex.join([*words, *(["--as-written"] if as_written else [])])
    return replace(reader.overrides(), options=options, as_written=as_written)


def overrides_in(path: Path) -> Overrides:
    """What a TOML file overrides of the source that it lies beside."""
    reader = _OptionsReader()
    reader.file(path)
    return replace(reader.overrides(), origin=f"as in {printable(path.name)}")


def is_overrides_file(path: Path) -> bool:
    """Is this a file with a board and lists, and no table?"""
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST_FILE)
    except OSError:
        return False
    has_board = re.search(rb"^[ \t]*+board[ \t]*+=", text, re.MULTILINE) is not None
    return has_board and re.search(rb"^[ \t]*+magicert[ \t]*+=", text, re.MULTILINE) is None


@dataclass
class _OptionsReader:
    """Collects what options and files say, and what is wrong with it."""

    formula: str | None = None
    order: str | None = None
    board: str | None = None
    moves: dict[str, object] = field(default_factory=dict)
    """How each piece moves: text, or what a TOML file says."""
    named: dict[str, str] = field(default_factory=dict)
    """The list of each piece."""
    lists: dict[tuple[str, str], str] = field(default_factory=dict)
    masks: dict[str, MaskRule] = field(default_factory=dict)
    bits: dict[str, str] = field(default_factory=dict)
    only: list[str] = field(default_factory=list)
    """The pieces of chess that are wanted."""
    keys: dict[str, str] = field(default_factory=dict)
    """How each piece is named in messages."""
    problems: list[Problem] = field(default_factory=list)

    def problem(self, message: str, key: str) -> None:
        self.problems.append(Problem(message, key=key))

    def options(self, maps: list[str], pieces: tuple[str, ...]) -> None:
        for text in pieces:
            name, sign, how = text.partition("=")
            key = f"--piece {text}"
            if not sign and name in set(Piece) and self.board is None and not self.moves:
                self.only.append(name)
            elif not sign or not name.strip() or not how.strip():
                near = "" if sign or self.board else suggestion(name, list(Piece))
                chess = "" if self.board else "expected rook or bishop; of another board "
                self.problem(": ".join(filter(None, [near, chess + _HOW])), key)
            else:
                self.piece(name.strip(), how.strip(), key)
        for text in maps:
            target, sign, name = text.partition("=")
            match = _TARGET.fullmatch(target.strip())
            known = match and (match[1] in self.moves or (not self.moves and match[1] in ORDINARY))
            if match and sign and name.strip() and known:
                self.parameter(match[1], match[2], name.strip())
            elif match and self.moves:
                near = suggestion(match[1], self.moves)
                expected = f"expected one of {listed(self.moves)}"
                self.problem(": ".join(filter(None, [near, expected])), f"--map {text}")
            else:
                message = "expected PIECE.PARAMETER=NAME, as in rook.magic=RookMagics"
                self.problem(message, f"--map {text}")

    def piece(self, name: str, how: object, key: str) -> None:
        """A list, and how its piece moves."""
        piece = piece_name(name)
        if piece in self.moves:
            self.problem(f"{name} is named twice: expected one piece for each list", key)
        self.moves[piece], self.named[piece], self.keys[piece] = how, name, key

    def parameter(self, piece: str, parameter: str, value: str) -> None:
        rule = next((rule for rule in MASK_RULES if rule == value), None)
        if parameter == "mask" and rule is not None:
            self.masks[piece] = rule
        elif self.lists.setdefault((piece, parameter), value) != value:
            known = self.lists[piece, parameter]
            self.problem(f"both {known} and {value}: expected one", f"--map {piece}.{parameter}")

    def counts(self, texts: tuple[str, ...]) -> None:
        known = [*self.moves] if self.moves else [*Piece]
        for text in texts:
            for part in text.split(","):
                piece, sign, number = part.rpartition("=")
                meant = [piece] if piece in known else known
                good = number == "popcount" or (number.isdecimal() and 1 <= int(number) <= 32)
                if not good or (sign and piece not in known):
                    example = "rook=12,bishop=9" if known[0] == "rook" else f"{known[0]}=12"
                    self.problem(
                        f"expected popcount, or 1 to 32, as in {example}", f"--bits {text}"
                    )
                else:
                    for name_of_piece in map(_chess, meant):
                        if self.bits.setdefault(name_of_piece, number) != number:
                            message = f"both {self.bits[name_of_piece]} and {number}: expected one"
                            self.problem(message, f"--bits {name_of_piece}")

    def file(self, path: Path) -> None:
        document = self._document(path)
        for key, entries in document.items():
            where = f"{path}: {key}"
            if key in ("board", "order", "formula"):
                if not isinstance(entries, str):
                    self.problem("expected text", where)
                elif getattr(self, key) is None:
                    setattr(self, key, entries)
            elif isinstance(entries, dict) and "piece" in entries:
                self.piece(key, entries["piece"], where)
                for name, value in entries.items():
                    if name != "piece":
                        self._set_parameter(piece_name(key), name, value, f"{where}.{name}")
            else:
                message = "expected board, order, formula, or a section with piece = ..."
                self.problem(message, where)

    def _set_parameter(self, piece: str, name: str, value: object, where: str) -> None:
        if not isinstance(value, str | int) or isinstance(value, bool):
            self.problem("expected a list's name, or a number", where)
        elif name == "bits" and value == "popcount":
            self.bits[piece] = "popcount"
        else:
            self.parameter(piece, name, str(value))

    def _document(self, path: Path) -> dict[str, Any]:
        try:
            with path.open("rb") as stream:
                return tomllib.loads(stream.read(LARGEST_FILE).decode("utf-8"))
        except OSError as error:
            self.problems.append(Problem(f"cannot be read: {error.strerror}", file=str(path)))
        except ValueError as error:
            self.problems.append(Problem(f"not TOML: {error}", file=str(path)))
        return {}

    def overrides(self) -> Overrides:
        """All of it. InputError with what is wrong."""
        board = self._board()
        known = board or CHESS
        formula = self._formula(known, chess=board is None or not self.moves)
        movements = {piece: m for piece in self.moves for m in self._movement(piece, board)}
        if self.moves and self.board is None:
            names = " ".join(f"--piece {list_}=..." for list_ in self.named.values())
            message = "a list of a board that is not named: expected --board, as in --board 9x10"
            self.problem(message, names)
        allowed = orders(known)
        if self.order is not None and self.order not in allowed:
            self.problem(f"expected one of {', '.join(allowed)}", f"--order {self.order}")
        if self.problems:
            raise InputError(self.problems)
        lists = {(_chess(piece), parameter): name for (piece, parameter), name in
                 self.lists.items()}  # fmt: skip
        if board is None or (board == CHESS and not movements):
            return Overrides(
                formula, lists, self.order or "", self.bits,
                tuple(map(Piece, dict.fromkeys(self.only))), masks=self.masks,
            )  # fmt: skip
        magic_names = {piece: lists.get((piece, "magic"), self.named[piece]) for piece in movements}
        implied = {(piece, "magic"): name for piece, name in magic_names.items()}
        return Overrides(
            formula,
            implied | lists,
            self.order or "",
            self.bits,
            tuple(movements),
            board=board,
            variant=variant_of(board, movements, magic_names),
            implied=frozenset(implied.keys() - lists.keys()),
            masks=self.masks,
        )

    def _board(self) -> Board | None:
        if self.board is None:
            return None
        try:
            return parse_board(self.board)
        except ValueError as error:
            self.problem(str(error), "--board")
            return None

    def _formula(self, board: Board, *, chess: bool) -> Formula | None:
        if self.formula is None:
            return None
        try:
            if chess and board.word == CHESS.word:
                return resolve_scheme(self.formula).formula
            return formula_of(self.formula, board)
        except InputError as error:
            self.problems += [problem.at("", "--scheme", None) for problem in error.problems]
        return None

    def _movement(self, piece: str, board: Board | None) -> Iterator[Movement]:
        """How a piece moves, if that can be read; what is wrong becomes a problem."""
        problems: list[Problem] = []
        values = Values(self.keys[piece], Places(), problems)
        if board is not None:
            values.board = board
        how = self.moves[piece]
        if isinstance(how, str) and "@" not in how:  # the older way: "nA a1-i5 a6-i10"
            notation, *regions = how.replace(",", " ").split()
            how = f"{notation}@{','.join(regions)}" if regions else notation
        movement = movement_of(values, {"piece": how}, piece)
        self.problems += [Problem(problem.message, key=self.keys[piece]) for problem in problems]
        if movement is None or board is None:
            return
        if not any(least_mask(board, movement, square) for square in range(board.squares)):
            message = f"nothing blocks it on {board}: such a piece needs no magics"
            self.problem(message, self.keys[piece])
        else:
            yield movement


ORDINARY = frozenset(piece.value for piece in Piece)
"""The pieces that need not be named."""


def _chess(piece: str) -> str:
    return Piece(piece) if piece in ORDINARY else piece


def piece_name(name: str) -> str:
    """A list's name as the name of a piece in a table file."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")
    return (plain if plain[:1].isalpha() else f"list_{plain}")[:40]


def formula_of(text: str, board: Board) -> Formula:
    """A scheme's name, "folded", or a formula of the user's own, in the words of a board."""
    named: Mapping[str, str] = {
        name: for_word(name, board.word) for name in ("white", "black", "constant")
    } | ({"folded": FOLDED} if board.word > CHESS.word else {})
    if text in named:
        return parse(named[text], word=board.word)
    refuse_unknown(text, named)
    return parse(text, word=board.word)
