"""What came of functions: the certificate, or the findings, as one document."""

from dataclasses import dataclass, field, replace

from magicert.outcome import Figures, Unknown
from magicert.problem import Problem

FORMAT = "magicert-function"
TRUSTED = (
    "the compiler, from the IR downwards to machine code",
    "LLVM's passes that put a constant square into the function",
    "this program's reading of LLVM's instructions",
    "that loads are aligned as the code says, and objects lie in the lower half of all addresses",
)
"""What every certificate of a function rests on besides its evidence."""
TRUSTED_NARROW = (*TRUSTED[:-1], "that loads are aligned as the code says")
"""The same where addresses have 32 bits: objects may lie anywhere."""

PROVED_EARLIER = "this user's cache, which has {} of the squares proved earlier"


@dataclass(frozen=True, slots=True)
class Lacking:
    """A function or variable that no source here defines: what is `said` of it, the `advice` where
    no file beside the sources has it, and what stays behind both.
    """

    name: str
    variable: bool
    said: str
    advice: str = ""
    rest: str = ""

    def message(self, file: str = "", filled: str = "") -> str:
        """All of it, or with the file that defines the name, and how that is filled."""
        advice = f": {file} defines it{filled}" if file else self.advice
        return f"{self.said}{advice}{self.rest}"


@dataclass(frozen=True, slots=True)
class ProcessEnded(Problem):
    """The process that runs inits and calls functions has ended; `lacks` is what it needed and no
    source defines.
    """

    lacks: Lacking | None = None


@dataclass(frozen=True, slots=True)
class SquareReport:
    """One square (or "all", for set-wise functions) in one build.

    `outcome` is proved, refuted or not decided. Sets are numbers in hexadecimal, in the function's
    own square order; `inputs` are the occupancy and other bitboards that the function was given.
    """

    square: str = field(default="", kw_only=True)
    outcome: str
    build: str = field(default="", kw_only=True)
    message: str = ""
    place: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    found: str = ""
    expected: str = ""
    confirmed: str = ""
    reads: tuple[str, ...] = ()
    rows: int = 0
    proof: str = ""
    """How many steps the verified checker accepted, and the SHA-256 of their clauses."""
    seconds: float = 0.0
    earlier: bool = False
    """Whether the solver said so in an earlier run, of the same claim."""
    outside: bool = False
    """Whether what was found is a load or store outside of what it is meant for."""
    lacks: Lacking | None = None
    """What no source here defines, if it is not decided for that."""
    empty: int | None = None
    """What is computed for the empty board, where that is looked at."""
    alone: int | None = None
    """The same for the board on which the square itself alone is occupied."""
    unfilled: bool = False
    """Whether it is not decided because nothing here has filled a table."""
    off_itself: bool = False
    """Whether what is refuted is right wherever the square itself is empty."""

    def undecided_if_refuted(self, message: str, *, unfilled: bool = False) -> "SquareReport":
        """The same, but what is refuted as not decided, with a `message` that says what may be
        otherwise than it was looked at, and how the user says so.

        Right where a set is wrong only by a guess of this program (an order of words or squares,
        what a name means, an object), or by what may be other than it is here (a stand-in for a
        crate, tables that another init would fill, the order of the sources). Wrong for what the
        user has said. What is proved stays: a guess can make a function valid, never invalid.
        """
        if self.outcome != "refuted":
            return self
        return replace(self, outcome="not decided", message=message, unfilled=unfilled)


_NOT_WRITTEN = ("outside", "lacks", "empty", "alone", "unfilled", "off_itself")
"""Of a square: what its message says already, or what only a hint is made of."""


@dataclass(frozen=True, slots=True)
class TrustedInitialiser:
    """A variable that was taken to hold what its initialiser says: its symbol, its name and place
    in the source, and whether other files can name it.
    """

    symbol: str
    name: str
    file: str
    line: int
    shared: bool


NOT_YET = "not looked at"
"""How the message of a square begins at which nobody has looked yet."""


