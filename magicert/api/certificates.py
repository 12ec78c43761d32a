"""Certificates, checked; and the atlas of what is known."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal

from magicert.api.asked import libraries, path_of, readable, watched_by
from magicert.atlas import Atlas
from magicert.atlas import read_atlas as read
from magicert.data import find_certificate, tables_folder
from magicert.engine import Observer, Quiet


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """What a check says. Only "valid" states the claim; with "unknown" nothing is wrong, but the
    file alone does not show it.

    `claim` names the cell. `magics` are the intervals [low, high] of all magics there are: none
    where it is proved that there is none. `evidence` is how the file shows it.
    """

    verdict: Literal["valid", "invalid", "unknown"]
    claim: str
    evidence: str
    magics: tuple[tuple[int, int], ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the file proves its claim."""
        return self.verdict == "valid"


def check(
    certificate: str | PathLike[str],
    *,
    replay: int | None = None,
    seed: int | None = None,
    observer: Observer | None = None,
) -> CheckedCertificate:
    """Check a cover certificate or a solver's proof, by path, or by the name of one that ships.

    `replay` rebuilds so many random shards of a cover, 0 all of them; `seed` chooses the same
    ones again. Raises InputError where the file is none, or where a library is not installed.
    """
    from magicert.jobs.check_proof import is_proof_file

    path = find_certificate(str(path_of(certificate, "certificate")))
    with readable(path), libraries():
        if is_proof_file(path):
            return _checked_proof(path, observer)
        from magicert.jobs.covers.replay import check_certificate

        checked = check_certificate(path, replay, seed, watched_by(observer))
    header, report = checked.certificate.header, checked.report
    return CheckedCertificate(
        report.verdict, str(header), str(header.evidence), tuple(report.magics),
        tuple(report.problems),
    )  # fmt: skip


def _checked_proof(path: Path, observer: Observer | None) -> CheckedCertificate:
    from magicert.jobs.check_proof import check_proof
    from magicert.verify.proof.checker import Checked

    report = check_proof(path, observer or Quiet())
    if isinstance(report.verdict, Checked):
        return CheckedCertificate("valid", str(report.about), str(report.verdict.evidence))
    reasons = (report.verdict.reason,)
    return CheckedCertificate("invalid", str(report.about), "", problems=reasons)


def read_atlas(path: str | PathLike[str] | None = None) -> Atlas:
    """What is known of every cell of the white scheme: the atlas that ships, or another file.

    Iterating gives its entries; `best(piece, square)` is the magic with the fewest bits,
    `bound(piece, square)` the impossible cell with the most. Raises InputError for what is none.
    """
    return read(tables_folder() / "atlas.toml" if path is None else path_of(path))
