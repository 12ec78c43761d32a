"""Rust, Go, Java, C#, JavaScript, TypeScript, Kotlin, Scala, Swift, Zig, Dart."""

from tools.samples.printing import Numbers, grouped, rows, sample, signed

BOTH = ("rook", "bishop")


@sample("tuples.rs", "cozy_chess", "a macro with a list of tuples, three a line, black")
def tuples(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.magic, numbers.offset, strict=True)
        return rows((f"(0x{m:016X}, {o})" for m, o in pairs), 3, "        ")

    return f"""macro_rules! gen_entries {{
    ($relevant:ident, $entries:expr) => {{ /* ... */ }};
}}
const ROOKS: &Entries = gen_entries!(
    rook_blockers,
    [
{listed(rook)},
    ]
);
const BISHOPS: &Entries = gen_entries!(
    bishop_blockers,
    [
{listed(bishop)},
    ]
);
pub const TABLE_SIZE: usize = 87988;
"""


@sample("macro_calls.rs", "carp", "a macro call for each entry, tabs and spaces, black, a8 order")
def macro_calls(rook: Numbers, bishop: Numbers) -> str:
    squares = [f"{file.upper()}{rank}" for rank in "87654321" for file in "abcdefgh"]

    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.magic, numbers.offset, strict=True)
        indents = ("\t", "    ")
        return "\n".join(
            f"{indents[at % 2]}M!(0x{m:016x}, {o})," for at, (m, o) in enumerate(pairs)
        )

    return f"""pub enum Square {{
{rows(squares, 8)},
}}
pub const BISHOP_MAGICS: [Magic; 64] = [
{listed(bishop)}
];
pub const ROOK_MAGICS: [Magic; 64] = [
{listed(rook)}
];
"""


