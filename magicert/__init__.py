"""magicert certifies, settles and compacts magic-bitboard tables.

    __main__       python -m magicert
    cli            the command line: commands, options, display
    jobs           the work of the commands, without a terminal
    compact        the room that packs tables and emits source
    verify         the room that verifies tables and checks certificates
    search         the room that finds magics and settles cells
    z3models       the room of the solvers: Z3, Bitwuzla, SAT
    draw           pictures as SVG, and the pages that hold them
    data           the tables that are shipped
    valid          many magics against all occupancies at once
    engine         the door to whatever answers a cell
    atlas          what is known of every cell
    table          the table, and its file
    cell           a scheme, a piece, a square, index bits: does a magic exist?
    scheme         index formulas by name
    formula        the formula language and its plain readings
    outcome        what an engine answers
    square_order   which square a row of a table stands for
    occupancy      the subsets of a mask, with their attack sets
    problem        what is wrong with an input
    board          squares, rays, masks, attack sets
    system         what any program needs of the system

A room is a folder at the repository's top level; installed, it lies in this package.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
