"""All cells of a chain's last square that no relation rules out, whatever the search does above."""

import numpy as np

from magicert.search.chain.descent import FOUND, begin_chain, next_survivor
from magicert.search.compiled import entry
from magicert.search.words import ZERO


@entry
def begin_node(chain, pads, shift, base):
    """Start with all m from `base` on that the chain's window leaves open."""
    begin_chain(chain, pads, shift, np.uint64(base), ZERO)


@entry
def collect(chain, pads, shift, starts):
    """Write where the next survivors begin into `starts`, in ascending order: how many, and how
    the last call ended (FOUND: there may be more).
    """
    count = 0
    outcome = FOUND
    while count < len(starts) and outcome == FOUND:
        outcome = next_survivor(chain, pads, shift)
        if outcome == FOUND:
            starts[count] = pads.found[0]
            count += 1
    return count, outcome
