"""The question that counting answers: fewer slots than attack sets."""

from magicert.cell import Cell
from magicert.outcome import Evidence, Impossible


def too_few_slots(cell: Cell) -> Impossible | None:
    """IMPOSSIBLE if the attack sets outnumber the slots (pigeonhole); else None."""
    slots = cell.last_index + 1
    if slots >> cell.mask.bit_count():  # a slot for every word
        return None
    distinct = cell.distinct
    if distinct <= slots:
        return None
    least = (distinct - 1).bit_length()
    return Impossible(
        f"{distinct} different attack sets do not fit in {slots} slots "
        f"(at least {least} bits are needed, by counting)",
        figures={"attack sets": distinct, "slots": slots},
        evidence=Evidence.COUNTING,
    )
