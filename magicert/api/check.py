"""Does a certificate show what it claims? Covers, solvers' proofs, recounts, atlases.

`check` is what Python programs call; the command line calls `check_named`. Which checker a file
goes to is told from how it begins: a cover to `verify/cover`, a solver's proof to `verify/proof`, a
recount to `covers.counted`, an atlas (a file of TOML) to `atlas_files`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from magicert.arguments import Arguments, flag, path_of, whole_number
from magicert.data import find_certificate
from magicert.outcome import HasOutcome, Observer, OutcomeKind, Watch, watched_by
from magicert.problem import InputError, Problem, libraries, printable, readable

if TYPE_CHECKING:
    from magicert.api.covers.replay import CheckedCover

Verdict = Literal["valid", "invalid", "unknown"]


@dataclass(frozen=True, slots=True)
class CheckedCertificate(HasOutcome):
    """What a check says. Only "valid" states the claim; with "unknown" nothing is wrong, but the
    file alone does not show it.

    `claim` names the cell. `magics` are the intervals [low, high] of all magics there are: none
    where it is proved that there is none. `evidence` is how the file shows it. `statement` is the
    claim with what the verdict means, `lines` how it was checked.
    """

    verdict: Verdict
    claim: str
    evidence: str = ""
    magics: tuple[tuple[int, int], ...] = ()
    problems: tuple[str, ...] = ()
    statement: str = ""
    lines: tuple[str, ...] = ()

    @property
    def kind(self) -> OutcomeKind:
        return OutcomeKind(self.verdict)

    @property
    def valid(self) -> bool:
        return self.verdict == "valid"

    @property
    def said(self) -> str:
        """What `statement` was called before 0.2.0; until 0.3.0."""
        return self.statement


@dataclass(frozen=True, slots=True)
class FurtherChecks:
    """What is checked of a certificate besides its file.

    `replay` rebuilds so many random shards of a cover (0: all), or those of a range; with `proved`
    their leaves go to the proved checker, which adds a line for each to the file `settled`.
    `recount` counts so many shards again (0: all), `sample` searches so many small subtrees of
    every shard. `seed` chooses the same shards and subtrees again. `list_magics` lists the magics.
    """

    replay: int | range | None = None
    proved: bool = False
    settled: Path | None = None
    recount: int | None = None
    sample: int | None = None
    seed: int | None = None
    list_magics: bool = False

    def problems(self) -> Iterator[Problem]:
        """What does not go together."""
        if (self.proved and self.replay is None) or (self.settled and not self.proved):
            yield Problem("--proved needs --replay, and --settled needs --proved")

    def refuse(self, path: Path, message: str, *, recount: bool = False) -> None:
        """InputError with a message where more is wanted than such a file can have; `recount` it
        may be.
        """
        checks = (self.replay, None if recount else self.recount, self.sample)
        if self.list_magics or any(value is not None for value in checks):
            raise InputError([Problem(message, file=str(path))])


NOTHING_FURTHER = FurtherChecks()


def check(
    certificate: str | PathLike[str],
    *,
    replay: int | range | str | None = None,
    proved: bool = False,
    settled: str | PathLike[str] | None = None,
    recount: int | str | None = None,
    sample: int | None = None,
    seed: int | None = None,
    list_magics: bool = False,
    observer: Observer | None = None,
) -> CheckedCertificate:
    """Check a certificate: a cover, a solver's proof, a recount or an atlas.

    `certificate` is a path, or the name of one that ships. Of a cover, every leaf in the file is
    checked; where the file keeps only hashes or counts of them,

    - `replay` rebuilds the leaves of so many random shards, of a range of them, or of "all" (or 0),
      and compares. With `proved` the program magicert-proved checks them, whose proof Coq has
      checked, and adds a line for each shard to the file `settled`.
    - `recount` counts the survivors of so many random shards again, or of "all" (or 0), by a
      program that is not the search; of a recount it repeats the count.
    - `sample` searches so many small random subtrees of every shard anew.

    `seed` chooses the same shards and subtrees again; without it the system gives one.
    `list_magics` puts the magics among the `lines`. `observer` sees how far it is.

        checked = magicert.check("bishop-d1-4")
        assert checked.valid and not checked.magics  # bishop d1 has no magic of 4 bits

    Raises InputError with all that is wrong with the arguments, for a file that is no certificate,
    and where a library or a program is missing.
    """
    arguments = Arguments()
    path = arguments.read("certificate", certificate, lambda name: str(path_of(name)))
    if path is not None:
        path = arguments.read("certificate", path, find_certificate)
    further = FurtherChecks(
        replay=arguments.optional("replay", replay, lambda value: shards(value, ranges=True)),
        proved=bool(arguments.read("proved", proved, flag)),
        settled=arguments.optional("settled", settled, path_of),
        recount=arguments.optional("recount", recount, shards),
        sample=arguments.optional("sample", sample, lambda value: whole_number(value, 1)),
        seed=arguments.optional("seed", seed, lambda value: whole_number(value, 0)),
        list_magics=bool(arguments.read("list_magics", list_magics, flag)),
    )
    arguments.refuse()
    with libraries():
        return check_file(path, further, watched_by(observer))


def shards(value: Any, *, ranges: bool = False) -> int | range:  # noqa: ANN401
    """How many shards: a number, or 0 for all; with `ranges` also those of a range. Texts are read
    as on the command line. Raises ValueError.
    """
    if isinstance(value, str):
        return parse_shards(value, ranges=ranges)
    return value if ranges and isinstance(value, range) else whole_number(value, 0)


def parse_shards(text: str, *, ranges: bool = False) -> int | range:
    """A number of shards, "all" (which is 0), or with `ranges` those "A-B". Raises ValueError."""
    first, dash, last = text.partition("-")
    in_order = dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last)
    if ranges and in_order:
        return range(int(first), int(last) + 1)
    if text == "all":
        return 0
    if not text.isdecimal() or int(text) == 0:
        range_too = ", the range A-B" if ranges else ""
        raise ValueError(f"{text!r}: expected a number of shards{range_too}, or all")
    return int(text)


DATABASE = b"SQLite format 3"
NO_CERTIFICATE = (
    "is a database, such as a ledger: expected a certificate; of a ledger's cell, "
    "magicert disprove with --engine window, -O ledger=FILE and -O replay=N does N shards again"
)
NOT_SHOWN = "the file does not show what it claims"


def check_file(path: Path, further: FurtherChecks, watch: Watch) -> CheckedCertificate:
    """Check a certificate. Raises InputError where the file is none, where more is wanted of it
    than it can have, and where a library is missing.
    """
    from magicert.api.covers.counted import is_recount
    from magicert.verify.cover.file import begins
    from magicert.verify.proof.document import FIRST_LINE

    if problems := list(further.problems()):
        raise InputError(problems)
    with readable(path):
        if path.suffix == ".toml":
            further.refuse(path, "an atlas takes no other option")
            return _check_atlas(path, watch)
        if is_recount(path):
            what = "a recount: --replay, --sample and --magics are only for covers"
            further.refuse(path, what, recount=True)
            return _check_recount(path, further, watch)
        if begins(path, DATABASE):
            raise InputError([Problem(NO_CERTIFICATE, file=str(path))])
        if begins(path, FIRST_LINE.encode()):
            what = "a proof: --replay, --recount, --sample and --magics are only for covers"
            further.refuse(path, what)
            return _check_proof(path, watch)
        return _check_cover(path, further, watch)


def _check_cover(path: Path, further: FurtherChecks, watch: Watch) -> CheckedCertificate:
    from magicert.api.covers.replay import ProvedChecker, check_certificate, refuted

    lines: list[str] = []
    proved = ProvedChecker(further.settled) if further.proved else None
    checked = check_certificate(path, further.replay, further.seed, watch, proved)
    if further.recount is not None:
        from magicert.api.covers.shards import recount

        recounts = recount(checked.certificate, further.recount, further.seed, watch)
        checked = refuted(checked, [problem for each in recounts for problem in each.problems])
        lines += map(str, recounts)
    if further.sample is not None:
        from magicert.api.covers.shards import sample

        sampled = sample(checked.certificate, further.sample, further.seed, watch)
        checked = refuted(checked, sampled.problems)
        lines.append(sampled.line(len(checked.certificate.header.shards)))
    return _of_cover(checked, lines, list_magics=further.list_magics)


def _of_cover(
    checked: "CheckedCover", lines: list[str], *, list_magics: bool
) -> CheckedCertificate:
    """What the check of a cover says; `lines` is what was done again besides."""
    header, report = checked.certificate.header, checked.report
    count = f"{len(header.shards):,} shard{'s' if len(header.shards) > 1 else ''}"
    how = [f"{report.leaves:,} leaves checked, {count}, evidence in the file: {header.evidence}"]
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


def _meaning(verdict: Verdict, shown: str, claim: str) -> str:
    """What a verdict says: only "valid" states what is `shown`."""
    return {
        "valid": shown,
        "invalid": NOT_SHOWN,
        "unknown": f"it claims {claim}, but the file alone does not show it",
    }[verdict]


def _counted_by(engine: str) -> str:
    """Which programs a certificate names. What they counted is no more than what they say."""
    programs = printable(engine).split("; ")
    several = f"{len(programs)} programs: " if len(programs) > 1 else ""
    return f"counted by {several}{'; '.join(programs) or 'a program that is not named'}"


def _check_atlas(path: Path, watch: Watch) -> CheckedCertificate:
    from magicert.api.atlas_files import check_atlas

    checked = check_atlas(path, watch)
    line = (
        f"magics tried: {checked.magics:,}; certificates read, but not checked: "
        f"{checked.certificates:,} (magicert check CERT)"
    )
    return CheckedCertificate(
        "invalid" if checked.problems else "valid",
        "",
        problems=checked.problems,
        statement="it claims more than its files show" if checked.problems
        else "it agrees with its files",
        lines=(line,),
    )  # fmt: skip


def _check_recount(path: Path, further: FurtherChecks, watch: Watch) -> CheckedCertificate:
    """What an independent program counted, and some of its shards again."""
    from magicert.api.covers.shards import count_again

    again = count_again(path, further.recount, further.seed, watch)
    counted, repeated = again.counted, len(again.numbers)
    magics = len(counted.magics)
    claim = f"{magics:,} magics and no others" if magics else "no magic"
    if not counted.is_whole:
        claim = f"{magics:,} magics in {len(counted.rows):,} of {1 << counted.level:,} shards"
    meaning = _meaning(again.verdict, f"{claim}, counted again in every shard", claim)
    line = f"--recount N has {counted.program}.c count N random shards again"
    if repeated:
        seed = "" if again.seed is None else f"; --seed {again.seed} chooses the same shards"
        count = f"{repeated:,} shard{'s' * (repeated > 1)}"
        line = f"{count} counted again by {counted.program}.c{seed}"
    cell = str(counted.cell)
    return CheckedCertificate(
        again.verdict, cell, "counted again", problems=again.problems,
        statement=f"{cell}: {meaning}", lines=(line,),
    )  # fmt: skip


def _check_proof(path: Path, watch: Watch) -> CheckedCertificate:
    """A solver's proof, step by step, by the verified checker."""
    from magicert.known_magics import contradicted, contradiction
    from magicert.shapes import Shape
    from magicert.verify.proof import checker
    from magicert.verify.proof.document import read_proof

    with watch(f"checking {path.name}", "") as observer:
        proof = read_proof(path)
        checked = checker.check(proof, lambda done, total: observer.progress(done, total, "steps"))
    about = str(proof.cell_or_shape)
    if isinstance(checked, checker.Refused):
        reason = checked.reason
    elif known := contradiction(proof.cell_or_shape):
        reason = contradicted(known)
    else:
        lines = [f"{checked.steps:,} steps of {proof.solver} checked by the verified checker drup"]
        if isinstance(proof.cell_or_shape, Shape):
            squares = ", ".join(proof.cell_or_shape.named)
            lines.append(f"no magic for {squares}, {proof.cell_or_shape.scheme} scheme")
        return CheckedCertificate(
            "valid", about, str(checked.evidence), statement=f"{about}: no magic exists",
            lines=tuple(lines),
        )  # fmt: skip
    return CheckedCertificate(
        "invalid", about, problems=(reason,), statement=f"{about}: {NOT_SHOWN}"
    )
