"""The tables of other boards, and printers that write their numbers as sources of engines do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from magicert.data import tables_folder
from magicert.jobs.stated import parse_pins
from magicert.table import Table, read_table
from magicert.table.model import value_at
from magicert.verify.source.judge import Judgement, judge

LOW = (1 << 64) - 1


@dataclass(frozen=True)
class Notation:
    """How a list of words of 128 bits is written: what stands above, around, and each number."""

    file: str
    frame: str
    number: str
    """Of the whole number `w`, and of its halves `h` and `l`."""
    head: str = ""

    def source(self, lists: Mapping[str, tuple[int, ...]]) -> str:
        """The lists by their names."""
        parts = [self.head]
        for name, words in lists.items():
            numbers = [self.number.format(w=w, h=w >> 64, l=w & LOW) for w in words]
            parts.append(self.frame.format(name=name, n=len(words), items=",\n  ".join(numbers)))
        return "\n".join(parts) + "\n"


C = "Bitboard {name}[SQUARE_NB] = {{\n  {items},\n}};"
RUST = "pub const {name}: [u128; {n}] = [\n  {items},\n];"
NOTATIONS = {
    "macro": Notation(
        "magic.h", C, "B(0x{h:X}, 0x{l:X})", "#define B(a, b) (Bitboard(a) << 64) ^ Bitboard(b)"
    ),
    "Rust": Notation("magic.rs", RUST, "0x{w:032x}"),
}  # fmt: skip

LISTS = {
    "fairy_rook_h": ("RookMagicHInit", "sR"), "fairy_rook_v": ("RookMagicVInit", "vR"),
    "fairy_bishop": ("BishopMagicInit", "B"), "fairy_cannon_h": ("CannonMagicHInit", "psR"),
    "fairy_cannon_v": ("CannonMagicVInit", "pvR"), "fairy_horse": ("HorseMagicInit", "nN"),
    "fairy_lame_dabbaba": ("LameDabbabaMagicInit", "nD"),
    "fairy_elephant": ("ElephantMagicInit", "nA"),
    "fairy_cannon_diag": ("CannonDiagMagicInit", "pB"),
    "fairy_grasshopper_h": ("GrasshopperMagicInitH", "gsR"),
    "fairy_grasshopper_v": ("GrasshopperMagicInitV", "gvR"),
    "pikafish_rook": ("RookMagicsInit", "R"), "pikafish_cannon": ("CannonMagicsInit", "pR"),
    "pikafish_knight": ("KnightMagicsInit", "nN"),
    "pikafish_bishop": ("BishopMagicsInit", "nA a1-i5 a6-i10"),
}  # fmt: skip
"""The name of each table's list in its engine, and its piece."""


@pytest.fixture(scope="session")
def board_table() -> Callable[[str], Table]:
    """A table of tables/boards, by name."""
    return lambda name: read_table(tables_folder() / "boards" / f"{name}.toml").table


@pytest.fixture(scope="session")
def magics(board_table: Callable[[str], Table]) -> Callable[[str], tuple[int, ...]]:
    """The magics of a table of one piece."""

    def of(name: str) -> tuple[int, ...]:
        (half,) = board_table(name).pieces.values()
        return half.parameters["magic"]

    return of


@pytest.fixture(scope="session")
def shogi_records(board_table: Callable[[str], Table]) -> Callable[..., str]:
    """The shogi rook as records of four fields, as its engine writes them."""

    def text(lookup: str = "", **changed: int) -> str:
        (half,) = board_table("haitaka_rook").pieces.values()
        rows = []
        for row in range(81):
            values = {name: value_at(own, row) for name, own in half.parameters.items()}
            values |= {"offset": value_at(half.offset or (0,), row)}
            if row == 40:
                values |= changed
            rows.append(
                "    MagicEntry {{ mask: 0x{mask:X}, magic: 0x{magic:016X}, shift: {shift}, "
                "offset: {offset} }},\n".format(**values)
            )
        head = "struct MagicEntry { mask: u128, magic: u64, shift: u8, offset: u32 }\n"
        frame = "const ROOK_MAGICS: &[MagicEntry; Square::NUM] = &[\n{}];\n"
        return head + frame.format("".join(rows)) + lookup

    return text


@pytest.fixture(scope="session")
def read() -> Callable[..., Judgement]:
    """`read(file, text, board, "LIST=PIECE", ...)`: the judgement of a source."""

    def judged(file: str, text: str, board: str, *pieces: str, **options: object) -> Judgement:
        given = {"formula": None, "maps": (), "order": None, "bits": ()} | options
        pins = parse_pins(pieces=pieces, board=board, **given)  # type: ignore[arg-type]
        return judge([(Path(file), text.encode())], pins)

    return judged


@pytest.fixture(scope="session")
def notations() -> Mapping[str, Notation]:
    return NOTATIONS


@pytest.fixture(scope="session")
def engine_lists() -> Mapping[str, tuple[str, str]]:
    return LISTS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine_list" in metafunc.fixturenames:
        metafunc.parametrize("engine_list", LISTS)
