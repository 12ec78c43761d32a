"""Whole sources as engines write them: right ones are read, changed ones are not certified."""

from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.problem import InputError
from magicert.verify.source.readings.judge import judge

# {r} and {b} are the magics in hexadecimal, as the frame behind the bar spells each of them.
RIGHT = {
    "static.rs": "pub static ROOK_MAGICS: [Bitboard; 64] = [{r}];\n"
    "pub static BISHOP_MAGICS: [Bitboard; 64] = [{b}];\n"
    "pub fn rook_index(sq: usize, occ: u64) -> usize {{\n"
    "    ((occ & MASKS[sq]).wrapping_mul(ROOK_MAGICS[sq]) >> (64 - BITS[sq])) as usize\n}}\n"
    "|Bitboard(0x{:x})",
    "init.cpp": "const Bitboard RookMagics[64] = {{{r}}};\n"
    "const Bitboard BishopMagics[64] = {{{b}}};\n"
    "void init() {{\n  for (int s = 0; s < 64; s++) {{\n    RookTable[s].magic = RookMagics[s];\n"
    "    for (int i = 0; i < n; i++) RookAttacks[s][i] = slow(s, i);\n  }}\n}}\n|0x{:x}ULL",
    "loop.java": "public class Magics {{\n  static final long[] rookMagics = {{{r}}};\n"
    "  static final long[] bishopMagics = {{{b}}};\n  static long rook(int s, long occ) {{\n"
    "    occ &= rookMask[s]; occ *= rookMagics[s]; occ >>>= 64 - rookBits[s];\n"
    "    return rookTable[s][(int) occ];\n  }}\n}}\n|0x{:x}L",
    "map.ts": "const rookMagics = [{r}].map(BigInt);\n"
    "const bishopMagics = [{b}].map(x => BigInt(x));\n|'0x{:x}'",
    "map.swift": "let rookMagics: [UInt64] = [{r}]\n"
    "let bishopMagics = [{b}].map {{ Bitboard(rawValue: $0) }}\n|0x{:x}",
    "signature.hs": "rookMagics :: V.Vector Word64\nrookMagics = V.fromList [{r}]\n"
    "bishopMagics :: V.Vector Word64\nbishopMagics = V.fromList [{b}]\n|0x{:x}",
    "reads.ml": "let rook_magics = [| {r} |]\nlet bishop_magics = [| {b} |]\n"
    "let index o s = Int64.(to_int (shift_right_logical (mul o rook_magics.(s)) 52))\n|0x{:x}L",
    "loop.py": "ROOK_MAGICS = tuple(np.uint64(x) for x in [{r}])\n"
    "BISHOP_MAGICS = np.array([{b}], dtype=np.uint64)\n|0x{:x}",
    "unsigned.c": "unsigned long long rook_magics[64] = {{{r}}};\n"
    "static unsigned __int64 bishop_magics[64] = {{{b}}};\n|0x{:x}ULL",
    "macros.c": "U64 rookMagics[64] = {{{r}}};\nU64 bishopMagics[64] = {{{b}}};\n|C64(0x{:x})",
    "casts.cs": "static long[] Rooks = {{{r}}};\nstatic long[] Bishops = {{{b}}};\n"
    "|unchecked((long)0x{:x})",
    "vectors.jl": "const ROOK_MAGICS = @SVector UInt64[{r}]\n"
    "const BISHOP_MAGICS = SVector{{64,UInt64}}({b})\n|0x{:x}",
    "unsigned.kt": "val ROOK_MAGICS = longArrayOf({r})\n"
    "private val bishopMagics = longArrayOf({b})\n"
    "|0x{:x}uL.toLong()",
    "plain.lua": "local ROOK_MAGICS = {{{r}}}\nlocal BISHOP_MAGICS = {{{b}}}\n|0x{:x}",
    "lists.dart": "const List<int> rookMagics = [{r}];\n"
    "final bishopMagics = Int64List.fromList([{b}]);\n|0x{:x}",
}

