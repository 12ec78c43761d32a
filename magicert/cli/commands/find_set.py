"""`magicert find --set`: a magic for every square, as a verified table file."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.board import Piece, square_name
from magicert.cli.options.types import values_by_name
from magicert.problem import InputError, Problem
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.cell import Cell
    from magicert.engine import Request
    from magicert.search.sets.magic_list import Magic, Square

UNKNOWN = 3
SHOWN = 8
"""Squares without a magic that are named one by one."""


def set_options(function: Any) -> Any:  # noqa: ANN401
    """The options that only a set has."""
    for decorate in reversed(
        (
            click.option("--set", "whole_set", is_flag=True, help="All squares, as a table."),
            click.option(
                "--piece", "only_piece", type=click.Choice([piece.value for piece in Piece]),
                help="With --set: one piece only.",
            ),
            click.option(
                "--fixed-shift", is_flag=True,
                help="With --set: one shift for all squares (12 bits for rooks, 9 for bishops).",
            ),
            click.option(
                "--fewer-bits", is_flag=True,
                help="With --set: known magics where fewer than popcount(mask) bits suffice.",
            ),
            click.option(
                "-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                help="With --set: the table file; standard output if not given.",
            ),
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


def check_usage(options: dict[str, Any]) -> None:
    """Refuse options that do not go together. Raises click.UsageError."""
    if not options["whole_set"]:
        given = [
            name
            for name, key in (
                ("--piece", "only_piece"),
                ("--fixed-shift", "fixed_shift"),
                ("--fewer-bits", "fewer_bits"),
                ("--output", "output"),
            )
            if options[key]
        ]
        if given:
            raise click.UsageError(f"{', '.join(given)}: expected together with --set")
        if options["piece"] is None or options["square"] is None:
            raise click.UsageError("expected PIECE and SQUARE, or --set")
        return
    if options["piece"] is not None:
        raise click.UsageError("--set is for all squares: expected --piece rook, not PIECE SQUARE")
    for shown, is_given in (
        ("--all", options["everything"]),
        ("--largest-index", options["largest_index"] is not None),
        ("--ledger", options["ledger"] is not None),
        ("--cluster", options["cluster"] is not None),
    ):
        if is_given:
            raise click.UsageError(f"{shown} is for one square: not together with --set")
    ways = [options["bits"] is not None, options["fixed_shift"], options["fewer_bits"]]
    if sum(ways) > 1:
        raise click.UsageError("expected one of --bits, --fixed-shift and --fewer-bits")


def run(options: dict[str, Any]) -> int:
    """Find a set; the exit status. What is found before an interruption is kept."""
    from magicert.engine import ENGINES, Request, load, option_values
    from magicert.scheme import resolve_scheme
    from magicert.search.sets.known import with_fewer_bits
    from magicert.search.sets.sets import cells_of

    output = options["output"]
    if output is not None and not output.parent.is_dir():
        raise InputError([Problem("no such folder", file=str(output.parent))])
    scheme = resolve_scheme(options["scheme"])
    pieces = [Piece(options["only_piece"])] if options["only_piece"] else list(Piece)
    cells = cells_of(scheme, pieces, options["bits"], options["fixed_shift"])
    magics: dict[Square, Magic] = {}
    if options["fewer_bits"]:
        cells, magics = with_fewer_bits(cells)
        if not magics:
            message = f"no magics of fewer bits are known for scheme {scheme.name}"
            raise InputError([Problem(message, key="--fewer-bits")])
    engine_name = options["engine"] or next(iter(ENGINES))
    engine = load(engine_name)
    request = Request(
        cell=cells[0],
        seconds=options["timeout"],
        memory=options["memory"],
        seed=options["seed"],
        workers=options["workers"],
        options=option_values(engine, values_by_name(options["given"])),
    )
    job = _Job(cells, magics, reproducing_command(options, engine_name), output)
    return job.run(engine, request)


def reproducing_command(options: dict[str, Any], engine: str) -> str:
    """The command that yields the same magics; it names what differs from the defaults."""
    import shlex

    parts = ["magicert", "find", "--set"]
    if options["only_piece"]:
        parts += ["--piece", options["only_piece"]]
    if options["scheme"] != "white":
        parts += ["--scheme", options["scheme"]]
    if options["bits"] is not None:
        parts += ["--bits", str(options["bits"])]
    parts += [f"--{key.replace('_', '-')}" for key in ("fixed_shift", "fewer_bits") if options[key]]
    parts += ["--engine", engine, "--seed", str(options["seed"])]
    for text in sorted(options["given"]):
        parts += ["-O", text]
    return shlex.join(parts)


class _Job:
    """One set on its way to a file."""

    def __init__(
        self,
        cells: "tuple[Cell, ...]",
        magics: "dict[Square, Magic]",
        command: str,
        output: Path | None,
    ) -> None:
        self.scheme = cells[0].scheme
        self.cells = cells
        self.magics = magics
        self.command = command
        self.output = output
        self.partial = output.with_name(output.name + ".partial") if output else None
        self.started = time.monotonic()

    def run(self, engine: Any, request: "Request") -> int:  # noqa: ANN401
        """Search what is missing, then verify and write."""
        from magicert.cli.commands.find import CommandObserver
        from magicert.outcome import Unknown
        from magicert.search.sets.sets import Progress, find_set

        self.resume()
        missing = tuple(c for c in self.cells if (c.piece, c.square) not in self.magics)
        try:
            with CommandObserver(f"set of {self.scheme.name}", "squares") as observer:
                left = find_set(engine, missing, request, Progress(observer, self.found))
            if not left:
                self.finish(request.seed)
                return 0
        except KeyboardInterrupt:
            # Between two squares, or while the finished set was being verified.
            left = {
                (c.piece, c.square): Unknown("interrupted")
                for c in missing
                if (c.piece, c.square) not in self.magics
            }
        return self.unfinished(left)

    def found(self, cell: "Cell", magic: "Magic") -> None:
        """A new magic."""
        self.magics[cell.piece, cell.square] = magic

    def resume(self) -> None:
        """Take what an interrupted run of the same command has left, checking each magic."""
        from magicert.cell import first_conflict
        from magicert.search.sets.magic_list import read_magic_list

        if self.partial is None or not self.partial.exists():
            return
        listed = read_magic_list(self.partial)
        if listed.texts.get("command") != self.command:
            message = (
                f"left by another command ({listed.texts.get('command')}): "
                "remove it, or choose another output"
            )
            raise InputError([Problem(message, file=str(self.partial))])
        problems = []
        for cell in self.cells:
            magic = listed.magics.get((cell.piece, cell.square))
            if magic is None:
                continue
            where = f"{cell.piece}.{square_name(cell.square)}"
            if magic.bits != cell.bits:
                message = f"{magic.bits} bits: expected {cell.bits}"
                problems.append(Problem(message, str(self.partial), where))
            elif first_conflict(cell, magic.magic) is not None:
                message = f"{magic.magic:#x} is no magic of {cell.bits} bits"
                problems.append(Problem(message, str(self.partial), where))
            self.magics[cell.piece, cell.square] = magic
        if problems:
            raise InputError(problems)
        click.echo(f"resumed from {self.partial}: {len(listed.magics)} squares", err=True)

    def unfinished(self, left: "dict[Square, Any]") -> int:
        """Print and keep what was found; the exit status."""
        from magicert.outcome import Impossible
        from magicert.search.sets.magic_list import MagicList, write_magic_list

        impossible = {s: o for s, o in left.items() if isinstance(o, Impossible)}
        verdict = "IMPOSSIBLE" if impossible else "UNKNOWN"
        click.echo(f"{verdict} set of {self.scheme.name}: {len(self.magics)} of {len(self.cells)}")
        reasons = list((impossible or left).items())
        for (piece, square), outcome in reasons[:SHOWN]:
            reason = outcome.argument if impossible else outcome.reason
            click.echo(f"  {piece} {square_name(square)}: {reason}", err=True)
        if len(reasons) > SHOWN:
            click.echo(f"  and {len(reasons) - SHOWN} more squares", err=True)
        for (piece, square), magic in sorted(self.magics.items()):
            click.echo(f"  {piece} {square_name(square)} {magic.bits} {magic.magic:#018x}")
        if impossible:
            return Impossible.exit_status
        if self.partial is not None and self.magics:
            texts = {"command": self.command}
            listed = MagicList(self.scheme.name, self.magics, texts)
            write_magic_list(listed, self.partial, "What a set had when it was interrupted.")
            click.echo(f"kept in {self.partial}: the same command resumes from it", err=True)
        return UNKNOWN

    def finish(self, seed: int) -> None:
        """Verify the table exhaustively, as it will be read, and only then write it."""
        from magicert import __version__
        from magicert.search.sets.sets import table_of
        from magicert.table import Provenance, parse_table, table_toml
        from magicert.verify.table.verifier import verify

        provenance = Provenance(found_by=f"magicert {__version__}", command=self.command, seed=seed)
        name = f"magicert {self.scheme.name}, {' and '.join(self.sizes())}"
        text = table_toml(table_of(self.scheme, self.magics, name, provenance))
        report = verify(parse_table(text.encode(), self.output or Path("-")))
        if report.verdict != "valid":
            found = "; ".join(finding.message for finding in report.findings[:3])
            raise AssertionError(f"the set is {report.verdict}: {found}")
        seconds = time.monotonic() - self.started
        lines = [
            f"EXISTS set of {self.scheme.name}, {len(self.cells)} squares",
            *(f"  {size}" for size in self.sizes()),
            f"  verified exhaustively, {report.lookups:,} lookups; seconds {seconds:.3g}",
        ]
        if self.output is None:
            click.echo(text, nl=False)
        else:
            write_whole(self.output, text)
            lines.append(f"  written to {self.output}")
        if self.partial is not None:
            self.partial.unlink(missing_ok=True)
        click.echo("\n".join(lines), err=self.output is None)

    def sizes(self) -> list[str]:
        """The slots of each piece."""
        return [
            f"{piece} {sum(1 << m.bits for (p, _), m in self.magics.items() if p is piece):,} slots"
            for piece in Piece
            if any(p is piece for p, _ in self.magics)
        ]
