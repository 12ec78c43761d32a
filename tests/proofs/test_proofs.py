"""Clauses of a cell against brute force; proofs written, checked, and refused if wrong."""

import lzma
import random
import sys
from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from magicert.api.prove import ProofWanted, prove
from magicert.atlas import read_atlas
from magicert.cell import first_conflict
from magicert.chess import Piece, parse_square
from magicert.data import tables_folder
from magicert.outcome import Evidence, Exists, Impossible, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.shapes import Shape
from magicert.targets import slider_of, square_cell
from magicert.verify.cover import statement
from magicert.verify.proof import cnf
from magicert.verify.proof.antecedents import steps_of
from magicert.verify.proof.checker import CheckedProof, Refused, check, verified_checker
from magicert.verify.proof.cnf import (
    HashProblem,
    formula_of,
    hash_problem_of,
    hash_problem_of_shape,
)
from magicert.verify.proof.document import read_cell_or_shape, read_proof, settles

WIDTH = 7


def bishop(square, bits, scheme="white"):
    return square_cell(SCHEMES[scheme], Piece.BISHOP, parse_square(square), bits)


def given_magic(formula, magic):
    return [bit if magic >> place & 1 else -bit for place, bit in enumerate(formula.magic)]


def is_valid(asked, magic):
    """By the definition: no slot holds two attack sets, whatever constant may be added."""
    return any(
        keeps_apart(asked, [(o * magic + constant, a) for o, a in asked.attacks.items()])
        for constant in range(1 << asked.width if asked.constant else 1)
    )


def keeps_apart(asked, sums):
    table = {}
    down = asked.width - asked.bits
    return all(table.setdefault(x % (1 << asked.width) >> down, a) == a for x, a in sums)


def subsets(mask):
    return [o for o in range(mask + 1) if o & mask == o]


@settings(max_examples=25, deadline=None)
@given(
    mask=st.integers(1, 2**WIDTH - 1), bits=st.integers(1, 3), black=st.booleans(), data=st.data()
)
def test_they_are_satisfied_by_the_valid_magics_of_a_toy_and_by_no_others(mask, bits, black, data):
    mask &= mask - 1 if mask.bit_count() > 4 else mask
    sets = st.integers(0, 7)
    attacks = {o: data.draw(sets) for o in subsets(mask)}
    asked = HashProblem(attacks, bits, WIDTH, constant=black)
    formula = formula_of(asked)
    assert len(formula.magic) == WIDTH - (mask & -mask).bit_length() + 1
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        for magic in range(1 << len(formula.magic)):
            satisfied = solver.solve(assumptions=given_magic(formula, magic))
            assert satisfied == is_valid(asked, magic), magic


@given(
    rays=st.sampled_from([(2,), (3,), (1, 1), (2, 1)]),
    bits=st.integers(1, 2),
    scheme=st.sampled_from(["white", "black"]),
    data=st.data(),
)
def test_those_of_a_shape_are_satisfied_by_words_whose_sums_keep_attack_sets_apart(
    rays, bits, scheme, data
):
    asked = replace(hash_problem_of_shape(Shape(rays, bits, scheme)), width=4)
    words = [data.draw(st.integers(0, 15)) for _ in range(sum(rays))]
    sums = []
    for subset in product((0, 1), repeat=len(words)):
        total = sum(word for word, taken in zip(words, subset, strict=True) if taken)
        ends = [sum(rays[:n]) for n in range(len(rays) + 1)]
        sums.append((total, tuple((*subset[a:b], 1).index(1) for a, b in pairwise(ends))))
    valid = any(
        keeps_apart(asked, [(total + constant, first) for total, first in sums])
        for constant in range(16 if scheme == "black" else 1)
    )
    given_bits = [
        (4 * place + bit + 1) * (1 if word >> bit & 1 else -1)
        for place, word in enumerate(words)
        for bit in range(4)
    ]
    with Solver(name="glucose4", bootstrap_with=formula_of(asked).clauses) as solver:
        assert solver.solve(assumptions=given_bits) == valid


