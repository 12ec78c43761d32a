"""What each language writes in its own way: the rows of languages/*/dialect.toml.

A language is a folder there: its dialect, the template of a table, what its usage comment says, and
templates of whatever else is written in it. A new folder is a new `--lang`.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath
from string import Template
from typing import Any

import msgspec

from magicert.compact.emit.template import unfilled
from magicert.languages.language import ending_called, language_of
from magicert.problem import InputError, Problem, readable, suggestion

FOLDER = Path(__file__).parent / "languages"
FILE = "dialect.toml"

ByWidth = str | dict[int, str]
"""A text, or one for each width of its operand; a width without one has that of the next narrower.
"""


class Dialect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one language writes a formula, and a program around it.

    In the texts of operations $word is the operand, $receiver the same where a method is called on
    it, $width its width in bits, $log the logarithm of that, $ones a word of so many ones, $kind
    the type of such words in lists, and $own what names begin with. $$ is a dollar sign.
    """

    name: str
    """What `--lang` takes."""
    folder: Path
    suffix: str
    """The ending of a file."""
    comment: str = "//"
    """What a comment begins with, which goes to the end of its line."""
    template: str = ""
    """The template of a table; as the others seen from the folder of the language."""
    helpers: str = ""
    """That of the functions that the language lacks. No function calls another."""
    ways: str = ""
    """The language whose ways of getting attacks this one can read, if they are not its own."""
    conditions: dict[str, str] = {}
    """How a source asks what its target has: "avx2", "bmi2", "rbit"."""
    nested: bool = False
    """Whether what is for one target stands in brackets."""
    linkage: str = ""
    """What a compiler is told so that the functions of a way can be called from elsewhere."""
    proved_filled: str | None = None
    proved_finished: str | None = None
    """What `magicert verify FILE --function` is told, behind the functions, so that it proves those
    of a table that the program fills, and of one with the finished buffer; None where it cannot.
    """
    proved_constructor: str | None = None
    """The same of `emit --constructor`, if they can be proved: $files, $ranks."""
    scope_option: str = ""
    """The option that says where the names live: "prefix", "namespace", "package" or none."""
    scope: str = ""
    """Where they live without that option."""
    scope_form: str = r"[A-Za-z_]\w*"
    """What the option may say."""
    prefixed: bool = False
    """Whether the scope is what all names begin with."""
    stem: str = "magics"
    """What the file is called, if nobody says."""
    without_bmi2: str = ""
    words: dict[str, str] = {}
    """Words of the templates that languages share."""

    variable: str = "$name"
    """A parameter or local variable of the lookups: occ, square and slot. "$$$name" where it begins
    with a dollar sign.
    """

    # Operations
    widest: int = 64
    """The bits of the widest word that the language has."""
    by_parts: bool = False
    """Whether words beyond 64 bits are a type that the helpers define, of words of 64 bits each."""
    parts_from: int = 128
    """The bits of the narrowest of these: narrower words are the language's own."""
    small: str = "$value"
    large: str = "$value"
    """A literal below 256, and from there on."""
    typed: str = "$value"
    """A literal that is a 64-bit word wherever it stands."""
    typed_128: ByWidth = ""
    """A literal that is a word beyond 64 bits: $value, or $words of 64 bits, the lowest first, of
    the type $kind.
    """
    beyond_64: str = ""
    """The same where it needs more bits: $high and $low are its literals of 64 bits."""
    listed_128: str = ""
    """That of a word by parts in a finished buffer, if that is written otherwise."""
    column_128: str = ""
    """The same in a column."""
    low32: ByWidth
    """`u32`."""
    high32: ByWidth
    """`hi32`, of at most 64 bits."""
    low64: ByWidth = ""
    high64: ByWidth = ""
    """`u64` and `hi64`, of a word beyond 64 bits."""
    rotated: ByWidth
    """A word rotated left by $amount, modulo its width."""
    turns: tuple[str, str] = ("$word", "$word")
    """That amount: plain digits less than the width, or a computed word."""
    swapped: str
    """A 64-bit word with its bytes reversed."""
    extracted: str
    """The bits of a 64-bit word where another one, $right, has ones, moved together (PEXT)."""
    counted: ByWidth
    """The number of ones, a 64-bit word."""
    trailing: ByWidth
    """The zeros below the lowest one, a 64-bit word; the width, if the operand is 0."""
    inverted: ByWidth = "~$word"
    negated: ByWidth = "-$word"
    arithmetic: ByWidth = "$word $operator $right"
    """Two words of one width joined by *, + or -, wrapping; $subject has a type and $bare no
    brackets, where that is a method.
    """
    bitwise: ByWidth = "$word $operator $right"
    """The same of &, | and ^."""
    methods: dict[str, str] = {}
    """What $method is in these two, by the operator: a method, or the language's own sign."""
    left_shift: ByWidth = "$word << $amount"
    right_shift: ByWidth = "$word >> $amount"
    """Logical shifts by less than the word's width."""
    shift_amounts: tuple[str, str] = ("$word", "$word")
    """Their amounts: plain digits, or a computed word."""
    other_amount: str = ""
    """A computed amount of another width than the shifted word, if that makes a difference."""
    widened: str = "$word"
    """A 32-bit word as a 64-bit one."""
    widened_128: ByWidth = ""
    """A 32-bit or a 64-bit word as a wider one, which has $zeros behind its lowest 64 bits."""

    # Lists
    indent: str = "    "
    """What stands before the items of an array."""
    kinds: dict[int, str]
    """The types of entries by their bits: 8, 16 and 64, and 128 and 256 up to `widest`."""
    place: str = ""
    amount: str = ""
    """The types of a column of places in a buffer, and of one of amounts."""
    amounts_are_words: bool = False
    """Whether amounts are written as words are."""
    signed: bool = False
    """Whether numbers of 8 and 16 bits have a sign."""
    part: int = 0
    """The most items of a finished list in one piece."""
    field: str = ""
    between: str = ""
    """A field of a record ($column, $kind), and what stands between two, on one line."""
    row: str = ""
    cell: str = "$value"
    """A record ($cells), and a number in it ($column, $value)."""
    inner: str = "{$cells}"
    """A list in a list."""
    listed: str = ""
    """What the array of a piece's records is called."""

    # Lookups
    occupancy: str = ""
    """The parameter of a lookup that is the occupancy, behind the square: $bitboard is its type."""
    read: str
    """How a column is read: $piece, $column ..."""
    array: str = "$NAME"
    """What a buffer is called: $name, $Name, $NAME, $name_camel."""
    array_filled: str = ""
    array_filling: str = ""
    """The same of one that the program fills, in lookups and while it is filled."""
    call: str
    """What a lookup function is called: $piece, $name ..."""
    call_private: str = ""
    """The same of one that only other lookups call."""
    addend: ByWidth = "($index)"
    """An index as what can be added to an offset."""
    place_of: str = "$start + $addend"
    """The slot: $start is the offset."""
    start_of: str = "$start"
    """Where a square's attack sets begin."""
    load: str = "$array[$slot]"
    number: str = "$found"
    """A number from a buffer, as one that can be added to a start."""
    second: str = "$start + $number"
    """The place of an attack set that has a number."""
    either: str = "square < 32 ? $lower : $upper"
    """One expression for ranks 1 to 4, another for the others."""
    mirrored: str = "square ^ 56"
    """The square on the other half of the board."""

    # How pieces move
    boards: bool = False
    """Whether the template fills tables of other boards and pieces than chess's."""
    step: str
    """A step of the walk."""
    move: str = ""
    region: str = ""
    """A step of any piece: $rule, $x, $y, $limit; a region: $left, $low, $right, $high."""
    rules: dict[str, str] = {}
    """The rules of steps by their names in `moves`."""

    def __post_init__(self) -> None:
        needed = {8, 16, 64} | {bits for bits in (128, 256) if bits <= self.widest}
        if missing := sorted(needed - {*self.kinds}):
            raise ValueError(f"kinds: expected a type for {missing[0]} bits")

    def in_parts(self, width: int) -> bool:
        """Whether words of so many bits are a type of the helpers."""
        return self.by_parts and width >= self.parts_from

    def path(self, name: str) -> Path:
        """A file of the language's folder."""
        return self.folder / name

    @property
    def file(self) -> Path:
        """Where all of this stands; a row that is like another one has the rest from there."""
        return self.path(FILE)

    def fill(self, text: str, words: Mapping[str, object]) -> str:
        """A text of the dialect with words in its holes. Raises InputError with the field whose
        holes have other names.
        """
        try:
            return _hole(text).substitute(words)
        except (KeyError, ValueError):
            key = self._field_of(text)
            raise InputError(unfilled(text, words, str(self.file), key)) from None

    def by_width(self, text: ByWidth, width: int) -> str:
        """What a field says of a width. Raises InputError where it says nothing of it."""
        if isinstance(text, str):
            return text
        known = [other for other in text if other <= width]
        if not known:
            message = f"expected a text for words of {width} bits"
            raise InputError([Problem(message, str(self.file), self._field_of(text))])
        return text[max(known)]

    def variable_called(self, name: str) -> str:
        """A parameter or local variable of the lookups, as the language writes it."""
        return self.fill(self.variable, {"name": name})

    def _field_of(self, text: ByWidth) -> str:
        """The fields that hold a text."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        holders = (
            name for name, value in values.items()
            if value == text or (isinstance(value, dict) and text in value.values())
            or (isinstance(value, tuple) and text in value)
        )  # fmt: skip
        return " or ".join(holders)

    @property
    def table(self) -> Path:
        """The template of a table."""
        return self.path(self.template or f"table{self.suffix}")


@cache
def dialects() -> Mapping[str, Dialect]:
    """All languages by name. Raises InputError with each field that a row lacks or has too many,
    and where two folders have the same name, as a copy has at first.
    """
    rows: dict[str, Dialect] = {}
    for path in sorted(FOLDER.glob(f"*/{FILE}")):
        row = read_dialect(path)
        other = rows.setdefault(row.name, row)
        if other is not row:
            message = (
                f"{row.name}: is the language of {other.folder / FILE} already: expected another"
            )
            raise InputError([Problem(message, str(path), "name")])
    return rows


def read_dialect(path: Path) -> Dialect:
    """The dialect of one file. Raises InputError as above."""
    row, fields = _row(path), {field.name: field for field in msgspec.structs.fields(Dialect)}
    del fields["folder"]  # the file itself says that
    lacking = [name for name, field in fields.items() if field.required and name not in row]
    problems = [Problem(f"missing: {about(name)}", str(path), name) for name in lacking]
    for name in row.keys() - fields.keys():
        hint = suggestion(name, fields) or f"expected one of {', '.join(fields)}"
        problems.append(Problem(f"no such field: {hint}", str(path), name))
    if problems:
        raise InputError(problems)
    try:
        return msgspec.convert({**row, "folder": path.parent}, Dialect, strict=False)
    except msgspec.ValidationError as error:
        raise InputError([Problem(str(error), str(path))]) from None


def _row(path: Path) -> dict[str, Any]:
    """A row, with what it does not say from the row that it is like."""
    with readable(path):
        text = path.read_text("utf-8")
    try:
        row = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError([Problem(str(error), str(path))]) from None
    like = row.pop("like", None)
    return {**_row(path.parents[1] / like / FILE), **row} if like else row


def about(field: str) -> str:
    """What a field of a dialect is for: the text below it in this module."""
    return next(text for names, text in _fields() if field in names)


def _fields() -> Iterator[tuple[list[str], str]]:
    """The fields of a dialect with the text that stands below them; several may share one."""
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    row = next(x for x in tree.body if isinstance(x, ast.ClassDef) and x.name == Dialect.__name__)
    names: list[str] = []
    for node in row.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
            case ast.Expr(value=ast.Constant(value=str(text))) if names:
                yield names, " ".join(text.split())
                names = []


def own_name(called: str) -> str:
    """A language's own name: "c++" for cpp, .hpp or C++, as those who read sources call it. A name
    of none of these languages is left as it is.
    """
    ending = None if called in dialects() else ending_called(called)
    if ending is None:
        return called
    # Readers take a .h for C++, which has the words of both; to write it, it is C's.
    exact = (row.name for row in dialects().values() if row.suffix == ending)
    reads = language_of(PurePath(f"file{ending}")).name.lower()
    return next(exact, reads if reads in dialects() else called)


@cache
def _hole(text: str) -> Template:
    """A text, ready to be filled."""
    return Template(text)
