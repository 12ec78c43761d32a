"""The fill routine of an emitted program: the walk, and the loops that fill and check.

It knows nothing of this project: it walks the rays for every subset of every mask, and stops at the
first write that would change an entry.
"""

from collections.abc import Sequence
from typing import Any

from magicert.board import Piece
from magicert.compact.emit.lookups import Lookups
from magicert.compact.emit.moves import Moves
from magicert.compact.emit.spelling import STEPS, buffer_name, sets_name
from magicert.compact.emit.unit import PieceUnit, Unit
from magicert.formula.tree import WORD, Binary, Name, Node, names


class Filling(Lookups):
    """What a program does that comes with empty buffers."""

    def fill_routine(self, unit: Unit) -> str:
        """The walk, and for each piece the loops that fill and check."""
        subsets = self.write(self.subsets) if unit.levels else ""
        walk = self.walk_of(unit)
        return self.write(self.filling, walk=walk, subsets=subsets, fills=self.loops(unit))

    def walk_of(self, unit: Unit) -> str:
        """The walk of rays, or that of any piece with how each of them moves."""
        all_moves = [piece.moves for piece in unit.pieces if piece.moves]
        if not all_moves:
            return self.write(self.walk)
        most_steps = max(len(moves.steps) for moves in all_moves)
        most_regions = max(len(moves.regions) for moves in all_moves)
        sizes = {"most_steps": most_steps, "most_regions": most_regions}
        search = self.write(self.search_sets) if unit.levels else ""
        return search + self.write(
            self.walk_moves,
            pieces="".join(self.moving(piece, piece.moves) for piece in unit.pieces if piece.moves),
            **sizes,
        )

    def moving(self, piece: PieceUnit, moves: Moves) -> str:
        """How a piece moves, as data of the language."""
        steps = [
            self.write(self.move, rule=self.write(self.rules[s.rule]), x=s.x, y=s.y, limit=s.limit)
            for s in moves.steps
        ]
        regions = [
            self.write(self.region, left=left, low=low, right=right, high=high)
            for left, low, right, high in moves.regions
        ]
        return self.write(
            self.piece_moves, **self.names(piece, ""), steps=", ".join(steps),
            regions=", ".join(regions), step_count=len(steps), region_count=len(regions),
        )  # fmt: skip

    def steps(self, piece: PieceUnit) -> str:
        """The steps of chess's pieces."""
        if piece.moves:
            return ""
        opening, closing = self.step
        chess = STEPS[Piece(piece.piece)]
        return ", ".join(f"{opening}{file}, {rank}{closing}" for file, rank in chess)

    def loops(self, unit: Unit) -> str:
        """What fills the buffers and, where squares may share slots, then checks all lookups."""
        return self.loops_of(unit, unit.pieces)

    def loops_of(self, unit: Unit, pieces: Sequence[PieceUnit]) -> str:
        """The loops of some pieces."""
        layered = any(piece.layered for piece in pieces)
        texts = (self.add_layer, self.check_layer) if layered else (self.write_once,)
        if any(piece.moves for piece in pieces):
            texts = (self.add_layer if layered else self.write_any, self.check_layer)
        loops = [self.fill.replace("$write", text) for text in texts]
        if unit.levels:
            loops = [self.fill_levels, self.check_levels]
            if self.search_sets and any(piece.moves for piece in pieces):
                loops[0] = self.fill_many_levels
        return "".join(
            self.write(loop, **self.words(unit, piece)) for loop in loops for piece in pieces
        )

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, Any]:
        """What the loops say of a piece."""
        loop = {**self.names(piece, "mask"), "steps": self.steps(piece)}
        return {
            **loop,
            "squares": piece.squares,
            "length": len(unit.buffers[piece.buffer]),
            "stepping": "" if piece.moves else self.write(self.stepping, **loop),
            "walked": self.write(self.walked_moves if piece.moves else self.walked, **loop),
            "mask": self.column_of(piece, "mask"),
            "start": self.start(piece),
            "slot": self.slot(piece),
            "array": self.array(buffer_name(piece.buffer)),
            "sets": self.array(sets_name(piece.piece)),
            "found": self.result(piece, f"{self.array(buffer_name(piece.buffer))}[slot]"),
            "attacks": self.called(piece, "attacks"),
            "kind": self.kinds[unit.levels.entry_bits if unit.levels else 64],
        }


def can_be_filled(unit: Unit) -> bool:
    """Whether a fill routine makes the buffers; otherwise only finished ones can be written."""
    return (unit.levels is None or unit.levels.in_order) and unfillable(unit) is None


def unfillable(unit: Unit) -> PieceUnit | None:
    """A piece that a fill routine does not serve: it adds the ones of the attack sets, which is
    right for a word that is ANDed, and for no other formula.
    """
    if unit.levels:
        return None
    pieces = (p for p in unit.pieces if p.result is not None and not _is_masked(p.result))
    return next(pieces, None)


def _is_masked(node: Node) -> bool:
    """Whether a formula is the loaded word, ANDed with something that does not use it."""
    if isinstance(node, Binary) and node.operator == "&":
        sides = (node.left, node.right)
        return any(
            _is_masked(one) and WORD not in names(other) for one, other in (sides, sides[::-1])
        )
    return isinstance(node, Name) and node.name == WORD
