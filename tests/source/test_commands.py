"""The commands on sources: what they say, write, and exit with."""

import json

import pytest

from magicert.table import read_table

OFF = 0x123456789ABCDEF1


def test_a_valid_source_takes_two_lines(command, engine, tmp_path):
    result = command("verify", engine())
    assert result.exit_code == 0
    first, last = result.stdout.splitlines()
    assert first.startswith("valid ")
    assert (
        "engine.c: the numbers are valid: rook_magics:1, bishop_magics:2 with ((occ & mask)"
        in first
    )
    assert "taken, for the source does not say it: rook bits = popcount(mask)" in first
    assert "the code that uses them is not read" in last
    full = command("verify", engine(), "--full").output
    assert "not in the source: popcount of the mask taken" in full
    (report,) = json.loads(command("verify", engine(), "--json").output)["reports"]
    assert report["verdict"] == "valid"
    assert report["reading"]["sources"]["rook.magic"] == "rook_magics (engine.c, line 1)"
    assert len(report["squares"]) == 128
    output = tmp_path / "engine.toml"
    assert command("import", engine(), "-o", output).exit_code == 0
    assert "rook_magics" in read_table(output).table.provenance.notation
    assert command("verify", output).exit_code == 0


def test_a_broken_source_says_the_place_first(command, engine, magics, written):
    rooks = magics("rook")
    rooks[28] = OFF
    path = engine(rook=written("rook_magics", rooks))
    column = path.read_text().index(f"{OFF:#x}") + 1
    result = command("verify", path)
    assert result.exit_code == 3
    first = result.stdout.splitlines()[0]
    assert first.startswith(
        f"{path}:1:{column}: rook e4: its magic is wrong, or the source uses another index"
    )
    assert "4 . . . . R" in result.stdout or "4 + + + + R" in result.stdout
    assert (
        f"help: magicert fix {path} changes {OFF:#x}ULL to {magics('rook')[28]:#x}ULL"
        in result.output
    )
    assert "if that is what the engine computes, say --bits rook=popcount" in result.output
    stated = command("verify", path, "--bits", "popcount")
    assert stated.exit_code == 1
    assert f"{path}:1:{column}: rook e4 has a wrong magic" in stated.output
    assert command("fix", path).exit_code == 0
    (report,) = json.loads(command("verify", path, "--json").stdout)["reports"][:1]
    place = {"list": "rook_magics", "entry": 28, "file": "engine.c", "line": 1, "column": column}
    assert report["reading"]["entries"] == [[{**place, "number": f"{OFF:#x}"}]]


def test_a_broken_source_is_not_imported(command, tmp_path, sample_text):
    source, output = tmp_path / "broken.rs", tmp_path / "broken.toml"
    source.write_text(sample_text("broken.rs"))
    assert command("import", source, "-o", output).exit_code == 1
    assert not output.exists()
    assert command("import", source, "-o", output, "--broken", "--reading", 1).exit_code == 1
    assert command("verify", output).exit_code == 1


def test_nothing_in_a_folder_is_forgotten(command, engine, tmp_path, written, magics):
    """Each of these alone is no valid table, and stays so beside a valid one and random numbers."""
    engine("good.c")
    (tmp_path / "zobrist.c").write_text(written("keys", [i * OFF % 2**64 for i in range(1, 800)]))
    rooks, bishops = magics("rook"), written("bishop_magics", magics("bishop"))
    wrong = written("rook_magics", [*rooks[:28], OFF, *rooks[29:]])
    short = written("rook_magics", rooks[:63])
    for text, status in (("", 0), (wrong + bishops, 3), (short + bishops, 2), (wrong, 3)):
        (tmp_path / "d.c").write_text(text)
        assert command("verify", tmp_path).exit_code == status, text


def test_files_that_belong_together(command, tmp_path, shipped, written):
    pieces = shipped("cuckoo").pieces
    for name, parameter, kind in (("magics.h", "magic", "U64"), ("bits.h", "bits", "int")):
        lists = (
            written(f"{p}{parameter}", t.parameters[parameter], kind) for p, t in pieces.items()
        )
        (tmp_path / name).write_text("".join(lists))
    both = (tmp_path / "magics.h", tmp_path / "bits.h")
    assert command("verify", both[0]).exit_code == 3  # fewer bits are taken than it has
    assert command("verify", both[1]).exit_code == 2
    result = command("verify", *both)
    assert result.exit_code == 0
    assert "magics.h and" in result.output
    assert command("import", *both, "-o", tmp_path / "t.toml").exit_code == 0


def test_the_headline_names_the_files_of_the_table_alone(command, tmp_path, written, magics):
    for piece in ("rook", "bishop"):
        (tmp_path / f"{piece}s.h").write_text(written(f"{piece}_magics", magics(piece)))
    (tmp_path / "keys.h").write_text(written("keys", [i * OFF % (1 << 64) for i in range(1, 200)]))
    (tmp_path / "deps").mkdir()
    (tmp_path / "deps" / "other.h").write_text(written("rook_magics", [OFF] * 64))
    result = command("verify", tmp_path)
    assert result.exit_code == 0, result.output
    assert "keys.h" not in result.stdout
    assert "other.h" not in result.output


def test_alternatives_are_listed_and_not_merged(command, engine, magics):
    own, other = (", ".join(map(hex, magics("rook", name))) for name in ("bbc", "surge"))
    path = engine(
        rook=f"U64 rook_magics[64] = {{\n#if defined(NEW)\n{own}\n#else\n{other}\n#endif\n}};\n"
    )
    result = command("verify", path)
    assert result.exit_code == 0
    assert "under #if defined(NEW)" in result.output
    assert "under #else of #if defined(NEW)" in result.output
    output = path.with_suffix(".toml")
    assert command("import", path, "-o", output).exit_code == 2
    assert command("import", path, "-o", output, "--reading", 2).exit_code == 0


OPTIONS = {
    ("--bits", "rook=12,bishop=9"): 0,
    ("--bits", "rook=9,bishop=4"): 3,
    ("--scheme", "black"): 3,
    ("--order", "a8"): 0,
    ("--map", "rook.magic=bishop_magics"): 3,
    ("--map", "rook.magic=rook_magics:1"): 0,
    ("--map", "rook.magic=none"): 2,
    ("--piece", "rook"): 0,
}


@pytest.mark.parametrize("options", OPTIONS)
def test_options(command, engine, options):
    result = command("verify", engine(), *options)
    assert result.exit_code == OPTIONS[options], result.output
    assert "Traceback" not in result.output


def test_as_written_tries_no_other_order(command, engine, magics, written):
    """Whole ranks from the other end: another order of rows reads them."""
    mirrored = {p: [magics(p)[row ^ 56] for row in range(64)] for p in ("rook", "bishop")}
    path = engine(**{p: written(f"{p}_magics", own) for p, own in mirrored.items()})
    assert command("verify", path).exit_code == 0
    assert command("verify", path, "--as-written").exit_code == 3
    stated = ("--as-written", "--scheme", "white", "--bits", "popcount")
    assert command("verify", path, *stated).exit_code == 1
    assert command("verify", engine(), *stated).exit_code == 0


def test_layered_table_is_read_back(command, tmp_path):
    path = tmp_path / "Attacks.java"
    assert command("emit", "layered", "--lang", "java", "-o", path).exit_code == 0
    result = command("verify", path, "--full")
    assert result.exit_code == 0, result.output
    assert "word & line" in result.output