@pytest.mark.parametrize(
    ("square", "bits", "known"),
    [("d1", 5, 0x4040080000000), ("d1", 4, None), ("a1", 5, 0xFFEDF9FD7CFCFFFF)],
)
def test_they_agree_with_the_plain_check_of_a_magic(square, bits, known):
    cell = bishop(square, bits)
    formula = formula_of(hash_problem_of(cell))
    draw = random.Random(square)
    magics = [draw.getrandbits(64) & draw.getrandbits(64) for _ in range(60)]
    magics += [known ^ 1 << bit for bit in range(64)] + [known] if known is not None else []
    found = 0
    with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
        for magic in magics:
            satisfied = solver.solve(assumptions=given_magic(formula, magic))
            assert satisfied == (first_conflict(cell, magic) is None), hex(magic)
            found += satisfied
    assert (found > 0) == (known is not None)


@pytest.mark.parametrize(
    ("scheme", "largest"), [("two-halves", None), ("white", 11), ("black", 11)]
)
def test_other_questions_have_no_clauses(scheme, largest):
    cell = square_cell(SCHEMES[scheme], Piece.BISHOP, 3, 4, largest_index=largest)
    with pytest.raises(InputError, match="a proof can be had for white and black"):
        hash_problem_of(cell)


def test_black_magics_satisfy_the_clauses_of_black_cells():
    atlas = read_atlas(tables_folder() / "atlas_black.toml")
    magics = [entry for entry in atlas if entry.magic and entry.piece == "bishop"]
    for entry in random.Random(1).sample(magics, 6):
        cell = bishop(entry.square, entry.bits, "black")
        formula, magic = formula_of(hash_problem_of(cell)), int(entry.magic, 16)
        assert first_conflict(cell, magic) is None
        with Solver(name="glucose4", bootstrap_with=formula.clauses) as solver:
            assert solver.solve(assumptions=given_magic(formula, magic)), entry


def test_the_attack_sets_are_those_of_the_cover_checker():
    """It takes them from nobody; tests hold them against the ray walk of the other packages."""
    assert cnf.attack_set is statement.attack_set
    assert cnf.occupancies is statement.occupancies


# Proof files.

HEADER = 4
SHIPPED = sorted((tables_folder() / "proofs").glob("*.drup.xz"))


@pytest.fixture(scope="module")
def proof_file(tmp_path_factory):
    """A small proof: bishop a2 has no magic of 3 bits."""
    pytest.importorskip("drup", reason="the verified checker is compiled for Linux on x86-64")
    path = tmp_path_factory.mktemp("proofs") / "bishop-a2-3.drup"
    outcome = prove(ProofWanted(bishop("a2", 3), path), Quiet())
    assert isinstance(outcome, Impossible)
    assert (outcome.evidence, outcome.certificate) == (Evidence.PROOF, str(path))
    return path


def verdict(path, lines):
    path.write_text("\n".join([*lines, ""]))
    return check(read_proof(path))


def test_a_proof_is_accepted(proof_file, tmp_path):
    checked = check(read_proof(proof_file))
    assert isinstance(checked, CheckedProof)
    assert checked.exit_status == 0
    assert checked.steps == len(proof_file.read_text().splitlines()) - HEADER
    assert str(checked.proof.cell_or_shape) == "bishop a2, 3 bits, scheme white"
    packed = tmp_path / "proof.drup.xz"
    packed.write_bytes(lzma.compress(proof_file.read_bytes()))
    assert read_proof(packed) == read_proof(proof_file)
    for data in (packed.read_bytes()[:-20], packed.read_bytes() + b"0", b""):
        packed.write_bytes(data)
        with pytest.raises(InputError):
            read_proof(packed)


def of_another_cell(lines):
    """A forger who knows the digest of the other cell's clauses."""
    digest = formula_of(hash_problem_of(bishop("a2", 5))).digest()
    return [lines[0], "c cell white bishop a2 5", f"c formula {digest}", *lines[3:]]


def turned(lines):
    """One literal of a long step negated."""
    number = max(range(HEADER, len(lines)), key=lambda n: len(lines[n]))
    first, _, rest = lines[number].partition(" ")
    return [*lines[:number], f"{-int(first)} {rest}", *lines[number + 1 :]]


