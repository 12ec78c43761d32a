"""The proof is one: without Coq it says what is missing, and a broken rule breaks it."""

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
assert ORDER is not None
FILES = [f"{name}.v" for name in ORDER[1].split()]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_without_coq_the_build_says_how_to_get_it(tmp_path: Path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "dirname"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    run = subprocess.run(["sh", PROOFS / "build.sh", tmp_path / "build"], check=False, text=True,
                         capture_output=True, env={"PATH": str(tools)})  # fmt: skip
    assert run.returncode == 2
    assert "not found: coqc ocamlfind ocamlopt xz" in run.stderr
    assert "apt-get install coq" in run.stderr
    assert not (tmp_path / "build").exists()


def test_every_theorem_of_the_files_is_asked_what_it_assumes():
    """All that is called a theorem or a corollary is in the term that Assumptions.v asks about."""
    text = (PROOFS / "Assumptions.v").read_text("utf-8")
    asked = set(re.findall(r"\w+", text.partition("all_theorems :=")[2]))
    texts = [(PROOFS / file).read_text("utf-8") for file in FILES]
    named = {n for text in texts for n in re.findall(r"^(?:Theorem|Corollary) (\w+)", text, re.M)}
    assert named - asked == {"accepted_certificates_are_true"}, "that one is `the_theorem`"


@pytest.mark.parametrize("word", ["Axiom", "Admitted", "admit", "Parameter", "Conjecture", "Unset"])
def test_nothing_is_taken_for_granted(word: str):
    found = [path.name for path in PROOFS.glob("*.v")
             if re.search(rf"^\s*{word}\b", path.read_text("utf-8"), re.M)]  # fmt: skip
    assert found == []


def test_each_mutant_fits_the_files():
    for mutant in MUTANTS:
        text = (PROOFS / mutant["file"]).read_text("utf-8")
        assert text.count(mutant["old"]) == 1, mutant
        assert mutant["old"] != mutant["new"]


@pytest.mark.parametrize("number", range(len(MUTANTS)))
def test_a_broken_rule_breaks_the_proof(built: Path, tmp_path: Path, number: int):
    """Coq refuses the file that is changed, or one that builds on it, up to the theorem."""
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
    for name in FILES[start : FILES.index("Soundness.v") + 1]:
        command = ["coqc", "-Q", ".", "Magicert", name]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode:
            assert "Syntax error" not in run.stderr, "the change must be well-formed"
            assert "was not found in the current environment" not in run.stderr
            return
    pytest.fail(f"the proof holds with {mutant['new']!r}")
