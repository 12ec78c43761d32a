"""Addresses of entries of an array in the records of magics: where the slots of squares begin."""

import itertools

import pytest

SLOTS = 5248
"""Of bbc's bishops."""
C_ROW = (
    "a.c",
    "U64 T[{size}];\nM bishops[64] = {{ {rows} }};\n",
    "{{{magic:#x}ULL, {at}, {shift}}}",
)
CPP = "using U64 = uint64_t;\n"
RUST = "static T: [u64; {size}] = [0; {size}];\nstatic BISHOPS: [M; 64] = [ {rows} ];\n"
RUST_ROW = "M {{ magic: {magic:#x}, at: {at}, shift: {shift} }}"
GO = "package p\nvar T [{size}]uint64\nvar bishops = [64]M{{ {rows} }}\n"
SHARP = "class A {{ static ulong[] T = new ulong[{size}];\nstatic M[] bishops = {{ {rows} }}; }}\n"
SHARP_ROW = "new M({magic:#x}UL, {at}, {shift})"
ZIG = "var T: [{size}]u64 = undefined;\nconst bishops = [_]M{{ {rows} }};\n"
ZIG_ROW = ".{{ .magic = {magic:#x}, .at = {at}, .shift = {shift} }}"

SHAPES = {
    "& and a subscript": (*C_ROW, "&T[{n}]"),
    "& and brackets": (*C_ROW, "&(T[{n}])"),
    "a sum": (*C_ROW, "T + {n}"),
    "a sum the other way round": (*C_ROW, "{n} + T"),
    "a sum of several": (*C_ROW, "T + {n} + 64 - 64"),
    "a computed subscript": (*C_ROW, "&T[2 * {n} - {n}]"),
    "an address and a number": (*C_ROW, "&T[0] + {n}"),
    "a cast to what it is": (*C_ROW, "(unsigned long long *)T + {n}"),
    "a macro": (C_ROW[0], "#define AT(n) (T + (n))\n" + C_ROW[1], C_ROW[2], "AT({n})"),
    "a constant pointer": (
        C_ROW[0], C_ROW[1].replace("M b", "U64 *const P = T + 100;\nM b"), C_ROW[2],
        "P + {n} - 100",
    ),
    "a member": (
        C_ROW[0], "struct {{ U64 other[9], a; U64 slots[{size}]; }} T;\n"
        + C_ROW[1].partition("\n")[2], C_ROW[2], "&T.slots[{n}]",
    ),
    "a named field": (
        *C_ROW[:2], "{{.magic = {magic:#x}ULL, .at = &T[{n}], .shift = {shift}}}", "",
    ),
    "rows of an array": (
        C_ROW[0], C_ROW[1].replace("[{size}]", "[82][64]"), C_ROW[2], "&T[{row}][{column}]",
    ),
    "std::begin": ("a.cpp", CPP + C_ROW[1], C_ROW[2], "std::begin(T) + {n}"),
    "std::next": ("a.cpp", CPP + C_ROW[1], C_ROW[2], "std::next(T, {n})"),
    "data()": (
        "a.cpp", CPP + C_ROW[1].replace("U64 T[{size}]", "std::array<U64, {size}> T"), C_ROW[2],
        "T.data() + {n}",
    ),
    "a span": ("a.cpp", CPP + C_ROW[1], C_ROW[2], "std::span(T).subspan({n})"),
    "Rust's slice": ("a.rs", RUST, RUST_ROW, "&T[{n}..]"),
    "Rust's range": ("a.rs", RUST, RUST_ROW, "&T[{n}..{n} + 32]"),
    "Rust's rows": (
        "a.rs", RUST.replace("[u64; {size}] = [0; {size}]", "[[u64; 64]; 82] = [[0; 64]; 82]"),
        RUST_ROW, "&T[{row}][{column}]",
    ),
    "Zig's rows": (
        "a.zig", ZIG.replace("[{size}]u64", "[82][64]u64"), ZIG_ROW, "&T[{row}][{column}]",
    ),
    "Rust's pointer": ("a.rs", RUST, RUST_ROW, "unsafe {{ T.as_ptr().add({n}) }}"),
    "Go's slice": ("a.go", GO, "{{{magic:#x}, T[{n}:], {shift}}}", ""),
    "Go's pointer": ("a.go", GO, "{{{magic:#x}, &T[{n}], {shift}}}", ""),
    "C#'s span": ("a.cs", SHARP, SHARP_ROW, "T.AsSpan({n})"),
    "C#'s new span": ("a.cs", SHARP, SHARP_ROW, "new ArraySegment<ulong>(T, {n}, 32)"),
    "Zig's slice": ("a.zig", ZIG, ZIG_ROW, "T[{n}..]"),
    "Zig's pointer": ("a.zig", ZIG, ZIG_ROW, "&T[{n}]"),
    "D's pointer": ("a.d", "ulong[{size}] T;\nM[64] bishops = [ {rows} ];\n",
                    "M({magic:#x}UL, T.ptr + {n}, {shift})", ""),
}  # fmt: skip
BY_NAME = {own: pytest.param(*own, id=name) for name, own in SHAPES.items()}
every_shape = pytest.mark.parametrize(("file", "frame", "row", "item"), BY_NAME.values())


