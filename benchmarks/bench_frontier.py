"""Bytes against time for every way to get attacks, and layered beside plain.

    python benchmarks/bench_frontier.py [SECONDS]

The reference is the plain record, measured in turns with the layered one. Asked for:
within 0.4 ns of it when lookups are independent, faster when 256 KiB are touched between them.
"""

import sys

from magicert.cli.progress import ProgressDisplay
from magicert.compact.timing.frontier.figures import KINDS, POSITIONS, TOUCHED, Measure
from magicert.jobs.measure import measure_frontier
from magicert.show.frontier import survey_lines


def main(seconds: float) -> None:
    survey = measure_frontier([], seconds, None, f"bench_frontier.py {seconds:g}", ProgressDisplay)
    for positions in POSITIONS:
        print("\n".join(survey_lines(survey, "queen", positions)), end="\n\n")
    ways = {way.name: way for way in survey.ways}
    print("a queen, ns:           plain  layered")
    for positions in POSITIONS:
        for kind in KINDS:
            for touched in TOUCHED:
                measure = Measure("queen", positions, kind, touched)
                plain, layered = (ways[name].ns(measure) for name in ("black", "layered"))
                what = f"{positions}, {measure.how}"
                print(f"{what:<55} {plain:6.2f} {layered:6.2f} ({layered - plain:+.2f})")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