@sample("named_fields.rs", "shakmaty", "named fields, underscores, offsets padded")
def named_fields(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        entries = zip(numbers.mask, numbers.magic, numbers.offset, strict=True)
        return "\n".join(
            f"    Magic {{ mask: 0x{grouped(k, '_')}, factor: 0x{grouped(m, '_')}, offset: {o:5} }},"
            for k, m, o in entries
        )

    return f"""// Fixed shift magics.
pub static ROOK_MAGICS: [Magic; 64] = [
{listed(rook)}
];
pub static BISHOP_MAGICS: [Magic; 64] = [
{listed(bishop)}
];
"""


def _five_lines(numbers: Numbers) -> str:
    entries = zip(numbers.mask, numbers.magic, numbers.shift, strict=True)
    return "\n".join(
        f"    Magic {{\n        premask: {k},\n        magic: {m}u64,\n        shift: {s},\n    }},"
        for k, m, s in entries
    )


@sample("five_lines.rs", "olah", "structs over five lines, decimal, shifts in the struct")
def five_lines(rook: Numbers, bishop: Numbers) -> str:
    return f"""pub(crate) const ROOK_MAGICS: [Magic; 64] = [
{_five_lines(rook)}
];
pub(crate) const BISHOP_MAGICS: [Magic; 64] = [
{_five_lines(bishop)}
];
"""


@sample("broken.rs", "olah_bad_4425a97", "invalid: the counterexample has to survive the reading")
def broken(rook: Numbers, bishop: Numbers) -> str:
    return five_lines(rook, bishop)


@sample("four_fields.rs", "ah_magic_demo", "four fields, shift and offset explicit")
def four_fields(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        entries = zip(numbers.mask, numbers.magic, numbers.shift, numbers.offset, strict=True)
        return "\n".join(
            f"    MagicEntry {{ mask: 0x{k:016X}, magic: 0x{m:016X}, shift: {s}, offset: {o} }},"
            for k, m, s, o in entries
        )

    return f"""pub const ROOK_MAGICS: &[MagicEntry; 64] = &[
{listed(rook)}
];
pub const BISHOP_MAGICS: &[MagicEntry; 64] = &[
{listed(bishop)}
];
pub const ROOK_TABLE_SIZE: usize = 102400;
pub const BISHOP_TABLE_SIZE: usize = 5248;
"""


@sample("positional.go", "donna", "positional structs, two a line, upper-case")
def positional(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.mask, numbers.magic, strict=True)
        return rows((f"{{0x{k:016X}, 0x{m:016X}}}" for k, m in pairs), 2, "\t") + ","

    return f"""package engine

type Magic struct {{
\tmask  Bitmask
\tmagic Bitmask
}}

var rookMagic = [64]Magic{{
{listed(rook)}
}}

var bishopMagic = [64]Magic{{
{listed(bishop)}
}}
"""


@sample("six_lists.go", "dragontoothmg", "magics, masks and shifts in lists of their own")
def six_lists(rook: Numbers, bishop: Numbers) -> str:
    text = "package dragon\n"
    for name, numbers in zip(("Rook", "Bishop"), (rook, bishop), strict=True):
        text += f"""
var magicNumber{name} [64]uint64 = [64]uint64{{
{rows((f"0x{m:x}" for m in numbers.magic), 3, chr(9))},
}}
var magic{name}BlockerMasks = [64]uint64{{
{rows((str(k) for k in numbers.mask), 3, chr(9))}}}
var magic{name}Shifts = [64]uint8{{ {", ".join(map(str, numbers.shift))} }}
"""
    return text


@sample("Longs.java", "chess22k", "L suffixes, unpadded, irregular lines, logical shift")
def longs(rook: Numbers, bishop: Numbers) -> str:
    return f"""package nl.example;
public class MagicUtil {{
\tprivate static final long[] rookMagicNumbers = {{ {rows((f"0x{m:x}L" for m in rook.magic), 7, chr(9))} }};
\tprivate static final long[] bishopMagicNumbers = {{ {rows((f"0x{m:x}L" for m in bishop.magic), 5, chr(9))} }};
\tstatic int index(long occ, int sq) {{ return (int) ((occ & MASK[sq]) * rookMagicNumbers[sq] >>> SHIFT[sq]); }}
}}
"""


@sample("Negative.java", "cuckoo", "negative decimals, bit counts next to the magics")
def negative(rook: Numbers, bishop: Numbers) -> str:
    text = "public final class BitBoard {\n    private static final long mateInOne = -1L;\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        text += f"""    private static final int[] {name}Bits = {{ {", ".join(map(str, numbers.bits))} }};
    private static final long[] {name}Magics = new long[] {{
{rows((f"{signed(m)}L" for m in numbers.magic), 3, "        ")}
    }};
"""
    return text + "}\n"


@sample("Spans.cs", "lynx", "expression-bodied spans, column-aligned, trailing comma, a8 order")
def spans(rook: Numbers, bishop: Numbers) -> str:
    squares = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]
    text = f"public enum BoardSquare {{\n{rows(squares, 8)},\n    noSquare }}\npublic static class Constants {{\n"
    for name, numbers in zip(("Rook", "Bishop"), (rook, bishop), strict=True):
        listed = rows((f"0x{m:x}".ljust(18) for m in numbers.magic), 2, "        ")
        text += f"    public static ReadOnlySpan<ulong> {name}MagicNumbers =>\n    [\n{listed},\n    ];\n"
    return text + "}\n"


@sample("Marked.cs", "cosette", "a byte-order mark, decimals, one a line", "utf-8-sig")
def marked(rook: Numbers, bishop: Numbers) -> str:
    text = "namespace Core\n{\n    public static class MagicKeys\n    {\n"
    for name, numbers in zip(("Rook", "Bishop"), (rook, bishop), strict=True):
        text += f"""        public static readonly ulong[] {name}Keys =
        {{
{rows(map(str, numbers.magic), 1, " " * 12)}
        }};
"""
    return text + "    }\n}\n"


@sample("pairs.js", "surge", "[hi, lo] pairs of 32-bit words")
def pairs(rook: Numbers, bishop: Numbers) -> str:
    text = "'use strict';\n// No BigInt here: [high, low].\n"
    for name, numbers in zip(("ROOK", "BISHOP"), (rook, bishop), strict=True):
        listed = rows((f"[0x{m >> 32:x}, 0x{m & 0xFFFFFFFF:x}]" for m in numbers.magic), 3, "  ")
        text += f"const {name}_MAGICS = [\n{listed},\n];\n"
    return text


@sample("suffix_n.mjs", "bbc", "BigInt literals in one object with a field for each piece")
def suffix_n(rook: Numbers, bishop: Numbers) -> str:
    return f"""export const magics = {{
  rook: [
{rows((f"0x{m:x}n" for m in rook.magic), 4)}
  ],
  bishop: [
{rows((f"{m}n" for m in bishop.magic), 4)}
  ],
}};
"""


@sample("texts.ts", "raccoon_ts", "numbers inside string literals, objects")
def texts(rook: Numbers, bishop: Numbers) -> str:
    text = "export interface Entry { mask: bigint; magic: bigint }\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = "\n".join(
            f'  {{ mask: BigInt("0x{k:x}"), magic: BigInt("0x{m:016x}") }},'
            for k, m in zip(numbers.mask, numbers.magic, strict=True)
        )
        text += f"export const {name}Entries: Entry[] = [\n{listed}\n];\n"
    return text


@sample("assembly_script.ts", "barond", "64-bit decimals without a suffix: AssemblyScript")
def assembly_script(rook: Numbers, bishop: Numbers) -> str:
    text = ""
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows(map(str, numbers.magic), 3, "  ")
        text += f"export const {name}_magic_numbers: StaticArray<u64> = [\n{listed},\n];\n"
    return text


@sample("Unsigned.kt", "surge", "ulongArrayOf, suffix uL")
def unsigned(rook: Numbers, bishop: Numbers) -> str:
    text = "package board\n\nobject Magics {\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{grouped(m, '_')}uL" for m in numbers.magic), 3, "        ")
        text += f"    val {name}Magics = ulongArrayOf(\n{listed},\n    )\n"
    return text + "}\n"


@sample("Signed.scala", "ethereal", "Array[Long](...), negative numbers, a triple-quoted text")
def signed_longs(rook: Numbers, bishop: Numbers) -> str:
    text = 'object Magic {\n  val about = """64 numbers: Array(1, 2, 3) /* """\n'
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"{signed(m)}L" for m in numbers.magic), 3, "    ")
        text += f"  private val {name}Magics: Array[Long] = Array[Long](\n{listed}\n  )\n"
    return text + "}\n"


@sample("literals.swift", "lc0", "type annotations, underscores")
def literals(rook: Numbers, bishop: Numbers) -> str:
    text = "struct Magics {\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{grouped(m, '_', 8)}" for m in numbers.magic), 4, "        ")
        text += f"    static let {name}Numbers: [UInt64] = [\n{listed}\n    ]\n"
    return text + "}\n"


@sample("wrapping.zig", "avalanche", "[64]types.Bitboard{...}, @as casts")
def wrapping(rook: Numbers, bishop: Numbers) -> str:
    return f"""const types = @import("types.zig");

pub const RookMagics = [64]types.Bitboard{{
{rows((f"0x{m:016x}" for m in rook.magic), 4)},
}};

pub const BishopMagics = [_]u64{{
{rows((f"@as(u64, 0x{m:x})" for m in bishop.magic), 2)},
}};
"""


@sample("hexadecimal.dart", "surge", "const lists of int")
def hexadecimal(rook: Numbers, bishop: Numbers) -> str:
    text = "/// Magics.\n"
    for name, numbers in zip(BOTH, (rook, bishop), strict=True):
        listed = rows((f"0x{m:X}" for m in numbers.magic), 4, "  ")
        text += f"const List<int> {name}Magics = <int>[\n{listed},\n];\n"
    return text