def places(c):
    """Where the slots of each bishop begin, one behind the other."""
    sizes = [1 << 64 - shift for shift in c.shifts("bishop")]
    return [0, *itertools.accumulate(sizes[:-1])]


def written(c, own, frame, row, item, **other):
    """A source with the addresses of these entries; `other` has the text of single rows'."""
    rows = []
    for square, (magic, shift, n) in enumerate(
        zip(c.magics("bishop"), c.shifts("bishop"), own, strict=True)
    ):
        at = other.get(f"row_{square}", item.format(n=n, row=n // 64, column=n % 64))
        if f"row_{square}" in other:
            text = C_ROW[2].format(magic=magic, shift=shift, at=at)
        else:
            text = row.format(magic=magic, shift=shift, at=at, n=n)
        rows.append(text)
    return frame.format(size=SLOTS, rows=",\n".join(rows))


@pytest.fixture
def bishops(judged):
    """`bishops(text, file)`: the judgement of a source of bishops."""
    return lambda text, file: judged(text, file, pieces=("bishop",))


@every_shape
def test_an_address_is_the_entry_that_it_is_of(c, bishops, file, frame, row, item):
    own = places(c)
    judgement = bishops(written(c, own, frame, row, item), file)
    assert judgement.verdict == "valid"
    (reading,) = judgement.valid
    assert reading.table.pieces["bishop"].offset == tuple(own)
    assert ", from T" in reading.sources["bishop.offset"]
    own[27] -= 32  # into the slots of c4
    judgement = bishops(written(c, own, frame, row, item), file)
    assert judgement.verdict == "invalid"
    assert {"bishop c4", "bishop d4"} <= judgement.nearest[0].bad


@every_shape
def test_slots_beyond_the_end_of_the_array_are_outside(c, bishops, file, frame, row, item):
    own = places(c)
    own[63] += 1
    judgement = bishops(written(c, own, frame, row, item), file)
    assert judgement.verdict == "invalid"
    (finding,) = judgement.nearest[0].report.findings
    assert (finding.kind, finding.squares) == ("outside", ["bishop h8"])
    assert "5,248 entries" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "somewhere(T, 27)", "&T[start(3)]", "*(&T + 3)", "(U64 *)((char *)T + 216)", "&T[i]",
        "&T[3][4]", "T[27]", "&U[1][2]", "0", "T ? T : T + 4", "&T[1] - &T[0]", "nullptr", "-1",
    ],
)  # fmt: skip
def test_a_place_that_is_not_read_decides_nothing_and_is_named(c, bishops, text):
    source = written(c, places(c), *C_ROW[1:], "&T[{n}]", row_27=text)
    judgement = bishops(source, "a.c")
    assert judgement.verdict == "unknown"
    line = next(n for n, own in enumerate(source.splitlines(), 1) if f", {text}, " in own)
    assert any(own.startswith(f"a.c:{line}: bishops[1] has ") for own in judgement.undecided)


