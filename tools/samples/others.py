"""Python, Pascal, Julia, Haskell, Nim, Lua, and languages rarer still."""

from tools.samples.printing import Numbers, grouped, older, rows, sample, signed

BOTH = ("rook", "bishop")


@sample("engine.py", "surge", "older numbers in a docstring and in comments, uint64 calls")
def engine(rook: Numbers, bishop: Numbers) -> str:
    old = ", ".join(f"0x{m:x}" for m in older(rook.magic))
    return f'''"""Magics.

ROOK_MAGICS = [{old}]
"""
import numpy as np

# ROOK_MAGICS = [{old}]
ROOK_MAGICS = [
{rows((f"np.uint64(0x{grouped(m, '_')})" for m in rook.magic), 2)},
]
BISHOP_MAGICS = (
{rows((f"0x{m:X}" for m in bishop.magic), 4)},
)  # [0x1, 0x2]
'''


@sample("Magics.pas", "bbc", "dollar hexadecimals in parentheses, three kinds of comments")
def pascal(rook: Numbers, bishop: Numbers) -> str:
    return f"""unit Magics;
interface
{{ CRook: array[0..63] of QWord = ($0011223344556677, $8899AABBCCDDEEFF); }}
(* and ( a bracket *)
const
  CRook: array[0..63] of QWord = (
{rows((f"${m:016X}" for m in rook.magic), 4)}
  );
  CBishop: array[0..63] of QWord = (
{rows((f"QWord(${m:X})" for m in bishop.magic), 3)}
  ); // $0123456789ABCDEF
implementation
end.
"""


@sample("records.pp", "cuckoo", "records with named fields, bits below popcount")
def records(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.magic, numbers.bits, strict=True)
        return rows((f"(magic: ${m:x}; bits: {b})" for m, b in pairs), 2)

    return f"""program Engine;
type TMagic = record magic: QWord; bits: Byte; end;
const RookTable: array[0..63] of TMagic = (
{listed(rook)});
const BishopTable: array[0..63] of TMagic = (
{listed(bishop)});
begin
end.
"""


@sample("magics.jl", "chess_jl", "constructor calls with four decimals, one shared buffer")
def julia(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        entries = zip(numbers.mask, numbers.magic, numbers.shift, numbers.offset, strict=True)
        return rows((f"Magic({k}, {m}, {s}, {o})" for k, m, s, o in entries), 1)

    return f"""#= two
blocks =#
const ROOK_MAGICS = SVector(
{listed(rook)})
const BISHOP_MAGICS = SVector(
{listed(bishop)})
"""


@sample("spaces.jl", "surge", "typed arrays, numbers one a line without commas")
def spaces(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        return "\n".join(f"    0x{m:016x}" for m in numbers.magic)

    return f"const RookMagic = UInt64[\n{listed(rook)}\n]\nconst BishopMagic = UInt64[\n{listed(bishop)}\n]\n"


@sample("Magics.hs", "surge", "listArray, a signature above, nested comments")
def haskell(rook: Numbers, bishop: Numbers) -> str:
    text = "module Magics where\n{- rookMagics = [0x1, 0x2] {- nested -} -}\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{m:016x}" for m in numbers.magic), 4, "  ")
        text += f"{name}Magics :: UArray Int Word64\n{name}Magics = listArray (0, 63)\n  [\n{listed}\n  ]\n"
    return text


@sample("magics.nim", "ethereal", "suffix 'u64, block comments")
def nim(rook: Numbers, bishop: Numbers) -> str:
    text = "#[ const old = [0x1'u64] ]#\nconst\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{m:X}'u64" for m in numbers.magic), 4)
        text += f"  {name}Magics*: array[64, uint64] = [\n{listed}\n  ]\n"
    return text


