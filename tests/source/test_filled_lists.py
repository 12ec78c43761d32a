# ruff: noqa: E501, RUF017 - shapes of sources, each as it stands
"""Lists that are not written as one: texts of numbers, rows added by statements, halves joined."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from magicert.problem import InputError

WILD = Path(__file__).parent / "wild"
SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
PIECES = ("rook", "bishop")


@pytest.mark.parametrize(
    ("file", "options", "status", "said"),
    [
        ("squares.txt", (), 0, "the numbers are valid"),
        ("numbered.txt", ("--piece", "bishop"), 0, "bishops only"),
        ("rook.csv", ("--piece", "rook"), 0, "rooks only"),
        ("extend.py", (), 0, "the numbers are valid"),
        ("assign.lua", (), 0, "the numbers are valid"),
        ("file_rank.java", (), 0, "the numbers are valid"),
        ("hi_lo.ts", (), 0, "rookMul"),
        ("np_fromstring.py", (), 0, "the numbers are valid"),
        ("words.vhd", (), 2, "128 numbers of 64 bits were seen (lines 4-36)"),
        ("folder", (), 0, "magics.txt: the numbers are valid"),
    ],
)
def test_what_the_public_writes_otherwise_is_read(command, file, options, status, said):
    """Files of the project's, in shapes that were met in public ones."""
    result = command("verify", WILD / file, *options)
    assert (result.exit_code, said in result.output) == (status, True)


def each(form, c, change=None, sep="\n"):
    """A line for each number of each piece."""
    lines = []
    for piece in PIECES:
        numbers = c.magics(piece)
        if piece == "rook" and change is not None:
            numbers[28] = change
        lines += [
            form.format(
                p=piece, P=piece[0].upper(), m=n, h=n >> 32, l=n & 0xFFFFFFFF, i=i, j=i + 1,
                s=SQUARES[i], S=SQUARES[i].upper(), f=i % 8, r=i // 8, b=c.shifts(piece)[i],
            )
            for i, n in enumerate(numbers)
        ]  # fmt: skip
    return sep.join(lines)


def rows(form, c, change=None, sep="\n"):
    """A line for each eight numbers."""
    lines = []
    for piece in PIECES:
        numbers = c.magics(piece)
        if piece == "rook" and change is not None:
            numbers[28] = change
        for rank in range(8):
            own = numbers[8 * rank : 8 * rank + 8]
            lines.append(form.format(p=piece, n=", ".join(map(hex, own)), **{
                f"n{k}": ", ".join(f"{n:#x}{k}" for n in own) for k in ("n", "L", "UL", "ULL", "u64")
            }, r=rank))  # fmt: skip
    return sep.join(lines)


def both(c, form, change=None):
    """One line a square, with both pieces' numbers."""
    rook, bishop = c.magics("rook"), c.magics("bishop")
    if change is not None:
        rook[28] = change
    return "\n".join(
        form.format(s=s, i=i, r=a, b=b)
        for i, (s, a, b) in enumerate(zip(SQUARES, rook, bishop, strict=True))
    )


def matrix(c, piece, change=None):
    numbers = c.magics(piece)
    if piece == "rook" and change is not None:
        numbers[28] = change
    return [numbers[8 * rank : 8 * rank + 8] for rank in range(8)]


