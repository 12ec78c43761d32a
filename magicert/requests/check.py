"""Does a certificate show what it claims? Covers, solvers' proofs, recounts, atlases."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, MISSING, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from magicert.data import certificates_by_name, find_certificate
from magicert.outcome import Answered, OutcomeKind, Watch
from magicert.problem import InputError, Problem, printable, readable
from magicert.requests.request import Given, Kind, Request, ShippedName, WholeNumber, option

if TYPE_CHECKING:
    from magicert.jobs.covers.replay import CheckedCover

Verdict = Literal["valid", "invalid", "unknown"]


@dataclass(frozen=True, slots=True)
class CheckedCertificate(Answered):
    """What a check says. Only "valid" states the claim; with "unknown" nothing is wrong, but the
    file alone does not show it.

    `claim` names the cell. `magics` are the intervals [low, high] of all magics there are: none
    where it is proved that there is none. `evidence` is how the file shows it. `said` is the claim
    with what the verdict means, `lines` how it was checked.
    """

    verdict: Verdict
    claim: str
    evidence: str = ""
    magics: tuple[tuple[int, int], ...] = ()
    problems: tuple[str, ...] = ()
    said: str = ""
    lines: tuple[str, ...] = ()

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind(self.verdict)

    @property
    def valid(self) -> bool:
        return self.verdict == "valid"


class Shards(Kind):
    """How many shards: a number, or all; with `ranges` also those from A to B."""

    metavar = "N|all"

    def __init__(self, *, ranges: bool = False) -> None:
        self.ranges = ranges
        if ranges:
            self.metavar = "N|A-B|all"

    def read(self, text: str, given: Given) -> int | range:
        """The number, 0 for all; or the range."""
        first, dash, last = text.partition("-")
        in_order = dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)
        if self.ranges and in_order:
            return range(int(first), int(last) + 1)
        if text == "all":
            return 0
        if not text.isdecimal() or int(text) == 0:
            ranges = ", the range A-B" if self.ranges else ""
            raise ValueError(f"{text!r}: expected a number of shards{ranges}, or all")
        return int(text)

    def accept(self, value: Any, given: Given) -> int | range:  # noqa: ANN401
        if isinstance(value, str):
            return self.read(value, given)
        is_range = isinstance(value, range) and self.ranges
        return value if is_range else WholeNumber(0).accept(value, given)


DATABASE = b"SQLite format 3"
NO_CERTIFICATE = (
    "is a database, such as a ledger: expected a certificate; of a ledger's cell, "
    "magicert disprove with --engine window, -O ledger=FILE and -O replay=N does N shards again"
)


@dataclass(frozen=True, slots=True)
class Check(Request[CheckedCertificate]):
    """Check a certificate: a cover or a solver's proof, a recount, an atlas; by path, or by the
    name of one that ships.

    `replay` rebuilds so many random shards of a cover, those of a range, or 0 for all; `seed`
    chooses the same ones again.
    """

    begins = ("check",)
    certificate: str | PathLike[str] = option(
        MISSING, kind=ShippedName("CERT", certificates_by_name, find_certificate), argument=True
    )
    _: KW_ONLY
    replay: int | range | str | None = option(
        None,
        "Rebuild N random shards, those from A to B, or all: check their leaves, compare hashes.",
        Shards(ranges=True),
    )  # fmt: skip
    proved: bool = option(
        False,
        "With --replay: have the leaves checked by magicert-proved, whose proof Coq has checked.",
    )  # fmt: skip
    settled: Path | None = option(
        None, "With --proved: add a line for each shard, so that several machines share a cell.",
        seldom=True,
    )  # fmt: skip
    recount: int | str | None = option(
        None,
        "Count the survivors of the chains of N random shards, or all, apart from the search; "
        "or their slots again.",
        Shards(),
    )  # fmt: skip
    sample: int | None = option(
        None,
        "Search N small random pieces of every shard anew: check their leaves, compare magics.",
        WholeNumber(1), "N",
    )  # fmt: skip
    seed: int | None = option(
        None, "Chooses shards and pieces; a number from the system if not given.", WholeNumber(0),
        "N", seldom=True,
    )  # fmt: skip
    list_magics: bool = option(False, "List the magics, as intervals.", flags=("--magics",))

    def problems(self) -> Iterator[Problem]:
        if (self.proved and self.replay is None) or (self.settled and not self.proved):
            yield Problem("--proved is for --replay, and --settled for --proved")

    @property
    def path(self) -> Path:
        assert isinstance(self.certificate, Path)
        return self.certificate

    @property
    def more(self) -> set[str]:
        """What is asked of a cover besides the check of its file."""
        names = ("replay", "recount", "sample", "list_magics")
        return {name for name in names if getattr(self, name) not in (None, False)}

    def refuse_more(self, *but: str, what: str) -> None:
        """InputError where more is asked than such a file can have."""
        if self.more - set(but):
            raise InputError([Problem(what, file=str(self.path))])

    def run(self, watch: Watch) -> CheckedCertificate:
        """Check it. Raises InputError where the file is none, or where a library is missing."""
        from magicert.jobs.covers.counted import is_recount
        from magicert.verify.cover.file import begins
        from magicert.verify.proof.document import FIRST_LINE

        with readable(self.path):
            if self.path.suffix == ".toml":
                return self.atlas(watch)
            if is_recount(self.path):
                return self.recounted(watch)
            if begins(self.path, DATABASE):
                raise InputError([Problem(NO_CERTIFICATE, file=str(self.path))])
            if begins(self.path, FIRST_LINE.encode()):
                return self.proof(watch)
            return self.cover(watch)

    def cover(self, watch: Watch) -> CheckedCertificate:
        from magicert.jobs.covers.replay import ProvedChecker, check_certificate, refuted

        lines: list[str] = []
        assert not isinstance(self.replay, str)
        assert not isinstance(self.recount, str)
        proved = ProvedChecker(self.settled) if self.proved else None
        checked = check_certificate(self.path, self.replay, self.seed, watch, proved)
        if self.recount is not None:
            from magicert.jobs.covers.shards import recount

            found = recount(checked.certificate, self.recount, self.seed, watch)
            checked = refuted(checked, [problem for one in found for problem in one.problems])
            lines += map(str, found)
        if self.sample is not None:
            from magicert.jobs.covers.shards import sample

            sampled = sample(checked.certificate, self.sample, self.seed, watch)
            checked = refuted(checked, sampled.problems)
            lines.append(sampled.line(len(checked.certificate.header.shards)))
        return _said_of_cover(checked, lines, list_magics=self.list_magics)

    def atlas(self, watch: Watch) -> CheckedCertificate:
        from magicert.jobs.atlas_files import check_atlas

        self.refuse_more(what="an atlas: expected no other option")
        found = check_atlas(self.path, watch)
        said = "it says more than its files" if found.problems else "it says what its files say"
        line = (
            f"magics tried: {found.magics:,}; certificates read, but not checked: "
            f"{found.certificates:,} (magicert check CERT)"
        )
        verdict: Verdict = "invalid" if found.problems else "valid"
        problems = tuple(map(str, found.problems))
        return CheckedCertificate(verdict, "", problems=problems, said=said, lines=(line,))

    def recounted(self, watch: Watch) -> CheckedCertificate:
        """What an independent program counted, and some of its shards again."""
        from magicert.jobs.covers.shards import count_again

        self.refuse_more(
            "recount",
            what="a recount: --replay, --sample and --magics are for covers",
        )
        assert not isinstance(self.recount, str)
        found = count_again(self.path, self.recount, self.seed, watch)
        counted, done = found.counted, len(found.numbers)
        magics = len(counted.magics)
        claim = f"{magics:,} magics and no others" if magics else "no magic"
        if not counted.is_whole:
            claim = f"{magics:,} magics in {len(counted.rows):,} of {1 << counted.level:,} shards"
        meaning = _meaning(found.verdict, f"{claim}, counted again in every shard", claim)
        line = f"--recount N has {counted.program}.c count N random shards again"
        if done:
            seed = "" if found.seed is None else f"; --seed {found.seed} chooses the same shards"
            shards = f"{done:,} shard{'s' * (done > 1)}"
            line = f"{shards} counted again by {counted.program}.c{seed}"
        cell = str(counted.cell)
        return CheckedCertificate(
            found.verdict, cell, "counted again", problems=found.problems,
            said=f"{cell}: {meaning}", lines=(line,),
        )  # fmt: skip

    def proof(self, watch: Watch) -> CheckedCertificate:
        from magicert.cell import Shape
        from magicert.verify.proof.checker import Refused, check
        from magicert.verify.proof.document import read_proof

        what = "a proof: --replay, --recount, --sample and --magics are for covers"
        self.refuse_more(what=what)
        with watch(f"checking {self.path.name}", "") as observer:
            proof = read_proof(self.path)
            checked = check(proof, lambda done, total: observer.progress(done, total, "steps"))
        if isinstance(checked, Refused):
            said = f"{proof.about}: the file does not show what it claims"
            reasons = (checked.reason,)
            return CheckedCertificate("invalid", str(proof.about), problems=reasons, said=said)
        from magicert.known_magics import contradicted, contradiction

        if known := contradiction(proof.about):
            said = f"{proof.about}: the file does not show what it claims"
            return CheckedCertificate(
                "invalid", str(proof.about), problems=(contradicted(known),), said=said
            )
        steps = f"{checked.steps:,} steps of {proof.solver}"
        lines = [f"{steps} checked by the verified checker drup"]
        if isinstance(proof.about, Shape):
            lines.append(
                f"no magic for {', '.join(proof.about.named)}, {proof.about.scheme} scheme"
            )
        return CheckedCertificate(
            "valid", str(proof.about), str(checked.evidence),
            said=f"{proof.about}: no magic exists", lines=tuple(lines),
        )  # fmt: skip


def _meaning(verdict: Verdict, shown: str, claim: str) -> str:
    """What a verdict says: only "valid" states what is `shown`."""
    return {
        "valid": shown,
        "invalid": "the file does not show what it claims",
        "unknown": f"it claims {claim}, but the file alone does not show it",
    }[verdict]


def _counted_by(engine: str) -> str:
    """Which programs a certificate names. What they counted is no more than what they say."""
    programs = printable(engine).split("; ")
    several = f"{len(programs)} programs: " if len(programs) > 1 else ""
    return f"counted by {several}{'; '.join(programs) or 'a program that is not named'}"


def _said_of_cover(
    checked: "CheckedCover", lines: list[str], *, list_magics: bool
) -> CheckedCertificate:
    header, report = checked.certificate.header, checked.report
    shards = f"{len(header.shards):,} shard{'s' if len(header.shards) > 1 else ''}"
    how = [f"{report.leaves:,} leaves checked, {shards}, evidence in the file: {header.evidence}"]
    if checked.replayed:
        how.append(f"{checked.replayed:,} of them replayed")
        if checked.seed is not None:
            how.append(f"--seed {checked.seed} chooses the same shards")
    elif report.verdict == "unknown":
        how.append("--replay N rebuilds the leaves of N shards")
    first = ["; ".join(how), _counted_by(header.engine)]
    if checked.proved:
        first.append(f"the proved checker: {checked.proved}")
    if list_magics:
        first += [f"{a:#x}" + (f" .. {b:#x}" if b > a else "") for a, b in report.magics]
    claim = f"{report.magic_count:,} magics and no others" if report.magic_count else "no magic"
    meaning = _meaning(report.verdict, claim if report.magic_count else "no magic exists", claim)
    return CheckedCertificate(
        report.verdict, str(header), str(header.evidence), tuple(report.magics),
        tuple(report.problems), f"{header}: {meaning}", (*first, *lines),
    )  # fmt: skip