@dataclass(frozen=True, slots=True)
class FunctionReport:
    """One function on all squares."""

    name: str
    symbol: str
    kind: str
    piece: str
    statement: str
    squares: tuple[SquareReport, ...]
    seconds: float = 0.0
    slots: int | None = None
    """Of an index function: the largest index and one."""
    convention: dict[str, str] = field(default_factory=dict)
    """Of a function of two squares: what its entries follow where these are on a line, on no line,
    or one square.
    """
    takes: tuple[str, ...] = ()
    """The names of its arguments in the compiled function's order, where each is one word."""
    instructions: tuple[str, ...] = ()
    """What it computes with once the square is put in, where processors differ: such as pext."""
    bytes_read: int = 0
    """Of all tables that it reads there."""

    @property
    def computes_with(self) -> str:
        """Its instructions and tables, in words."""
        tables = [f"{self.bytes_read:,} bytes of tables"] if self.bytes_read else []
        return ", ".join([*self.instructions, *tables])

    @property
    def verdict(self) -> str:
        outcomes = {square.outcome for square in self.squares}
        if "refuted" in outcomes:
            return "invalid"
        return "unknown" if "not decided" in outcomes else "valid"

    @property
    def is_finished(self) -> bool:
        """Whether all squares that were asked about were looked at."""
        return not any(square.message.startswith(NOT_YET) for square in self.squares)

    @property
    def findings(self) -> list[SquareReport]:
        """The squares that are not proved."""
        return [square for square in self.squares if square.outcome != "proved"]


@dataclass(frozen=True, slots=True)
class FunctionCertificate:
    """All functions that were asked about, and everything that the answer rests on."""

    sources: dict[str, str]
    """Files with their SHA-256."""
    functions: tuple[FunctionReport, ...]
    compiler: str
    command: str
    triple: str
    ir: dict[str, str]
    """The builds, each with the SHA-256 of its IR."""
    tables: dict[str, str]
    """Variables and blocks that were read from the running process, with their SHA-256."""
    taken: tuple[str, ...]
    """What was taken for granted about this source."""
    initial: tuple[TrustedInitialiser, ...]
    """The variables that were taken to hold what their initialisers say."""
    init: str
    ran: bool
    """Whether the user's code was run."""
    solvers: tuple[str, ...]
    evidence: str
    board: str
    order: str
    trusted: tuple[str, ...]
    figures: Figures = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    """What no look at these sources can tell."""
    advice: str = ""
    """The command that has what was missing, where that can be told."""

    @property
    def verdict(self) -> str:
        """The gravest of all functions' verdicts: invalid, unknown or valid."""
        verdicts = {function.verdict for function in self.functions}
        return next(v for v in ("invalid", "unknown", "valid") if v in verdicts or v == "valid")

    def __repr__(self) -> str:
        proved = [
            f"{report.name} {len(report.squares) - len(report.findings)}"
            f" of {len(report.squares)} proved"
            for report in self.functions
        ]
        return f"<FunctionCertificate {self.verdict}: {', '.join(proved)}>"


@dataclass(frozen=True, slots=True)
class TargetCertificates:
    """What came of the same functions for several targets, by the targets' names."""

    targets: dict[str, FunctionCertificate | Unknown]

    @property
    def verdict(self) -> str:
        """The gravest of all targets' verdicts: invalid, unknown or valid."""
        verdicts = {verdict_of(result) for result in self.targets.values()}
        return next(v for v in ("invalid", "unknown", "valid") if v in verdicts or v == "valid")

    def __repr__(self) -> str:
        verdicts = (f"{name} {verdict_of(result)}" for name, result in self.targets.items())
        return f"<TargetCertificates {self.verdict}: {', '.join(verdicts)}>"


def verdict_of(result: FunctionCertificate | Unknown) -> str:
    """The verdict, unknown where the time or the memory was not enough."""
    return "unknown" if isinstance(result, Unknown) else result.verdict


def as_document(certificate: FunctionCertificate) -> dict[str, object]:
    """The certificate as plain data, its verdicts included."""
    from dataclasses import asdict

    document = asdict(certificate)
    if not certificate.advice:
        del document["advice"]
    for function, report in zip(document["functions"], certificate.functions, strict=True):
        function["verdict"] = report.verdict
        if not report.convention:
            del function["convention"]
        function["squares"] = [
            {
                key: value for key, value in square.items()
                if value not in ("", (), {}, 0) and key not in _NOT_WRITTEN
            }
            for square in function["squares"]
        ]  # fmt: skip
    return {"format": FORMAT, "verdict": certificate.verdict, **document}
