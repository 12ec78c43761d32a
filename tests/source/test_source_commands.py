"""The commands on sources: what they say, write, and exit with."""

import json

import pytest

from magicert.board import WORD, mask
from magicert.table import read_table


def test_a_valid_source_says_what_was_taken_for_what(command, engine):
    result = command("verify", engine())
    assert result.exit_code == 0
    assert "rook_magics (engine.c, line 1)" in result.output
    assert "bishop_magics (engine.c, line 2)" in result.output
    assert "((occ & mask) * magic) >> (64 - bits)" in result.output
    assert "not in the source: popcount of the mask taken" in result.output


def test_a_broken_source_has_its_nearest_reading_and_a_counterexample(command, engine, shipped):
    magics = list(shipped("bbc").pieces["rook"].parameters["magic"])
    magics[28] = 1
    listed = ", ".join(map(hex, magics))
    result = command("verify", engine(rook=f"U64 rook_magics[64] = {{{listed}}};\n"))
    assert result.exit_code == 1
    assert "no reading of it certifies" in result.output
    assert "1 bad square" in result.output
    assert "two positions share slot" in result.output
    assert "valid  " not in result.output.replace("invalid", "")


def test_the_report_as_json(command, engine):
    result = command("verify", engine(), "--json")
    report = json.loads(result.output)["reports"][0]
    assert report["verdict"] == "valid"
    assert report["reading"]["sources"]["rook.magic"] == "rook_magics (engine.c, line 1)"
    assert len(report["squares"]) == 128


def test_imported_table_is_verified_alike(command, engine, tmp_path):
    output = tmp_path / "engine.toml"
    assert command("import", engine(), "-o", output).exit_code == 0
    table = read_table(output).table
    assert len(table.pieces) == 2
    assert "rook_magics" in table.provenance.notation
    result = command("verify", output)
    assert result.exit_code == 0
    assert "107,648 lookups" in result.output


def test_a_broken_source_is_not_imported(command, tmp_path, sample_text):
    source = tmp_path / "broken.rs"
    source.write_text(sample_text("broken.rs"))
    output = tmp_path / "broken.toml"
    assert command("import", source, "-o", output).exit_code == 1
    assert not output.exists()
    assert command("import", source, "-o", output, "--broken", "--reading", 1).exit_code == 1
    assert command("verify", output).exit_code == 1


def test_files_that_belong_together(command, tmp_path, shipped):
    pieces = shipped("cuckoo").pieces
    magics, bits = tmp_path / "magics.h", tmp_path / "bits.h"
    magics.write_text(
        "\n".join(
            f"U64 {p}Magics[64] = {{{', '.join(map(hex, t.parameters['magic']))}}};"
            for p, t in pieces.items()
        )
    )
    bits.write_text(
        "\n".join(
            f"int {p}Bits[64] = {{{', '.join(map(str, t.parameters['bits']))}}};"
            for p, t in pieces.items()
        )
    )
    # Alone, the magics fail on the squares with fewer bits than the popcount.
    assert command("verify", magics).exit_code == 1
    assert command("verify", bits).exit_code == 2
    assert command("verify", magics, bits).exit_code == 0
    assert command("import", magics, bits, "-o", tmp_path / "t.toml").exit_code == 0


def test_sources_that_do_not_belong_together(command, engine):
    result = command("verify", engine("one.c"), engine("two.c"))
    assert result.exit_code == 0
    assert "one.c, line 1" in result.output
    assert "two.c, line 1" in result.output


def test_a_folder_of_sources(command, engine, tmp_path):
    engine()
    (tmp_path / "main.c").write_text("int main() { return 0; }\n")
    result = command("verify", tmp_path)
    assert result.exit_code == 0
    assert "main.c" not in result.output


def test_alternatives_are_listed_and_not_merged(command, engine, shipped):
    other = ", ".join(map(hex, shipped("surge").pieces["rook"].parameters["magic"]))
    own = ", ".join(map(hex, shipped("bbc").pieces["rook"].parameters["magic"]))
    rook = f"U64 rook_magics[64] = {{\n#if defined(NEW)\n{own}\n#else\n{other}\n#endif\n}};\n"
    path = engine(rook=rook)
    result = command("verify", path)
    assert result.exit_code == 0
    assert "reading 1 of 2, #if defined(NEW)" in result.output
    assert "reading 2 of 2, #else of #if defined(NEW)" in result.output
    output = path.with_suffix(".toml")
    refused = command("import", path, "-o", output)
    assert refused.exit_code == 2
    assert not output.exists()
    assert command("import", path, "-o", output, "--reading", 2).exit_code == 0


def test_a_condition_and_its_negation_are_alternatives(command, tmp_path, shipped):
    """The same names in `#ifndef X` and, further down, in `#ifdef X`."""
    text = ""
    for sign, name in (("#ifndef", "glaurung64"), ("#ifdef", "glaurung32")):
        text += f"{sign} USE_32_BIT\n"
        for piece, half in shipped(name).pieces.items():
            for kind in ("magic", "shift"):
                listed = ", ".join(map(hex, half.parameters[kind]))
                text += f"U64 {piece}_{kind}[64] = {{{listed}}};\n"
        text += "#endif\n"
    path = tmp_path / "both.c"
    path.write_text(text)
    result = command("verify", path)
    assert result.exit_code == 0
    assert "reading 1 of 2, #if !defined(USE_32_BIT)" in result.output
    assert "u32(occ & mask)" in result.output