@pytest.mark.parametrize(
    ("item", "more", "verdict"),
    [
        ("T", "", "unknown"),
        ("&T[7]", "", "unknown"),
        ("T", "void init() { for (int s = 0; s < 64; s++) bishops[s].at = T + n(s); }", "valid"),
        ("nullptr", "", "valid"),
        ("0", "", "valid"),
        ("&rays", "", "valid"),
        ("BISHOP", "", "valid"),
    ],
)
def test_one_address_for_all_squares_is_no_layout(c, bishops, item, more, verdict):
    """It may be there to be filled, where something writes to the records."""
    text = written(c, places(c), *C_ROW[1:], item) + more
    assert bishops(text, "a.cpp").verdict == verdict


@pytest.mark.parametrize("file", ["a.c", "a.rs"])
def test_each_array_has_slots_of_its_own(c, judged, file):
    """Bishops of even squares in one array, of odd squares in the other, from 0 in both."""
    sizes = [1 << 64 - shift for shift in c.shifts("bishop")]
    starts = [[0, *itertools.accumulate(sizes[parity::2])] for parity in (0, 1)]
    own = [starts[square % 2][square // 2] for square in range(64)]
    head, row, at = {
        "a.c": ("U64 {name}[9999];\n", C_ROW[2], "&{name}[{n}]"),
        "a.rs": ("static {name}: [u64; 9999] = [0; 9999];\n", RUST_ROW, "&{name}[{n}..]"),
    }[file]
    end = (C_ROW[1] if file == "a.c" else RUST).partition("\n")[2]

    def verdict(names):
        rows = [
            row.format(magic=magic, shift=shift, at=at.format(name=names[square % 2], n=n))
            for square, (magic, shift, n) in enumerate(
                zip(c.magics("bishop"), c.shifts("bishop"), own, strict=True)
            )
        ]
        heads = "".join(head.format(name=name) for name in dict.fromkeys(names))
        return judged(heads + end.format(rows=", ".join(rows)), file, pieces=("bishop",)).verdict

    assert verdict(["Even", "Odd"]) == "valid"
    assert verdict(["Even", "Even"]) != "valid"  # on most squares: perhaps another layout


def test_a_name_alone_is_the_first_entry(c, bishops):
    text = written(c, places(c), *C_ROW[1:], "&T[{n}]", row_0="T")
    assert bishops(text, "a.c").verdict == "valid"


def test_of_an_array_that_is_not_declared_no_clash_accuses(c, bishops):
    """It may be one of rows."""
    own = places(c)
    frame = C_ROW[1].partition("\n")[2]
    assert bishops(written(c, own, frame, C_ROW[2], "&T[{n}]"), "a.c").verdict == "valid"
    own[27] -= 32
    assert bishops(written(c, own, frame, C_ROW[2], "&T[{n}]"), "a.c").verdict == "unknown"


def test_pointers_may_stand_in_a_list_of_their_own(c, bishops):
    own = places(c)

    def text():
        lists = c.list("bishop_magics", c.magics("bishop")) + c.ints(
            "shifts", bishop=c.shifts("bishop")
        )
        items = [f"&T[{n}]" for n in own]
        return f"U64 T[{SLOTS}];\n{lists}{c.list('bishop_places', items, 'U64 *')}"

    assert bishops(text(), "a.c").verdict == "valid"
    own[27] -= 32
    assert bishops(text(), "a.c").verdict == "invalid"


def test_pieces_share_a_buffer_where_their_arrays_are_one(c, judged):
    """Rooks behind the bishops in one array; both from 0 are right in two arrays only."""
    sizes = {p: [1 << 64 - shift for shift in c.shifts(p)] for p in ("bishop", "rook")}

    def judgement(start, bishop, rook):
        text = "U64 T[120000], U[9];\nU64 R[120000];\n"
        for piece, name, first in (("bishop", bishop, 0), ("rook", rook, start)):
            own = [first, *itertools.accumulate(sizes[piece][:-1], initial=first)][1:]
            rows = [
                C_ROW[2].format(magic=magic, shift=shift, at=f"&{name}[{n}]")
                for magic, shift, n in zip(c.magics(piece), c.shifts(piece), own, strict=True)
            ]
            text += c.list(f"{piece}s", rows, "M")
        return judged(text, "a.cpp")

    assert judgement(SLOTS, "T", "T").valid[0].table.shared
    assert not judgement(0, "T", "R").valid[0].table.shared
    assert judgement(0, "T", "T").verdict != "valid"