TEXTS = {
    "pairs.txt": lambda c, n: each("{p} {s} {m}", c, n).replace("rook a1", "rook\na1", 1).replace(
        "rook ", "").replace("bishop a1", "bishop\na1", 1).replace("bishop ", ""),
    "hex_pairs.txt": lambda c, n: "rook\n" + each("{s} {m:#x}", c, n).replace("\na1", "\nbishop\na1", 1),
    "table.tsv": lambda c, n: "square\trook\tbishop\n" + both(c, "{s}\t{r:#x}\t{b:#x}", n),
    "semicolons.csv": lambda c, n: "square;rook;bishop\n" + both(c, "{s};0x{r:016x};0x{b:016x}", n),
    "quoted.csv": lambda c, n: '"square","rook","bishop"\n' + both(c, '"{s}","{r:#x}","{b:#x}"', n),
    "decimal.csv": lambda c, n: "index,rook,bishop\n" + both(c, "{i},{r},{b}", n),
    "markdown.md": lambda c, n: "| square | rook | bishop |\n|---|---|---|\n" + both(
        c, "| {s} | `{r:#x}` | `{b:#x}` |", n),
    "plain.txt": lambda c, n: "square rook bishop\n" + both(c, "{s}  {r:#018x}  {b:#018x}", n),
    "no_header.txt": lambda c, n: "rook\n" + "\n".join(
        f"{s} {hex(m)}" for s, m in zip(SQUARES, sum(matrix(c, "rook", n), []), strict=True)
    ) + "\nbishop\n" + "\n".join(
        f"{s} {hex(m)}" for s, m in zip(SQUARES, c.magics("bishop"), strict=True)),
    "arrows.txt": lambda c, n: "rook:\n" + each("{i} -> {m:#x}", c, n).replace(
        "\n0 ->", "\nbishop:\n0 ->", 1),
    "from_one.txt": lambda c, n: "rook\n" + each("{j}={m}", c, n).replace("\n1=", "\nbishop\n1=", 1),
    "by_file.csv": lambda c, n: "\n".join(
        f"{p}\nfile,1,2,3,4,5,6,7,8\n" + "\n".join(
            f"{f}," + ",".join(hex(row[k]) for row in matrix(c, p, n))
            for k, f in enumerate("abcdefgh")
        ) for p in PIECES),
    "by_rank.csv": lambda c, n: "\n".join(
        f"{p}\nrank,a,b,c,d,e,f,g,h\n" + "\n".join(
            f"{r + 1}," + ",".join(map(hex, matrix(c, p, n)[r])) for r in reversed(range(8))
        ) for p in PIECES),
    "rows.csv": lambda c, n: "\n".join(
        f"{p}," + ",".join(map(hex, sum(matrix(c, p, n), []))) for p in PIECES),
    "lines.jsonl": lambda c, n: both(c, '{{"square": "{s}", "rook": "{r:#x}", "bishop": "{b:#x}"}}', n),
    "lines.json": lambda c, n: both(c, '{{"square": "{s}", "rook": "{r:#x}", "bishop": "{b:#x}"}}', n),
    "append.py": lambda c, n: "rook = []\nbishop = []\n" + each("{p}.append({m:#x})", c, n),
    "extend.py": lambda c, n: "rook, bishop = [], []\n" + rows("{p}.extend([{n}])", c, n),
    "dict.py": lambda c, n: "rook = {}\nbishop = {}\n" + each('{p}["{s}"] = {m:#x}', c, n),
    "zip.py": lambda c, n: halves(c, n, "{p}_a = [{h}]\n{p}_b = [{l}]\n"
        "{p} = [(a << 32) | b for a, b in zip({p}_a, {p}_b)]\n"),
    "split.py": lambda c, n: "".join(
        f'{p} = [int(x, 16) for x in """{" ".join(hex(m) for r in matrix(c, p, n) for m in r)}""".split()]\n'
        for p in PIECES),
    "push.js": lambda c, n: "const rook = [], bishop = [];\n" + each("{p}.push({m:#x}n);", c, n),
    "push_rows.ts": lambda c, n: "const rook: bigint[] = [];\nconst bishop: bigint[] = [];\n" + rows(
        "{p}.push({nn});", c, n),
    "object.js": lambda c, n: "const rook = {{}}, bishop = {{}};\n".format() + each("{p}.{s} = {m:#x}n;", c, n),
    "push_back.cpp": lambda c, n: "std::vector<U64> rook, bishop;\nvoid init() {\n" + each(
        "  {p}.push_back({m:#x}ULL);", c, n) + "\n}\n",
    "emplace.cpp": lambda c, n: "std::vector<Magic> rook, bishop;\nvoid init() {\n" + each(
        "  {p}.emplace_back({m:#x}ULL, {b});", c, n) + "\n}\n",
    "insert.lua": lambda c, n: "local rook, bishop = {}, {}\n" + each("table.insert({p}, {m:#x})", c, n),
    "length.lua": lambda c, n: "local rook, bishop = {}, {}\n" + each("{p}[#{p}+1] = {m:#x}", c, n),
    "push.rs": lambda c, n: "fn init() { let mut rook = Vec::new(); let mut bishop = Vec::new();\n" + each(
        "{p}.push({m:#x}u64);", c, n) + "\n}\n",
    "slices.rs": lambda c, n: "fn init() { let mut rook = Vec::new(); let mut bishop = Vec::new();\n" + rows(
        "{p}.extend_from_slice(&[{n}]);", c, n) + "\n}\n",
    "Add.java": lambda c, n: "class A { static List<Long> rook = new ArrayList<>(), bishop = new ArrayList<>();"
        "\nstatic {\n" + each("{p}.add({m:#x}L);", c, n) + "\n}}\n",
    "Map.java": lambda c, n: "class A { static Map<String, Long> rook = new HashMap<>(), bishop = new HashMap<>();"
        "\nstatic {\n" + each('{p}.put("{s}", {m:#x}L);', c, n) + "\n}}\n",
    "append.go": lambda c, n: "package m\nvar rook, bishop []uint64\nfunc init() {\n" + rows(
        "{p} = append({p}, {n})", c, n) + "\n}\n",
    "map.go": lambda c, n: "package m\nvar rook = map[string]uint64{}\nvar bishop = map[string]uint64{}\n"
        "func init() {\n" + each('{p}["{s}"] = {m:#x}', c, n) + "\n}\n",
    "Add.cs": lambda c, n: "class A { static List<ulong> rook = new(), bishop = new();\nstatic A() {\n" + each(
        "{p}.Add({m:#x}UL);", c, n) + "\n}}\n",
    "range.cs": lambda c, n: "class A { static List<ulong> rook = new(), bishop = new();\nstatic A() {\n" + rows(
        "{p}.AddRange(new ulong[] {{ {nUL} }});", c, n) + "\n}}\n",
    "shovel.rb": lambda c, n: "rook = []\nbishop = []\n" + each("{p} << {m:#x}", c, n),
    "push.pl": lambda c, n: "my @rook;\nmy @bishop;\n" + rows("push @{p}, {n};", c, n),
    "pairs_of_halves.c": lambda c, n: "".join(
        f"static const struct {{ U32 hi, lo; }} {p}[64] = {{ "
        + ", ".join(f"{{0x{m >> 32:x}, 0x{m & 0xFFFFFFFF:x}}}" for r in matrix(c, p, n) for m in r)
        + " };\n" for p in PIECES),
    "loop.c": lambda c, n: halves(c, n, "static const U32 {p}a[64] = {{{h}}};\n"
        "static const U32 {p}b[64] = {{{l}}};\nU64 {p}[64];\n"
        "void {p}_init(void) {{ for (int i = 0; i < 64; i++) {p}[i] = ((U64) {p}a[i] << 32) | {p}b[i]; }}\n"),
    "zip.rb": lambda c, n: halves(c, n, "{p}_a = [{h}]\n{p}_b = [{l}]\n"
        "{p} = {p}_a.zip({p}_b).map {{ |x, y| (x << 32) | y }}\n"),
}  # fmt: skip