def test_attack_sets_called_magics_are_no_broken_magics(command, engine):
    kings = ", ".join(hex(0x0302 << square & (1 << 64) - 1 | 1 << 40) for square in range(64))
    path = engine(more=f"U64 king_magics[64] = {{{kings}}};\n")
    assert command("verify", path).exit_code == 0


def test_a_macro_with_the_shift(command, tmp_path, shipped):
    text = "#define R_SHIFT(square) 52\n#define B_SHIFT(square) 55\n"
    for piece, half in shipped("gigantua_plain").pieces.items():
        listed = ", ".join(map(hex, half.parameters["magic"]))
        text += f"U64 {piece[0]}_magics[64] = {{{listed}}};\n"
    path = tmp_path / "macro.c"
    path.write_text(text)
    result = command("verify", path)
    assert result.exit_code == 0
    assert "R_SHIFT = 52 (macro.c)" in result.output


def test_a_broken_alternative_makes_the_source_invalid(command, engine, shipped):
    magics = list(shipped("bbc").pieces["rook"].parameters["magic"])
    lists = []
    for broken in (0, 1 << 50):
        listed = ", ".join(map(hex, [magics[0] ^ broken, *magics[1:]]))
        lists.append(f"U64 rook_magics[64] = {{{listed}}};")
    result = command("verify", engine(rook=f"#if X\n{lists[0]}\n#else\n{lists[1]}\n#endif\n"))
    assert result.exit_code == 1
    assert "one alternative fails" in result.output


def test_two_lists_that_both_certify_are_both_said(command, engine, shipped):
    other = ", ".join(map(hex, shipped("surge").pieces["rook"].parameters["magic"]))
    path = engine(more=f"U64 old_rook_magics[64] = {{{other}}};\n")
    result = command("verify", path)
    assert result.exit_code == 0
    assert "reading 2 of 2" in result.output
    assert "Each of these readings certifies" in result.output
    pinned = command("verify", path, "--map", "rook.magic=old_rook_magics")
    assert pinned.exit_code == 0
    assert "reading 2" not in pinned.output


def test_a_broken_list_beside_a_good_one_is_not_passed_over(command, engine, shipped):
    magics = list(shipped("bbc").pieces["rook"].parameters["magic"])
    magics[5] = 1
    listed = ", ".join(map(hex, magics))
    path = engine(more=f"U64 old_rook_magics[64] = {{{listed}}};\n")
    result = command("verify", path)
    assert result.exit_code == 1
    assert "old_rook_magics (engine.c, line 3) is called magic" in result.output


def test_pins(command, engine):
    path = engine()
    assert command("verify", path, "--bits", "rook=12,bishop=9").exit_code == 0
    assert command("verify", path, "--bits", "rook=11").exit_code == 1
    assert command("verify", path, "--formula", "two-halves").exit_code == 1
    assert (
        command("verify", path, "--map", "rook.shift=52", "--map", "bishop.shift=55").exit_code == 0
    )
    result = command("verify", path, "--order", "a8")
    assert "a8, given by hand" in result.output


def test_a_formula_with_a_parameter_of_its_own(command, tmp_path, shipped):
    """constant = ~mask * magic makes white with an added constant the same as black."""
    text = ""
    for piece, half in shipped("cozy_chess").pieces.items():
        magics = half.parameters["magic"]
        constants = [(WORD ^ mask(piece, s)) * m & WORD for s, m in enumerate(magics)]
        # With the bits below the mask's added, occ | ~mask is (occ & mask) + ~mask.
        for name, values in (("magics", magics), ("constant", constants)):
            text += f"U64 {piece}_{name}[64] = {{{', '.join(map(hex, values))}}};\n"
    path = tmp_path / "constant.c"
    path.write_text(text)
    formula = "((occ & mask) * magic + constant) >> (64 - bits)"
    bits = ("--bits", "rook=12,bishop=9")
    assert command("verify", path, "--formula", formula, *bits).exit_code == 0
    assert command("verify", path, "--formula", "white", *bits).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--map", "rook"], "expected PIECE.PARAMETER=NAME"),
        (["--map", "rook.magic=nothing"], "no list 'nothing' of 64"),
        (["--bits", "many"], "expected popcount"),
        (["--formula", "occ * mgaic"], "--formula"),
    ],
)
def test_wrong_pins_are_bad_input(command, engine, arguments, message):
    result = command("verify", engine(), *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_certificates_of_sources(command, engine, tmp_path):
    folder = tmp_path / "certificates"
    assert command("verify", engine(), "--certificates", folder).exit_code == 0
    assert [path.name for path in folder.iterdir()] == ["engine.c.certificate.json"]


def test_literal_attack_tables_do_not_crowd_the_magics_out(command, engine):
    """Some engines list every attack set: hundreds of long lists around the one that counts."""
    rows = ("{" + ", ".join(hex(square << 40 | n << 20) for n in range(512)) + "}"
            for square in range(64))  # fmt: skip
    attacks = ",\n".join(rows)
    path = engine(rook_table=f"U64 bishop_attacks[64][512] = {{{attacks}}};\n")
    text = path.read_text()
    path.write_text(text[text.index("U64 bishop_attacks") :] + text)
    path.write_text(path.read_text().replace("bishop_attacks", "first_attacks", 1))
    result = command("verify", path)
    assert result.exit_code == 0
    assert "rook_magics" in result.output
