"""What an earlier run has found out of the same sources: what the compiler makes of them, and that
nothing in them writes to some variables.

The name of each in the user's cache is a hash of all that decides it:

    what the compiler reads, and the compiler itself       `inputs`
    the functions, and what else the question says of them
    this package, and the libraries that read modules and sources

Of modules that nothing is run of it has the whole certificate, too, where all squares are proved:
its name is a hash of the modules and of the question. Otherwise squares are looked at in each run,
and the init is run: `prove` knows the claims that were proved.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from magicert.betza import parse_piece
from magicert.functions.certificate import (
    PROVED_EARLIER,
    FunctionCertificate,
    FunctionReport,
    SquareReport,
    TrustedInitialiser,
)
from magicert.functions.compare.cache import Cache, folder_of_the_user, package_digest
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.crates import Crate
from magicert.functions.compile.inputs import TIME, inputs_hash
from magicert.functions.compile.modules import Compiled
from magicert.functions.compile.stand_ins import StandIn
from magicert.functions.question import FunctionQuestion
from magicert.outcome import Unknown
from magicert.problem import Problem
from magicert.system.deadline import Deadline

LIBRARIES = (
    "llvmlite", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp", "tree-sitter-rust",
    "tree-sitter-zig", "z3-solver", "bitwuzla",
)  # fmt: skip
COMPILED = "this user's cache, which has what the compiler made of these sources earlier"
UNWRITTEN = "this user's cache, which has that no code in these files writes to what it begins with"

Builds = tuple[FunctionQuestion, Compiled, Compiled | None]
"""A question with the names that the compiler knows, and both builds of its sources."""


class Earlier:
    """What is known from earlier runs about one question: nothing, where the cache is not used or
    it cannot be told what the compiler reads. `used` says what was taken.
    """

    def __init__(self, question: FunctionQuestion, deadline: Deadline) -> None:
        self.question = question
        self.deadline = deadline
        self.used = dict[str, None]()
        self.cache = Cache(folder_of_the_user() if question.cached and not question.proof else None)
        self.inputs = self._inputs()

    def build(self) -> Builds | None:
        """The builds of this question."""
        text = self._text("build", self._question_text())
        if text is None:
            return None
        data = json.loads(text)
        board = self.question.board
        functions = tuple(
            FunctionClaim(name, kind, piece, parse_piece(piece, board), guessed)
            for name, kind, piece, guessed in data["functions"]
        )
        crate = data["crate"] and _crate(data["crate"])
        question = replace(self.question, functions=functions, init=data["init"], crate=crate)
        self.used[COMPILED] = None
        return question, _compiled(data["plain"]), data["checked"] and _compiled(data["checked"])

    def keep_build(self, builds: Builds) -> None:
        """Keep the builds, if what the compiler reads did not change while it worked."""
        question, plain, checked = builds
        if self.inputs is None or self._inputs() != self.inputs:
            self.inputs = None
            return
        data: dict[str, Any] = {
            "functions": _named(question), "init": question.init,
            "crate": question.crate and asdict(question.crate),
            "plain": asdict(plain), "checked": checked and asdict(checked),
        }  # fmt: skip
        if data["crate"]:
            texts = question.crate.texts.items() if question.crate else ()
            data["crate"] |= {"texts": {str(path): text for path, text in texts}}
        self._keep("build", self._question_text(), json.dumps(data, default=os.fspath))

    def certificate(self, builds: Builds) -> FunctionCertificate | None:
        """What has been proved of these modules, all squares of it."""
        key = self._proof_key(builds)
        text = self.cache.text(key) if key else None
        if text is None:
            return None
        return _certificate(json.loads(text))

    def keep_certificate(self, builds: Builds, result: FunctionCertificate | Unknown) -> None:
        """Keep a proof of all squares; of nothing that the user's code had a part in."""
        key = self._proof_key(builds)
        if key and not isinstance(result, Unknown) and result.verdict == "valid" and not result.ran:
            self.cache.keep_text(key, json.dumps(asdict(result)))

    def _proof_key(self, builds: Builds) -> bytes | None:
        question, plain, checked = builds
        if self.cache.database is None or question.init or question.run:
            return None
        files = [
            (str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in question.sources
        ]
        said = question.squares, question.order, str(question.board), question.solvers
        whole = repr((_libraries(), _named(question), said, files, plain, checked))
        data = whole.encode("utf-8", "surrogatepass")
        return hashlib.sha256(package_digest() + b"proof" + data).digest()

    def unwritten(self, variables: Iterable[TrustedInitialiser]) -> bool:
        """Whether it is known that nothing in the files of the sources writes to these."""
        if self._text("unwritten", self._question_text(variables)) is None:
            return False
        self.used[UNWRITTEN] = None
        return True

    def keep_unwritten(self, variables: Iterable[TrustedInitialiser]) -> None:
        if self._inputs() == self.inputs:
            self._keep("unwritten", self._question_text(variables), "")

    def _inputs(self) -> bytes | None:
        question = self.question
        if self.cache.database is None or TIME.search(self._question_text()):
            return None
        how = question.flags, question.target, question.compiler, self.deadline
        return inputs_hash(question.sources, *how)

    def _question_text(self, variables: Iterable[TrustedInitialiser] = ()) -> str:
        """What the question says of functions and variables."""
        question = self.question
        said = question.init, question.run, question.traps, question.order, str(question.board)
        return repr((_named(question), said, sorted(map(repr, variables))))

    def _key(self, kind: str, about: str) -> bytes:
        assert self.inputs is not None
        head = f"{kind} {_libraries()} {about}".encode("utf-8", "surrogateescape")
        return hashlib.sha256(package_digest() + self.inputs + head).digest()

    def _text(self, kind: str, about: str) -> str | None:
        return None if self.inputs is None else self.cache.text(self._key(kind, about))

    def _keep(self, kind: str, about: str, text: str) -> None:
        if self.inputs is not None:
            self.cache.keep_text(self._key(kind, about), text)


def _named(question: FunctionQuestion) -> list[tuple[str, str, str, bool]]:
    return [(claim.name, claim.kind, claim.piece, claim.guessed) for claim in question.functions]


def _compiled(data: dict[str, Any]) -> Compiled:
    commands = tuple((command, source) for command, source in data["commands"])
    data |= {"modules": tuple(data["modules"]), "names": tuple(data["names"])}
    data |= {"known_in": {name: tuple(places) for name, places in data["known_in"].items()}}
    return Compiled(**(data | {"commands": commands}))


def _crate(data: dict[str, Any]) -> Crate:
    texts = {Path(path): text for path, text in data["texts"].items()}
    problems = tuple(Problem(**one) for one in data["problems"])
    stand_ins = tuple(StandIn(**one) for one in data["stand_ins"])
    return Crate(Path(data["root"]), texts, tuple(data["left_out"]), problems, stand_ins)


def _certificate(data: dict[str, Any]) -> FunctionCertificate:
    """A certificate all squares of which were proved earlier."""
    functions = []
    for report in data["functions"]:
        proved = {"earlier": True, "seconds": 0.0}
        squares = tuple(
            SquareReport(**(square | {"reads": tuple(square["reads"])} | proved))
            for square in report["squares"]
        )
        lists = {name: tuple(report[name]) for name in ("takes", "instructions")}
        functions.append(FunctionReport(**(report | lists | {"squares": squares, "seconds": 0.0})))
    number = sum(len(report.squares) for report in functions)
    known = [one for one in data["trusted"] if not one.endswith(PROVED_EARLIER.partition("{}")[2])]
    lists = {name: tuple(data[name]) for name in ("taken", "solvers", "assumed")}
    return FunctionCertificate(**(data | lists | {
        "functions": tuple(functions),
        "initial": tuple(TrustedInitialiser(**one) for one in data["initial"]),
        "trusted": (*known, PROVED_EARLIER.format(number)),
        "figures": {"seconds": 0.0},
    }))  # fmt: skip


@cache
def _libraries() -> str:
    """The libraries that read modules and sources, with their versions."""
    versions = []
    for name in LIBRARIES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"no {name}")
    return ", ".join(versions)
