"""The proof is one: without Coq it says what is missing, and a broken rule breaks it."""

import operator
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
MUTANTS = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text("utf-8"))["mutant"]
ORDER = re.search(r"for file in ([\w ]+); do", (PROOFS / "build.sh").read_text("utf-8"))
FILES = [f"{name}.v" for name in ORDER[1].split()]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_without_coq_the_build_says_how_to_get_it(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "dirname"):
        found = shutil.which(name)
        (tools / name).symlink_to(found)
    run = subprocess.run(["sh", PROOFS / "build.sh", tmp_path / "build"], check=False, text=True,
                         capture_output=True, env={"PATH": str(tools)})  # fmt: skip
    assert run.returncode == 2
    assert "not found: coqc coqchk ocamlfind ocamlopt xz" in run.stderr
    assert "apt-get install coq" in run.stderr
    assert not (tmp_path / "build").exists()


def test_every_theorem_of_the_files_is_asked_what_it_assumes():
    """All that is called a theorem or a corollary is in a term that Assumptions.v asks about."""
    text = (PROOFS / "Assumptions.v").read_text("utf-8")
    asked = set(re.findall(r"\w+", text.partition("of_the_checker :=")[2]))
    texts = [(PROOFS / file).read_text("utf-8") for file in FILES]
    named = {n for text in texts for n in re.findall(r"^(?:Theorem|Corollary) (\w+)", text, re.M)}
    again = {"accepted_certificates_are_true", "number_of_magics"}
    assert named - asked == again, "they are `the_theorem` and `how_many_there_are`"


@pytest.mark.parametrize("word", ["Axiom", "Admitted", "admit", "Parameter", "Conjecture", "Unset"])
def test_nothing_is_taken_for_granted(word):
    found = [path.name for path in PROOFS.glob("*.v")
             if re.search(rf"^\s*{word}\b", path.read_text("utf-8"), re.M)]  # fmt: skip
    assert found == []


def test_each_mutant_fits_the_files():
    for mutant in MUTANTS:
        text = (PROOFS / mutant["file"]).read_text("utf-8")
        assert text.count(mutant["old"]) == 1, mutant
        assert mutant["old"] != mutant["new"]


@pytest.mark.parametrize("number", range(len(MUTANTS)))
def test_a_broken_rule_breaks_the_proof(built, tmp_path, number):
    """Coq refuses the file that is changed, or one that builds on it, up to the theorem.

    Files behind Soundness.v have theorems of their own, the last of them counted_node_is_dead.
    """
    mutant = MUTANTS[number]
    folder = tmp_path / "proof"
    folder.mkdir()
    start = FILES.index(mutant["file"])
    for name in FILES[:start]:
        shutil.copy2((built / name).with_suffix(".vo"), folder)
    for name in FILES[start:]:
        shutil.copy2(PROOFS / name, folder)
    changed = (PROOFS / mutant["file"]).read_text("utf-8").replace(mutant["old"], mutant["new"])
    (folder / mutant["file"]).write_text(changed, "utf-8")
    theorem = FILES.index("Soundness.v")
    for name in FILES[start : theorem + 1] or FILES[start:]:
        command = ["coqc", "-Q", ".", "Magicert", name]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode:
            assert "Syntax error" not in run.stderr, "the change must be well-formed"
            assert "was not found in the current environment" not in run.stderr
            return
    pytest.fail(f"the proof holds with {mutant['new']!r}")


def answers(believed, folder, program, lines):
    """The words that a program in OCaml prints of these lines, with one of the driver's files."""
    shutil.copy2(believed, folder)
    (folder / "asked.ml").write_text(program)
    build = ["ocamlfind", "ocamlopt", believed.name, "asked.ml", "-o", "asked"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    run = subprocess.run(
        [folder / "asked"], input=lines, text=True, capture_output=True, check=True
    )
    return run.stdout.split()


def test_the_integers_are_those_of_coq(built, tmp_path):
    """driver/uint63.ml, which has to be believed, computes modulo 2^63 and compares unsigned."""
    program = """
      let functions = Uint63.[ "add", add; "sub", sub; "mul", mul; "and", l_and; "or", l_or;
                               "lsl", l_sl; "lsr", l_sr ]
      let orders = Uint63.[ "=", equal; "<", lt; "<=", le ]
      let () = try while true do
        Scanf.scanf " %s %Lu %Lu" (fun name a b ->
          let a = Int64.to_int a and b = Int64.to_int b in
          match List.assoc_opt name functions with
          | Some f -> Printf.printf "%Lu\\n" (Int64.logand (Int64.of_int (f a b)) Int64.max_int)
          | None -> Printf.printf "%b\\n" ((List.assoc name orders) a b))
      done with End_of_file | Scanf.Scan_failure _ -> ()
    """
    meant = {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_,
        "or": operator.or_, "lsl": lambda a, b: a << b if b < 64 else 0,
        "lsr": lambda a, b: a >> b, "=": operator.eq, "<": operator.lt, "<=": operator.le,
    }  # fmt: skip
    some = random.Random(1)
    words = [0, 1, 2, 62, 63, 64, 2**32, 2**62 - 1, 2**62, 2**63 - 1]
    words += [some.getrandbits(63) for _ in range(20)]
    asked = [(name, a, b) for name in meant for a in words for b in words]
    lines = "".join(f"{name} {a} {b}\n" for name, a, b in asked)
    said_of_them = answers(built / "uint63.ml", tmp_path, program, lines)
    for (name, a, b), said in zip(asked, said_of_them, strict=True):
        expected = meant[name](a, b)
        shown = str(expected).lower() if isinstance(expected, bool) else str(expected % 2**63)
        assert said == shown, (name, a, b)


def test_the_arrays_are_those_of_coq(built, tmp_path):
    """driver/parray.ml, which has to be believed, keeps what an array was before it was set."""
    program = """
      let all = Array.make 1000 (Parray.make 0 "")
      let () = try while true do
        Scanf.scanf " %d %d %d %s" (fun to_ from place item ->
          all.(to_) <- if item = "new" then Parray.make place "none"
                       else Parray.set all.(from) place item;
          for n = 0 to to_ do
            Printf.printf "%d" (Parray.length all.(n));
            for place = -1 to 7 do Printf.printf ",%s" (Parray.get all.(n) place) done;
            print_newline ()
          done)
      done with End_of_file | Scanf.Scan_failure _ -> ()
    """
    some = random.Random(2)
    arrays, lines, expected = [], "", []
    for to in range(60):
        fresh = to == 0 or some.random() < 0.1
        start, place = (0 if fresh else some.randrange(to)), some.randrange(0 if fresh else -1, 7)
        lines += f"{to} {start} {place} {'new' if fresh else to}\n"
        array = ["none"] * place if fresh else list(arrays[start])
        if not fresh and 0 <= place < len(array):
            array[place] = str(to)
        arrays.append(array)
        shown = [[a[n] if 0 <= n < len(a) else "none" for n in range(-1, 8)] for a in arrays]
        expected += [",".join([str(len(a)), *s]) for a, s in zip(arrays, shown, strict=True)]
    assert answers(built / "parray.ml", tmp_path, program, lines) == expected
