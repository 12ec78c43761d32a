"""One source, read: its columns, for each of its `#if` alternatives."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from magicert.problem import InputError, Problem, printable
from magicert.verify.source.languages.language import Language, language_of
from magicert.verify.source.lists.columns import (
    MOST_COLUMNS,
    Column,
    columns_of,
    numbers_of,
    word_pairs,
)
from magicert.verify.source.lists.constants import (
    ShiftAmount,
    named_constants,
    post_masks,
    shift_amounts,
)
from magicert.verify.source.lists.finder import Finder
from magicert.verify.source.lists.game import CHESS_GAME, Game
from magicert.verify.source.lists.misfits import Misfit, misfits
from magicert.verify.source.lists.regular import Rows
from magicert.verify.source.lists.roles import has_a_role, is_called_magic
from magicert.verify.source.text.conditions import alternatives
from magicert.verify.source.text.lexing import Code, lex
from magicert.verify.source.text.tokens import TooManyTokensError, tokenize
from magicert.verify.source.text.tree import nest
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.reader import Reader

_PRODUCT = re.compile(
    r"(?i)(?:\*|mul\w*\s*\()[^;\n]*(?:magic|mult|factor)|magic\w*[^;\n]*(?:\*|mul)"
)
_HASH = re.compile(r"(?i)hash|zobrist|key|\b0x[0-9a-f_']{13,}|\b\d{16,}")
"""A product that is no table's: by a constant in the code, or for a hash table."""
_OR_NOT = re.compile(
    r"\|=?\s*\(?[~!^](?!=)|\bor\s*\(?\s*not\b|\bor\b[^;\n]{0,40}\binv\b|\.\|\.\s*complement"
)

FARTHEST_NAME, LONGEST_FUNCTION = 400, 16
"""A piece's name belongs to a shift up to so many characters or lines below it."""
LEAST_SHIFT, PRODUCT_ABOVE = 16, 5
"""A shift of at least so much may be a magic index's, if a product stands so near above."""
FOLD = 63
"""What the upper part of a shogi board is shifted by, onto the lower one."""
LARGEST = 16 << 20
"""Largest source in bytes; an engine that lists its whole attack table needs 7 MB."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A right shift of a product by a constant, with its place, and the piece that the
    statement or the function around it names.
    """

    amount: int
    file: str
    line: int
    piece: str | None = None


@dataclass(frozen=True, slots=True)
class LowMask:
    """An AND of a shifted value with a low mask, with its place."""

    mask: int
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A named number, with the file that it is in."""

    name: str
    value: int
    file: str


@dataclass(frozen=True)
class SourceText:
    """One source as it stands, for what is asked of single names and lines."""

    file: str
    text: str
    language: Language
    game: Game = CHESS_GAME

    @cached_property
    def _lexed(self) -> Code:
        return lex(self.text, self.language, whole=True)

    @property
    def with_strings(self) -> str:
        """The whole text with its comments blanked; lines keep their numbers."""
        return self._lexed.text

    @cached_property
    def code(self) -> str:
        """The whole text with its comments and strings blanked; lines keep their numbers."""
        code = self._lexed
        parts: list[str] = []
        done = 0
        for start, end in code.strings:
            parts += [code.text[done:start], re.sub(r"[^\n]", " ", code.text[start:end])]
            done = end
        return "".join([*parts, code.text[done:]])

    @cached_property
    def raw_lines(self) -> list[str]:
        """The lines of the text, comments included."""
        return self.text.split("\n")

    def multiplies_above(self, line: int) -> bool:
        """Does one of the lines above compute a product with a magic number?"""
        above = "\n".join(self.raw_lines[max(0, line - PRODUCT_ABOVE) : line])
        return _PRODUCT.search(above) is not None

    def piece_above(self, line: int) -> str | None:
        """The piece that the lines above name, up to the head of the function."""
        above = self.raw_lines[max(0, line - LONGEST_FUNCTION) : line]
        for text in reversed(above):
            if text.startswith(("}", "#endif")) or not text.strip():
                return None
            if piece := self.game.named(text):
                return piece
        return None

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the code."""
        return self.code.split("\n")


@dataclass(frozen=True, slots=True)
class List:
    """A list of a source: its name and place, how many items it has, how many bits they need."""

    name: str
    file: str
    line: int
    count: int
    bits: int


@dataclass(frozen=True, slots=True)
class Material:
    """What one alternative of a source (or of several files together) offers to a table."""

    files: tuple[str, ...]
    sha256: str
    columns: tuple[Column, ...]
    misfits: tuple[Misfit, ...]
    constants: tuple[Constant, ...]
    shifts: tuple[Shift, ...]
    low_masks: tuple[LowMask, ...]
    conditions: tuple[str, ...]
    order_hint: tuple[str, str] | None
    """The square order that an enumeration of squares shows, and where."""
    notes: tuple[str, ...]
    black_hint: bool = False
    """Does the source OR a complement into something, as the black scheme does?"""
    fold_hint: bool = False
    """Does it shift a word by 63 to the right, as shogi engines fold their boards?"""
    sources: tuple[SourceText, ...] = ()
    game: Game = CHESS_GAME
    lists: tuple[List, ...] = ()
    """All lists, whatever their lengths."""


def read_bytes(path: Path) -> bytes:
    """The bytes of a source file; InputError beyond LARGEST."""
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        message = f"larger than {LARGEST >> 20} MiB: expected the source file with the table"
        raise InputError([Problem(message, file=str(path))])
    return data


