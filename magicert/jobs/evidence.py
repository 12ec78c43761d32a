"""The kind of evidence that a certificate holds: read from the file, never typed by hand."""

from pathlib import Path

from magicert.outcome import Evidence
from magicert.verify.cover.file import read_certificate


def evidence_of(certificate: Path) -> Evidence:
    """What a cover certificate lets anybody check without believing its author.

    Raises InputError where the file is no certificate. Nothing else is checked here.
    """
    return Evidence(read_certificate(certificate).header.evidence)