def steps(change):
    return lambda lines: lines[:HEADER] + change(lines[HEADER:])


FALSE, DIGEST = "does not follow by unit propagation", "its formula has the SHA-256"
FORGERIES = {
    "another cell": (lambda own: [own[0], own[1].replace("a2 3", "a2 4"), *own[2:]], DIGEST),
    "another digest": (lambda own: [*own[:2], "c formula " + "0" * 64, *own[3:]], DIGEST),
    "another cell and its digest": (of_another_cell, FALSE),
    "no steps": (steps(lambda _: ["0"]), f"step 1 {FALSE}"),
    "without the last": (lambda own: own[:-1], "the last step is not the empty clause"),
    "reordered": (steps(lambda own: [*reversed(own[:-1]), "0"]), FALSE),
    "without the first half": (steps(lambda own: own[len(own) // 2 :]), FALSE),
    "with a wish": (steps(lambda own: ["1 0", "-1 0", *own]), FALSE),
    "with a wish that nobody needs": (steps(lambda own: ["1 2 3 0", *own]), FALSE),
    "turned": (turned, FALSE),
    # Sound for satisfiability (RAT), but no consequence: only DRUP is accepted.
    "a new variable": (steps(lambda own: ["999999 0", *own]), "step 1 names a variable that"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_proof_is_refused(proof_file, tmp_path, name):
    forge, reason = FORGERIES[name]
    found = verdict(tmp_path / "forged.drup", forge(proof_file.read_text().splitlines()))
    assert isinstance(found, Refused)
    assert found.exit_status == 1
    assert reason in found.reason


def test_the_verified_checker_refuses_on_its_own(proof_file, tmp_path, monkeypatch):
    """Whatever our own propagation says, a step counts only if the checker accepts it."""
    honest = steps_of
    lines = proof_file.read_text().splitlines()

    def lying(*arguments, every):
        steps = honest(*arguments, every=every)
        assert not isinstance(steps, int)
        number = next(n for n, step in enumerate(steps) if len(step.antecedents) > 3)
        steps[number] = type(steps[number])(steps[number].clause, steps[number].antecedents[1:])
        return steps

    monkeypatch.setattr("magicert.verify.proof.antecedents.steps_of", lying)
    found = verdict(tmp_path / "proof.drup", lines)
    assert isinstance(found, Refused)
    assert "is not accepted by the verified checker" in found.reason


def test_the_checker_knows_a_contradiction():
    pytest.importorskip("drup")
    contradict = verified_checker()
    assert contradict([(1,), (-1, 2), (-2,)])
    assert not contradict([(1,), (-1, 2)])
    assert not contradict([(1, 2), (-1, 2), (1, -2), (-1, -2)]), "unit propagation does not see it"
    assert not contradict([])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-1], "the last line does not end"),
        (lambda text: text.replace(" 0\n", " 0 0\n", 1), "expected a clause that ends in 0"),
        (lambda text: text.replace("c cell", "cell"), "2: found 'cell"),
        (lambda text: text.replace("bishop", "queen"), "2: found 'c cell white queen"),
        (lambda text: text.replace("c cell white bishop a2", "c shape 7"), "2: found 'c shape 7"),
        (lambda text: text + "1 0\n0\n", "a line after the empty clause"),
        (lambda text: text + "d 1 0\n", "expected a clause that ends in 0"),
        (lambda text: text.replace("proof 1", "proof 2"), "1: found 'c magicert proof 2'"),
        (lambda _: "", "1: found ''"),
        (lambda text: text.replace("\n", "\u00fc\n", 1), "cannot be read"),
    ],
)
def test_what_is_no_proof_is_bad_input(proof_file, tmp_path, change, message):
    path = tmp_path / "bad.drup"
    path.write_text(change(proof_file.read_text()), "utf-8")
    with pytest.raises(InputError) as caught:
        check(read_proof(path))
    assert message in str(caught.value)
    assert "bad.drup" in str(caught.value)


def test_without_the_checker_nothing_is_said(proof_file, monkeypatch):
    monkeypatch.setitem(sys.modules, "drup", None)
    with pytest.raises(InputError, match=r"needs pip install 'magicert\[proofs\]'"):
        check(read_proof(proof_file))


@pytest.mark.parametrize(("scheme", "word"), [("white", ""), ("black", "black ")])
def test_a_proof_about_a_shape_is_about_all_its_squares(run, tmp_path, scheme, word):
    pytest.importorskip("drup")
    proof = tmp_path / "shape.drup"
    shape = ("--scheme", scheme, "--shape", "5", "--bits")
    assert "settles bishop b1," in run("lemma", *shape, 2, "--proof", proof).stdout
    told = run("check", proof).stdout
    assert "no magic for bishop b1," in told
    assert f", {scheme} scheme" in told
    lines = proof.read_text().splitlines()
    # Refused for another shape, and for more bits, where free words exist.
    other_scheme = "c shape 5 2" if word else "c shape black 5 2"
    for other in (f"c shape {word}4,1 2", f"c shape {word}5 4", other_scheme):
        assert isinstance(verdict(tmp_path / "forged.drup", [lines[0], other, *lines[2:]]), Refused)
    about = read_cell_or_shape(proof)
    cells = {square: bishop(square, 2, scheme) for square in ("a2", "b1", "c1")}
    assert [settles(about, cell) for cell in cells.values()] == [True, True, False]
    assert not settles(about, bishop("a2", 3, scheme))
    assert not settles(about, bishop("a2", 2, "white" if word else "black"))
    assert not settles(about, replace(cells["a2"], largest_index=2))
    left = run("lemma", *shape, 4, "--proof", tmp_path / "none.drup")
    assert (left.exit_code, "free words satisfy it" in left.stdout) == (3, True)
    assert run("lemma", "shakmaty", "--proof", proof).exit_code == 2


def test_a_proof_is_written_and_checked(run, tmp_path):
    pytest.importorskip("drup")
    pytest.importorskip("pysat")
    path = tmp_path / "d8.drup.xz"
    result = run("disprove", "bishop", "d8", "--bits", 2, "--proof", path)
    assert result.exit_code == 0
    assert "evidence: a solver with a checked proof" in result.stdout
    first, *lines, last = lzma.decompress(path.read_bytes()).splitlines(keepends=True)
    for text, statuses in (([first, *lines, last], {0}), ([first, *lines], {1, 2}),
                           ([first, *lines[:5], last], {1, 2})):  # fmt: skip
        path.write_bytes(lzma.compress(b"".join(text)))
        result = run("check", path)
        assert result.exit_code in statuses
        assert ("no magic exists" in result.stdout) == (statuses == {0})


def test_a_cell_with_a_magic_yields_it(tmp_path):
    pytest.importorskip("drup")
    cell = bishop("d1", 5)
    outcome = prove(ProofWanted(cell, tmp_path / "none.drup"), Quiet())
    assert isinstance(outcome, Exists)
    assert first_conflict(cell, outcome.magic) is None
    black = prove(ProofWanted(bishop("d1", 5, "black"), tmp_path / "none.drup"), Quiet())
    assert isinstance(black, Unknown)
    assert "a constant other than ~mask * magic" in black.reason
    assert not (tmp_path / "none.drup").exists()


def test_shipped_proofs_are_of_cells_that_the_atlas_calls_impossible():
    bound = {"white": read_atlas(tables_folder() / "atlas.toml").bound,
             "black": read_atlas(tables_folder() / "atlas_black.toml").bound}  # fmt: skip
    assert SHIPPED
    for path in SHIPPED:
        about = read_cell_or_shape(path)
        squares = about.squares() if isinstance(about, Shape) else [slider_of(about).piece_square]
        scheme = about.scheme if isinstance(about, Shape) else about.scheme.name
        assert path.name.startswith("black-") == (scheme == "black")
        for place in squares:
            known = bound[scheme](*place)
            assert known is not None, (path.name, place)
            assert known.bits >= about.bits


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_proofs_are_accepted(path):
    pytest.importorskip("drup")
    if path.name == "black-shape-6-bits-4.drup.xz":
        pytest.skip(f"takes an hour: magicert check {path}")
    assert isinstance(check(read_proof(path)), CheckedProof)