def decode(data: bytes, file: str) -> str:
    """The text of a source: UTF-8, UTF-16 with its mark, or Latin-1; InputError for a binary."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16").replace("\r\n", "\n")
        except UnicodeDecodeError:
            pass
    if b"\0" in data:
        message = f"byte 0 at place {data.index(0):,}: expected source text, not a binary"
        raise InputError([Problem(message, file=file)])
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_sources(files: Sequence[tuple[Path, bytes]], game: Game = CHESS_GAME) -> list[Material]:
    """The materials of some files read together, one for each combination of alternatives.

    Raises InputError for what is no source at all.
    """
    digest = hashlib.sha256()
    combined: list[Material] = []
    for path, data in files:
        digest.update(data)
        own = list(_materials(path, data, game))
        combined = [_joined(a, b) for a in combined for b in own] if combined else own
    sha256 = digest.hexdigest()
    return [_with_sha(material, sha256) for material in combined]


def _with_sha(material: Material, sha256: str) -> Material:
    return replace(material, sha256=sha256)


def _joined(a: Material, b: Material) -> Material:
    return Material(
        files=a.files + b.files,
        sha256="",
        columns=a.columns + b.columns,
        misfits=a.misfits + b.misfits,
        constants=a.constants + b.constants,
        shifts=a.shifts + b.shifts,
        low_masks=a.low_masks + b.low_masks,
        conditions=a.conditions + b.conditions,
        order_hint=a.order_hint or b.order_hint,
        notes=a.notes + b.notes,
        black_hint=a.black_hint or b.black_hint,
        fold_hint=a.fold_hint or b.fold_hint,
        sources=a.sources + b.sources,
        game=a.game,
        lists=a.lists + b.lists,
    )


def _materials(path: Path, data: bytes, game: Game) -> Iterator[Material]:
    from magicert.verify.source.lists.orders import enumerated_order

    file, text = printable(path.name), decode(data, str(path))
    language = language_of(path, text)
    source = SourceText(file, text, language, game)
    try:
        for alternative in alternatives(lex(text, language)):
            code = alternative.code
            root = nest(tokenize(code, language))
            constants = named_constants(root, language)
            known = Definitions(language, constants, text, game.word, lambda: source.code)
            reader = Reader(known)
            finder = Finder(code, reader, game.board)
            lists = finder.walk(root)
            columns = [column for rows in lists for column in columns_of(rows, file, code, game)]
            columns += word_pairs(columns)
            amounts = [*shift_amounts(root, reader)]
            yield Material(
                files=(file,),
                sha256="",
                columns=tuple(sorted(columns, key=_rank)[:MOST_COLUMNS]),
                misfits=tuple(misfits(lists, finder.irregular, file, game)),
                constants=tuple(Constant(name, n, file) for name, n in constants.items()),
                shifts=tuple(_shifts(amounts, code, source)),
                low_masks=tuple(
                    LowMask(found.mask, file, code.line(found.place))
                    for found in post_masks(root, reader)
                ),
                conditions=alternative.conditions,
                order_hint=enumerated_order(code, file, game.board),
                notes=_notes(language, columns, text, file),
                black_hint=_OR_NOT.search(code.text) is not None,
                fold_hint=any(amount.amount == FOLD for amount in amounts),
                sources=(source,),
                game=game,
                lists=tuple(_list(rows, file) for rows in lists),
            )
    except TooManyTokensError:
        message = "more tokens than any engine's source has"
        raise InputError([Problem(message, file=str(path))]) from None


def _list(rows: Rows, file: str) -> List:
    leaves = next(iter(rows.fields.values()))
    bits = max(
        (abs(n).bit_length() for own in rows.fields.values() for n in numbers_of(own) if n),
        default=0,
    )
    return List(rows.name, file, rows.first_line, len(leaves), bits)


def _rank(column: Column) -> tuple[bool, bool]:
    """What is called magic first, what has no role in a table last."""
    return not is_called_magic(column), not has_a_role(column)


def _shifts(amounts: Iterable[ShiftAmount], code: Code, source: SourceText) -> Iterator[Shift]:
    """The shifts of products; those of a value computed on the lines above as well."""
    for found in amounts:
        if found.multiplied:
            yield _shift(found, code, source)
        elif LEAST_SHIFT <= found.amount < source.game.word and source.multiplies_above(
            code.line(found.place)
        ):
            shift = _shift(found, code, source)
            if shift.piece is not None:
                yield shift


def _shift(found: ShiftAmount, code: Code, source: SourceText) -> Shift:
    line = code.line(found.place)
    statement = re.split(r"[;{}?]|:(?!:)", code.text[: found.place][-FARTHEST_NAME:])[-1]
    piece = source.game.named(statement)
    if piece is None and not _HASH.search(statement):
        piece = source.piece_above(line)
    return Shift(found.amount, source.file, line, piece)


_PLAIN_NUMBER = re.compile(r"(?<![\w.\"'])(?:0[xX][0-9a-fA-F_]{14,}|[0-9][0-9_]{16,})(?![\w\"'])")


def _notes(language: Language, columns: Sequence[Column], text: str, file: str) -> tuple[str, ...]:
    """That a language rounds numbers, which may surprise."""
    if not columns or not language.rounds:
        return ()
    numbers = [int(match[0].replace("_", ""), 0) for match in _PLAIN_NUMBER.finditer(text)]
    rounded = [number for number in numbers if number != int(float(number))]
    if not rounded:
        return ()
    first = rounded[0]
    return (
        f"{file}: {len(rounded)} numbers without the suffix n do not fit in a double: "
        f"{language.name} makes {int(float(first)):#x} of {first:#x}, and they are read so",
    )