def halves(c, change, form):
    text = ""
    for piece in PIECES:
        numbers = sum(matrix(c, piece, change), [])
        text += form.format(
            p=piece,
            h=", ".join(hex(n >> 32) for n in numbers),
            l=", ".join(hex(n & 0xFFFFFFFF) for n in numbers),
        )
    return text


@pytest.mark.gate_takes(each_of="ending")
@pytest.mark.parametrize(("name", "ending"), [file.split(".") for file in TEXTS])
def test_texts_rows_and_halves_are_read_and_a_wrong_number_is_seen(c, judged, name, ending):
    file = f"{name}.{ending}"
    assert judged(TEXTS[file](c, None), file).verdict == "valid"
    with suppress(InputError):
        assert judged(TEXTS[file](c, c.off), file).verdict == "unknown"


SWAPPED = {
    "a.ts": "const {p}a = [{h}];\nconst {p}b = [{l}];\n"
    "const {p} = {p}a.map((w, i) => (BigInt({p}b[i]) << 32n) | BigInt(w));\n",
    "a.py": "{p}_a = [{h}]\n{p}_b = [{l}]\n{p} = [(y << 32) | x for x, y in zip({p}_a, {p}_b)]\n",
    "b.py": "{p}_a = [{h}]\n{p}_b = [{l}]\n{p} = [(x << 32) | y for x, y in zip({p}_b, {p}_a)]\n",
    "a.c": "static const U32 {p}a[64] = {{{h}}};\nstatic const U32 {p}b[64] = {{{l}}};\nU64 {p}[64];\n"
    "void {p}i(void) {{ for (int i = 0; i < 64; i++) {p}[i] = ((U64) {p}b[i] << 32) | {p}a[i]; }}\n",
}


@pytest.mark.parametrize("file", SWAPPED)
def test_halves_that_a_statement_joins_the_other_way_round_are_not_valid(c, judged, file):
    with suppress(InputError):
        assert judged(halves(c, None, SWAPPED[file]), file).verdict != "valid"


