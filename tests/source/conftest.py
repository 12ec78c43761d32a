"""The samples, and a printer that writes a table as source in a random notation."""

import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from magicert.board import Piece
from magicert.cli.app import cli
from magicert.data import tables_folder
from magicert.table import Table, read_table

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class SampleFile:
    path: Path
    table: str
    hard: str


def _samples() -> Iterator[SampleFile]:
    for entry in tomllib.loads((SAMPLES / "index.toml").read_text())["sample"]:
        yield SampleFile(SAMPLES / entry["file"], entry["table"], entry["hard"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sample_file" in metafunc.fixturenames:
        found = list(_samples())
        metafunc.parametrize("sample_file", found, ids=[sample.path.name for sample in found])


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Table]:
    """A table that magicert ships, by name, broken ones included."""

    def read(name: str) -> Table:
        return read_table(next(tables_folder().rglob(f"{name}.toml"))).table

    return read


@pytest.fixture(scope="session")
def sample_text() -> Callable[[str], str]:
    return lambda name: (SAMPLES / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Lists:
    """What is printed of one piece; a list that is empty is left out."""

    magic: tuple[int, ...]
    counts: tuple[int, ...] = ()
    mask: tuple[int, ...] = ()
    offset: tuple[int, ...] = ()


@dataclass
class Printer:
    """Prints lists in the notation that its random numbers choose."""

    rng: random.Random
    ending: str = ""
    words: dict[str, str] = field(default_factory=dict)

    ENDINGS = (".c", ".cpp", ".rs", ".go", ".java", ".cs", ".ts", ".py", ".pas", ".zig", ".jl",
               ".kt", ".swift", ".nim", ".d", ".lua", ".scala", ".dart")  # fmt: skip
    FRAMES = {
        ".c": "static const uint64_t {}[64] = {{{}}};",
        ".cpp": "constexpr std::array<U64, 64> {} = {{{{{}}}}};",
        ".rs": "pub const {}: [Entry; 64] = [{}];",
        ".go": "var {} = [64]uint64{{{}}}",
        ".java": "static final long[] {} = {{{}}};",
        ".cs": "static readonly ulong[] {} = new ulong[] {{{}}};",
        ".ts": "export const {} = [{}];",
        ".py": "{} = [{}]",
        ".pas": "{}: array[0..63] of QWord = ({});",
        ".zig": "pub const {} = [64]u64{{{}}};",
        ".jl": "const {} = UInt64[{}]",
        ".kt": "val {} = ulongArrayOf({})",
        ".swift": "let {}: [UInt64] = [{}]",
        ".nim": "const {}*: array[64, uint64] = [{}]",
        ".d": "immutable ulong[64] {} = [{}];",
        ".lua": "{} = {{{}}}",
        ".scala": "val {}: Array[Long] = Array({})",
        ".dart": "const List<int> {} = [{}];",
    }
    SUFFIXES = {".c": ("", "ULL", "ull", "u"), ".cpp": ("", "ULL"), ".rs": ("", "u64", "_u64"),
                ".java": ("L",), ".cs": ("", "UL", "ul"), ".ts": ("n",), ".kt": ("uL", "UL"),
                ".nim": ("'u64", "u64"), ".d": ("UL", ""), ".lua": ("ULL", ""),
                ".scala": ("L",)}  # fmt: skip
    SEPARATED = (".rs", ".go", ".java", ".cs", ".py", ".zig", ".jl", ".kt", ".swift", ".nim", ".d")
    COMMENTS = {".py": "# {}", ".jl": "# {}", ".nim": "# {}", ".lua": "-- {}"}

    def number(self, value: int) -> str:
        form = self.words.setdefault("form", self.rng.choice(["hex", "HEX", "padded", "decimal"]))
        signed = self.ending in (".java", ".scala") and form == "decimal" and value >> 63
        if signed:
            value -= 1 << 64
        digits = {"hex": f"{value:x}", "HEX": f"{value:X}", "padded": f"{value:016x}"}.get(form)
        text = digits if digits is not None else str(value)
        if self.words.setdefault("separated", self.rng.choice("yn")) == "y" and value >= 0:
            text = self.separated(text)
        if digits is not None:
            text = ("$" if self.ending == ".pas" else "0x") + text
        suffixes = self.SUFFIXES.get(self.ending, ("",))
        if self.ending == ".lua" and form == "decimal":
            # Without the suffix, Lua makes floating-point numbers of large decimals.
            suffixes = ("ULL",)
        return text + self.words.setdefault("suffix", self.rng.choice(suffixes))

    def separated(self, text: str) -> str:
        sign = "_" if self.ending in self.SEPARATED else "'" if self.ending == ".cpp" else ""
        if not sign:
            return text
        head = len(text) % 4 or 4
        return sign.join([text[:head], *(text[at : at + 4] for at in range(head, len(text), 4))])

    def joined(self, items: list[str]) -> str:
        per_line = self.rng.choice([1, 2, 3, 4, 8, 64])
        lines = [", ".join(items[at : at + per_line]) for at in range(0, 64, per_line)]
        comment = self.COMMENTS.get(self.ending, "// {}").format("0x1111, 7 'n")
        end = self.rng.choice(["", ",", f", {comment}"]) if self.ending != ".pas" else ""
        breaks = ",\n    " if self.rng.random() < 0.7 else f", {comment}\n    "
        trailing = "" if self.ending in (".pas", ".scala") else end
        return "\n    " + breaks.join(lines) + trailing + "\n"

    RECORDS = {
        ".c": ("static const struct M {}[64] = {{{}}};", "{{{}}}", ".{}={}"),
        ".cpp": ("constexpr M {}[64] = {{{}}};", "M{{{}}}", ".{} = {}"),
        ".rs": ("pub static {}: [M; 64] = [{}];", "M {{ {} }}", "{}: {}"),
        ".go": ("var {} = [64]M{{{}}}", "{{{}}}", "{}: {}"),
        ".ts": ("export const {} = [{}];", "{{ {} }}", "{}: {}"),
        ".py": ("{} = [{}]", "M({})", "{}={}"),
        ".jl": ("const {} = SVector({})", "M({})", "{}={}"),
        ".zig": ("pub const {} = [_]M{{{}}};", ".{{ {} }}", ".{} = {}"),
        ".lua": ("{} = {{{}}}", "{{{}}}", "{}={}"),
        ".kt": ("val {} = arrayOf({})", "M({})", "{} = {}"),
    }

    def records(self, lists: dict[Piece, Lists]) -> str:
        """One list of records for each piece, with or without the names of the fields."""
        self.ending = self.ending or self.rng.choice(sorted(self.RECORDS))
        frame, record, named = self.RECORDS[self.ending]
        with_names = self.rng.random() < 0.5 and self.ending != ".jl"
        fields = ["magic", "counts", "mask", "offset"]
        self.rng.shuffle(fields)
        parts = []
        for piece in self.rng.sample(list(lists), 2):
            columns = {name: getattr(lists[piece], name) for name in fields}
            columns = {name: values for name, values in columns.items() if values}
            items = []
            for row in range(64):
                cells = {
                    name: self.number(values[row])
                    if name in ("magic", "mask")
                    else str(values[row])
                    for name, values in columns.items()
                }
                shown = [
                    named.format(name, cell) if with_names else cell for name, cell in cells.items()
                ]
                items.append(record.format(", ".join(shown)))
            parts.append(frame.format(f"{piece}_entries", self.joined(items)))
        return "\n\n".join(parts) + "\n"

    def word_pairs(self, lists: dict[Piece, Lists]) -> str:
        """Magics as pairs of 32-bit words, the low or the high one first."""
        self.ending = ".ts"
        low_first = self.rng.random() < 0.5
        parts = []
        for piece, own in lists.items():
            items = []
            for magic in own.magic:
                words = [magic & 0xFFFFFFFF, magic >> 32]
                items.append("[{}, {}]".format(*(words if low_first else reversed(words))))
            parts.append(self.FRAMES[".ts"].format(f"{piece}Magics", self.joined(items)))
            for kind in ("counts", "offset"):
                if values := getattr(own, kind):
                    name = self.name("camel", piece.value, kind)
                    parts.append(self.FRAMES[".ts"].format(name, self.joined([*map(str, values)])))
        return "\n".join(parts)

    def source(self, lists: dict[Piece, Lists]) -> str:
        """The whole text, lists one after another."""
        self.ending = self.ending or self.rng.choice(self.ENDINGS)
        style = self.rng.choice(["snake", "camel", "UPPER"])
        pieces = list(lists)
        self.rng.shuffle(pieces)
        parts = []
        for piece in pieces:
            for kind, values in vars(lists[piece]).items():
                if values:
                    name = self.name(style, piece.value, kind)
                    wide = kind in ("magic", "mask")
                    items = [self.number(v) if wide else str(v) for v in values]
                    parts.append(self.FRAMES[self.ending].format(name, self.joined(items)))
        self.rng.shuffle(parts)
        head = {".pas": "const\n", ".java": "class X {\n", ".scala": "object X {\n"}
        tail = {".java": "\n}", ".scala": "\n}"}
        body = "\n\n".join(parts)
        return head.get(self.ending, "") + body + tail.get(self.ending, "") + "\n"

    def name(self, style: str, piece: str, kind: str) -> str:
        word = {"magic": "magics", "counts": "shifts", "mask": "masks", "offset": "offsets"}[kind]
        if style == "camel":
            return piece + word.capitalize()
        return f"{piece}_{word}".upper() if style == "UPPER" else f"{piece}_{word}"


@pytest.fixture(scope="session")
def printer() -> Callable[[random.Random, str], Printer]:
    return lambda rng, ending="": Printer(rng, ending)


@pytest.fixture(scope="session")
def lists_type() -> type[Lists]:
    return Lists


@pytest.fixture
def command() -> Callable[..., Result]:
    """`command("verify", path)`: the command line, in this process."""

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def engine(tmp_path: Path, shipped: Callable[[str], Table]) -> Callable[..., Path]:
    """Write bbc's magics as a C file; keyword arguments replace parts of it."""

    def write(name: str = "engine.c", **parts: str) -> Path:
        table = shipped("bbc")
        texts = {
            piece.value: f"const U64 {piece}_magics[64] = {{{hexadecimal(table, piece)}}};\n"
            for piece in Piece
        }
        path = tmp_path / name
        path.write_text("".join((texts | parts).values()), encoding="utf-8")
        return path

    return write


def hexadecimal(table: Table, piece: Piece) -> str:
    return ", ".join(f"0x{magic:x}ULL" for magic in table.pieces[piece].parameters["magic"])
