"""Count the survivors of a certificate's chain again, and compare with what is known of them."""

from dataclasses import dataclass

from magicert.jobs.covers.counted import counted_beside
from magicert.jobs.covers.work import choose, work_of
from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem
from magicert.search.shards.recount import recount_shard
from magicert.verify.cover.file import Certificate


@dataclass(frozen=True, slots=True)
class Recounted:
    """A shard whose survivors were counted by our kernels, apart from the search. `declared`:
    whether the certificate says the same; `stored`: whether the independent program has counted
    the same. None where they say nothing about it.
    """

    number: int
    survivors: int
    sha256: str
    declared: bool | None
    stored: bool | None

    def __str__(self) -> str:
        told = {"declared": self.declared, "counted by recount.c": self.stored}
        known = {who: agrees for who, agrees in told.items() if agrees is not None}
        words = [f"{'as' if agrees else 'NOT as'} {who}" for who, agrees in known.items()]
        count = f"{self.survivors:,} survivors, sha256 {self.sha256}"
        return f"shard {self.number}: {count}: {', '.join(words) or 'none declared'}"

    @property
    def problems(self) -> list[str]:
        """Who says something else."""
        told = (("declared", self.declared), ("counted by recount.c", self.stored))
        return [
            f"shard {self.number}: other survivors than {who}"
            for who, agrees in told
            if agrees is False
        ]


def recount(
    certificate: Certificate, shards: int, seed: int | None, watch: Watch
) -> list[Recounted]:
    """Count the survivors of so many random shards, or of ALL: see docs/rounding-lemma.md.

    Raises InputError where the plan has no chain, or cuts the cell in other shards.
    """
    work, results = work_of(certificate), []
    stored = counted_beside(certificate.path)
    rows = stored.rows if stored and stored.is_of(certificate.header) else {}
    numbers, _ = choose(work.shards, shards, seed)
    with watch(f"recounting {certificate.path.name}", "shards") as observer:
        for done, number in enumerate(numbers):
            observer.progress(done, len(numbers))
            try:
                found = recount_shard(work, number)
            except ValueError as error:
                raise InputError([Problem(str(error), str(certificate.path), "plan", 2)]) from None
            same = found.survivors, found.sha256
            claim, row = certificate.header.shards[number].survivors, rows.get(number)
            results.append(
                Recounted(
                    number,
                    *same,
                    declared=None if claim is None else (claim.count, claim.sha256) == same,
                    stored=None if row is None else (row.survivors, row.sha256) == same,
                )
            )
    return results
