"""Writes by an address, a cast, a method or a new value: the numbers read are not those used."""

from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.problem import InputError
from magicert.verify.source.readings.judge import judge

C = "const U64 bishop[64] = {{{b}}};\nU64 rook[64] = {{{r}}};\nint main() {{ {statement} }}\n"
BASES = {
    ".c": (C, "0x{:x}ULL"),
    ".cpp": (C, "0x{:x}ULL"),
    ".py": ("rook = [{r}]\nbishop = [{b}]\n{statement}\n", "0x{:x}"),
    ".js": ("let rook = [{r}];\nlet bishop = [{b}];\n{statement}\n", "0x{:x}n"),
    ".rs": (
        "static mut rook: [u64; 64] = [{r}];\nstatic bishop: [u64; 64] = [{b}];\n"
        "fn main() {{ unsafe {{ {statement} }} }}\n",
        "0x{:x}",
    ),
    ".go": (
        "var rook = [64]uint64{{{r}}}\nvar bishop = [64]uint64{{{b}}}\n"
        "func main() {{\n\t{statement}\n}}\n",
        "0x{:x}",
    ),
    ".java": (
        "class T {{ static long[] rook = {{{r}}};\nstatic long[] bishop = {{{b}}};\n"
        "void f() {{ {statement} }} }}\n",
        "0x{:x}L",
    ),
}
CHANGED = """
.c (&rook[0])[3] = 5;
.c (rook + 3)[0] = 5;
.c __atomic_store_n(&rook[3], 5, 0);
.c asm("movq $5, %0" : "=m"(rook[3]));
.c sscanf(t, "%lx", &rook[3]);
.c char *q = (char*)rook; q[3] = 1;
.cpp rook.data()[3] = 5;
.cpp std::exchange(rook[3], 5);
.cpp std::span s(rook); s[3] = 5;
.cpp const_cast<U64&>(rook[3]) = 5;
.cpp for (auto it = std::begin(rook); it != std::end(rook); ++it) *it ^= 5;
.cpp new (&rook[3]) U64(5);
.py rook.__setitem__(3, 5)
.py operator.setitem(rook, 3, 5)
.py rook.append(5)
.py np.put(rook, 3, 5)
.py for rook[3] in x: pass
.py heapq.heapify(rook)
.py from other import rook
.py (rook := x)
.py with open(f) as rook: pass
.py rook: list = other
.js Object.assign(rook, {3: 5n});
.js rook.shift();
.js delete rook[3];
.js ({rook} = other);
.rs *rook.get_unchecked_mut(3) = 5;
.rs if let Some(m) = rook.get_mut(3) { *m = 5; }
.rs rook = other;
.go rook = other
.go s := rook[:]; s[3] = 5
.go json.Unmarshal(b, &rook)
.go atomic.StoreUint64(&rook[3], 5)
.java Array.setLong(rook, 3, 5);
.java rook = other;
""".strip().splitlines()
KEPT = """
.c table[s][(o & m[s]) * rook[s] >> 52] = slow(s, o);
.c const U64 *p = &rook[3]; x = *p;
.c if (rook[3] == 5) return;
.cpp Entry e = Entry(&rook[3], o);
.py x = rook[3]
.py print(len(rook), rook == other)
.js const r = rook;
.js if (rook === other) f();
.rs let x = Magics::new(&rook);
.rs let r = other;
.go x := rook
.go if rook == other { f() }
.java long[] r = rook;
""".strip().splitlines()


def judged(line, shipped):
    suffix, _, statement = line.partition(" ")
    base, item = BASES[suffix]
    pieces = shipped("bbc").pieces
    r, b = (", ".join(map(item.format, pieces[p].parameters["magic"])) for p in Piece)
    text = base.format(r=r, b=b, statement=statement)
    return judge([(Path(f"engine{suffix}"), text.encode())])


@pytest.mark.parametrize("line", CHANGED)
def test_a_list_that_is_changed_is_refused(line, shipped):
    with pytest.raises(InputError, match=r"is changed after it is made|by another|changed before"):
        judged(line, shipped)


@pytest.mark.parametrize("line", KEPT)
def test_a_list_that_is_only_looked_at_is_held(line, shipped):
    assert judged(line, shipped).verdict == "valid"