CHANGED = {
    "number.js": "const rook = [{r}].map(Number);\nconst bishop = [{b}].map(BigInt);\n|'0x{:x}'",
    "word32.hs": "rook :: UArray Int Word32\nrook = listArray (0, 63) [{r}]\n"
    "bishop :: UArray Int Word64\nbishop = listArray (0, 63) [{b}]\n|0x{:x}",
    "write.lua": "rook = {{{r}}}\nbishop = {{{b}}}\n"
    "for i = 1, 64 do\n  rook[i] = rook[i] ~ 5\nend\n|0x{:x}",
    "write.go": "var rookMagics = [64]uint64{{{r}}}\nvar bishopMagics = [64]uint64{{{b}}}\n"
    "func init() {{\n\tfor i := range rookMagics {{\n"
    "\t\trookMagics[i] = bits.ReverseBytes64(rookMagics[i])\n\t}}\n}}\n|0x{:x}",
    "write.rs": "static mut ROOK: [u64; 64] = [{r}];\nstatic BISHOP: [u64; 64] = [{b}];\n"
    "fn init() {{ unsafe {{ ROOK[20] = 1; }} }}\n|0x{:x}",
    "iter.rs": "let mut rook: [u64; 64] = [{r}];\nlet bishop = [{b}];\n"
    "for m in rook.iter_mut() {{ *m ^= 1; }}\n|0x{:x}",
    "write.java": "class X {{ static long[] ROOK = {{{r}}};\nstatic long[] BISHOP = {{{b}}};\n"
    "  static {{ for (int i = 0; i < 64; i++) ROOK[i] = Long.reverseBytes(ROOK[i]); }} }}\n"
    "|0x{:x}L",
    "write.cs": "static ulong[] Rook = {{{r}}};\nstatic ulong[] Bishop = {{{b}}};\n"
    "static X() {{ Array.Reverse(Rook); }}\n|0x{:x}",
    "swap.py": "rook = [{r}]\nbishop = [{b}]\nrook[3], rook[4] = rook[4], rook[3]\n|0x{:x}",
    "write.d": "ulong[64] rook = [{r}];\nulong[64] bishop = [{b}];\n"
    "static this() {{ foreach (ref m; rook) m = ~m; }}\n|0x{:x}UL",
    "write.zig": "var rook = [_]u64{{{r}}};\nvar bishop = [_]u64{{{b}}};\n"
    "fn init() void {{ for (&rook) |*m| m.* = ~m.*; }}\n|0x{:x}",
    "write.pas": "var Rook: array[0..63] of QWord = ({r});\n"
    "Bishop: array[0..63] of QWord = ({b});\n"
    "begin\n  Rook[20] := 1;\nend.\n|${:x}",
    "write.ml": "let rook = [| {r} |]\nlet bishop = [| {b} |]\nlet () = rook.(20) <- 1L\n|0x{:x}L",
    "write.kt": "val rook = ulongArrayOf({r})\nval bishop = ulongArrayOf({b})\n"
    "fun init() {{ rook[20] = 1UL }}\n|0x{:x}UL",
    "struct32.c": "struct M {{ uint32_t magic; int shift; }};\n"
    "static struct M rook[64] = {{{r}}};\n"
    "static struct M bishop[64] = {{{b}}};\n|{{0x{:x}ULL, 52}}",
    "unknown.c": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n|0x{:x}ULL + DELTA",
    "unknown_xor.c": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n|KEY ^ 0x{:x}ULL",
    "choice.c": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n|FLAG ? 0x{:x}ULL : 5",
    "shift.py": "rook_magics = [{r}]\nbishop_magics = [{b}]\ndef rook_attacks(sq, occ):\n"
    "    index = ((occ & rook_masks[sq]) * rook_magics[sq] & MASK64) >> 55\n"
    "    return t[index]\n|0x{:x}",
    "shift.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "fn rook_index(s: usize, o: u64) -> usize {{\n"
    "    ((o & M[s]).wrapping_mul(ROOK[s]) >> (64 - 10)) as usize\n}}\n|0x{:x}",
}


def verdict(name, text, shipped):
    body, _, item = text.rpartition("|")
    pieces = shipped("bbc").pieces
    sign = "; " if name.endswith(".ml") else ", "
    r, b = (sign.join(map(item.format, pieces[p].parameters["magic"])) for p in Piece)
    try:
        return judge([(Path(name), body.format(r=r, b=b).encode())]).verdict
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_source_is_certified(name, shipped):
    assert verdict(name, RIGHT[name], shipped) == "valid"


@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_source_is_not(name, shipped):
    assert verdict(name, CHANGED[name], shipped) != "valid"
