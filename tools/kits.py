"""Prove what `emit --way` writes, and keep what was proved in compact/emit/proved.toml.

    python tools/kits.py [--again] [--rustc PATH] [--lang LANGUAGE]... [--target TARGET]... [WAY...]

Each text is compiled for each target and goes through `magicert verify --function`, all squares.
Texts that are the same as those proved are left out, unless --again. --rustc names a compiler with
the standard libraries for other processors, if rustc has none. Exit status: 1 where one is not
proved.
"""

import argparse
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from magicert.compact.emit import printer
from magicert.compact.emit.ways import (
    PROVED,
    TARGETS,
    functions,
    kit,
    languages_of_ways,
    linkage,
    print_way,
    unit_of,
    ways,
)
from magicert.functions.certificate import FunctionCertificate
from magicert.functions.question import question_of
from magicert.functions.work import certify_functions
from magicert.outcome import Quiet
from magicert.problem import InputError

SLOWEST = 30
"""Seconds of processor time that a proof may take."""


def main() -> int:
    """Prove what was asked for, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ways", nargs="*", default=[*ways()], metavar="WAY")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--rustc", default="")
    parser.add_argument("--lang", action="append", choices=languages_of_ways(proved=True))
    parser.add_argument("--target", action="append", choices=TARGETS)
    given = parser.parse_args()
    right = True
    for way in given.ways:
        unit = unit_of(way)
        for language in given.lang or languages_of_ways(proved=True):
            digest = kit(way, printer(language), unit).digest
            known = recorded().get(language, {}).get(way, {})
            if known.get("sha256") != digest or given.again:
                known = {"sha256": digest, "seconds": {}}
            for target in given.target or TARGETS:
                if target in known["seconds"]:
                    continue
                compiler = given.rustc if language == "rust" and "x86" not in target else ""
                found = prove(way, language, target, compiler)
                if isinstance(found, FunctionCertificate) and found.verdict == "valid":
                    known["seconds"][target] = float(found.figures["seconds"])
                    known["compiler"] = found.compiler
                    known["date"] = datetime.now(UTC).date().isoformat()
                    records = recorded()  # another run may have written, too
                    records.setdefault(language, {})[way] = known
                    PROVED.write_text(written(records), "utf-8")
                    slow = known["seconds"][target] > SLOWEST
                    print(
                        way, language, target, known["seconds"][target], "SLOW" * slow, flush=True
                    )
                else:
                    right = False
                    print(way, language, target, "not proved:", told(found), flush=True)
    return 0 if right else 1


def recorded() -> dict[str, dict[str, dict[str, Any]]]:
    """What was proved so far, by language and way."""
    return tomllib.loads(PROVED.read_text("utf-8")) if PROVED.exists() else {}


def prove(way: str, language: str, target: str, compiler: str) -> object:
    """The certificate of one file, or why there is none."""
    spoken = printer(language)
    unit = unit_of(way)
    with TemporaryDirectory(prefix="magicert-kit-") as folder:
        file = Path(folder) / f"{spoken.stem}{spoken.dialect.suffix}"
        file.write_text(print_way(way, spoken, unit), "utf-8")
        asked = {
            "functions": functions(way, spoken), "target": target,
            "flags": linkage(spoken), "compiler": compiler,
            "seconds": 1800,  # of the clock, which other work delays
        }  # fmt: skip
        try:
            return certify_functions(question_of((file,), asked), Quiet())
        except InputError as error:
            return error


def told(found: object) -> str:
    """Why something is not proved, in a line."""
    if not isinstance(found, FunctionCertificate):
        return str(found)[:300]
    findings = [finding for function in found.functions for finding in function.findings]
    return "; ".join(f"{f.square} {f.build} {f.outcome}: {f.message}" for f in findings[:3])


def written(records: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The records as TOML, in the order of the ways."""
    lines = [
        "# What tools/kits.py has proved: the SHA-256 of each text below its head, and the seconds",
        "# of processor time that the proof took for each target. The head of an emitted file says",
        "# so only where the text is the same.",
    ]
    for language in languages_of_ways(proved=True):
        for way in ways():
            if (known := records.get(language, {}).get(way)) and known["seconds"]:
                name = f'"{language}"' if "+" in language else language
                seconds = ", ".join(f"{key} = {value}" for key, value in known["seconds"].items())
                lines += ["", f"[{name}.{way}]", f'sha256 = "{known["sha256"]}"']
                lines += [f'compiler = "{known["compiler"]}"', f"date = {known['date']}"]
                lines += [f"seconds = {{ {seconds} }}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
