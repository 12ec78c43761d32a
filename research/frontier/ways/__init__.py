"""The ways to get sliding attacks, and who thought of them.

A way is one that `emit --way` writes, a table that magicert ships, or has a C file of its own name
here: ours, for comparison. geometry.h is for their start, machine.c asks the processor what it is.
"""

from pathlib import Path

from magicert.compact.timing.programs import TimedWay

FOLDER = Path(__file__).parent
GEOMETRY = FOLDER / "geometry.h"
"""What a way's start needs of the board."""


WAYS = (
    TimedWay("plain", "plain magic, own buffers", "Lasse Hansen, 2006", "gigantua_plain"),
    TimedWay("fancy", "fancy magic", "Pradu Kannan, 2007", "stockfish21_64"),
    TimedWay("fixed_shift", "fixed shift, 88,772 entries", "Volker Annuss", "shakmaty"),
    TimedWay("black_published", "black magic, 87,988 entries", "Volker Annuss, Niklas Fiekas",
        "cfish_black"),
    TimedWay("black", "our plain record", "magicert", "black"),
    TimedWay("layered", "our layered record", "magicert", "layered"),
    TimedWay("half", "our half board", "magicert", "half"),
    TimedWay("two_level", "our plain record in two levels", "magicert", "black_two_level"),
    TimedWay("overlaid", "two levels, overlaid", "magicert", "two_level_79593"),
    TimedWay("pext", "PEXT, 64-bit entries", "after Intel's BMI2, 2013", emits="pext",
        needs="bmi2"),
    TimedWay("pext16", "PEXT and PDEP, 16-bit entries", "after Intel's BMI2, 2013", emits="pext16",
        needs="bmi2"),
    TimedWay("pext_lines", "PEXT and PDEP by lines", "Wylie Garvin, 2016", emits="pext_lines",
        needs="bmi2"),
    TimedWay("hyperbola", "hyperbola quintessence, byte swap",
        "Gerd Isenberg after Ryan Mack, Aleks Peshkov", emits="hyperbola"),
    TimedWay("hyperbola_avx2", "hyperbola quintessence, AVX2",
        "Gerd Isenberg after Ryan Mack, Aleks Peshkov", emits="hyperbola_avx2", needs="avx2"),
    TimedWay("hyperbola_avx2_by_hand", "hyperbola quintessence, AVX2, by hand",
        "Gerd Isenberg after Ryan Mack, Aleks Peshkov", needs="avx2",
        sources=(GEOMETRY, FOLDER / "hyperbola_avx2_by_hand.c")),
    TimedWay("reversal", "hyperbola quintessence, bit reversal", "Gerd Isenberg after Ryan Mack",
        emits="reversal"),
    TimedWay("obstruction_difference", "obstruction difference", "Michael Hoffmann",
        emits="obstruction_difference"),
    TimedWay("kogge_stone", "Kogge-Stone", "Steffan Westcott after Kogge and Stone",
        emits="kogge_stone"),
    TimedWay("kindergarten", "kindergarten", "Urban Koistinen, Gerd Isenberg, 2006",
        emits="kindergarten"),
    TimedWay("gatherers", "32-bit gatherers, one a line", "magicert",
        sources=(GEOMETRY, FOLDER / "gatherers.c")),
    TimedWay("lines_in_bytes", "lines in bytes", "first rank attacks, after kindergarten",
        emits="lines_in_bytes"),
    TimedWay("rays", "rays and bit scans", "the classical approach",
        sources=(GEOMETRY, FOLDER / "rays.c")),
)  # fmt: skip
"""Tables first, from large to small, then what looks up little or nothing."""
