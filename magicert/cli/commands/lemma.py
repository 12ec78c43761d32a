"""`magicert lemma`: what Z3 proves about a table's formula, for all occupancies."""

from magicert.cli.declared import Force, Json, asks
from magicert.requests.lemma import Lemma, ShapeLemma, TableLemmas
from magicert.requests.request import Given
from magicert.show.document import PlainDocument


@asks("lemma", Lemma, Force, Json)
def command(asked: Lemma, found: TableLemmas | ShapeLemma, given: Given) -> PlainDocument:
    """Prove lemmas about a table's index formula, for all occupancies at once.

    The lemmas:

        mask      no square outside the mask changes the index
        bound     the index stays below 2^bits, whatever stands on the board
        period    the magic matters only modulo the LCM period 2^(64 - ctz(mask))
        fold      what is multiplied tells all subsets of the mask apart
        line      no bit of a layered table's word outside the line matters
        constant  black is white with a constant added

    What does not hold is shown with a counterexample. An engine relies on the first two;
    the others are facts about the scheme (black schemes have no LCM period).

    With --shape, one proof for all squares whose rays have these lengths, whatever the magic.

        magicert lemma my-engine.toml
        magicert lemma shakmaty
        magicert lemma --shape 3,2 --bits 4
        magicert lemma --shape 3,2 --bits 4 --proof shape-3-2.drup.xz

    Exit status: 0 proved (of a table: mask and bound), 1 refuted, 2 bad input, 3 unknown.
    """
    from magicert.show.lemmas import lemma_document

    return lemma_document(found)