SIGNED = {
    "a.java": (
        "class A {{ static final int[] {p}Hi = {{{h}}};\nstatic final int[] {p}Lo = {{{l}}};\n"
        "static final long[] {p} = new long[64];\nstatic {{ for (int i = 0; i < 64; i++) "
        "{p}[i] = ((long) {p}Hi[i] << 32) | %s; }} }}\n",
        "{p}Lo[i]", ("Integer.toUnsignedLong({p}Lo[i])",),
    ),
    "a.c": (
        "static const int {p}_hi[64] = {{{h}}};\nstatic const int {p}_lo[64] = {{{l}}};\n"
        "unsigned long long {p}[64];\nvoid {p}_init(void) {{ for (int i = 0; i < 64; i++) "
        "{p}[i] = ((unsigned long long) {p}_hi[i] << 32) | %s; }}\n",
        "{p}_lo[i]", ("(uint32_t) {p}_lo[i]",),
    ),
}  # fmt: skip
"""Lists of signed halves: the low one, as a wider number, is negative where its highest bit is set."""


@pytest.mark.parametrize("file", SIGNED)
def test_a_negative_low_half_is_not_itself_in_a_wider_word(c, judged, file):
    form, bare, masked = SIGNED[file]
    for low in masked:
        assert judged(halves(c, None, form % low), file).verdict == "valid", low
    with suppress(InputError):
        assert judged(halves(c, None, form % bare), file).verdict != "valid"


CHANGED = {
    "a.py": ("rook = []\nbishop = []\n", "{p}.append({m:#x})", "rook[28] = 0x123456789abcdef1"),
    "b.py": ("rook = []\nbishop = []\n", "{p}.append({m:#x})", "rook[0], x = 0x123456789abcdef1, 0"),
    "a.lua": ("rook, bishop = {}, {}\n", "{p}[{j}] = {m:#x}", "rook[29] = 0x123456789abcdef1"),
    "b.lua": ("rook, bishop = {}, {}\n", "table.insert({p}, {m:#x})", "set(rook, 5, 0x123456789abcdef1)"),
    "a.js": ("const rook = [], bishop = [];\n", "{p}.push({m:#x}n);", "rook[28] = 0x123456789abcdef1n;"),
    "b.js": ("const rook = [], bishop = [];\n", "{p}.push({m:#x}n);",
             "[rook[28]] = [0x123456789abcdef1n];"),
}  # fmt: skip


@pytest.mark.parametrize("file", CHANGED)
def test_what_changes_a_filled_list_is_noticed(c, judged, file):
    head, form, change = CHANGED[file]
    assert judged(head + each(form, c), file).verdict == "valid"
    with suppress(InputError):
        assert judged(f"{head}{each(form, c)}\n{change}\n", file).verdict != "valid"


@pytest.mark.parametrize(
    "text",
    [
        "rook = []\nif on:\n    {rows}\n{bishops}",
        "rook = []\nfor n in range(3):\n    {rows}\n{bishops}",
        "rook = load()\n{rows}\n{bishops}",
        "rook = []\n{rows}\nrook = []\n{bishops}",
        "rook = []\n{rows}\nrook += [5]\nrook.insert(0, 7)\n{bishops}",
    ],
)
def test_what_may_be_filled_otherwise_is_not_taken_for_filled(c, judged, text):
    indent = "    " if "    {rows}" in text else ""
    lines = [f"rook += [{', '.join(map(hex, row))}]" for row in matrix(c, "rook")]
    bishops = f"bishop = [{', '.join(map(hex, c.magics('bishop')))}]\n"
    written = text.format(rows=f"\n{indent}".join(lines), bishops=bishops)
    with suppress(InputError):
        assert judged(written, "a.py").verdict != "valid"


JUDGE = """
import resource, sys
from pathlib import Path
from magicert.problem import InputError
from magicert.verify.source.judge import judge
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))
try:
    judge([(Path("a.cpp"), sys.stdin.buffer.read())])
except InputError:
    pass
"""


BEHIND = [
    "*(&rook_magics[20]){run}",
    "rook_magics{run}[2]",
    "f(rook_magics{run}, 5",
    "&{run}rook_magics[2]",
    "typedef U64{run} a",
    "x >> {run}",
    "enum {run}",
    "struct A {run}",
    "rook_magics.{run}",
]


# The grammar of C++ itself takes ten seconds for a run of words.
@pytest.mark.gate_takes(first=2)
@pytest.mark.parametrize("sign", [" ", "(", "\n", "[", "a "])
def test_long_runs_behind_a_list_take_no_long_time(c, sign):
    """A limit of CPU time that a reader who goes back over a run for each of its signs exceeds."""
    runs = "".join(f" {one.format(run=sign * 40_000)} ;\n" for one in BEHIND)
    text = f"{c.source()}void f() {{ {runs} }}\n"
    given = [sys.executable, "-P", "-c", JUDGE, "20"]
    done = subprocess.run(given, input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-300:]