@sample("magics.lua", "surge", "first subscript [0], then none; LuaJIT suffix; long comments")
def lua(rook: Numbers, bishop: Numbers) -> str:
    text = "--[[ rook = { 0x1, 0x2 }\n]]\nlocal magics = {}\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows(
            [f"[0]=0x{numbers.magic[0]:x}ULL", *(f"0x{m:x}ULL" for m in numbers.magic[1:])]
        )
        text += f"magics.{name} = {{\n{listed}\n}}\n"
    return text


@sample("words.lua", "bbc", "{lo=, hi=} records of 32-bit words")
def words(rook: Numbers, bishop: Numbers) -> str:
    text = ""
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows(f"{{lo=0x{m & 0xFFFFFFFF:x}, hi=0x{m >> 32:x}}}" for m in numbers.magic)
        text += f"{name}_magics = {{\n{listed}\n}}\n"
    return text


@sample("magics.ml", "surge", "[| ... |] with semicolons, negative")
def ocaml(rook: Numbers, bishop: Numbers) -> str:
    text = "(* let rook = [| 0x1L; 0x2L |] *)\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{m:x}L" for m in numbers.magic), 3, "  ", ";")
        text += f"let {name}_magics = [|\n{listed}\n|]\n"
    return text


@sample("magics.lisp", "bbc", "#x numbers without separators")
def lisp(rook: Numbers, bishop: Numbers) -> str:
    text = "; (#x1 #x2)\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = "\n".join(f"    #x{m:016x}" for m in numbers.magic)
        text += f"(defparameter *{name}-magics*\n  #(\n{listed}))\n"
    return text


@sample("magics.adb", "surge", "16#...# numbers")
def ada(rook: Numbers, bishop: Numbers) -> str:
    text = "package body Magics is\n   -- Old: (16#1#, 16#2#);\n"
    for name, numbers in zip(("Rook", "Bishop"), (rook, bishop), strict=True):
        listed = rows((f"16#{grouped(m, '_').upper()}#" for m in numbers.magic), 3, "      ")
        text += f"   {name}_Magics : constant Table := (\n{listed});\n"
    return text + "end Magics;\n"


@sample("magics.asm", "lc0", "dq lines under a label, no brackets")
def assembly(rook: Numbers, bishop: Numbers) -> str:
    text = "section .data\n; rook dq 0x1\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        lines = [numbers.magic[at : at + 4] for at in range(0, 64, 4)]
        listed = "\n".join("    dq " + ", ".join(f"0x{m:x}" for m in line) for line in lines)
        text += f"{name}_magics:\n{listed}\n"
    return text


@sample("assigned.php", "bbc", "a statement for each square, negative where PHP has no integer")
def assigned(rook: Numbers, bishop: Numbers) -> str:
    text = "<?php\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        text += "".join(
            f"${name}Magic[{square}] = {f'0x{m:x}' if m >> 63 == 0 else signed(m)};\n"
            for square, m in enumerate(numbers.magic)
        )
    return text


@sample("magics.rb", "ethereal", "comments between the rows, frozen")
def ruby(rook: Numbers, bishop: Numbers) -> str:
    text = "=begin\nROOK = [0x1, 0x2]\n=end\n"
    for name, numbers in zip(("ROOK", "BISHOP"), (rook, bishop), strict=True):
        lines = [numbers.magic[at : at + 8] for at in range(0, 64, 8)]
        listed = "\n".join(
            "  " + ", ".join(f"0x{m:x}" for m in line) + f", # rank {rank}: 0x{rank:x}"
            for rank, line in enumerate(lines, 1)
        )
        text += f"{name}_MAGICS = [\n{listed}\n].freeze\n"
    return text


@sample("magics.unknown", "bbc", "an ending that no lexer knows")
def unknown(rook: Numbers, bishop: Numbers) -> str:
    text = "// rook { 0x1, 0x2 }\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((str(signed(m)) for m in numbers.magic), 4)
        text += f"table {name} {{\n{listed}\n}}\n"
    return text
